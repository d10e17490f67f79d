import { valueAt, withValue } from '../../../contract/pointer.ts'
import { isSameSchema, memberAt, shapeOf } from '../../../contract/schemas/shape.ts'
import { chanceKey } from '../../../engine/random.ts'
import { type Violation, Defect } from '../../../base/errors/problem.ts'
import { asList, isObject, type Members, splitPointer, withNumbers } from '../../../base/formats/json.ts'
import { fitObject } from '../../../values/fit-object.ts'
import { idOf } from '../documents/ids.ts'
import type { OperationPlan, Role } from '../infer/plan.ts'
import { examplesOfResponse } from '../seeds/examples.ts'
import { convertMembers, listedIn, showItem, type Showing, showWhole } from './show.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { isDeepStrictEqual } from 'node:util'

/** How the response of one operation shows items of its collection. Responses may describe an item differently. */
interface View {
  /** Whether it describes items as their collection does. */
  readonly isOwn: boolean
  /** The values that the response allows for a member; none where it allows others. */
  choicesOf(name: string, showing: Showing): readonly unknown[]
  /** An item with its members converted to the types of the response, without those that cannot be converted. */
  convert(value: Members, showing: Showing): Members
  /** An item with the members that the response names, of the types that it has for them, and with what it requires. */
  show(value: Members, showing: Showing): Members
  /** The violations in a shown item and in the list around it, with pointers into the response. */
  check(item: Members, showing: Showing): readonly Violation[]
  /** The item reduced to what the contract allows; undefined where nothing valid is left. */
  fit(item: Members, showing: Showing): Members | undefined
}

/** The body of a response that shows one item alone. */
type Wrap = (item: Members, showing: Showing) => unknown

function viewOf(plan: OperationPlan, wrap: Wrap = wrapIn(plan.output)): View {
  const { operation, output, collection } = plan
  const { status, located } = output
  const { pointer = '', schema, isList } = located ?? {}
  const place = isList ? `${pointer}/0` : pointer
  const isInItem = ({ pointer: at = '' }: Violation) => at === place || at.startsWith(`${place}/`)
  const check: View['check'] = (item, showing) => {
    return (
      operation
        .checkResponse(status, withNumbers(wrap(item, showing)))
        // A list may have to have more than one item.
        .filter((one) => (isList ? one.pointer !== pointer : isInItem(one)))
    )
  }
  let isIdExampled: boolean | undefined
  let shown: unknown
  const convert: View['convert'] = (value, { document }) => convertMembers(document, schema, value)
  return {
    isOwn: isSameSchema(schema, collection.schema),
    check,
    choicesOf(name, { document }) {
      const member = shapeOf(document, schema, 'any').properties.get(name)
      const { enum: choices } = shapeOf(document, member).keywords
      return asList(choices)
    },
    convert,
    show(value, showing) {
      shown ??= withRevealed(plan, showing.document)
      const item = showItem(shown, convert(value, showing), showing)
      isIdExampled ??= showsIdInExamples(showing.document, plan)
      const { pointer: at = '' } = collection.identity
      const id = isIdExampled ? valueAt(value, at) : undefined
      return id === undefined ? item : withValue(item, at, id)
    },
    fit: (item, showing) =>
      fitObject(item, {
        ...{ document: showing.document, schema, fixed: collection.identity.pointer, now: showing.now },
        key: chanceKey(showing.seed, showing.purpose),
        check: (made) =>
          check(made, showing)
            .filter(isInItem)
            .map((one) => ({ ...one, pointer: one.pointer?.slice(place.length) ?? '' })),
      }),
  }
}

/** What only the response to a creation has is shown once, also where the schema does not require it: the `secret` of a webhook. */
function withRevealed({ role, collection, input, output }: OperationPlan, document: unknown): unknown {
  const schema = output.located?.schema
  if (role !== 'create') return schema
  const [known, sent] = [collection.schema, input?.schema].map((one) => shapeOf(document, one, 'any').properties)
  const revealed = [...shapeOf(document, schema, 'any').properties].filter(
    ([name, member]) => !known?.has(name) && !sent?.has(name) && shapeOf(document, member).types.has('string'),
  )
  return revealed.length === 0 ? schema : { allOf: [schema, { required: revealed.map(([name]) => name) }] }
}

/** Some schemas forget the id, which clients learn from the examples of their responses. */
function showsIdInExamples(document: unknown, plan: OperationPlan): boolean {
  const { identity } = plan.collection
  const member = memberAt(document, plan.output.located?.schema, splitPointer(identity.pointer ?? ''))
  return (
    member === undefined && examplesOfResponse(document, plan).some(({ value }) => idOf(identity, value) !== undefined)
  )
}

function wrapIn(output: OperationPlan['output']): Wrap {
  const { pointer = '', isList, isMap } = output.located ?? {}
  if (!isList || isMap) return (item, showing) => showWhole(output, listedIn(output.located, item), showing)
  if (pointer === '') return (item) => [item]
  // What is around a list does not depend on its items, so it is made once.
  let around: Members | undefined
  return (item, { document }) => {
    around ??= showWhole(output, [], { document, seed: 0, purpose: '', now: 0 }) as Members
    return withValue(around, pointer, [item])
  }
}

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
    const isValid = own && (allows(own, value, showing) || own.check(value, showing).length === 0)
    const isBroken = own && (own === view || !isValid)
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

