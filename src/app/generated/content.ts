import { SAMPLES } from './samples.ts'
import { xmlOf } from './xml.ts'
import { bareType, isJson, isRows, isEventStream } from '../../contract/media-type.ts'
import { isObject, type Members, stringifyJson, textOrJson } from '../../base/formats/json.ts'
import { isMixed, partType, writeMixed } from '../../http/multipart.ts'
import type { OutcomeBody } from '../../resources/handler.ts'

/** Whether responses of a media type, which may be a range, are written as JSON. */
export function isWrittenAsJson(mediaType: string): boolean {
  return isJson(mediaType) || ['*/*', 'application/*'].includes(bareType(mediaType))
}

/** Whether the schema of a media type describes its bodies, so that they can be generated and checked by it. */
export function isStructured(mediaType: string): boolean {
  return (
    isWrittenAsJson(mediaType) ||
    isXml(bareType(mediaType)) ||
    isEventStream(mediaType) ||
    isRows(mediaType) ||
    isMixed(mediaType)
  )
}

function isXml(type: string): boolean {
  return /[/+]xml$/.test(type) && type !== 'image/svg+xml'
}

/** What a value was generated from. Examples of the document have none. */
export interface ValueOrigin {
  readonly document: unknown
  readonly schema: unknown
  /** The media type of the document that has the schema. */
  readonly media?: Members
}

/** A value as the body of a response of a media type, which may be a range. */
export function contentOf(value: unknown, mediaType: string, origin: ValueOrigin | undefined): OutcomeBody {
  const contentType = concreteType(mediaType)
  if (isWrittenAsJson(mediaType)) {
    if (contentType === 'application/json') return { json: value }
    return { content: stringifyJson(value), contentType }
  }
  if (isMixed(mediaType) && Array.isArray(value)) return writeMixed(partsOf(value, origin?.media), mediaType)
  return { content: written(value, bareType(contentType), origin), contentType }
}

function partsOf(values: readonly unknown[], media: Members = {}) {
  return values.map((value, index) => {
    const usual = typeof value === 'object' && value !== null ? 'application/json' : 'text/plain'
    const [contentType = usual] = (partType(media, index) ?? usual).split(',').map((one) => concreteType(one.trim()))
    const content = isWrittenAsJson(contentType)
      ? stringifyJson(value)
      : written(value, bareType(contentType), undefined)
    return { contentType, bytes: Buffer.from(content) }
  })
}

/** The media types that are sent for ranges. */
const OF_RANGES: Readonly<Record<string, string>> = {
  'image/*': 'image/png',
  'video/*': 'video/mp4',
  'audio/*': 'audio/wav',
  'font/*': 'font/woff2',
  'text/*': 'text/plain',
}

function concreteType(mediaType: string): string {
  return mediaType.includes('*') ? (OF_RANGES[bareType(mediaType)] ?? 'application/json') : mediaType
}

function written(value: unknown, type: string, origin: ValueOrigin | undefined): string | Buffer {
  // An example may be rows, XML or events already.
  const isReady = origin === undefined && typeof value === 'string'
  if (isRows(type) && !isReady) {
    // RFC 7464: a record separator begins each text of a sequence.
    const start = type.endsWith('json-seq') ? '\u001e' : ''
    return rowsOf(value)
      .map((row) => `${start}${stringifyJson(row)}\n`)
      .join('')
  }
  if (isXml(type) && !isReady) return xmlOf(origin?.document, origin?.schema, value)
  if (/(csv|tab-separated-values)$/.test(type) && rowsOf(value).every(isObject))
    return csv(rowsOf(value), type.endsWith('csv') ? ',' : '\t')
  if (type === 'application/x-www-form-urlencoded' && isObject(value))
    return new URLSearchParams(Object.entries(value).map(([name, one]) => [name, text(one)])).toString()
  if (isEventStream(type) && !isReady) return eventStreamOf(rowsOf(value))
  if (type === 'text/html' && typeof value !== 'string')
    return `<!doctype html>\n<title>Answer</title>\n<pre>${escaped(text(value))}</pre>\n`
  const kind = /^(image|video|audio|font)\//.exec(type)?.[0]
  const sample = SAMPLES[type] ?? (kind && SAMPLES[OF_RANGES[`${kind}*`] ?? ''])
  if (sample !== undefined) return Buffer.from(sample, 'base64')
  return text(value)
}

function rowsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : stringifyJson(value ?? '')
}

/** RFC 4180. */
function csv(rows: readonly unknown[], separator: string): string {
  const objects = rows.filter(isObject)
  const names = [...new Set(objects.flatMap((row) => Object.keys(row)))]
  const line = (cells: readonly unknown[]) => cells.map((cell) => quoted(text(cell ?? ''), separator)).join(separator)
  return [names, ...objects.map((row) => names.map((name) => row[name]))].map((cells) => `${line(cells)}\r\n`).join('')
}

function quoted(cell: string, separator: string): string {
  return cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const FIELDS = ['event', 'id', 'retry', 'data']

/**
 * Server-sent events (HTML Living Standard, 9.2.5), one for each value. A value with `data` that has only fields of events is written
 * field by field; any other value is the data.
 */
export function eventStreamOf(values: readonly unknown[]): string {
  return values.map((value) => `${linesOf(value).join('\n')}\n\n`).join('')
}

function linesOf(value: unknown): string[] {
  if (!isObject(value) || !Object.hasOwn(value, 'data') || Object.keys(value).some((name) => !FIELDS.includes(name)))
    return fieldOf('data', value)
  return FIELDS.flatMap((name) => (Object.hasOwn(value, name) ? fieldOf(name, value[name]) : []))
}

/** Only `data` may have several lines. */
function fieldOf(name: string, value: unknown): string[] {
  const text = textOrJson(value)
  const lines = text.split(/\r\n|\r|\n/)
  return (name === 'data' ? lines : [lines.join(' ')]).map((line) => `${name}: ${line}`)
}
