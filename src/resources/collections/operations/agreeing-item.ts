import { chanceKey } from '../../../engine/random.ts'
import { leavesOf } from '../items/totals.ts'
import { locationOf } from './location.ts'
import { referredBy } from './references.ts'
import type { ItemRequest, OperationWork } from './work.ts'
import type { Members } from '../../../base/formats/json.ts'

/** A new item whose made-up members agree with the others: its address is its own. @param begun the item before they were made up */
export function agreeingItem(
  work: OperationWork,
  { state, call, instance }: ItemRequest,
  { begun, fitted, id }: { readonly begun: Members; readonly fitted: Members; readonly id: string },
): Members {
  const { document, plan } = work
  const { schema, noun } = plan.collection
  const context = {
    key: chanceKey(state.seed, `${instance.name} ${id}`),
    index: 0,
    count: 1,
    variant: 0,
    now: call.now,
    isNew: true,
    noun,
    path: locationOf(work, { id, call }),
    references: () => undefined,
    referred: referredBy(work, state, fitted),
  }
  const fixed = [...leavesOf(document, schema, begun)].map(({ pointer }) => pointer)
  return work.agree(fitted, context, fixed)
}
