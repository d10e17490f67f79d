import type { Json } from '../resources/file-sets/store/file-record.ts'
import { isObject, stringifyJson } from '../formats/json.ts'

/** Which exchanges a fault may strike. What is left out does not matter; all that is there must hold. */
export interface Match {
  readonly operationId?: string | undefined
  readonly method?: string | undefined
  /** As it is sent, without the query; a star at its end stands for any rest. */
  readonly path?: string | undefined
  /** By name, in any case: the whole value. */
  readonly header?: Readonly<Record<string, string>> | undefined
  /** A text that occurs in the body's JSON, or a value that is contained in it; see `contains`. */
  readonly body?: Json | undefined
  /** Of the walk that a search is part of, from 1. */
  readonly page?: number | undefined
}

/** An exchange as far as a fault can look at it. */
export interface ExchangeFacts {
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** @param name in lower case */
  header(name: string): string | undefined
  readonly body: unknown
  /** From 1; undefined when it is no page of a walk, or its token does not tell. */
  page(): number | undefined
}

/** The cheap questions come first; nothing of a request is ever read as a pattern. */
export function isMatch(match: Match, facts: ExchangeFacts): boolean {
  const { operationId, method, path, header = {}, body, page } = match
  return (
    (operationId === undefined || operationId === facts.operationId) &&
    (method === undefined || method === facts.method) &&
    (path === undefined || isPath(path, facts.path)) &&
    Object.entries(header).every(([name, value]) => facts.header(name.toLowerCase()) === value) &&
    (page === undefined || page === facts.page()) &&
    (body === undefined || holds(facts.body, body))
  )
}

function isPath(wanted: string, path: string): boolean {
  return wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted
}

function holds(body: unknown, wanted: Json): boolean {
  if (typeof wanted !== 'string') return contains(body, wanted)
  return body !== undefined && stringifyJson(body).includes(wanted)
}

/**
 * Whether a JSON value has all that another one has: an object each of its members, an array for each of its elements one that
 * contains it, in any order; anything else is equal.
 *
 * @example contains({ filters: [{ field: 'name', not: true }] }, { filters: [{ field: 'name' }] }) // true
 */
function contains(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(value) && wanted.every((one) => value.some((element) => contains(element, one)))
  if (isObject(wanted))
    return (
      isObject(value) &&
      Object.entries(wanted).every(([name, inner]) => Object.hasOwn(value, name) && contains(value[name], inner))
    )
  return value === wanted
}
