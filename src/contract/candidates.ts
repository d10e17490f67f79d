import type { Operation, Parameter } from './contract.ts'
import { decodePercent } from './parameters/decode-percent.ts'
import { cookiesOf } from './parameters/sent-headers.ts'
import { readText } from './parameters/style.ts'
import { keyParts } from './template.ts'

/** What of a request may decide which of several operations of one method and path it belongs to. */
export interface Sent {
  /** The query, without its question mark. */
  readonly search: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Whether the path of an operation says more of a request than its path. */
export function isConditional({ path }: Operation): boolean {
  const { query, fragment } = keyParts(path)
  return query.length > 0 || fragment !== undefined
}

/**
 * Chooses among operations of one method and path, whose keys in `paths` differ in a query or a fragment: `/messages?beta=true`,
 * `/#X-Amz-Target=Scan`. A query must be there literally. A fragment is never sent; those operations are told apart by their required
 * parameters, the one that requires most first. Where a request has all parameters of none, the last one will say what is missing.
 */
export function chooseOperation(candidates: readonly Operation[], sent: Sent): Operation | undefined {
  const query = new Map(Map.groupBy(new URLSearchParams(sent.search), ([name]) => name))
  const values = new Map([...query].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
  const matching = candidates.filter((one) =>
    keyParts(one.path).query.every(([name, value]) => hasPair(values, name, value)),
  )
  const most = Math.max(...matching.map(literalsOf))
  const possible = matching
    .filter((one) => literalsOf(one) === most)
    .sort((a, b) => requiredOf(b).length - requiredOf(a).length)
  const present = possible.filter((one) => requiredOf(one).every((parameter) => isPresent(parameter, values, sent)))
  const valid = present.find((one) => requiredOf(one).every((parameter) => isValid(parameter, values, sent)))
  return valid ?? present[0] ?? possible.at(-1)
}

/** Whether the contract allows the path parameters, which are as they were sent. */
export function fitsPath({ parameters }: Operation, sent: Readonly<Record<string, string>>): boolean {
  return parameters.every((parameter) => {
    const { name, in: place, style, type, check } = parameter
    const text = sent[name]
    if (place !== 'path' || text === undefined) return true
    const value = style ? style.read({ text, query: new Map() }) : readText(decodePercent(text), [type])
    if (check) return check(typeof value === 'bigint' ? Number(value) : value).length === 0
    return style !== undefined || typeof value === type || (type === 'integer' && Number.isInteger(Number(value)))
  })
}

type Query = ReadonlyMap<string, readonly string[]>

/** A value such as `{id}` stands for any. */
function hasPair(query: Query, name: string, value: string): boolean {
  const sent = query.get(name)
  return sent !== undefined && (/^\{[^{}]*\}$/.test(value) || sent.includes(value))
}

function literalsOf({ path }: Operation): number {
  return keyParts(path).query.length
}

function requiredOf({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.required && parameter.in !== 'path')
}

function isPresent({ name, in: place, style }: Parameter, query: Query, { headers }: Sent): boolean {
  if (place === 'header') return headers[name.toLowerCase()] !== undefined
  if (place === 'cookie') return cookiesOf(textOf(headers.cookie), name).length > 0
  return query.has(name) || [...query.keys()].some((key) => style?.claims(key) === true)
}

function isValid({ name, in: place, style, type, check }: Parameter, query: Query, { headers }: Sent): boolean {
  const text = place === 'query' ? query.get(name)?.[0] : textOf(headers[name.toLowerCase()])
  const value = style ? style.read({ text, query }) : type === 'string' ? text : undefined
  return value === undefined || !check || check(value).length === 0
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(',') ?? '')
}
