import type { ExchangeRecord } from '../../../../../src/control/client/types.ts'
import type { Json } from '../../../parts/json-value.ts'
import { parsedJson } from '../parsed-json.ts'

/** Conditions and members that are shown. */
const MOST = 3
const LONGEST = 40

/** What a request asked for, in a few words: `name LIKE budget`, `status → shipped`, `country = US`. Empty where its path says it all. */
export function gistOf({ request }: Pick<ExchangeRecord, 'request'>, hidden: ReadonlySet<string> = new Set()): string {
  const { method, url, body } = request
  const query = [...new URL(url, 'http://localhost').searchParams].filter(([name]) => !hidden.has(name))
  const asked = query.map(([name, value]) => `${name} = ${short(value)}`)
  const value = body === null ? undefined : parsedJson(body)
  return [...bodyGist(method, value, hidden), ...asked].slice(0, MOST + 1).join(' · ')
}

function bodyGist(method: string, body: unknown, hidden: ReadonlySet<string>): string[] {
  if (typeof body !== 'object' || body === null) return []
  if (Array.isArray(body)) return [`${body.length} ${body.length === 1 ? 'item' : 'items'}`]
  const conditions = [...conditionsIn(body)]
  if (conditions.length > 0) return atMost(conditions)
  const members = Object.entries(body).filter(([name]) => !hidden.has(name))
  // GraphQL: the name of the operation says what it is.
  const named = members.find(([name, value]) => name === 'operationName' && typeof value === 'string')
  if (named) return [String(named[1])]
  const isChange = method === 'PATCH' || method === 'PUT'
  const shown = isChange ? members : byName(members)
  return atMost(shown.map(([name, value]) => (isChange ? `${name} → ${said(value)}` : `${name}: ${said(value)}`)))
}

/** Objects that say which member of an item is compared with what: `{ field: 'name', operator: 'LIKE', value: ['budget'] }`. */
function* conditionsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    for (const one of value) yield* conditionsIn(one)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const {
    field,
    operator,
    op = operator,
    value: wanted,
    not,
    start,
    end,
    order,
  } = value as Readonly<Record<string, unknown>>
  if (typeof field !== 'string') {
    for (const inner of Object.values(value)) yield* conditionsIn(inner)
    return
  }
  const name = not === true ? `not ${field}` : field
  if (wanted !== undefined) yield `${name} ${typeof op === 'string' ? op : '='} ${said(wanted)}`
  else if (start !== undefined || end !== undefined)
    yield `${name} ${[start, end].map((one) => said(one ?? '')).join('…')}`
  else if (typeof order === 'string') yield `by ${name} ${order}`
  else yield typeof op === 'string' ? `${name} ${op}` : name
}

/** What people know a thing by stands first. */
const KNOWN_BY = /^(?:name|title|label|subject|email|displayName|.*_name|.*Name)$/

function byName(members: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  return [...members].sort(([a], [b]) => Number(KNOWN_BY.test(b)) - Number(KNOWN_BY.test(a)))
}

/** What an item is, in a few words: what people know it by, else its first plain values that are no dates. @example summaryOf({ status: 'paid', quantity: 3 }) // 'status paid · quantity 3' */
export function summaryOf(item: Json): string {
  const members = byName(Object.entries(item))
  const [first] = members
  if (first && KNOWN_BY.test(first[0]) && typeof first[1] === 'string' && first[1] !== '') return short(first[1])
  const plain = members.filter(([, value]) => typeof value !== 'object' && !/^""$|^\d{4}-\d\d-\d\d/.test(said(value)))
  return plain
    .slice(0, MOST)
    .map(([name, value]) => `${name} ${said(value)}`)
    .join(' · ')
}

function atMost(all: readonly string[]): string[] {
  return all.length > MOST ? [...all.slice(0, MOST), `and ${all.length - MOST} more`] : [...all]
}

function said(value: unknown): string {
  if (typeof value === 'string') return short(value === '' ? '""' : value)
  if (Array.isArray(value)) {
    const isPlain = value.every((one) => typeof one !== 'object')
    return isPlain ? short(value.map(String).join(', ')) : `${value.length} ${value.length === 1 ? 'item' : 'items'}`
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const [first, ...others] = Object.entries(value)
  return first ? `${first[0]} ${said(first[1])}${others.length > 0 ? ', …' : ''}` : '{}'
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
