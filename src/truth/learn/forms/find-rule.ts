import { isDeepStrictEqual } from 'node:util'
import type { ValueRule } from '../../../app/learned/learned.ts'
import { idOf } from '../../../app/learned/fill.ts'
import { ruled } from '../../../app/learned/reshape.ts'
import { parseInstant } from '../../../base/formats/instant.ts'
import { isObject, mapMembers, stringifyJson } from '../../../base/formats/json.ts'
import { isUuid } from '../../../engine/random.ts'
import { kindOf, momentOf } from '../../recordings/differences/values.ts'
import { hasPersonal } from '../../recordings/scrub.ts'
import { isProse } from '../likeness.ts'
import { isNothing, isVolatile, isWord, OWN_ID } from '../constant-values.ts'
import type { Observation } from './observe.ts'
import { placesOf, templateOf } from './places.ts'

interface RuleSearch {
  /** In how many objects neither side has the value. */
  readonly unseen: number
  /** Whether it is left out here, and shown elsewhere. */
  readonly isSummary: boolean
  /** Whether several operations have the rule. */
  readonly isOfMany: boolean
  /** Whether the values are of errors. */
  readonly isOfErrors: boolean
}

/**
 * The rule under which values are most often as the service shows them; undefined where none does better than the contract.
 */
export function findRule(
  observations: readonly Observation[],
  { unseen, isSummary, isOfMany, isOfErrors }: RuleSearch,
): ValueRule | undefined {
  const lacking = observations.filter(({ ours }) => ours === undefined)
  const held = observations.filter(({ ours }) => ours !== undefined)
  const add = best(lacking, [NO_RULE, ...additionsOf(lacking, isOfMany)], { bonus: unseen, isOfErrors })
  const rule = {
    ...best(held, [NO_RULE, ...overridesOf(held, { isSummary, isOfMany })], { bonus: 0, isOfErrors }),
    ...add,
  }
  return Object.keys(rule).length === 0 ? undefined : rule
}

function additionsOf(lacking: readonly Observation[], isOfMany: boolean): ValueRule[] {
  // An id that only the response has leads nowhere, unless it is another name of the one that is kept.
  const isId = lacking.some(({ name }) => OWN_ID.test(name))
  const templates = templatesOf(lacking, isOfMany).filter((one) => !isId || isCopy(one))
  // An object may be added empty: its members have rules of their own.
  const mayBeAdded = (one: unknown) => isDeepStrictEqual(one, {}) || isUsual(one, lacking)
  const isSent = lacking.some((one) => one.isSent)
  return (isSent ? templates.filter(mayBeAdded) : templates).map((one) => ({ add: one }))
}

