import type { UnusedInputs } from '../adapter/contract-adapter.ts'
import type { RequestContext } from '../request-context.ts'
import { removeHeader, setHeader } from '../../engine/request-context.ts'
import type { Violation } from '../../errors/problem.ts'
import { valueAt } from '../../contract/pointer.ts'
import { refusal } from '../../behaviours/refusal.ts'

const HEADER = 'x-mock-ignored'
const MOST_QUERY = 20
const LONGEST = 120

/**
 * Sets the header that names what was sent and had no effect; percent-encoded, for a name may hold anything.
 *
 * @returns its value
 */
function nameIgnored(context: RequestContext, parts: UnusedInputs): string | undefined {
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

interface SentMembers {
  readonly body: unknown
  /** JSON pointers of members of the body that nothing knows. */
  readonly strange: readonly string[]
  /** Names of query parameters that the contract does not know. */
  readonly query: readonly string[]
  /** What the user's contract documents and no handler uses. */
  readonly idle?: UnusedInputs | undefined
  /** What is wrong with the request so far; what the behaviour catalogue refuses is added. */
  readonly violations: Violation[]
}

/** Names members that the contract does not know in a header, or refuses them. @returns the header */
export function checkUnknownMembers(
  context: RequestContext,
  { body, strange, query, idle, violations }: SentMembers,
): string | undefined {
  if (strange.length > 0) context.tracker.note('body.unknown')
  const ignored = nameIgnored(
    context,
    idle
      ? { query: [...query, ...idle.query], body: [...new Set([...strange, ...idle.body])] }
      : { query, body: strange },
  )
  if (strange.length > 0 && context.tracker.ask('body.unknown') === 'error') {
    violations.push(...strange.map((pointer) => unknownMemberError(body, pointer)))
  }
  return ignored
}

/** The error for a member that the contract does not know, where the behaviour catalogue refuses these. */
export function unknownMemberError(body: unknown, pointer: string): Violation {
  return refusal('body.unknown', { pointer }, 'no member that the contract does not know', valueAt(body, pointer))
}
