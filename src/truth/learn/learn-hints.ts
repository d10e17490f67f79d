import { isDeepStrictEqual } from 'node:util'
import type { Learned } from '../../app/learned/learned.ts'
import { asList, asObject, isObject, type Json, type Members, stringifyJson } from '../../base/formats/json.ts'
import { plainName } from '../../base/formats/names.ts'
import type { CollectionPlan } from '../../resources/collections/infer/plan.ts'
import { hasPersonal } from '../recordings/scrub.ts'
import { isVolatile, isWord } from './constant-values.ts'
import { OF_KINDS } from './schemas/schema-of-values.ts'
import type { ItemHistory, SeenAction, SeenWait } from './item-history.ts'

/** Of one item alone it may have been chance. */
const LEAST_SUPPORT = 2

/**
 * What operations do to the members of items, and what becomes of items without a request, as `x-standin` says it: `set` of an operation,
 * and `transitions` of a path.
 */
export function learnHints({ actions, waits, created, paths }: ItemHistory): Learned['hints'] {
  const hints: Record<string, Members> = {}
  const changes: StatusChange[] = []
  for (const [operation, seen] of Map.groupBy(actions, (one) => one.operation)) {
    const set = setBy(seen)
    if (Object.keys(set).length === 0) continue
    hints[operation.operationId] = { set }
    changes.push(...changesOf(seen, set))
  }
  for (const [collection, own] of Map.groupBy(waits, (one) => one.collection)) {
    for (const [member, of] of Map.groupBy(own, (one) => one.member))
      changes.push(...changesByTime(of, { collection, member }))
  }
  for (const [collection, own] of Map.groupBy(changes, (one) => one.collection)) {
    const members = [...Map.groupBy(own, (one) => one.member)].filter(([, all]) =>
      all.some((one) => one.kind !== 'done'),
    )
    if (members.length === 0) continue
    const first = created.filter((one) => one.collection === collection).map(({ item }) => item)
    hints[paths.get(collection) ?? ''] = {
      transitions: Object.fromEntries(
        members.map(([member, all]) => [
          member,
          statusesOf(all, { seen: statusesIn(waits, first, { collection, member }), first: first[0]?.[member] }),
        ]),
      ),
    }
  }
  return hints
}

/** A change of a status that was seen: done by a request, refused, or by itself. */
type StatusChange = {
  readonly collection: CollectionPlan
  readonly member: string
  readonly from: string
  readonly to: string
} & ({ readonly kind: 'done' | 'refused' } | { readonly kind: 'timed'; readonly after: number })

/** The members that an operation gave the same value each time, and that no client sent. */
function setBy(seen: readonly SeenAction[]): Record<string, Json> {
  const done = seen.flatMap((one) => (one.isDone && one.after ? [{ ...one, after: one.after }] : []))
  if (done.length === 0) return {}
  const names = new Set(
    done.flatMap(({ before, after }) =>
      Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name])),
    ),
  )
  const found = [...names].flatMap((name): [string, Json][] => {
    const values = done.map(({ after }) => after[name])
    const [value] = values
    const isOne = value !== undefined && values.every((one) => isDeepStrictEqual(one, value))
    // Once is enough for a word of a status.
    const isKnown = done.length >= LEAST_SUPPORT || (OF_KINDS.test(name) && isStatus(value))
    return isKnown && isOne && isConstant(value, name) && done.every((one) => !isSent(one, name, value))
      ? [[name, value as Json]]
      : []
  })
  return Object.fromEntries(found)
}

function isConstant(value: unknown, name: string): boolean {
  // The first of what is counted.
  if (typeof value === 'number') return false
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  if (typeof value === 'string' && !isWord(value)) return false
  return !isVolatile(value, name) && !hasPersonal(value, name)
}

function isSent({ sent }: SeenAction, name: string, value: unknown): boolean {
  return Object.entries(asObject(sent)).some(
    ([member, one]) => plainName(member) === plainName(name) || (typeof value === 'string' && one === value),
  )
}

/** What an action did to the status that it sets, and from which one it was refused, where that is what tells them apart. */
function* changesOf(seen: readonly SeenAction[], set: Readonly<Record<string, Json>>): Generator<StatusChange> {
  for (const [member, to] of Object.entries(set)) {
    if (!isStatus(to)) continue
    const from = (isDone: boolean) =>
      new Set(
        seen
          .filter((one) => one.isDone === isDone)
          .flatMap(({ before }) => (isStatus(before[member]) ? [before[member]] : [])),
      )
    const [done, refused] = [from(true), from(false)]
    const [first] = seen
    if (!first || !done.isDisjointFrom(refused)) continue
    const of = { collection: first.collection, member, to }
    for (const one of done) yield { ...of, from: one, kind: 'done' }
    for (const one of refused) yield { ...of, from: one, kind: 'refused' }
  }
}

