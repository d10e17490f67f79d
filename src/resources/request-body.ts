import { isObject, type Members } from '../base/formats/json.ts'
import type { BehaviourTracker } from '../behaviours/tracker.ts'
import type { Violation } from '../base/errors/problem.ts'

/** Reads bodies. Before validation they are normalized: behaviours allow a few harmless deviations. Changed values are copied. */

/** A copy without the members that are null (`body.null`); those named in `kept` may be. */
export function withoutNulls(members: Members, tracker: BehaviourTracker, kept?: ReadonlySet<string>): Members {
  return mapMembers(members, (value, name) => {
    if (value !== null || kept?.has(name)) return value
    tracker.note('body.null')
    return undefined
  })
}

/** Maps members; those that become undefined are omitted. A copy, unless nothing changes. */
export function mapMembers(members: Members, change: (value: unknown, name: string) => unknown): Members {
  let changed: Map<string, unknown> | undefined
  for (const name of Object.keys(members)) {
    const mended = change(members[name], name)
    if (mended !== members[name]) (changed ??= new Map()).set(name, mended)
  }
  if (!changed) return members
  const mended = changed
  // Not by assignment, so that a member called `__proto__` stays an ordinary member.
  return Object.fromEntries(
    Object.entries(members)
      .map(([name, value]): [string, unknown] => [name, mended.has(name) ? mended.get(name) : value])
      .filter(([, value]) => value !== undefined),
  )
}

/** Applies a change to every element that is an object, when the value is an array. */
export function mapElements(value: unknown, change: (element: Members) => Members): unknown {
  if (!Array.isArray(value)) return value
  const changed = value.map((element: unknown) => (isObject(element) ? change(element) : element))
  return changed.every((element, at) => element === value[at]) ? value : changed
}

/** A numeric string as an integer (`body.types: coerce`); anything else as it is. */
export function coerceInteger(value: unknown): unknown {
  if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

export function coerceBoolean(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value
}

/** A number or boolean as its text; anything else as it is. */
export function coerceText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : value
}

/** Reads one part of a request and collects its violations. */
export interface Reader {
  readonly tracker: BehaviourTracker
  readonly violations: Violation[]
}

/** Reads the elements that are objects; the contract has refused the others. */
export function readEach<T>(
  list: readonly unknown[],
  pointer: string,
  reader: Reader,
  read: (element: Members, at: string, reader: Reader) => T | undefined,
): T[] {
  const values: T[] = []
  for (const [index, element] of list.entries()) {
    const value = isObject(element) ? read(element, `${pointer}/${index}`, reader) : undefined
    if (value !== undefined) values.push(value)
  }
  return values
}
