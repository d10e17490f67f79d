import { withOwnSlug } from '../items/own-slug.ts'
import { chanceKey } from '../../../engine/random.ts'
import { referredBy, withReferred } from './references.ts'
import type { ItemRequest, OperationWork } from './work.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { type Call, refusal } from '../../handler.ts'
import {
  type Members,
  type Json,
  splitPointer,
  withNumbers,
  encodePointer,
  asText,
} from '../../../base/formats/json.ts'
import { pointerOf, valueAt, replaceAt } from '../../../contract/pointer.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { schemaAt } from '../../../values/fit-object.ts'
import { showItem, type Showing, showWhole, convertMembers } from '../items/show.ts'
import { statusFor, valuesOf } from '../lifecycles/status-words.ts'
import { isDeepStrictEqual } from 'node:util'
import type { DocumentContext } from '../../../values/consistency/level.ts'
import { sumUp } from '../../../values/consistency/make-consistent.ts'
import { isSum, isTotal, linesIn } from '../../../values/consistency/amounts.ts'
import { isAddress } from '../../../values/consistency/links.ts'
import { plainName } from '../../../base/formats/names.ts'
import { type StoredDocument, storeDocument } from '../documents/stored-document.ts'
import { factsAfter } from '../lifecycles/lifecycle.ts'
import { fullName, otherIds, parentMembers, withMembers } from '../items/server-members.ts'
import { idsOfCaller, withShownItems } from '../related/refer-to-items.ts'
import { parentFact, parentItem, PARENT_FACT } from './parent.ts'
import { withUnsent } from '../items/unsent-members.ts'

interface WrittenItem {
  /** The members that the request has. */
  readonly given: Members
  readonly id: string
  readonly value: Members
  readonly before: StoredDocument | undefined
}

/** An item as it is stored, with all that its schema requires. */
export function storeItem(
  work: OperationWork,
  { state, call, instance }: ItemRequest,
  { given, id, value, before }: WrittenItem,
): StoredDocument {
  const { plan, document, lifecycles } = work
  const { schema } = plan.collection
  const showing = { document, seed: state.seed, purpose: `${instance.name} ${id}`, now: call.now }
  const wrote = { names: Object.keys(given), before: before?.value }
  const replaced = replaceForbidden(work, { ...value, ...given }, wrote, showing)
  refuseNotShown(plan, call, given, Object.keys(replaced))
  const members = Object.entries({ ...value, ...replaced }).filter(([, one]) => one !== undefined)
  const item = Object.fromEntries(members)
  const parents = plan.parents.map((name) => asText(call.path[name]))
  const above = new Map([
    ...parentMembers(document, plan.collection, parents),
    ...fullName(document, plan.collection, [...parents, id]),
    ...otherIds(document, plan.collection, {
      ...{ id, item, parentItem: parentItem(state, plan, call) },
      key: chanceKey(state.seed, `uid ${instance.name} ${id} ${instance.documents?.made ?? 0}`),
    }),
  ])
  const sent = withMembers(item, above)
  // The path names what the object `workspace` shows.
  const held = [...above.keys(), plan.ownedBy?.pointer ?? ''].map(splitPointer).filter(({ length }) => length > 1)
  const told = before ? given : { ...given, ...Object.fromEntries(held.map(([name = '']) => [name, sent[name]])) }
  // What is made up of a label that was sent by its name is made to agree, and the name is not.
  const converted = before ? sent : { ...sent, ...convertMembers(document, schema, sent) }
  const owned = before ? converted : { ...converted, ...idsOfCaller(work, { state, call }, converted) }
  const whole = withShownItems(work, { state, call }, owned, { given: told, before: before?.value })
  const referring = Object.entries(withReferred(work, { state, call }, whole)).filter(
    ([name]) => !before || name in given,
  )
  const filled = { ...whole, ...Object.fromEntries(referring) }
  const begun = before ? filled : withLeftOut(work, { state, call, instance }, id, filled)
  const shown = { ...begun, ...showItem(schema, begun, showing) }
  const referred = referredBy(work, { state, call }, shown)
  // The path of an element leaves all but its list to the service.
  const written = plan.element ? given : sent
  const totalled = (whole: Members) =>
    withTotals(document, schema, { before: before?.value, sent: written, whole, referred })
  const completed = totalled(shown)
  const kept = new Set(
    [...Object.keys(given), ...Object.keys(before?.value ?? {})].filter((name) => !(name in replaced)),
  )
  const fit = (item: Members) => work.fit(item, { ...showing, written: kept })
  // What is new in a list gets its price only now.
  const fitted = work.plan.element ? totalled(fit(completed)) : fit(completed)
  const agreeing = before ? fitted : agreeingItem(work, { state, call, instance }, { begun, filled, fitted, id })
  const stored = isDeepStrictEqual(agreeing, fitted) ? fitted : fit(agreeing)
  const hasFacts = lifecycles.length > 0 || before?.hidden !== undefined
  const facts = hasFacts ? factsAfter(lifecycles, { before, value: stored, now: call.now }) : {}
  const fact = before ? undefined : parentFact(state, plan, call)
  return storeDocument(stored, fact === undefined ? facts : { ...facts, [PARENT_FACT]: fact })
}