function isStatus(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isWord(value) && !isVolatile(value, 'status')
}

/** The statuses that follow by themselves, always the same one, and after a time that all that was seen agrees with. */
function* changesByTime(
  waits: readonly SeenWait[],
  of: { readonly collection: CollectionPlan; readonly member: string },
): Generator<StatusChange> {
  for (const [from, own] of Map.groupBy(waits, ({ value }) => value)) {
    const ended = own.flatMap((one) => (one.became ? [{ ...one, became: one.became }] : []))
    const [to, ...others] = new Set(ended.map(({ became }) => became.value))
    if (!isStatus(from) || !isStatus(to) || others.length > 0) continue
    if (new Set(ended.map(({ item }) => item)).size < LEAST_SUPPORT) continue
    const [least, most] = [
      Math.max(...own.map(({ stayed }) => stayed)),
      Math.min(...ended.map(({ became }) => became.after)),
    ]
    if (most > least) yield { ...of, from, to, kind: 'timed', after: roundBetween(Math.max(least, 0), most) }
  }
}

/** Milliseconds that people write: a day, an hour, ten minutes, a minute, ten seconds, and less. */
const ROUND = [86_400_000, 3_600_000, 600_000, 60_000, 10_000, 1000, 500, 100, 10]

/** The roundest number of milliseconds above one and up to another, as people choose them: 3000 between 2412 and 3507. */
function roundBetween(least: number, most: number): number {
  const multiples = ROUND.map((unit) => Math.floor(least / unit + 1) * unit)
  return multiples.find((one) => one <= most) ?? most
}

/** All words that a status was seen to be. */
function statusesIn(
  waits: readonly SeenWait[],
  created: readonly Members[],
  { collection, member }: { readonly collection: CollectionPlan; readonly member: string },
): Set<string> {
  const own = waits.filter((one) => one.collection === collection && one.member === member)
  const values = [...created.map((item) => item[member]), ...own.flatMap(({ value, became }) => [value, became?.value])]
  return new Set(values.filter(isStatus))
}

/** `transitions` of one member. What was not refused may be done. */
function statusesOf(
  changes: readonly StatusChange[],
  { seen, first }: { readonly seen: ReadonlySet<string>; readonly first: unknown },
): Members {
  const all = new Set([...(isStatus(first) ? [first] : []), ...seen, ...changes.flatMap(({ from, to }) => [from, to])])
  return Object.fromEntries(
    [...all].map((from) => {
      const own = changes.filter((one) => one.from === from)
      const refused = new Set(own.flatMap((one) => (one.kind === 'refused' ? [one.to] : [])))
      const repeated = own.some((one) => one.kind === 'done' && one.to === from)
      const next = [...all].filter((to) => (to !== from || repeated) && !refused.has(to))
      const timed = own.flatMap((one) => (one.kind === 'timed' ? [{ to: one.to, after: durationOf(one.after) }] : []))
      return [from, [...next, ...timed]]
    }),
  )
}

function durationOf(milliseconds: number): string {
  return `PT${milliseconds / 1000}S`
}

/** For messages: `cancelOrder sets {"status":"cancelled"}`. */
export function describeHint(name: string, hint: unknown): string[] {
  const { set, transitions, unique } = asObject(hint)
  const keys = asList(unique).map(
    (key) => `${name}: no two items have the same ${[key].flat().map(String).join(' and ')}`,
  )
  if (isObject(set)) return [`${name} sets ${stringifyJson(set)}`, ...keys]
  const changes = Object.entries(asObject(transitions)).flatMap(([member, statuses]) => {
    const timed = Object.entries(asObject(statuses)).flatMap(([from, next]) =>
      asList(next).flatMap((one) => (isObject(one) ? [{ from, to: one.to, after: one.after }] : [])),
    )
    if (timed.length === 0) return [`${name}: which ${member} may follow which`]
    return timed.map(({ from, to, after }) => `${name}: ${member} ${from} becomes ${String(to)} after ${String(after)}`)
  })
  return [...changes, ...keys]
}
