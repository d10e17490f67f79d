import type { AllPlans, OperationPlan } from '../infer/plan.ts'
import type { State } from '../../../engine/state.ts'
import type { Call } from '../../handler.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { MakeConsistent } from '../../../values/consistency/make-consistent.ts'
import type { OperationEffect } from '../lifecycles/effect.ts'
import type { Lifecycle } from '../lifecycles/lifecycle.ts'
import type { StatusRule } from '../lifecycles/said-statuses.ts'
import type { RelatedMember } from '../related/embedded-members.ts'
import type { DerivedMembers } from '../items/derived-members.ts'
import type { UniqueMembers } from '../items/unique-members.ts'
import type { Instance } from './instance.ts'
import type { DocumentedHeaders } from './documented-headers.ts'
import type { Showing } from '../items/show.ts'
import type { FitItem, ShownItems } from '../items/view.ts'
import type { Members } from '../../../base/formats/json.ts'

/** What the handlers of one operation work with. */
export interface OperationWork extends AllPlans {
  readonly plan: OperationPlan
  /** The operations on the collection. */
  readonly views: readonly OperationPlan[]
  /** Of an item, with the values that lists filter by. */
  schema(): unknown
  readonly lifecycles: readonly Lifecycle[]
  /** What the operation sets besides what the request says; undefined for nothing. */
  readonly effect: OperationEffect | undefined
  /** Read when first needed. */
  exampleIds(): ReadonlySet<string>
  /** The members that show items of other collections. Read with the first write. */
  embedded(): readonly RelatedMember[]
  /** The lists whose elements do. */
  embeddedLists(): readonly RelatedMember[]
  /** The members of the response whose values come from other items. */
  readonly derived: DerivedMembers
  /** The items as the response of the operation shows them. */
  readonly shown: ShownItems
  /** Makes an item what the responses of all operations on the collection can show. */
  readonly fit: FitItem
  /** The path of a new item, beginning as the request was sent; undefined where no operation has a path for items. */
  locationOf(item: Pick<Item, 'id' | 'call'>): string | undefined
  /** Makes the members of a new item agree. */
  readonly agree: MakeConsistent
  /** Read with the first creation. */
  unique(): UniqueMembers
  /** Whether requests ask for the items that an item refers to, by a parameter such as `populate`. */
  asksForRelated(): boolean
  /** Read with the first request. */
  headers(): DocumentedHeaders
  /** The statuses in which the operation is possible. Read with the first write. */
  statusRule(): StatusRule | undefined
  /**
   * What new items begin with where nothing else is said, by the pointers of the members: what lists ask for by default, and the first
   * statuses. Read with the first creation.
   */
  firstValues(): ReadonlyMap<string, unknown>
}

/** One request. */
export interface ItemRequest {
  readonly state: State
  readonly call: Call
  readonly instance: Instance
}

/** An item of the instance. */
export interface Item extends ItemRequest {
  readonly id: string
  readonly stored: StoredDocument
  /** Shows related items in it besides, where the request asks for them. */
  readonly withRelated?: ((shown: Members, showing: Showing) => Members) | undefined
}
