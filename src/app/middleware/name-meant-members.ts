import type { RequestContext } from './request-context.ts'
import { valueAt } from '../../contract/pointer.ts'
import type { Problem, Violation } from '../../base/errors/problem.ts'
import { misspelt } from '../../base/errors/wording.ts'

type SentWith = Pick<RequestContext, 'body' | 'ignored'>

/** Adds to each error about a missing member what the body has instead: null, or a member with a similar name. */
export function nameMeantMembers(problem: Problem, sent: SentWith): Problem {
  const violations = problem.violations.map((one) => nameMeant(one, sent))
  const [before] = problem.violations
  const [first] = violations
  if (!before || !first || violations.every((one, at) => one === problem.violations[at])) return problem
  return problem.with({ violations, detail: problem.message.replace(before.message, () => first.message) })
}

function nameMeant(violation: Violation, { body, ignored }: SentWith): Violation {
  const { pointer, received, message } = violation
  if (pointer === undefined || pointer === '' || received !== undefined) return violation
  if (valueAt(body, pointer) === null)
    return { ...violation, received: 'null', message: message.replace('got nothing', 'got null') }
  const end = pointer.lastIndexOf('/') + 1
  const name = pointer.slice(end)
  const beside = (ignored?.body ?? []).filter(
    (one) => one.lastIndexOf('/') + 1 === end && one.startsWith(pointer.slice(0, end)),
  )
  const written = misspelt(
    name,
    beside.map((one) => one.slice(end)),
  )
  return written === undefined
    ? violation
    : { ...violation, message: `${message} The body has ${written}: did you mean ${name}?` }
}
