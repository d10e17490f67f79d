import { isObject, stringifyJson } from '../formats/json.ts'

const FIELDS = ['event', 'id', 'retry', 'data']

/**
 * Server-sent events (HTML Living Standard, 9.2.5), one for each value. A value that has `data` and no members but the fields of an
 * event is written by its fields; any other one is the data.
 */
export function eventStreamOf(values: readonly unknown[]): string {
  return values.map((value) => `${linesOf(value).join('\n')}\n\n`).join('')
}

function linesOf(value: unknown): string[] {
  if (!isObject(value) || !Object.hasOwn(value, 'data') || Object.keys(value).some((name) => !FIELDS.includes(name)))
    return fieldOf('data', value)
  return FIELDS.flatMap((name) => (Object.hasOwn(value, name) ? fieldOf(name, value[name]) : []))
}

/** Only `data` may have several lines; JSON has one. */
function fieldOf(name: string, value: unknown): string[] {
  const text = typeof value === 'string' ? value : stringifyJson(value)
  const lines = text.split(/\r\n|\r|\n/)
  return (name === 'data' ? lines : [lines.join(' ')]).map((line) => `${name}: ${line}`)
}
