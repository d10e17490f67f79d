import { SAMPLES } from './samples.ts'
import { bareType, isJson } from '../contract/media-type.ts'
import { isObject, stringifyJson } from '../json.ts'
import type { OutcomeBody } from '../operations/handler.ts'

/** Whether an answer of a media type, which may be a range, is written as JSON. */
export function isWrittenAsJson(mediaType: string): boolean {
  return isJson(mediaType) || ['*/*', 'application/*'].includes(bareType(mediaType))
}

/** A value in the words of a media type. */
export function contentOf(value: unknown, mediaType: string): OutcomeBody {
  const contentType = mediaType.includes('*') ? 'application/json' : mediaType
  if (isWrittenAsJson(mediaType)) {
    // The usual one goes the usual way.
    if (contentType === 'application/json') return { json: value }
    return { content: stringifyJson(value), contentType }
  }
  return { content: written(value, bareType(contentType)), contentType }
}

function written(value: unknown, type: string): string | Buffer {
  if (/(ndjson|jsonl|json-seq|jsonlines)$/.test(type))
    return rowsOf(value)
      .map((row) => `${stringifyJson(row)}\n`)
      .join('')
  if (/[/+]xml$/.test(type) && typeof value !== 'string')
    return `<?xml version="1.0" encoding="UTF-8"?>\n${xml('root', value)}\n`
  if (/(csv|tab-separated-values)$/.test(type) && isTable(value))
    return csv(rowsOf(value), type.endsWith('csv') ? ',' : '\t')
  if (type === 'application/x-www-form-urlencoded' && isObject(value))
    return new URLSearchParams(Object.entries(value).map(([name, one]) => [name, text(one)])).toString()
  if (type === 'text/event-stream' && typeof value !== 'string')
    return rowsOf(value)
      .map((row) => `data: ${stringifyJson(row)}\n\n`)
      .join('')
  if (type === 'text/html' && typeof value !== 'string')
    return `<!doctype html>\n<title>Answer</title>\n<pre>${escaped(text(value))}</pre>\n`
  const sample = SAMPLES[type] ?? (type.startsWith('image/') ? SAMPLES['image/png'] : undefined)
  if (sample !== undefined) return Buffer.from(sample, 'base64')
  return text(value)
}

function rowsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function isTable(value: unknown): boolean {
  return rowsOf(value).every(isObject)
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

function xml(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => xml(name, one)).join('')
  const inner = isObject(value)
    ? Object.entries(value)
        .map(([member, one]) => xml(/^[A-Za-z_][\w.-]*$/.test(member) ? member : 'member', one))
        .join('')
    : escaped(value === null ? '' : text(value))
  return `<${name}>${inner}</${name}>`
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
