import type { Operation } from '../../../contract/contract.ts'
import type { OperationMeaning } from '../../resource.ts'
import type { ElementList } from './element-list.ts'
import type { BehaviourId } from '../../../../types/behaviour-settings.d.ts'

/** What an operation does with the documents of a collection. */
export const ROLES = [
  'list',
  'search',
  'create',
  'create-many',
  'read',
  'exists',
  'replace',
  'merge',
  'delete',
  'action',
  'bulk',
  'start-token',
  'count',
] as const
export type Role = (typeof ROLES)[number]

/** A contract, and the collections that were inferred from it. */
export interface Plans {
  readonly document: unknown
  readonly collections: readonly CollectionPlan[]
}

/** The same with all operations that were understood. */
export interface AllPlans extends Plans {
  readonly operations: readonly OperationPlan[]
}

/** What was inferred from a contract. */
export interface Inference {
  readonly collections: readonly CollectionPlan[]
  /** The operations that were understood. */
  readonly operations: ReadonlyMap<Operation, OperationPlan>
  /** Why the others were not, as the end of a sentence. */
  readonly reasons: ReadonlyMap<Operation, string>
}

/** A collection of items below one path. */
export interface CollectionPlan {
  /** `customers`, or `customers/{customerId}/orders`: the path, unless `x-standin` gives another name. */
  readonly name: string
  /** The path that its items lie below, without the common prefix of all: `customers/{customerId}/orders`. */
  readonly path: string
  /** One of its items, for messages: `order`. */
  readonly noun: string
  /** Whether it holds one document, which always exists: `/settings`. */
  readonly isSingleton: boolean
  /** Whether an operation can create items. */
  readonly isCreated: boolean
  /** The collection whose items have instances of this one; undefined at the top, and where the parents are not known. */
  readonly parent: CollectionPlan | undefined
  readonly identity: ItemIdentity
  /** The schema of an item, as the fullest response shows it. */
  readonly schema: unknown
}

/** What identifies an item. */
export interface ItemIdentity {
  /** The member that holds the id, as a JSON pointer; undefined for an id that items do not show. */
  readonly pointer: string | undefined
  readonly type: 'integer' | 'uuid' | 'text'
  /** Whether the member holds a text: integers may be texts. */
  readonly isText: boolean
  /** The schema of the member. */
  readonly schema: unknown
  /** The schema of the path parameter; undefined where none has the id. */
  readonly pathSchema: unknown
  /** The ids that the contract lists; undefined for any. */
  readonly choices: readonly string[] | undefined
  /** The greatest id that the path may have; undefined for any. */
  readonly most: number | undefined
  /** Whether clients may choose the id: the body of a creation has the member. */
  readonly isChosen: boolean
  /** An id as the service has them, whose style others follow; undefined where nothing shows one. */
  like(): string | undefined
  /** The names of members with another id of the item, which paths may have too. */
  others(): readonly string[]
  /** Whether the path may have an id. */
  fits(id: string): boolean
}

/** An operation on a collection. */
export interface OperationPlan {
  readonly operation: Operation
  readonly role: Role
  readonly collection: CollectionPlan
  /** The collection whose item the path goes through; undefined where that is not known. */
  readonly parent: CollectionPlan | undefined
  /** All path parameters, in the order of the path. */
  readonly pathParameters: readonly string[]
  /** The path parameters that complete the name of the collection, in its order. */
  readonly parents: readonly string[]
  /** The path parameter with the id of the item; undefined where there is none. */
  readonly itemParameter: string | undefined
  /** The member that the path parameter names instead of the id, as a JSON pointer: `/flows/name/{name}`. */
  readonly keyedBy: string | undefined
  /** The list of the item that the path names an element of; undefined for any other path. */
  readonly element: ElementList | undefined
  /** Whether the path names the caller's own item, which is the first: `/users/me`. */
  readonly isOfCaller: boolean
  /** Whether it lists the items of all parents, `/orders` beside `/customers/{id}/orders`, though each parent has its own. */
  readonly isOfAll?: true
  /** The collection with the caller's account, where the caller is the owner that the path leaves out: `/user/repos`. */
  readonly accounts: CollectionPlan | undefined
  /**
   * The member that holds the id of the parent, where the items of a parent are listed of a collection that has all; without a pointer
   * where no member has it, so that only their hidden fact tells the parent.
   */
  readonly ownedBy: { readonly pointer: string | undefined; readonly parameter: string } | undefined
  /** Where the body has the item or the items; undefined where it has none. */
  readonly input: Located | undefined
  /** The member of the item that the body describes, as a JSON pointer; empty for the item itself. */
  readonly into: string
  /** The first documented success. */
  readonly output: Output
  /** Why it has this role, for messages: `GET on a path that ends with the id of a pet`. */
  readonly reason: string
}

