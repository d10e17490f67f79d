import type { StateDocument } from '../../../../src/control/client/types.ts'
import { isJson, isSame } from '../../parts/json-value.ts'
import { type ComparableThing, thingsOf } from './comparable-things.ts'

/** Compares two states. Things are matched by what names them, so that their order does not matter. */

/** A value that differs: undefined where it is missing. */
export interface MemberDifference {
  /** The path inside the thing: `schedule.hourOfDay`; empty for a thing that is a plain value. */
  readonly name: string
  readonly left: unknown
  readonly right: unknown
}

export interface Difference {
  /** The key: an id, a path, the name of a setting. */
  readonly id: string
  /** What people know it by; undefined if it has only an id. */
  readonly title: string | undefined
  readonly kind: 'new' | 'gone' | 'changed' | 'new or changed'
  /** What to know of it besides: `used up`, of a fault. */
  readonly note: string | undefined
  /** What differs inside a thing that both have. */
  readonly members: readonly MemberDifference[]
}

interface DifferenceGroup {
  readonly title: string
  /** All of them, also those that are not listed. */
  readonly count: number
  readonly differences: readonly Difference[]
}

export interface StateDiff {
  readonly count: number
  /** How many of them are listed. */
  readonly shown: number
  readonly groups: readonly DifferenceGroup[]
}

/** @param most how many differences are listed; all are counted */
export function diffStates(left: StateDocument, right: StateDocument, most = 500): StateDiff {
  const [ofLeft, ofRight] = [thingsOf(left), thingsOf(right)]
  const groups: DifferenceGroup[] = []
  let [count, shown] = [0, 0]
  for (const title of new Set([...ofLeft.keys(), ...ofRight.keys()])) {
    const [a, b] = [ofLeft.get(title), ofRight.get(title)]
    const different = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])].filter(
      (id) => !isSame(a?.get(id)?.value, b?.get(id)?.value),
    )
    if (different.length === 0) continue
    const listed = different.slice(0, most - shown)
    groups.push({
      title,
      count: different.length,
      differences: listed.map((id) => describe(id, a?.get(id), b?.get(id))),
    })
    count += different.length
    shown += listed.length
  }
  return { count, shown, groups }
}

/** A list by the ids of its elements, or by their places where they have none. */
function byId(list: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(
    list.map((one, index) => {
      const { id, scheduleId = index } = isJson(one) ? one : {}
      return [String(id ?? scheduleId), one]
    }),
  )
}

function describe(id: string, left: ComparableThing | undefined, right: ComparableThing | undefined): Difference {
  const isPlain = !isJson((left ?? right)?.value) && (left ?? right)?.isAbsence !== true
  const members = isPlain || (left && right) ? [...memberDifferences(left?.value, right?.value)] : []
  const { title, note } = right ?? left ?? {}
  return { id, title, kind: kindOf(left, right), note, members }
}

function kindOf(left: ComparableThing | undefined, right: ComparableThing | undefined): Difference['kind'] {
  if (left && right) return 'changed'
  // That a file was deleted is stored: where that is new, the file is gone.
  if ((left ?? right)?.isAbsence === true) return left ? 'new' : 'gone'
  if (!right) return left?.isChange === true ? 'changed' : 'gone'
  return right.isChange === true ? 'new or changed' : 'new'
}

/** The members that differ inside two values. Elements of lists are matched by their ids, else by their places. */
export function* memberDifferences(left: unknown, right: unknown, name = ''): Generator<MemberDifference> {
  if (isSame(left, right)) return
  if (Array.isArray(left) && Array.isArray(right)) {
    const [a, b] = [byId(left), byId(right)]
    for (const id of new Set([...a.keys(), ...b.keys()]))
      yield* memberDifferences(a.get(id), b.get(id), `${name}[${id}]`)
    return
  }
  if (!isJson(left) || !isJson(right)) {
    yield { name, left, right }
    return
  }
  for (const member of new Set([...Object.keys(left), ...Object.keys(right)]))
    yield* memberDifferences(left[member], right[member], name === '' ? member : `${name}.${member}`)
}
