import { isDeepStrictEqual } from 'node:util'
import { isObject, splitPointer } from './json.ts'

/** One change of a JSON value. */
export interface JsonChange {
  readonly op:
    | 'add'
    | 'replace'
    | 'fill'
    | 'remove'
    | 'other'
    | 'first'
    | 'reverse'
    | 'enlarge'
    | 'zone'
    | 'precision'
    | 'lengthen'
  /** A JSON pointer; `*` stands for each element of a list. */
  readonly at: string
  readonly to?: unknown
}

/**
 * Applies a change to a copy. A place that is not there changes nothing: the value itself is returned then.
 *
 * @example changeValue({ size: 1 }, { op: 'other', at: '/size' }) // { size: 2 }
 */
export function changeValue(value: unknown, change: JsonChange): unknown {
  return changeAt(value, splitPointer(change.at), change)
}

function changeAt(value: unknown, [name, ...rest]: readonly string[], change: JsonChange): unknown {
  if (name === undefined) return changed(value, change)
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value
    if (rest.length === 0 && change.op === 'remove' && /^\d+$/.test(name))
      return Number(name) < elements.length ? elements.toSpliced(Number(name), 1) : value
    const isMeant = (index: number) => name === '*' || name === String(index)
    const next = elements.map((element, index) => (isMeant(index) ? changeAt(element, rest, change) : element))
    return next.some((element, index) => element !== elements[index]) ? next : value
  }
  if (!isObject(value)) return value
  const isThere = Object.hasOwn(value, name)
  if (rest.length === 0 && change.op === 'remove') {
    if (!isThere) return value
    const { [name]: _removed, ...others } = value
    return others
  }
  const adds = change.op === 'add' || change.op === 'fill'
  if (!isThere && (!adds || rest.length > 0)) return value
  const inner = changeAt(value[name], rest, change)
  return isThere && inner === value[name] ? value : { ...value, [name]: inner }
}

function changed(value: unknown, { op, to }: JsonChange): unknown {
  switch (op) {
    case 'add':
    case 'replace':
      return isDeepStrictEqual(value, to) ? value : to
    case 'fill':
      return value ?? to
    case 'other':
      return Array.isArray(to) ? (to.find((one) => !isDeepStrictEqual(one, value)) ?? value) : otherThan(value)
    case 'first':
      return Array.isArray(value) && value.length > 1 ? value.slice(0, 1) : value
    case 'reverse':
      return Array.isArray(value) && value.length > 1 ? value.toReversed() : value
    case 'enlarge':
      return isWhole(value) ? 2n ** 53n + BigInt(value) : value
    case 'zone':
      return typeof value === 'string' ? inOtherZone(value) : value
    case 'precision':
      return typeof value === 'string' ? withMoreDigits(value) : value
    case 'lengthen':
      return typeof value === 'string' && value !== '' ? value + PADDING : value
    // A whole body cannot be removed.
    case 'remove':
      return value
  }
}

/** Another value of the same type and form. A list, an object and null stay. */
function otherThan(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (typeof value === 'bigint') return value + 1n
  return typeof value === 'string' ? otherText(value) : value
}

function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || (Number.isSafeInteger(value) && (value as number) >= 0)
}

/** What makes a text longer. Tokens of pages may end with it: it is left out where they are read. */
export const PADDING = '~'.repeat(500)

/** Date, time, fraction of a second and offset of RFC 3339. */
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/

function withMoreDigits(text: string): string {
  const [, date, time, fraction = '.', offset] = INSTANT.exec(text) ?? []
  return date === undefined ? text : `${date}T${time}${fraction}000${offset}`
}

/** Milliseconds. */
const AHEAD = { of: '+05:30', by: 19_800_000 }

/** The same instant, as it is written in another time zone. */
function inOtherZone(text: string): string {
  const [, date, time, fraction = '', offset] = INSTANT.exec(text) ?? []
  const at = Date.parse(`${date}T${time}${offset}`)
  if (Number.isNaN(at) || offset === AHEAD.of) return text
  return new Date(at + AHEAD.by).toISOString().slice(0, 19) + fraction + AHEAD.of
}

const DAY = 86_400_000

function otherText(text: string): string {
  const [, date, rest = ''] = /^(\d{4}-\d\d-\d\d)($|[T ].*)/.exec(text) ?? []
  if (date !== undefined && !Number.isNaN(Date.parse(date)))
    return new Date(Date.parse(date) + DAY).toISOString().slice(0, 10) + rest
  const at = text.search(/[a-z\d](?=[^a-z\d]*$)/i)
  if (at < 0) return `${text}x`
  const character = text.charAt(at)
  // A letter that hexadecimal numbers have too.
  const other = /\d/.test(character) ? String((Number(character) + 1) % 10) : /a/i.test(character) ? 'b' : 'a'
  return text.slice(0, at) + (character === character.toUpperCase() ? other.toUpperCase() : other) + text.slice(at + 1)
}
