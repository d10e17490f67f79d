import type { UnusedInputs } from '../adapter/unused-inputs.ts'
import type { RequestContext } from '../request-context.ts'
import { removeHeader, setHeader } from '../../engine/request-context.ts'
import type { Violation } from '../../errors/problem.ts'

const HEADER = 'x-mock-ignored'
const MOST_QUERY = 20
const LONGEST = 120

/**
 * Sets the header that names what was sent and had no effect; percent-encoded, for a name may hold anything.
 *
 * @returns its value
 */
export function nameIgnored(context: RequestContext, parts: UnusedInputs): string | undefined {
  const { query, body } = parts
  if (query.length + body.length === 0) return undefined
  context.ignored = parts
  const names = [
    ...query.slice(0, MOST_QUERY).map((name) => `query ${encodeURI(name.toWellFormed())}`),
    ...body.map((pointer) => `body ${encodeURI(pointer.toWellFormed())}`),
  ]
  const text = names.map((name) => name.slice(0, LONGEST)).join(', ')
  setHeader(context, HEADER, text)
  return text
}

/** What a request was refused for was not ignored. */
export function leaveOutRefused(context: RequestContext, violations: readonly Violation[]): void {
  if (!context.ignored) return
  const isAtFault = (pointer: string) =>
    violations.some((one) => one.pointer === pointer || one.pointer?.startsWith(`${pointer}/`))
  removeHeader(context, HEADER)
  nameIgnored(context, {
    query: context.ignored.query.filter((name) => !violations.some(({ parameter }) => parameter === name)),
    body: context.ignored.body.filter((pointer) => !isAtFault(pointer)),
  })
}