/**
 * An item as it is stored: as the schema of its collection allows it, and with what other responses require besides. Where bodies and
 * responses document a member differently, such as an id and the thing that it names, each response converts it.
 */
export type FitItem = (value: Members, fitting: Fitting) => Members

/** @param plans the operations that show items of the collection */
export function createItemFit(plans: readonly OperationPlan[]): FitItem {
  let views: readonly View[] | undefined
  return (value, fitting) => {
    views ??= plans.filter(({ role, output }) => SHOWS.has(role) && output.located).map((plan) => viewOf(plan))
    return fitItem(views, value, fitting)
  }
}

function fitItem(views: readonly View[], value: Members, { written, ...showing }: Fitting): Members {
  const own = views.find(({ isOwn }) => isOwn)
  const fitting = own ? fitTo(own, value, showing) : value
  const others = views.filter(({ isOwn }) => !isOwn)
  const whole = others.reduce((item, view) => {
    const more = withMissing(item, view.show(item, showing))
    if (more === item || !own || allows(own, more, showing)) return more
    // With more members it could match several alternatives of `oneOf`.
    return allows(own, item, showing) ? fitTo(own, more, showing) : more
  }, fitting)
  return own && others.length > 0 ? agreeing([own, ...others], whole, { written, ...showing }) : whole
}

/**
 * An item whose made-up values are allowed by all responses, as far as there are such values: a role that is drawn from more roles than a
 * list may show.
 */
function agreeing([own, ...others]: readonly [View, ...View[]], value: Members, { written, ...showing }: Fitting) {
  const agreed = [own]
  let item = value
  for (const view of others) {
    const shown = view.show(item, showing)
    const fitting = view.check(shown, showing).length === 0 ? shown : (view.fit(shown, showing) ?? {})
    for (const [name, inner] of Object.entries(fitting)) {
      const held = item[name]
      const replaced = held === undefined || written.has(name) ? held : withLeaves(held, inner)
      if (replaced === held) continue
      const tried = [replaced, ...view.choicesOf(name, showing)].map((one) => ({ ...item, [name]: one }))
      item = tried.find((one) => agreed.every((known) => allows(known, one, showing))) ?? item
    }
    if (allows(view, item, showing)) agreed.push(view)
  }
  return item
}

function allows(view: View, item: Members, showing: Showing): boolean {
  return view.check(view.show(item, showing), showing).length === 0
}

/** A value with the leaves of another where both have them; the same value if none differs. */
function withLeaves(value: unknown, other: unknown): unknown {
  if (isObject(value) && isObject(other) && Object.keys(value).length > 0) {
    const changed = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const replaced = name in other ? withLeaves(inner, other[name]) : inner
      return replaced === inner ? [] : [[name, replaced]]
    })
    return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
  }
  if (Array.isArray(value) && Array.isArray(other) && value.length === other.length) {
    const replaced = value.map((one: unknown, index) => withLeaves(one, other[index]))
    return replaced.some((one, index) => one !== value[index]) ? replaced : value
  }
  return isDeepStrictEqual(value, other) ? value : other
}

interface Fitting extends Showing {
  /** The members that stay as they are: those that clients wrote, or that the item had. */
  readonly written: ReadonlySet<string>
}

/** The roles of operations that show items as they are. */
const SHOWS: ReadonlySet<Role> = new Set<Role>(['list', 'search', 'read', 'create', 'replace', 'merge'])

function fitTo(view: View, value: Members, showing: Showing): Members {
  const converted = view.convert(value, showing)
  const item = view.show(value, showing)
  if (view.check(item, showing).length === 0) return withMissing(converted, item)
  const fitting = view.fit(item, showing)
  if (!fitting) return value
  const changed = Object.entries(fitting).filter(([name, inner]) => inner !== item[name])
  const kept = Object.entries(converted).filter(([name]) => !(name in item) || name in fitting)
  return withMissing(Object.fromEntries([...kept, ...changed]), fitting)
}

/** An object with the missing members filled in from another, at every level. */
function withMissing(value: Members, other: Members): Members {
  const added = Object.entries(other).flatMap(([name, more]): [string, unknown][] => {
    if (!Object.hasOwn(value, name)) return [[name, more]]
    const joined = joinedWith(value[name], more)
    return joined === value[name] ? [] : [[name, joined]]
  })
  return added.length === 0 ? value : { ...value, ...Object.fromEntries(added) }
}

function joinedWith(value: unknown, other: unknown): unknown {
  if (isObject(value) && isObject(other)) return withMissing(value, other)
  if (!Array.isArray(value) || !Array.isArray(other) || value.length !== other.length) return value
  const joined = value.map((one: unknown, index) => joinedWith(one, other[index]))
  return joined.some((one, index) => one !== value[index]) ? joined : value
}