/** A written item with what its request left out, as `collections.unsent` says. */
export function withLeftOut(
  { document, plan, asksForRelated }: OperationWork,
  request: ItemRequest,
  id: string,
  value: Members,
): Members {
  const { state, call, instance } = request
  return withUnsent(document, plan.collection.schema, value, {
    ...{ input: plan.input?.schema, key: chanceKey(state.seed, `${instance.name} ${id}`), now: call.now },
    unsent: () => call.tracker.ask('collections.unsent'),
    asksForRelated,
  })
}

/** A new item whose made-up members agree with the others: its address is its own. @param begun the item before they were made up */
function agreeingItem(
  work: OperationWork,
  { state, call, instance }: ItemRequest,
  { begun, filled, fitted, id }: Record<'begun' | 'filled' | 'fitted', Members> & { readonly id: string },
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
    path: work.locationOf({ id, call }),
    references: () => undefined,
    referred: referredBy(work, { state, call }, fitted),
  }
  // Addresses, and texts that were left empty, are made by what the item is.
  const isFixed = ({ pointer }: Leaf) =>
    valueAt(filled, pointer) !== undefined || (valueAt(begun, pointer) !== '' && !isAddress(pointer))
  const fixed = [...leavesOf(document, schema, begun)].filter(isFixed).map(({ pointer }) => pointer)
  return withOwnSlug(instance.documents, fixed, work.agree(fitted, context, fixed))
}

/** Constraints on a value. Bodies and responses may also document different types: the member is converted then, or left out. */
const CONSTRAINTS =
  /^(enum|const|minLength|maxLength|minimum|maximum|exclusiveM|multipleOf|minItems|maxItems|uniqueItems|pattern|format)/

interface WrittenValues {
  /** The members that the request has. */
  readonly names: readonly string[]
  /** The item as it was; undefined for a new one. */
  readonly before: Members | undefined
}

/**
 * What the body may have by its own schema is taken, also where no response could show it: the item gets what is nearest to it, `running`
 * for `start` and the first ten characters of a text that responses limit to ten; else what it had.
 *
 * @returns the members of the request that have such a value, as responses can show them; undefined for nothing
 */
function replaceForbidden(
  { plan, views, document }: OperationWork,
  item: Members,
  { names, before }: WrittenValues,
  showing: Showing,
): Members {
  const view = views.find(({ role, output }) => role === 'read' && output.located) ?? plan
  const { operation, output } = view
  if (!output.located || output.located.isList) return {}
  const { pointer, schema } = output.located
  const shown = showWhole(output, showItem(schema, item, showing), showing)
  const violations = operation.checkResponse(output.status, withNumbers(shown)).flatMap((one) => {
    const path = one.pointer?.startsWith(pointer) ? splitPointer(one.pointer.slice(pointer.length)) : []
    return names.includes(path[0] ?? '') ? [{ ...one, path }] : []
  })
  let mended = item
  // The last elements first: those after one that is left out move.
  for (const { path, code } of violations.toReversed()) {
    const value = valueAt(mended, pointerOf(path))
    if (!CONSTRAINTS.test(code) || value === undefined) continue
    const nearest = nearestTo(document, schemaAt(mended, path, { document, schema }).schema, value)
    const isElement = path.some((_, at) => Array.isArray(valueAt(mended, pointerOf(path.slice(0, at)))))
    const other = nearest ?? (isElement ? undefined : valueAt(before, pointerOf(path)))
    mended = replaceAt(mended, path, other)
  }
  return Object.fromEntries(names.filter((name) => mended[name] !== item[name]).map((name) => [name, mended[name]]))
}

/** @throws Problem 400 for members that responses cannot show as they were sent, where `collections.not-shown` refuses these */
function refuseNotShown({ input }: OperationPlan, { tracker }: Call, given: Members, names: readonly string[]): void {
  if (names.length === 0 || tracker.ask('collections.not-shown') === 'nearest') return
  throw requestInvalid(
    names.map((name) => {
      const pointer = `${input?.pointer ?? ''}/${encodePointer(name)}`
      return refusal('collections.not-shown', { pointer }, 'a value that responses can show', given[name])
    }),
  )
}

