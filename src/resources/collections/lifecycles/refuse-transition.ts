import { readDocumented } from '../../../contract/schemas/documented.ts'
import { violation } from '../../../errors/problem.ts'
import { transitionRefused } from '../../../errors/resource-errors.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { type Lifecycle, memberName, statusOf } from './lifecycle.ts'

interface Change {
  readonly before: unknown
  readonly after: unknown
  readonly plan: OperationPlan
  readonly document: unknown
}

/** @throws Problem 409 for a change of status that the lifecycle does not have, or 422 where only that is documented */
export function refuseTransitions(lifecycles: readonly Lifecycle[], change: Change): void {
  for (const lifecycle of lifecycles) refuseTransition(lifecycle, change)
}

function refuseTransition(lifecycle: Lifecycle, { before, after, plan, document }: Change): void {
  const [from, to] = [before, after].map((item) => statusOf(lifecycle, item))
  // An action sets its status; another write may repeat the one that there is.
  if (from === undefined || (from === to && plan.role !== 'action')) return
  const next = lifecycle.statuses.get(from)?.next ?? []
  if (to !== undefined && next.includes(to)) return
  const { noun } = plan.collection
  const name = memberName(lifecycle)
  const may = next.length === 0 ? 'no request may change it' : `it may only become ${next.join(' or ')}`
  const { statuses } = readDocumented(document, plan.operation)
  throw transitionRefused({
    detail: `The ${name} of the ${noun} is ${from}: ${may}.`,
    violations: [violation({ pointer: lifecycle.pointer }, 'collections', next.length === 0 ? from : [...next], to)],
    ...(!statuses.includes('409') && statuses.includes('422') ? { status: 422 } : {}),
  })
}
