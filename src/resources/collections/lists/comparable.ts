import { parseInstant } from '../../../base/formats/instant.ts'
import type { ItemMember } from './item-members.ts'

/** A value that members are compared with. */
type Comparable = string | number | bigint | boolean

/** A value of a request as a member has it; undefined where no item can have it. */
export function comparableOf({ kind, values }: ItemMember, value: unknown): Comparable | undefined {
  switch (kind) {
    case 'number':
      return numberOf(value)
    case 'boolean':
      return booleanOf(value)
    case 'epoch':
      return epochOf(value)
    case 'instant':
      return instantOf(value)
    case 'date':
      return instantOf(value)?.slice(0, 10)
    case 'any':
      return numberOf(value) ?? textOf(value, values)
    case 'text':
    case 'other':
      return textOf(value, values)
  }
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Whether a value is a whole day, which contains many instants. */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && DAY.test(value) && instantOf(value) !== undefined
}

/** The last instant of a day in the form that `comparableOf` gives. */
export function endOfDay(member: ItemMember, day: string): Comparable | undefined {
  return comparableOf(member, `${day}T23:59:59.999Z`)
}

/** A scalar as a text; undefined for anything else. */
export function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

function textOf(value: unknown, values: readonly unknown[] | undefined): Comparable | undefined {
  const text = plainText(value)
  if (text === undefined) return undefined
  if (!values || values.includes(text)) return text
  const alike = values.find((one) => typeof one === 'string' && one.toLowerCase() === text.toLowerCase())
  return typeof alike === 'string' ? alike : text
}

function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value !== 'string' || value.trim() === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

function booleanOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const text = plainText(value)?.toLowerCase() ?? ''
  return /^(true|1|yes)$/.test(text) ? true : /^(false|0|no)$/.test(text) ? false : undefined
}

/** RFC 3339 in UTC. A number counts seconds since 1970, or milliseconds where seconds would be far off. */
function instantOf(value: unknown): string | undefined {
  const ms = msOf(value)
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

function epochOf(value: unknown): number | undefined {
  const number = numberOf(value)
  if (number !== undefined) return Number(number)
  const ms = msOf(value)
  return ms === undefined ? undefined : Math.floor(ms / 1000)
}

const FIRST_MS = 100_000_000_000
const LAST_MS = 8_640_000_000_000_000

function msOf(value: unknown): number | undefined {
  const number = numberOf(value)
  if (number !== undefined) {
    const ms = Math.abs(Number(number)) < FIRST_MS ? Number(number) * 1000 : Number(number)
    return Math.abs(ms) <= LAST_MS ? ms : undefined
  }
  if (typeof value !== 'string') return undefined
  return parseInstant(DAY.test(value) ? `${value}T00:00:00Z` : withZone(value))?.ms
}

/** A time without a zone counts as UTC. */
function withZone(text: string): string {
  return /[zZ]$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text.replace(' ', 'T')}Z`
}

/** The texts of a value: elements of a list, or parts between commas. */
export function textsOf(value: unknown, isSplit = true): string[] {
  return [value].flat().flatMap((one: unknown) => {
    const text = plainText(one) ?? ''
    return isSplit ? text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])) : [text]
  })
}
