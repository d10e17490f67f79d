import type { BehaviourTracker } from '../behaviours/tracker.ts'
import type { BehaviourId } from '../../types/behaviour-settings.d.ts'
import { counted } from '../base/errors/wording.ts'
import type { Problem } from '../base/errors/problem.ts'
import { jsonInvalid, contentTooLarge, requestAborted, unsupportedMediaType } from '../base/errors/request-errors.ts'
import { runSteps, type Steps, inSlices, type Pause, atEndOfRead } from '../engine/slices.ts'
import { findDuplicate, findFault } from '../base/formats/json.ts'
import { readJson } from '../base/formats/json-reading.ts'
import { refusal } from '../behaviours/refusal.ts'
import type { IncomingMessage } from 'node:http'

/**
 * Parses a JSON body. `isPlain`: the value can be cached (not empty, no duplicate key).
 *
 * @param allowsAnyValue whether arrays and scalars are allowed
 * @throws Problem 400
 */
export function parseJsonBody(text: string, tracker: BehaviourTracker, allowsAnyValue = false): ParsedBody {
  return runSteps(parseInSteps(text, tracker, allowsAnyValue))
}

interface ParsedBody {
  readonly value: unknown
  readonly isPlain: boolean
}

/** The same in steps, for bodies of megabytes. */
function* parseInSteps(text: string, tracker: BehaviourTracker, allowsAnyValue = false): Steps<ParsedBody> {
  if (/^[ \t\r\n]*$/.test(text)) return { value: undefined, isPlain: false }
  const most = tracker.settings['http.depth']
  const { isDeeper, value, fault, duplicate } = yield* readJson(text, most)
  if (isDeeper)
    throw invalidJson(
      'http.depth',
      `The body nests more than ${counted(most, 'level')} deep.`,
      `at most ${counted(most, 'level')}`,
    )
  if (fault) {
    yield
    const { line, column, reason } = findFault(text, fault)
    const why = reason ?? (fault.error instanceof Error ? fault.error.message : '')
    throw invalidJson(
      'http.json',
      `The body is not valid JSON: line ${line}, column ${column}: ${why}.`,
      'one JSON object',
    )
  }
  if (!allowsAnyValue && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
    throw invalidJson(
      'http.json',
      `The body is ${kind} (line 1, column 1). Send a JSON object.`,
      'one JSON object',
      value,
    )
  }
  if (duplicate && tracker.ask('http.duplicate-key') === 'error') {
    const { line, column, reason } = findDuplicate(text, duplicate)
    const detail = `The member ${reason} is there twice: line ${line}, column ${column}.`
    throw invalidJson('http.duplicate-key', detail, 'each member once')
  }
  return { value, isPlain: !duplicate }
}

function invalidJson(behaviour: BehaviourId, detail: string, expected: string, received?: unknown): Problem {
  return jsonInvalid({
    detail,
    violations: [{ ...refusal(behaviour, { pointer: '' }, expected, received), message: detail }],
  })
}

