import { draw } from '../engine/random.ts'
import type { MergedSchema } from './merge-schema.ts'

const SIGNS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Another id with the prefix and the length of one such as `cus_4QFhkJ2o` or `12345`; undefined for one of another style. */
export function codeLike(example: string, key: number): string | undefined {
  if (/^[1-9]\d{3,18}$/.test(example))
    return Array.from(example, (_, at) => String(at === 0 ? 1 + (draw(key, at) % 9) : draw(key, at) % 10)).join('')
  const [, prefix, rest = ''] = /^([a-z]{1,10}[_-])([A-Za-z0-9]{3,64})$/.exec(example) ?? []
  // A short text without a digit may be a word: `dark-mode`.
  if (prefix === undefined || (rest.length < 6 && !/\d/.test(rest))) return undefined
  return prefix + Array.from(rest, (_, at) => SIGNS[draw(key, at) % SIGNS.length]).join('')
}

/** Another id than the example, which the first element of a list has; undefined for other values, and where the example stays. */
export function anotherId(
  example: unknown,
  { format, pattern }: MergedSchema,
  { pointer, name }: { readonly pointer: string; readonly name: string },
  key: number,
): string | number | undefined {
  const order = Number(/\/(\d{1,4})\/[^/]+$/.exec(pointer)?.[1] ?? 0)
  if (order === 0 || !/^(.*_)?id$/i.test(name) || pattern !== undefined) return undefined
  if (typeof example === 'number') return example + order
  return typeof example === 'string' && format === undefined ? codeLike(example, key) : undefined
}
