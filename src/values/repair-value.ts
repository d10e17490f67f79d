import type { Style } from './generate-value.ts'
import type { Violation } from '../errors/problem.ts'
import { isObject, splitPointer } from '../formats/json.ts'

export interface Repair {
  generate(style: Style): Promise<unknown>
  check(value: unknown): Promise<readonly Violation[]>
  /** Values that the request named. They are used for members of the same name where the schema allows them. */
  readonly known: Readonly<Record<string, unknown>>
}

const STYLES: readonly Style[] = [
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
 *
 * @returns the value, or what is wrong with the last one
 */
export async function findValid({
  generate,
  check,
  known,
}: Repair): Promise<{ readonly value: unknown } | readonly Violation[]> {
  let broken: readonly Violation[] = []
  for (const style of STYLES) {
    const value = await removeBroken(await withKnown(await generate(style), known, check), check)
    broken = await check(value)
    if (broken.length === 0) return { value }
  }
  return broken
}

type Check = Repair['check']

async function removeBroken(value: unknown, check: Check): Promise<unknown> {
  let repaired = value
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const broken = await check(repaired)
    const pointers = broken.flatMap(({ pointer = '', code }) => (code === 'required' ? [] : pointer || []))
    if (pointers.length === 0) return repaired
    repaired = pointers.map(splitPointer).reduce(without, repaired)
  }
  return repaired
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

async function withKnown(value: unknown, known: Repair['known'], check: Check): Promise<unknown> {
  if (!isObject(value)) return value
  const before = placesOf(await check(value))
  let current: Readonly<Record<string, unknown>> = value
  for (const [name, one] of Object.entries(known)) {
    if (!Object.hasOwn(current, name)) continue
    const isNumber = typeof one === 'number' || typeof one === 'bigint'
    const tried = { ...current, [name]: typeof current[name] === 'string' && isNumber ? String(one) : one }
    const places = placesOf(await check(tried))
    if (places.every((place) => before.includes(place))) current = tried
  }
  return current
}

function placesOf(violations: readonly Violation[]): string[] {
  return violations.map(({ pointer = '', code }) => `${pointer} ${code}`)
}
