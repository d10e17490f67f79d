import type { AllPlans, CollectionPlan } from '../infer/plan.ts'
import { once } from '../../../base/cache.ts'
import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import { type Shape, shapeOf, isNumeric } from '../../../contract/schemas/shape.ts'
import type { State } from '../../../engine/state.ts'
import type { Call } from '../../handler.ts'
import { documentsOf, requireDocuments } from '../collection-state.ts'
import type { Documents } from '../documents/documents.ts'
import { selectNow } from '../documents/select.ts'
import { type StoredDocument, storeDocument } from '../documents/stored-document.ts'
import { plainSingular } from '../../../base/formats/plurals.ts'
import { memberFor } from '../infer/owner.ts'
import { isSameItem } from '../infer/same-item.ts'
import { parameterCount } from '../infer/routes.ts'
import { instanceName } from '../operations/instance-name.ts'
import { isParentHidden, PARENT_FACT, parentPath } from '../operations/parent.ts'
import { embeddedMembers, itemShown } from '../related/embedded-members.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { keepNamed } from './show.ts'

/** An item of an instance. */
interface ItemAt {
  readonly instance: string
  readonly id: string
  readonly stored: StoredDocument
}

/** The members of items whose values come from other items. */
export interface DerivedMembers {
  /** Whether the items have no such members. */
  isNone(): boolean
  /**
   * An item whose counts, lists and embedded items are as the state has them now. It is the same document until one of these changes.
   *
   * @throws NotReady for many documents that are to be made first
   */
  of(state: State, item: ItemAt): StoredDocument
}

interface Deriving {
  readonly derived: DerivedMembers
}

/** `collections.derived` */
export function isDerivedNow({ derived }: Deriving, { tracker }: Pick<Call, 'tracker'>): boolean {
  return !derived.isNone() && tracker.ask('collections.derived') === 'state'
}

/** An item as responses show it now. @throws NotReady */
export function derivedNow(
  work: Deriving,
  { state, call }: { readonly state: State; readonly call: Pick<Call, 'tracker'> },
  item: ItemAt,
): StoredDocument {
  return isDerivedNow(work, call) ? work.derived.of(state, item) : item.stored
}

interface Derivation {
  readonly name: string
  /** What the value is made from: a number, or documents, which never change; undefined where the member stays as it is. */
  read(state: State, item: ItemAt): number | readonly StoredDocument[] | undefined
  valueOf(source: number | readonly StoredDocument[]): unknown
}

/** How many items a member shows. */
const MOST_SHOWN = 100
/** Levels of items inside items that are kept up to date; deeper ones show what they were stored with. */
const DEEPEST = 1

/** @param schema of the items as they are shown */
export function createDerivedMembers(
  parts: AllPlans,
  { collection, schema }: { readonly collection: CollectionPlan; readonly schema: unknown },
  depth = 0,
): DerivedMembers {
  const known = new WeakMap<
    StoredDocument,
    { readonly sources: readonly unknown[]; readonly derived: StoredDocument }
  >()
  const all = once(() => derivationsOf(parts, { collection, schema }, depth))
  return {
    isNone: () => all().length === 0,
    of(state, item) {
      const { stored } = item
      const read = all().flatMap((one) => {
        const source = one.read(state, item)
        return source === undefined ? [] : [{ one, source }]
      })
      if (read.length === 0) return stored
      const sources = read.flatMap(({ one, source }) => [one.name, source].flat())
      const cached = known.get(stored)
      if (cached?.sources.length === sources.length && sources.every((one, at) => one === cached.sources[at]))
        return cached.derived
      const members = read.map(({ one, source }) => [one.name, one.valueOf(source)] as const)
      const isOther = members.some(([name, value]) => !isDeepStrictEqual(value, stored.value[name]))
      const value = { ...stored.value, ...Object.fromEntries(members) }
      const derived = isOther ? storeDocument(value, stored.hidden) : stored
      known.set(stored, { sources, derived })
      return derived
    },
  }
}

type ShownCollection = Parameters<typeof createDerivedMembers>[1]