/** Whether a template is the value of another member. */
function isCopy(template: unknown): boolean {
  return typeof template === 'string' && /^\{\$item#[^{}]*\}$/.test(template)
}

/** How many have what a client did not send, where it holds other values; a client may have sent it to the rest. */
const MOST = 0.8

/** Whether it may stand for what a client did not send: what was sent itself, or one value that all have; several, if it holds others. */
function isUsual(template: unknown, lacking: readonly Observation[]): boolean {
  if (typeof template === 'string' && template.startsWith('{$request.body')) return true
  const isHolder = typeof template === 'object' && template !== null && Object.keys(template).length > 0
  const shown = lacking.filter(({ theirs }) => theirs !== undefined)
  const alike = shown.filter((one) => isSame(one.theirs, applied({ add: template }, one))).length
  return isHolder ? lacking.length >= LEAST_SUPPORT && alike >= shown.length * MOST : alike === shown.length
}

const NO_RULE: ValueRule = {}

/** What a rule has to gain, as a share of a value. */
const COST = 0.05

/** @param bonus how many values are right without a rule, and wrong with one */
function best(
  observations: readonly Observation[],
  candidates: readonly ValueRule[],
  { bonus, isOfErrors }: { readonly bonus: number; readonly isOfErrors: boolean },
): ValueRule {
  if (observations.length === 0) return NO_RULE
  let [found, most] = [NO_RULE, -Infinity]
  for (const [at, candidate] of candidates.entries()) {
    const right = scoreOf(candidate, observations)
    // An error that was seen once is said again, although one of other members counts nearly as much. Other bodies are of the state.
    const cost = isOfErrors && right === observations.length ? COST / 2 : COST
    const score = right + (at === 0 ? bonus : -cost)
    if (score > most) [found, most] = [candidate, score]
  }
  return found
}

/** How many values are as the service's under a rule; some count in part. */
export function scoreOf(rule: ValueRule | undefined, observations: readonly Observation[]): number {
  return observations.reduce((sum, one) => sum + likeness(applied(rule, one), one), 0)
}

/** A value of ours under a rule. */
export function applied(rule: ValueRule | undefined, { ours, sent, item }: Observation): unknown {
  return rule ? ruled(rule, ours, sent.source, { item, pointer: '' }) : ours
}

/** Whether two values are equal. Inside objects and lists, values that are made anew each time may differ. */
export function isSame(value: unknown, theirs: unknown): boolean {
  return isDeepStrictEqual(withoutMade(value), withoutMade(theirs))
}

/** From 0 to 1. */
function likeness(value: unknown, { theirs, name, isFree }: Observation): number {
  if (value === undefined || theirs === undefined) return value === theirs ? 1 : 0
  if (isSame(value, theirs)) return 1
  if (Array.isArray(value) && Array.isArray(theirs)) return value.length === theirs.length ? 0.9 : 0.6
  // The members have rules of their own, unless which there are is a value.
  if (isObject(value) && isObject(theirs)) return !isFree || haveSameNames(value, theirs) ? 0.95 : 0.5
  if (value === null || theirs === null || typeof value !== typeof theirs || typeof value === 'object') return 0.2
  const kind = kindOf(name, theirs)
  if (kind !== 'plain' && !isNothing(value) && kindOf(name, value) === kind) return 1
  return isProse(value) && isProse(theirs) ? 0.9 : 0.5
}

function haveSameNames(one: object, other: object): boolean {
  return Object.keys(one).toSorted().join() === Object.keys(other).toSorted().join()
}

/** After how many responses without a member it counts as hidden, even if clients can send it. */
const LEAST_UNSHOWN = 5

/** More values of one kind do not differ. */
const MOST_VALUES = 4

function* overridesOf(
  observations: readonly Observation[],
  { isSummary, isOfMany }: Pick<RuleSearch, 'isSummary' | 'isOfMany'>,
): Generator<ValueRule> {
  const isWritable = observations.some((one) => one.isWritable)
  // What clients send empty stays so.
  const isSent = observations.some((one) => one.isSent)
  if (observations.some(({ theirs }) => theirs === undefined)) {
    // A service may show a member once a client sends it, so an empty one of a client does not count.
    const isHidden =
      observations.every((one) => one.theirs === undefined) &&
      observations.filter((one) => !one.wasSent || !isNothing(one.ours)).length >= LEAST_UNSHOWN
    if (!isWritable || isSummary || isHidden) yield { drop: true }
    // A part of the state is hidden only where it is as frameworks write nothing.
    const gone = distinct(observations.flatMap(({ theirs, ours }) => (theirs === undefined ? [ours] : [])))
    if (gone.length <= MOST_VALUES && gone.every(isNothing)) yield { drop: gone }
  }
  const changed = observations.filter(({ theirs, ours }) => theirs !== undefined && !isDeepStrictEqual(theirs, ours))
  if (changed.length === 0) return
  if (observations.every(({ name, ours }) => OWN_ID.test(name) && isNothing(ours))) {
    for (const one of templatesOf(changed, isOfMany).filter(isCopy)) yield { set: one }
    return
  }
  yield* partsOf(observations, isOfMany)
  const pairs = distinct(
    changed.flatMap(({ ours, theirs, name }) =>
      // The members of objects have rules of their own.
      (isSent ? ours === null : isNothing(ours)) &&
      !(isObject(ours) && isObject(theirs)) &&
      !hasItems(theirs, changed) &&
      mayBeShown(theirs, name)
        ? [[ours, theirs] as const]
        : [],
    ),
  )
  for (const [from, to] of pairs.slice(0, MOST_VALUES)) yield { map: [[from, to]] }
  if (pairs.length > 1 && pairs.length <= MOST_VALUES) yield { map: pairs }
  const present = observations.filter(({ theirs }) => theirs !== undefined)
  if (isWritable) return
  // Where values vary, none of them is the one.
  const varies = distinct(present.map(({ theirs }) => withoutMade(theirs))).length > 1
  for (const one of templatesOf(present, isOfMany))
    if (!hasItems(one, present) && !(varies && isConstant(one))) yield { set: one }
}

/** How many items must have the same list before it counts as a part of each item. */
const LEAST_ITEMS = 4

/**
 * Templates for a list that is the same in nearly every item, apart from new ids, moments and values of the item itself: a part of each item,
 * and not data. Only where ours is empty.
 */
function partsOf(observations: readonly Observation[], isOfMany: boolean): ValueRule[] {
  const isMissing = ({ ours, theirs }: Observation) => isList(ours) && ours.length === 0 && isList(theirs)
  const items = new Set(observations.map(({ item }) => stringifyJson(idsOf(item))))
  if (items.size < LEAST_ITEMS || observations.filter(isMissing).length < observations.length * MOST) return []
  return templatesOf(observations, isOfMany)
    .filter((one) => isList(one) && one.length > 0)
    .map((one) => ({ set: one }))
    .filter((rule) => {
      const alike = observations.filter((one) => isSame(one.theirs, applied(rule, one)))
      return alike.length >= observations.length * MOST
    })
}

/** What tells an object from others of its kind. */
function idsOf(item: unknown): unknown {
  return isObject(item) ? Object.entries(item).filter(([name, value]) => kindOf(name, value) === 'id') : item
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isObject)
}