/** The value of a JSON body, read in slices; undefined when it is empty. @throws Problem 415, 413 or 400 */
export async function readJsonBody(
  request: IncomingMessage,
  tracker: BehaviourTracker,
  pause: Pause,
): Promise<unknown> {
  checkMediaType(request, tracker)
  const bytes = await collectBytes(request, tracker.settings['http.size'])
  if (bytes.length === 0) return undefined
  await pause()
  return (await inSlices(parseInSteps(decode(bytes), tracker), pause)).value
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes UTF-8, without a byte order mark (RFC 8259, 8.1).
 *
 * @param trace gets what was received when it is not UTF-8
 * @throws Problem 400
 */
export function decode(bytes: Buffer, trace?: { received: string | undefined }): string {
  try {
    return UTF_8.decode(bytes)
  } catch {
    if (trace) trace.received = bytes.toString()
    throw invalidJson('http.json', 'The body is not valid UTF-8.', 'UTF-8')
  }
}

interface TextReader {
  readonly tracker: BehaviourTracker
  /** Gets what was received when it is not UTF-8. */
  readonly trace: { received: string | undefined }
}

/**
 * Reads the text of a JSON body at the end of the turn; undefined when it is empty. It takes a callback rather than returning a promise,
 * so that the next middleware runs in the same turn. The callback may get a Problem 413 or 400.
 *
 * @throws Problem 415 or 413
 */
export function readJsonText(
  request: IncomingMessage,
  { tracker, trace }: TextReader,
  done: (error: unknown, text?: string) => void,
): void {
  checkMediaType(request, tracker)
  collect(request, tracker.settings['http.size'], (error, bytes) => {
    let text: string | undefined
    try {
      if (error) throw error
      if (bytes.length > 0) text = decode(bytes, trace)
    } catch (thrown) {
      done(thrown)
      return
    }
    done(undefined, text)
  })
}

/** An empty body needs no media type. @throws Problem 415 */
function checkMediaType(request: IncomingMessage, tracker: BehaviourTracker): void {
  const { settings } = tracker
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = request.headers
  if (coding.toLowerCase() !== 'identity') throw unsupported('Content-Encoding', 'no compression', coding)
  if (type !== undefined && isJsonType(type, tracker)) return
  if (settings['http.media-type'] === 'lenient') {
    tracker.note('http.media-type')
    return
  }
  if (type === undefined && isEmpty(request)) return
  throw unsupported('Content-Type', 'application/json', type)
}

/** RFC 9110, 15.5.16. */
export function unsupported(header: string, expected: string, received: string | undefined): Problem {
  return unsupportedMediaType({
    detail: `${header} is ${received ?? 'missing'}. Send ${header === 'Content-Type' ? expected : 'application/json'} in UTF-8, without compression.`,
    violations: [refusal('http.media-type', { header }, expected, received)],
    headers: { accept: header === 'Content-Type' ? expected : 'application/json', 'accept-encoding': 'identity' },
  })
}

/** Part by part: one pattern for the whole would backtrack over long runs of spaces. */
function isJsonType(type: string, tracker: BehaviourTracker): boolean {
  if (type === 'application/json') return true
  const [name, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  if (name !== 'application/json') return false
  const others = parameters.filter((one) => !/^(charset ?= ?(utf-8|"utf-8"))?$/.test(one))
  if (others.length === 0) return true
  if (others.some((one) => /^charset ?=/.test(one) && !/^charset ?= ?"?utf8"?$/.test(one))) return false
  return others.every((one) => /^[^\s=]+ ?= ?\S/.test(one)) && tracker.ask('http.content-type-parameters') === 'ignore'
}

/** RFC 9112, 6.3: a request without either header has no content. */
export function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

function tooLarge(most: number, size: number): Problem {
  return contentTooLarge({
    detail: `The body may have ${counted(most, 'byte')}; this one has ${size} or more.`,
    violations: [refusal('http.size', { pointer: '' }, `at most ${counted(most, 'byte')}`, size)],
  })
}

/** A callback rather than a promise, so that the next middleware runs in the same turn. */
type Collected = (error: Problem | undefined, bytes: Buffer) => void

/** Collects the bytes of a body, up to a limit, and calls back at the end of the turn. @throws Problem 413 */
function collect(request: IncomingMessage, most: number, done: Collected): void {
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > most) throw tooLarge(most, declared)
  if (request.readableEnded) {
    done(undefined, readBefore(request))
    return
  }
  // Listening for a body that HTTP/1 says is not there takes several turns of the stream. Of HTTP/2 the headers do not tell.
  if (request.httpVersionMajor === 1 && isEmpty(request)) {
    atEndOfRead(() => done(undefined, NOTHING))
    return
  }
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= most) return chunks.push(chunk)
    dropRest(request)
    return done(tooLarge(most, size), NOTHING)
  })
  request.on('end', () =>
    atEndOfRead(() => done(undefined, chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))),
  )
  request.on('error', () => done(requestAborted({ detail: 'The body ended early.' }), NOTHING))
}

/**
 * Reads on without keeping anything, until the server's deadline for a request. Closing instead would reset the connection of a client
 * that is still sending, and most clients lose the response with it.
 */
function dropRest(request: IncomingMessage): void {
  for (const event of ['data', 'end', 'error']) request.removeAllListeners(event)
  request.resume()
}

/** @throws Problem 413 for more bytes than that */
export function collectBytes(request: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    collect(request, most, (error, bytes) => {
      if (error) reject(error)
      else resolve(bytes)
    }),
  )
}

const NOTHING = Buffer.alloc(0)

/** The body that a middleware before this app has read, such as `express.json()`. */
function readBefore(request: IncomingMessage & { readonly body?: unknown }): Buffer {
  const { body } = request
  if (body === undefined) return NOTHING
  if (body instanceof Uint8Array) return Buffer.from(body)
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}