/** Where an item, or a list of items, is in a body. */
export interface Located {
  /** The JSON pointer of the item or the list. */
  readonly pointer: string
  /** The schema of an item. */
  readonly schema: unknown
  readonly isList: boolean
  /** Whether the list is an object, whose members are named after the ids of the items. */
  readonly isMap?: true
}

export interface Output {
  readonly status: number
  /** The schema of the whole body; undefined for a response without one. */
  readonly schema: unknown
  /** Where the item or the items are; undefined for a response that shows none. */
  readonly located: Located | undefined
  /** The example of a response that is plain text, such as `OK`; empty without one. */
  readonly text?: string | undefined
}

/** The role of an operation as a sentence. @param conditions of the items, as ends of a sentence */
export function describePlan(
  { role, collection, ownedBy }: OperationPlan,
  conditions: readonly string[] = [],
): OperationMeaning {
  const owner = ownedBy && `${ownedBy.pointer ?? 'parent'} is {${ownedBy.parameter}}`
  const all = [...(owner === undefined ? [] : [owner]), ...conditions]
  const filter = all.length > 0 ? ` of the items whose ${all.join(' and ')}` : undefined
  return {
    collection: collection.name,
    items: describeItems(collection),
    role: `${role}${filter ?? ''}`,
  }
}

function describeItems({ isSingleton, identity: { pointer } }: CollectionPlan): string {
  if (isSingleton) return 'one document'
  if (pointer === undefined) return 'items without an id of their own'
  return `items by ${pointer}`
}

const LIST_BEHAVIOURS: readonly BehaviourId[] = [
  'collections.order',
  'collections.page-size',
  'collections.page-beyond',
  'collections.token',
  'collections.next-page',
  'collections.unknown-filter',
  'collections.derived',
]
const WRITE_BEHAVIOURS: readonly BehaviourId[] = [
  'collections.read-only',
  'collections.empty-name',
  'collections.not-shown',
  'collections.reference',
  'collections.caller',
  'collections.derived',
]

const BEHAVIOURS: Readonly<Record<Role, readonly BehaviourId[]>> = {
  list: LIST_BEHAVIOURS,
  search: LIST_BEHAVIOURS,
  create: [...WRITE_BEHAVIOURS, 'collections.unsent', 'collections.unique'],
  'create-many': [...WRITE_BEHAVIOURS, 'collections.unsent'],
  read: ['collections.deleted', 'collections.derived'],
  exists: ['collections.deleted'],
  replace: [
    'collections.put-unknown',
    'collections.deleted',
    ...WRITE_BEHAVIOURS,
    'collections.other-id',
    'collections.unsent',
  ],
  merge: ['collections.deleted', ...WRITE_BEHAVIOURS, 'collections.other-id', 'collections.merge-null'],
  delete: ['collections.delete-again', 'collections.deleted', 'collections.cascade'],
  action: ['collections.deleted', 'collections.repeated-action', 'collections.unknown-action', ...WRITE_BEHAVIOURS],
  bulk: ['collections.deleted', 'collections.cascade', 'collections.unknown-action', ...WRITE_BEHAVIOURS],
  'start-token': [],
  count: ['collections.unknown-filter'],
}

/** The behaviours that the responses of an operation may depend on. */
export function behavioursOf({ role, parent, element, operation }: OperationPlan): readonly BehaviourId[] {
  return [
    ...BEHAVIOURS[role],
    ...(element && operation.method === 'DELETE' ? (['collections.delete-again'] as const) : []),
    ...(parent ? (['collections.unknown-parent'] as const) : []),
  ]
}
