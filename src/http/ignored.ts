import type { IdleParts } from './idle.ts'
import { type Exchange, removeHeader, setHeader } from './underway.ts'
import type { Violation } from '../problem.ts'

const HEADER = 'x-mock-ignored'
const MOST_QUERY = 20
const LONGEST = 120

/**
 * Sets the header that names what was sent and had no effect; percent-encoded, for a name may hold anything.
 *
 * @returns its value
 */
export function nameIgnored(ex: Exchange, parts: IdleParts): string | undefined {
  const { query, body } = parts
  if (query.length + body.length === 0) return undefined
  ex.ignored = parts
  const names = [
    ...query.slice(0, MOST_QUERY).map((name) => `query ${encodeURI(name.toWellFormed())}`),
    ...body.map((pointer) => `body ${encodeURI(pointer.toWellFormed())}`),
  ]
  const text = names.map((name) => name.slice(0, LONGEST)).join(', ')
  setHeader(ex, HEADER, text)
  return text
}

/** What a request was refused for was not ignored. */
export function leaveOutRefused(ex: Exchange, violations: readonly Violation[]): void {
  if (!ex.ignored) return
  const isAtFault = (pointer: string) =>
    violations.some((one) => one.pointer === pointer || one.pointer?.startsWith(`${pointer}/`))
  removeHeader(ex, HEADER)
  nameIgnored(ex, {
    query: ex.ignored.query.filter((name) => !violations.some(({ parameter }) => parameter === name)),
    body: ex.ignored.body.filter((pointer) => !isAtFault(pointer)),
  })
}
