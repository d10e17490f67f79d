import type { IncomingMessage } from 'node:http'
import { visit } from 'jsonc-parser'
import { atEndOfRead } from '../tick-batching.ts'
import type { Trace } from '../../journal/trace.ts'
import type { Behaviours } from '../../behaviours/behaviours.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import type { BehaviourId } from '../../behaviours/settings.ts'
import { counted } from '../../errors/counted.ts'
import { findFault, parseJson } from '../../formats/json.ts'
import { refusal } from '../../resources/handler.ts'
import type { Problem } from '../../errors/problem.ts'
import { contentTooLarge, jsonInvalid, requestAborted, unsupportedMediaType } from '../../errors/request-errors.ts'
import { createOwnedCache, createSeen, type OwnedCache, type Seen } from '../../engine/cache.ts'

/** Values of bodies that were sent at least twice lately: a walk sends the same body with each of its pages. */
interface KnownBodies extends OwnedCache<string, { readonly value: object; readonly bytes: number }> {
  readonly seen: Seen
}

/** Bytes. */
const MOST_KNOWN = 8 * 2 ** 20
/** Longer ones are not worth the room. */
const LONGEST_KNOWN = 65_536

/** Bodies belong to the behaviours that they were read by. */
export function createKnownBodies(): KnownBodies {
  return { ...createOwnedCache({ most: MOST_KNOWN, sizeOf: ({ bytes }) => bytes }), seen: createSeen() }
}

/** A value takes several times the room of its text, and so does what is made from it. */
function sizeOf(text: string): number {
  return 2048 + 12 * text.length
}

/** Both may be left out. */
interface Environment {
  /** Is told the text, also where it is no JSON. */
  readonly trace?: Trace
  readonly known?: { readonly bodies: KnownBodies; readonly behaviours: Behaviours; found(): void }
  /** Whether it may be something else than an object. */
  readonly isAny?: boolean
}

/**
 * The body of a request as a JSON value, undefined when it is empty. In the order of `http.order`: media type, size, JSON.
 *
 * @throws Problem 415, 413 or 400
 */
export async function readBody(
  request: IncomingMessage,
  tracker: BehaviourTracker,
  { trace, known, isAny }: Environment = {},
): Promise<unknown> {
  const most = tracker.answers['http.size']
  const declared = Number(request.headers['content-length'] ?? 0)
  checkMediaType(request, tracker)
  if (declared > most) throw tooLarge(most, declared)
  const bytes = await collect(request, most)
  if (bytes.length === 0) return undefined
  const text = decode(bytes, trace)
  if (trace) trace.received = text
  const kept = known?.bodies.get(known.behaviours, text)?.value
  if (kept) {
    known.found()
    return kept
  }
  const { value, isPlain } = readText(text, tracker, isAny)
  if (known && isPlain && !isAny && text.length <= LONGEST_KNOWN && known.bodies.seen(text)) {
    known.bodies.set(known.behaviours, text, { value: value as object, bytes: sizeOf(text) })
    known.found()
  }
  return value
}

/** No content has no media type to be wrong, unless it names one. */
function checkMediaType(request: IncomingMessage, tracker: BehaviourTracker): void {
  const { answers } = tracker
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = request.headers
  if (coding.toLowerCase() !== 'identity') throw unsupported('Content-Encoding', 'no compression', coding)
  if (type !== undefined && isJsonType(type, tracker)) return
  if (answers['http.media-type'] === 'lenient') {
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

/** Part by part: a pattern for the whole would go over a long run of spaces again and again. */
function isJsonType(type: string, tracker: BehaviourTracker): boolean {
  if (type === 'application/json') return true
  const [name, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  if (name !== 'application/json') return false
  const others = parameters.filter((one) => !/^(charset ?= ?(utf-8|"utf-8"))?$/.test(one))
  if (others.length === 0) return true
  if (others.some((one) => /^charset ?=/.test(one) && !/^charset ?= ?"?utf8"?$/.test(one))) return false
  return tracker.ask('http.content-type-parameters') === 'ignore' && others.every((one) => /^[^\s=]+ ?= ?\S/.test(one))
}

/** RFC 9112, 6.3: a request without either header has no content. */
export function isEmpty({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

export function tooLarge(most: number, size: number): Problem {
  return contentTooLarge({
    detail: `The body may have ${counted(most, 'byte')}; this one has ${size} or more.`,
    violations: [refusal('http.size', { pointer: '' }, `at most ${counted(most, 'byte')}`, size)],
    headers: { connection: 'close' },
  })
}

/** All of a body, up to a number of bytes. @throws Problem 413 for more */
export function collect(request: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= most) return chunks.push(chunk)
      // The rest is not read: the answer goes out and the connection ends.
      request.pause().removeAllListeners('data')
      return reject(tooLarge(most, size))
    })
    request.on('end', () =>
      atEndOfRead(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))),
    )
    request.on('error', () => reject(requestAborted({ detail: 'The body ended early.' })))
  })
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })

