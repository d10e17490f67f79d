import type { ValueStyle } from './generate-value.ts'
import type { Violation } from '../base/errors/problem.ts'
import { pointerOf, valueAt, withValue } from '../contract/pointer.ts'
import { asObject, isObject, type Members, splitPointer } from '../base/formats/json.ts'

interface RepairOf<Value, Violations> {
  generate(style: ValueStyle): Value
  check(value: unknown): Violations
  /** Values that are known. They are used for members of the same name where the schema allows them. */
  readonly known: Readonly<Record<string, unknown>>
  /** Tried in this order. */
  readonly styles?: readonly ValueStyle[]
}

export type Repair = RepairOf<Promise<unknown>, Promise<readonly Violation[]>>
/** A repair that waits for nothing. */
export type RepairAtOnce = RepairOf<unknown, readonly Violation[]>
type AnyRepair = Repair | RepairAtOnce

/** The value that was found, or what is wrong with the last one. */
export type RepairedValue = { readonly value: unknown } | readonly Violation[]

const STYLES: readonly ValueStyle[] = [
  { examples: true, requiredOnly: false, turn: 0 },
  { examples: false, requiredOnly: false, turn: 0 },
  ...[0, 1].map((turn) => ({ examples: false, requiredOnly: true, turn })),
  ...[1, 2, 3].map((turn) => ({ examples: false, requiredOnly: false, turn })),
]

/** Removing one member may break another rule. */
const MAX_ROUNDS = 5

/**
 * Finds a value that passes the check. What only trying can tell, such as `not`, is tried: optional members that break the schema are
 * removed, then other styles are used.
 */
export async function findValid(repair: Repair): Promise<RepairedValue> {
  const search = searchValid(repair)
  let step = search.next()
  while (!step.done) step = search.next(await step.value)
  return step.value
}

/** As `findValid` does, without giving the event loop back. */
export function findValidAtOnce(repair: RepairAtOnce): RepairedValue {
  const search = searchValid(repair)
  let step = search.next()
  while (!step.done) step = search.next(step.value)
  return step.value
}

/** Yields what is to be waited for, and is resumed with what came of it. */
type SuspendingSearch<Result> = Generator<unknown, Result, unknown>

function* searchValid(repair: AnyRepair): SuspendingSearch<RepairedValue> {
  const { known, styles = STYLES } = repair
  const check = (value: unknown) => checkOf(repair, value)
  let last: Repaired | undefined
  for (const style of styles) {
    last = yield* removeBroken(yield* withValidKnown(yield repair.generate(style), known, check), check)
    if (last.broken.length === 0) return { value: last.value }
  }
  return last?.broken ?? []
}

interface Repaired {
  readonly value: unknown
  readonly broken: readonly Violation[]
}

type ValueCheck = (value: unknown) => SuspendingSearch<readonly Violation[]>

function* checkOf({ check }: AnyRepair, value: unknown): SuspendingSearch<readonly Violation[]> {
  return (yield check(value)) as readonly Violation[]
}

function* removeBroken(value: unknown, check: ValueCheck): SuspendingSearch<Repaired> {
  let repaired = value
  for (let round = 0; ; round++) {
    const broken = yield* check(repaired)
    const pointers = broken.flatMap(({ pointer = '', code }) => (code === 'required' ? [] : pointer || []))
    if (pointers.length === 0 || round === MAX_ROUNDS) return { value: repaired, broken }
    repaired = pointers.map(splitPointer).reduce(without, repaired)
  }
}

/** A copy without the member or element at a path. */
function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value
    if (rest.length === 0) return elements.filter((_, index) => String(index) !== name)
    return elements.map((element, index) => (String(index) === name ? without(element, rest) : element))
  }
  if (!isObject(value) || !Object.hasOwn(value, name)) return value
  const { [name]: held, ...others } = value
  return rest.length === 0 ? others : { ...value, [name]: without(held, rest) }
}

function* withValidKnown(value: unknown, known: Repair['known'], check: ValueCheck): SuspendingSearch<unknown> {
  if (!isObject(value) || Object.keys(known).length === 0) return value
  const before = placesOf(yield* check(value))
  let current: Members = value
  for (const [name, one] of Object.entries(known)) {
    const path = placeOf(current, name)
    if (!path) continue
    const held = valueAt(current, pointerOf(path))
    const isNumber = typeof one === 'number' || typeof one === 'bigint'
    const tried = withValue(current, pointerOf(path), typeof held === 'string' && isNumber ? String(one) : one)
    const places = placesOf(yield* check(tried))
    if (places.every((place) => before.includes(place))) current = tried
  }
  return current
}

/** Where a value has a member: by itself, or in the one object of it that has one of that name, as in `{ "version": 1, "tag": { "type": … } }`. */
export function placeOf(value: Members, name: string): readonly string[] | undefined {
  if (Object.hasOwn(value, name)) return [name]
  const holders = Object.keys(value).filter((one) => Object.hasOwn(asObject(value[one]), name))
  return holders.length === 1 ? [...holders, name] : undefined
}

function placesOf(violations: readonly Violation[]): string[] {
  return violations.map(({ pointer = '', code }) => `${pointer} ${code}`)
}