/** Whether a template is the same for all requests. Inside objects and lists, places for values that are made anew each time are allowed. */
export function isConstant(template: unknown): boolean {
  const text = stringifyJson(template)
  return !(typeof template === 'object' ? text.replaceAll(/\{\$(?:now|uuid|text)\}/g, '') : text).includes('{$')
}

/** Whether it is a list of items, which says what there was when it was recorded. */
function hasItems(value: unknown, observations: readonly Observation[]): boolean {
  const isItems = (one: unknown) => Array.isArray(one) && one.some((item) => typeof item === 'object')
  return Array.isArray(value) && observations.some(({ theirs, ours }) => isItems(theirs) || isItems(ours))
}

/** What the values of the service may be made of. */
function templatesOf(all: readonly Observation[], isOfMany: boolean): unknown[] {
  const observations = all.filter(({ theirs }) => theirs !== undefined)
  const [first] = observations
  if (!first) return []
  const groups = [...Map.groupBy(observations, ({ theirs }) => stringifyJson(theirs)).values()]
  const common = groups.toSorted((a, b) => b.length - a.length).slice(0, MOST_VALUES)
  const constants = common.flatMap((group) => {
    if (isRepeated(group)) return [group[0]?.theirs]
    return mayBeKept(group, groups.length) ? [withoutMade(group[0]?.theirs)] : []
  })
  const empty = Array.isArray(first.theirs) ? [[]] : isObject(first.theirs) ? [{}] : []
  const examples = spread(observations)
  const places = [...new Set(examples.flatMap((one) => placesOf(one, isOfMany)))]
  const texts = examples
    .filter((one) => !hasPersonal(one.theirs, one.name))
    .map((one) => withoutMade(templateOf(one, isOfMany)))
    .filter((one) => one !== undefined)
  const made = [...new Set(examples.flatMap(madePlace))]
  // The first of several that do as well: what depends on the request comes before what was always the same.
  return [...places, ...texts, ...constants, ...empty, ...made]
}

/** Values that vary are kept only where several responses have them. */
const LEAST_SUPPORT = 3

/** Whether responses about several things show one value: then it is not made anew, although it looks so. */
function isRepeated(group: readonly Observation[]): boolean {
  const [{ theirs, name } = { theirs: undefined, name: '' }] = group
  const subjects = new Set(
    group.map(({ sent, item }) => `${sent.source.url().split('?', 1)[0] ?? ''} ${stringifyJson(idOf(item))}`),
  )
  const kind = kindOf(name, theirs)
  return subjects.size >= LEAST_SUPPORT && kind !== 'instant' && kind !== 'token' && !hasPersonal(theirs, name)
}

/** Whether a profile may have a value: none that is made anew each time, or that tells people apart. */
function mayBeKept(group: readonly Observation[], values: number): boolean {
  const [first] = group
  if (!first || !mayBeShown(first.theirs, first.name)) return false
  const isPlain = typeof first.theirs !== 'string' || isWord(first.theirs)
  return values === 1 || isPlain || group.length >= LEAST_SUPPORT
}

/** Whether a value is none that is made anew each time, or that tells people apart. */
function mayBeShown(value: unknown, name: string): boolean {
  return !isVolatile(value, name) && !hasPersonal(value, name)
}

/** An object or a list with places for values that the service makes anew each time. Other values stay as they are. */
function withoutMade(value: unknown): unknown {
  return typeof value === 'object' ? withMadePlaces(value, '') : value
}

function withMadePlaces(value: unknown, name: string): unknown {
  if (typeof value === 'string' && !value.includes('{$') && isVolatile(value, '')) return placeOfMade(value)
  if (typeof value === 'number' && isVolatile(value, name)) return '{$moment}'
  if (Array.isArray(value)) return value.map((one) => withMadePlaces(one, name))
  return isObject(value) ? mapMembers(value, withMadePlaces) : value
}

function madePlace({ theirs, name, sent }: Observation): string[] {
  const moment = kindOf(name, theirs) === 'instant' ? momentOf(theirs) : undefined
  // A moment to come is none of now, and only the service knows how it comes to it.
  if (moment !== undefined && moment > sent.source.now + A_DAY) return []
  if (typeof theirs === 'number') return [kindOf(name, theirs) === 'instant' ? '{$moment}' : '{$number}']
  return typeof theirs === 'string' ? [placeOfMade(theirs)] : []
}

function placeOfMade(text: string): string {
  return isUuid(text) ? '{$uuid}' : parseInstant(text) ? '{$now}' : '{$text}'
}

const A_DAY = 86_400_000

function distinct<Value>(values: readonly Value[]): Value[] {
  return values.filter((value, at) => values.findIndex((one) => isDeepStrictEqual(one, value)) === at)
}

/** The first, the last, and one between. */
function spread<Value>(values: readonly Value[]): Value[] {
  return [...new Set([0, values.length >> 1, values.length - 1])].flatMap((at) => values[at] ?? [])
}