/** Passes over a byte order mark (RFC 8259, 8.1). @throws Problem 400 for what is no UTF-8 */
export function decode(bytes: Buffer, trace: Trace | undefined): string {
  try {
    return UTF_8.decode(bytes)
  } catch {
    if (trace) trace.received = bytes.toString()
    throw invalidJson('http.json', 'The body is not valid UTF-8.', 'UTF-8')
  }
}

/** @param isAny whether it may be something else than an object */
export function parseBody(text: string, tracker: BehaviourTracker, isAny = false): unknown {
  return readText(text, tracker, isAny).value
}

/** `isPlain` tells that it is a value whose members are all there once. */
function readText(text: string, tracker: BehaviourTracker, isAny = false): { value: unknown; isPlain: boolean } {
  if (/^[ \t\r\n]*$/.test(text)) return { value: undefined, isPlain: false }
  const most = tracker.answers['http.depth']
  const { isDeeper, members } = survey(text, most)
  if (isDeeper)
    throw invalidJson(
      'http.depth',
      `The body nests more than ${counted(most, 'level')} deep.`,
      `at most ${counted(most, 'level')}`,
    )
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    const { line, column, reason } = findFault(text)
    const why = reason ?? (error instanceof Error ? error.message : '')
    throw invalidJson(
      'http.json',
      `The body is not valid JSON: line ${line}, column ${column}: ${why}.`,
      'one JSON object',
    )
  }
  if (!isAny && (typeof value !== 'object' || value === null || Array.isArray(value))) {
    const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`
    throw invalidJson(
      'http.json',
      `The body is ${kind} (line 1, column 1). Send a JSON object.`,
      'one JSON object',
      value,
    )
  }
  const isPlain = countMembers(value) === members
  if (!isPlain && tracker.ask('http.duplicate-key') === 'error') refuseDuplicates(text)
  return { value, isPlain }
}

function invalidJson(row: BehaviourId, detail: string, expected: string, received?: unknown): Problem {
  return jsonInvalid({
    detail,
    violations: [{ ...refusal(row, { pointer: '' }, expected, received), message: detail }],
  })
}

interface Survey {
  readonly isDeeper: boolean
  /** How many members of objects are written; more than the value has when a key is there twice. */
  readonly members: number
}

/**
 * Whether a text nests deeper than so many levels. It is asked before anything else, since what reads a value level by level
 * runs out of stack on a deep one: the parser that keeps long integers, and the one that finds faults.
 */
function survey(text: string, levels: number): Survey {
  let depth = 0
  let members = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (inString) {
      if (character === BACKSLASH) at++
      else if (character === QUOTE) inString = false
    } else if (character === QUOTE) inString = true
    else if (character === COLON) members++
    else if (character === BRACE || character === BRACKET) depth++
    else if (character === BRACE_END || character === BRACKET_END) depth = Math.max(0, depth - 1)
    if (depth > levels) return { isDeeper: true, members }
  }
  return { isDeeper: false, members }
}

/** Character codes: comparing numbers is several times quicker than comparing texts of one character. */
const QUOTE = 0x22
const COLON = 0x3a
const BRACKET = 0x5b
const BACKSLASH = 0x5c
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const held: unknown[] = Array.isArray(value) ? value : Object.values(value)
  let members = Array.isArray(value) ? 0 : held.length
  for (const inner of held) if (typeof inner === 'object') members += countMembers(inner)
  return members
}

function refuseDuplicates(text: string): void {
  const objects: Set<string>[] = []
  visit(text, {
    onObjectBegin: () => void objects.push(new Set()),
    onObjectEnd: () => void objects.pop(),
    onObjectProperty: (name, _offset, _length, line, character) => {
      const names = objects.at(-1)
      if (names?.has(name)) {
        const detail = `The member ${JSON.stringify(name)} is there twice: line ${line + 1}, column ${character + 1}.`
        throw invalidJson('http.duplicate-key', detail, 'each member once')
      }
      names?.add(name)
    },
  })
}