/** The value that a schema has for one that it does not allow; the same where it is allowed after all, undefined where there is none. */
function nearestTo(document: unknown, schema: unknown, value: unknown): unknown {
  const { keywords } = shapeOf(document, schema)
  const values = keywords.const === undefined ? valuesOf(document, schema) : [keywords.const as Json]
  // Only other alternatives than the one that the value is most like may forbid it.
  if (values.includes(value as Json)) return value
  if (values.length > 0) return typeof value === 'string' ? statusFor(value, values) : undefined
  const { format, maxLength, maxItems, minimum, maximum, multipleOf } = keywords
  const [day] = typeof value === 'string' ? (/^\d{4}-\d\d-\d\d(?=T|$)/.exec(value) ?? []) : []
  if (day !== undefined && format === 'date') return day
  if (day !== undefined && format === 'date-time') return `${day}T00:00:00Z`
  if (typeof value === 'string' && typeof maxLength === 'number') return value.slice(0, maxLength)
  if (Array.isArray(value) && typeof maxItems === 'number') return value.slice(0, maxItems)
  if (typeof value === 'number' && multipleOf === undefined)
    return Math.min(Math.max(value, Number(minimum ?? value)), Number(maximum ?? value))
  return undefined
}

interface ItemWrite {
  /** The item before the write; undefined for a new one. */
  readonly before: Members | undefined
  /** The item after it, before what it lacks was made up. */
  readonly sent: Members
  readonly whole: Members
  /** The documents that it refers to. */
  readonly referred: NonNullable<DocumentContext['referred']>
}

/**
 * An item whose totals are the sums of their parts, as far as clients cannot write them, or have not. A total that did not add up before,
 * such as that of an example, stays as it is.
 */
function withTotals(document: unknown, schema: unknown, { before, sent, whole, referred }: ItemWrite): Members {
  const summed = (value: Members, written: Members) => {
    const fixed = [...leavesOf(document, schema, written)].flatMap((leaf) => (leaf.isReadOnly ? [] : [leaf.pointer]))
    const isFree = ({ name, pointer }: Leaf) => isSum(plainName(name)) && !fixed.includes(pointer)
    return leavesOf(document, schema, value).some(isFree) ? sumUp(document, schema, value, { fixed, referred }) : value
  }
  const lacking = before ? [] : openTotals(document, schema, whole)
  if (lacking.length > 0) {
    const made = summed({ ...whole, ...Object.fromEntries(lacking.map((name) => [name, 0])) }, sent)
    const isOfNothing = linesIn(whole).some(([, lines]) => lines.length === 0)
    return Object.fromEntries(
      Object.entries(made).filter(([name, one]) => one !== 0 || isOfNothing || !lacking.includes(name)),
    )
  }
  const after = summed(whole, sent)
  return before && after !== whole && !isDeepStrictEqual(summed(before, before), before) ? whole : after
}

/** The totals that a new item has no value of: the service sums them up. */
function openTotals(document: unknown, schema: unknown, value: Members): string[] {
  return [...shapeOf(document, schema, 'any').properties].flatMap(([name, member]) => {
    const { types } = shapeOf(document, member)
    return !(name in value) && isTotal(plainName(name)) && (types.has('number') || types.has('integer')) ? [name] : []
  })
}

interface Leaf {
  readonly pointer: string
  /** Of the member that holds it. */
  readonly name: string
  /** Whether only the service writes it. */
  readonly isReadOnly: boolean
}

const ROOT: Leaf = { pointer: '', name: '', isReadOnly: false }

/** The values that are neither objects nor lists. */
function* leavesOf(document: unknown, schema: unknown, value: unknown, at: Leaf = ROOT): Generator<Leaf> {
  if (typeof value !== 'object' || value === null) {
    yield at
    return
  }
  const shape = shapeOf(document, schema, 'any')
  if (Array.isArray(value)) {
    for (const [index, one] of value.entries())
      yield* leavesOf(document, shape.items, one, { ...at, pointer: `${at.pointer}/${index}` })
    return
  }
  for (const [name, inner] of Object.entries(value)) {
    const member = shape.properties.get(name)
    const isReadOnly = at.isReadOnly || (member !== undefined && shapeOf(document, member).keywords.readOnly === true)
    yield* leavesOf(document, member, inner, { pointer: `${at.pointer}/${encodePointer(name)}`, name, isReadOnly })
  }
}
