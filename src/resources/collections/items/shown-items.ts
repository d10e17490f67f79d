import { Defect } from '../../../base/errors/problem.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { OperationPlan } from '../infer/plan.ts'
import type { Showing } from './show.ts'
import { type View, viewOf, type Wrap } from './view.ts'
import type { Members } from '../../../base/formats/json.ts'

/** The items of a collection as the response of one operation shows them. */
export interface ShownItems {
  /**
   * An item with the members that the response may have. What the schema of the collection allows but this response does not is left out
   * or replaced, the same for equal documents.
   *
   * @throws Defect for a document that breaks the schema of the collection
   */
  of(stored: StoredDocument, showing: Showing): Members
}

interface ShownItemsParts {
  readonly plan: OperationPlan
  /** The operations on the collection. */
  readonly views: readonly OperationPlan[]
}

export function createShownItems({ plan, views }: ShownItemsParts, wrap?: Wrap): ShownItems {
  const known = new WeakMap<StoredDocument, { readonly seed: number; readonly item: Members }>()
  const view = viewOf(plan, wrap)
  const own = view.isOwn ? view : views.map((one) => viewOf(one)).find(({ isOwn }) => isOwn)
  // Most documents are shown only once, by the operation that wrote them.
  const isRead = plan.operation.method === 'GET' || plan.role === 'search'
  const show = (value: Members, showing: Showing): Members => {
    const item = view.show(value, showing)
    const violations = view.check(item, showing)
    const [first] = violations
    if (!first) return item
    // Some schemas cannot be reduced to the members that they allow.
    if (view.isOwn && view.check(value, showing).length === 0) return value
    const isBroken = own && (own === view || !isFit(own, value, showing))
    const fitting = isBroken ? undefined : view.fit(item, showing)
    if (fitting && view.check(fitting, showing).length === 0) return fitting
    const what = `The response ${plan.output.status} of ${plan.operation.operationId} breaks the contract: ${first.message}`
    throw new Defect(what, { violations })
  }
  return {
    of(stored, showing) {
      const cached = known.get(stored)
      if (cached?.seed === showing.seed) return cached.item
      const item = show(stored.value, showing)
      if (isRead) known.set(stored, { seed: showing.seed, item })
      return item
    },
  }
}

function isFit(view: View, value: Members, showing: Showing): boolean {
  return view.check(view.show(value, showing), showing).length === 0 || view.check(value, showing).length === 0
}
