import { parseJsonBody, collectBytes, decode, isEmpty, unsupported } from '../../http/json-body.ts'
import { isMixed, partType, readMixed } from '../../http/multipart.ts'
import type { RequestContext } from './request-context.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import type { Operation } from '../../contract/contract.ts'
import type { XmlTree } from '../../contract/xml-value.ts'
import { bareType, isJson, isRows, isWithin } from '../../contract/media-type.ts'
import { asObject, type Members, withNumbers } from '../../base/formats/json.ts'
import { formInvalid, xmlInvalid } from '../../base/errors/request-errors.ts'

/** A file of a form. */
interface FormFile {
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

/**
 * The body of a request for an operation that takes more than JSON objects: any JSON, the fields of a form, a text, or bytes.
 * Undefined when it is empty. A body that is not JSON is validated here, and its violations are `context.bodyFaults`.
 *
 * @param types the media types that the contract names
 * @throws Problem 415, 413 or 400
 */
export async function readOtherBody(
  context: RequestContext,
  operation: Operation,
  types: readonly string[],
): Promise<unknown> {
  const { request, tracker } = context
  const most = tracker.settings['http.size']
  const type = mediaTypeOf(context, types)
  const bytes = await collectBytes(request, most)
  // A form without fields is a form: `curl -d ''` sends one.
  if (type === undefined || (bytes.length === 0 && bareType(type) !== FORM)) return undefined
  const value = await readAs(bareType(type), bytes, context, operation)
  // Some documents describe it as an object, for want of a better schema (RFC 6902).
  if (/^application\/json-patch\+json/i.test(type) && Array.isArray(value)) context.bodyFaults = []
  else if (!isJson(type))
    context.bodyFaults = value instanceof Uint8Array ? [] : operation.checkBody(asSent(value), bareType(type))
  // A merge patch and a JSON Patch have schemas of their own.
  else if (types.filter(isJson).length > 1) context.bodyFaults = operation.checkBody(withNumbers(value), bareType(type))
  return value
}

/** The media type of the body; undefined for an empty one without. */
function mediaTypeOf({ request, tracker }: RequestContext, types: readonly string[]): string | undefined {
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = request.headers
  if (coding.toLowerCase() !== 'identity') throw unsupported('Content-Encoding', 'no compression', coding)
  if (type === undefined && isEmpty(request)) return undefined
  if (type !== undefined && types.some((one) => isWithin(type, one) || (isJson(one) && isJson(type)))) return type
  if (tracker.settings['http.media-type'] === 'lenient') return types[0]
  throw unsupported('Content-Type', types.join(', '), type)
}

function readAs(type: string, bytes: Buffer, context: RequestContext, operation: Operation): unknown {
  if (type === 'multipart/form-data') return readMultipart(bytes, context, operation)
  if (isMixed(type)) return readMixedBody(bytes, context, operation)
  if (!isJson(type) && !isRows(type) && !isText(type)) return bytes
  const text = decode(bytes, context.trace)
  context.trace.received = text
  if (isJson(type)) return parseJsonBody(text, context.tracker, true).value
  if (isRows(type)) return readRows(text, type, context.tracker)
  if (type === 'text/event-stream' && asObject(operation.bodyMedia(type).schema).type === 'array')
    return readEvents(text)
  if (isXml(type)) return readXml(text, type, operation)
  return type === FORM ? operation.readForm(new URLSearchParams(text), FORM) : text
}

/** A text for each row; in a sequence (RFC 7464) for each record separator. */
function readRows(text: string, type: string, tracker: BehaviourTracker): readonly unknown[] {
  const rows: unknown[] = []
  let linesBefore = 0
  for (const row of text.split(type.endsWith('json-seq') ? '\u001e' : /(?<=\n)/)) {
    if (row.trim() !== '') rows.push(readRow(row, linesBefore, tracker))
    linesBefore += row.split('\n').length - 1
  }
  return rows
}

function readRow(row: string, linesBefore: number, tracker: BehaviourTracker): unknown {
  try {
    return parseJsonBody(row, tracker, true).value
  } catch {
    // It fails once more, and names the line of the body.
    return parseJsonBody('\n'.repeat(linesBefore) + row, tracker, true).value
  }
}

/** The fields of server-sent events (HTML Living Standard, 9.2.6), one object for each. */
function readEvents(text: string): readonly Members[] {
  const blocks = text.replaceAll(/\r\n?/g, '\n').split(/\n\n+/)
  return blocks.map(readEvent).filter((event) => Object.keys(event).length > 0)
}

function readEvent(block: string): Members {
  const event: Record<string, unknown> = {}
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^(event|data|id|retry)(?:: ?(.*))?$/.exec(line) ?? []
    if (field === 'data' && typeof event.data === 'string') event.data += `\n${value}`
    else if (field !== '') event[field] = field === 'retry' && /^\d+$/.test(value) ? Number(value) : value
  }
  return event
}

const FORM = 'application/x-www-form-urlencoded'

function isText(type: string): boolean {
  return type === FORM || type.startsWith('text/') || /[/+](?:xml|yaml|csv)$/.test(type)
}

function isXml(type: string): boolean {
  return /[/+]xml$/.test(type)
}

/** The parser is loaded with the first such body. */
async function readXml(text: string, type: string, operation: Operation): Promise<unknown> {
  try {
    return operation.readXml(await parseXml(text), type)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw xmlInvalid(unreadable(`The XML cannot be read: ${error.message}.`, 'well-formed XML', operation))
  }
}

