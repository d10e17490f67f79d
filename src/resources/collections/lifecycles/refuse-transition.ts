import { valueAt } from '../../../contract/pointer.ts'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { violation } from '../../../base/errors/problem.ts'
import { transitionRefused } from '../../../base/errors/resource-errors.ts'
import type { OperationWork } from '../operations/work.ts'
import { type Lifecycle, memberName, statusOf } from './lifecycle.ts'

interface TransitionAttempt extends Pick<OperationWork, 'plan' | 'document' | 'effect'> {
  readonly before: unknown
  readonly after: unknown
}

/** @throws Problem 409 for a change of status that the lifecycle does not have, or 422 where only that is documented */
export function refuseTransitions(lifecycles: readonly Lifecycle[], change: TransitionAttempt): void {
  for (const lifecycle of lifecycles) refuseTransition(lifecycle, change)
}

function refuseTransition(lifecycle: Lifecycle, { before, after, plan, document, effect }: TransitionAttempt): void {
  const [from, to] = [before, after].map((item) => statusOf(lifecycle, item))
  // An action must not repeat the status that it sets; another write may.
  const isSet = plan.role === 'action' && valueAt(effect?.set, lifecycle.pointer) !== undefined
  if (from === undefined || (from === to && !isSet)) return
  const next = lifecycle.statuses.get(from)?.next ?? []
  if (to !== undefined && next.includes(to)) return
  const { noun } = plan.collection
  const name = memberName(lifecycle)
  const may = next.length === 0 ? 'no request may change it' : `it may only become ${next.join(' or ')}`
  const sources = [...lifecycle.statuses].filter(([, status]) => to !== undefined && status.next.includes(to))
  const expected = isSet
    ? `${sources.map(([name]) => name).join(' or ') || 'no status'}, from which it may become ${String(to)}`
    : [...next, `${from} as it is`].join(' or ')
  const { statuses } = readDocumented(document, plan.operation)
  throw transitionRefused({
    detail: `The ${name} of the ${noun} is ${from}: ${may}.`,
    violations: [violation({ pointer: lifecycle.pointer }, 'collections', expected, isSet ? from : to)],
    ...(!statuses.includes('409') && statuses.includes('422') ? { status: 422 } : {}),
  })
}