/** The derived members of what an operation shows. Members that requests may write are not derived. */
function derivationsOf(parts: AllPlans, { collection, schema }: ShownCollection, depth: number): readonly Derivation[] {
  const { document, collections, operations } = parts
  const { properties } = shapeOf(document, schema, 'any')
  const inputs = operations.flatMap((one) => (one.collection === collection && one.input ? [one.input.schema] : []))
  // Of `owner: {id}`, clients write the id alone.
  const isSent = (member: unknown) => {
    const { keywords, properties: inner } = shapeOf(document, member, 'any')
    return keywords.readOnly !== true && inner.size !== 1
  }
  const sent = new Set(
    inputs
      .flatMap((input) => [...shapeOf(document, input, 'any').properties])
      .flatMap(([name, member]) => (isSent(member) ? [name] : [])),
  )
  const embedded = embeddedMembers(parts, schema).map((member): Derivation => ({
    name: member.name,
    read(state, { stored }) {
      const held = stored.value[member.name]
      const item = isObject(held) ? itemShown(state, member, held[member.idName]) : undefined
      return item && [item]
    },
    valueOf: (source) => keepNamed(document, member.schema, (source as readonly StoredDocument[])[0]?.value),
  }))
  const below = collections.flatMap((child) => childOf(parts, collection, child) ?? [])
  const ofChildren = [...properties].flatMap(([name, member]): readonly Derivation[] => {
    const shape = shapeOf(document, member, 'any')
    const isCount = isNumeric(shape)
    const counted = isCount ? countedIn(name, shape) : undefined
    const called = below.filter(({ noun }) => noun === (isCount ? counted : plainSingular(name)))
    const [child] = called.toSorted((one, other) => Number(one.pointer !== '') - Number(other.pointer !== ''))
    if (!child) return []
    if (isCount) {
      const read = (state: State, item: ItemAt) => child.count(state, item)
      return [{ name, read: fitting(shape, read), valueOf: (source) => source }]
    }
    if (depth >= DEEPEST || !isSameItem(document, shape.items, child.plan.schema)) return []
    const derived = createDerivedMembers(parts, { collection: child.plan, schema: shape.items }, depth + 1)
    return [
      {
        name,
        read: (state, item) => child.list(state, item).map((one) => derived.of(state, one)),
        valueOf: (source) =>
          (source as readonly StoredDocument[]).map(({ value }) => keepNamed(document, shape.items, value)),
      },
    ]
  })
  return [...embedded, ...ofChildren].filter(({ name }) => !sent.has(name))
}

/** A count where the schema allows it. */
function fitting({ keywords: { minimum, maximum } }: Shape, read: (state: State, item: ItemAt) => number) {
  return (state: State, item: ItemAt): number | undefined => {
    const count = read(state, item)
    return count < Number(minimum ?? 0) || count > Number(maximum ?? Infinity) ? undefined : count
  }
}

/** What a number counts: `task` for `task_count`, `tasksTotal`, `numberOfTasks` and `num_tasks`, and for `tasks` itself. */
function countedIn(name: string, { types }: Shape): string | undefined {
  const plain = plainName(name)
  const [, after] = /^(?:numberof|numof|num|countof|total)(.{3,})$/.exec(plain) ?? []
  const [, before] = /^(.{3,}?)(?:total)?(?:count|total)$/.exec(plain) ?? []
  const counted = before ?? after
  if (counted !== undefined) return plainSingular(counted)
  return types.has('integer') && plainSingular(name) !== plain ? plainSingular(name) : undefined
}

/** The items of another collection that belong to an item. */
interface Children {
  readonly plan: CollectionPlan
  /** What one is called, as a plain name. */
  readonly noun: string
  /** The member that names the item; empty for those below its path. */
  readonly pointer: string
  count(state: State, item: ItemAt): number
  list(state: State, item: ItemAt): readonly ItemAt[]
}

/** Those below the path of an item, or those of all items that have its id in a member such as `project_id`. */
function childOf(
  { document, operations }: AllPlans,
  collection: CollectionPlan,
  plan: CollectionPlan,
): Children | undefined {
  const noun = plainSingular(plan.noun)
  if (plan.isSingleton || plan === collection) return undefined
  const idsOf = ({ instance }: ItemAt) => findPlace([collection], instance)?.ids ?? []
  if (plan.parent === collection) {
    const nameOf = (item: ItemAt) => instanceName(plan, [...idsOf(item), item.id])
    return {
      plan,
      noun,
      pointer: '',
      count({ collections, collectionSeeds, collectionSeed }, item) {
        const name = nameOf(item)
        return collections.get(name)?.size ?? collectionSeeds.count(collectionSeed, name) ?? 0
      },
      list: (state, item) => first(state, nameOf(item), (documents) => [...documents]),
    }
  }
  const isHidden = operations.some((one) => one.collection === plan && isParentHidden(one) && one.parent === collection)
  const pointer = isHidden || collection.path.includes('{') ? undefined : memberFor(document, plan.schema, collection)
  if (!isHidden && (pointer === undefined || plan.path.includes('{'))) return undefined
  const nameOf = (item: ItemAt) => instanceName(plan, idsOf(item).slice(0, parameterCount(plan)))
  const select = (documents: Documents, item: ItemAt) => {
    const oneOf: readonly Json[] = /^-?\d{1,15}$/.test(item.id) ? [item.id, Number(item.id)] : [item.id]
    const condition =
      pointer === undefined
        ? { hidden: PARENT_FACT, oneOf: [parentPath(collection, [...idsOf(item), item.id])] }
        : { pointer, oneOf }
    return selectNow(documents, { conditions: [condition], order: [] })
  }
  return {
    plan,
    noun,
    pointer: pointer ?? '',
    count(state, item) {
      const name = nameOf(item)
      requireDocuments(state, name)
      const documents = documentsOf(state, name)
      return documents ? select(documents, item).count : 0
    },
    list: (state, item) =>
      first(state, nameOf(item), (documents) =>
        select(documents, item)
          .slice(0, MOST_SHOWN)
          .map((one) => [one.id, one.document] as const),
      ),
  }
}

function first(
  state: State,
  instance: string,
  read: (documents: Documents) => readonly (readonly [string, StoredDocument])[],
): readonly ItemAt[] {
  requireDocuments(state, instance)
  const documents = documentsOf(state, instance)
  return (documents ? read(documents) : []).slice(0, MOST_SHOWN).map(([id, stored]) => ({ instance, id, stored }))
}