/** What the error for a body with a syntax error says. */
function unreadable(detail: string, expected: string, operation: Operation) {
  const violation = { pointer: '', code: 'syntax', message: detail, expected, source: operation.bodySource() }
  return { detail, violations: [violation] }
}

/**
 * An XML document as a tree. Prefixes of namespaces are dropped, since any prefix may stand for a namespace; entities of its own are not
 * expanded.
 *
 * @throws SyntaxError naming line and column
 */
async function parseXml(text: string): Promise<Readonly<Record<string, XmlTree>>> {
  // The validator's successor is a package of its own with a second parser.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const { XMLParser, XMLValidator } = await import('fast-xml-parser')
  const checked = XMLValidator.validate(text, { allowBooleanAttributes: true })
  if (checked !== true) throw new SyntaxError(`line ${checked.err.line}, column ${checked.err.col}: ${checked.err.msg}`)
  if (/<!DOCTYPE/i.test(text)) throw new SyntaxError('it has a document type, which is not read')
  try {
    return new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: '@',
      removeNSPrefix: true,
      ignoreDeclaration: true,
      ignorePiTags: true,
      parseTagValue: false,
      parseAttributeValue: false,
    }).parse(text) as Readonly<Record<string, XmlTree>>
  } catch (error) {
    throw new SyntaxError(error instanceof Error ? error.message : String(error))
  }
}

async function readMultipart(bytes: Buffer, { request }: RequestContext, operation: Operation): Promise<unknown> {
  try {
    const parts = await readParts(bytes, request.headers['content-type'] ?? '')
    return operation.readForm(
      parts.map((part) => [part.name, contentOf(part)] as const),
      'multipart/form-data',
    )
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw formInvalid(unreadable(`The form cannot be read: ${error.message}.`, 'a form (RFC 7578)', operation))
  }
}

/** The values of the parts, in order: JSON, texts, and files. */
function readMixedBody(bytes: Buffer, { request, tracker }: RequestContext, operation: Operation): unknown {
  const mediaType = request.headers['content-type'] ?? ''
  try {
    const media = operation.bodyMedia(mediaType)
    return readMixed(bytes, mediaType).map(({ contentType, bytes: content }, index) => {
      const wanted = partType(media, index)
      if (wanted !== undefined && !wanted.split(',').some((one) => isWithin(contentType, one.trim())))
        throw new SyntaxError(`part ${index + 1}: expected the Content-Type ${wanted}, got ${contentType}`)
      const type = bareType(contentType)
      if (isJson(type)) return parseJsonBody(content.toString(), tracker, true).value
      return isText(type) ? content.toString() : { fileName: '', contentType, bytes: content }
    })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const expected = 'parts between boundaries (RFC 2046)'
    throw formInvalid(unreadable(`The body cannot be read: ${error.message}.`, expected, operation))
  }
}

function contentOf({ fileName, contentType, bytes }: FormPart): string | FormFile {
  return fileName === undefined ? bytes.toString() : { fileName, contentType, bytes }
}

/** The value as its schema describes it: a file is a text. */
function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent)
  if (typeof value !== 'object' || value === null) return value
  if ('bytes' in value && value.bytes instanceof Uint8Array) return Buffer.from(value.bytes).toString('latin1')
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asSent(inner)]))
}

/** One part of a multipart form (RFC 7578). */
interface FormPart {
  readonly name: string
  /** Undefined for a plain field. */
  readonly fileName: string | undefined
  readonly contentType: string
  readonly bytes: Buffer
}

const MAX_PARTS = 1000
/** Bytes of the name of a field. */
const LONGEST_NAME = 1000

/**
 * Parses a multipart form. The parser is loaded with the first one.
 *
 * @param mediaType with its boundary
 * @throws SyntaxError for a body that is not such a form
 */
async function readParts(bytes: Buffer, mediaType: string): Promise<readonly FormPart[]> {
  const { Busboy } = await import('@fastify/busboy')
  return new Promise<readonly FormPart[]>((resolve, reject) => {
    const refuse = (why: unknown) => reject(new SyntaxError(why instanceof Error ? why.message : String(why)))
    const parts: FormPart[] = []
    // The size of the whole body was checked, so a single part needs no limit.
    const limits = { fieldNameSize: LONGEST_NAME, fieldSize: bytes.length, parts: MAX_PARTS }
    const reader = new Busboy({ headers: { 'content-type': mediaType }, limits })
    reader.on('field', (name, text) => {
      parts.push({ name, fileName: undefined, contentType: 'text/plain', bytes: Buffer.from(text) })
    })
    reader.on('file', (name, content, fileName, _encoding, contentType) => {
      const chunks: Buffer[] = []
      const place = parts.push({ name, fileName, contentType, bytes: NOTHING }) - 1
      content.on('data', (chunk: Buffer) => void chunks.push(chunk)).on('error', refuse)
      content.on('end', () => void (parts[place] = { name, fileName, contentType, bytes: Buffer.concat(chunks) }))
    })
    reader.on('partsLimit', () => refuse(`it has more than ${MAX_PARTS} parts`))
    reader.on('error', refuse).on('finish', () => resolve(parts))
    reader.end(bytes)
  }).catch((error: unknown) => {
    throw error instanceof SyntaxError ? error : new SyntaxError(error instanceof Error ? error.message : String(error))
  })
}

const NOTHING = Buffer.alloc(0)
