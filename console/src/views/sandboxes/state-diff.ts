import type { StateDocument } from '../../../../src/control/client/types.ts'

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
  /** The display name; undefined if it has only an id. */
  readonly title: string | undefined
  readonly kind: 'left' | 'right' | 'changed'
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

export type Json = Readonly<Record<string, unknown>>
type Things = ReadonlyMap<string, unknown>

const TITLES: Readonly<Record<string, string>> = {
  reportSchedules: 'Schedules',
  progress: 'How far schedules have run',
  runs: 'Runs',
  deliveries: 'Deliveries',
  faults: 'Faults',
  behaviours: 'Behaviours',
  clock: 'Clock',
}

/** @param most how many differences are listed; all are counted */
export function diffStates(left: StateDocument, right: StateDocument, most = 500): StateDiff {
  const [ofLeft, ofRight] = [groupsOf(left), groupsOf(right)]
  const groups: DifferenceGroup[] = []
  let [count, shown] = [0, 0]
  for (const title of new Set([...ofLeft.keys(), ...ofRight.keys()])) {
    const [a, b] = [ofLeft.get(title), ofRight.get(title)]
    const different = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])].filter(
      (id) => !isSame(a?.get(id), b?.get(id)),
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

/** All things of a state, in groups. */
function groupsOf(state: StateDocument): Map<string, Things> {
  const { format: _format, version: _version, fileSets, collections = [], ...others } = state
  const groups = new Map<string, Things>()
  const general = new Map<string, unknown>()
  const sets = new Map<string, unknown>()
  groups.set('File sets', sets)
  for (const { files = [], directories = [], removed = [], ...facts } of fileSets) {
    const { id, generated } = facts
    sets.set(id, facts)
    // A generated file set is stored as its changes only.
    groups.set(`Files of ${id}${generated ? ' (added or changed since it was generated)' : ''}`, byId(files))
    groups.set(`Directories of ${id}`, byId(directories))
    groups.set(`Deleted files of ${id}`, new Map(removed.map((path) => [path, 'deleted'])))
  }
  for (const { name, documents } of collections)
    groups.set(
      name.startsWith('~') ? 'Idempotency keys' : `Documents of ${name}`,
      new Map(documents.map(({ id, document }) => [id, document])),
    )
  for (const [name, value] of Object.entries(others)) {
    const title = TITLES[name] ?? name
    if (Array.isArray(value)) groups.set(title, byId(value))
    else if (isJson(value)) groups.set(title, new Map(Object.entries(value)))
    else general.set(name, value)
  }
  // Values that are derived from others come last.
  for (const title of [TITLES.clock, TITLES.progress]) {
    const things = groups.get(title ?? '')
    if (title === undefined || !things) continue
    groups.delete(title)
    groups.set(title, things)
  }
  return groups.set('Counters', general)
}

/** A list by the ids of its elements, or by their places where they have none. */
function byId(list: readonly unknown[]): Things {
  return new Map(
    list.map((one, index) => {
      const { id, scheduleId = index } = isJson(one) ? one : {}
      return [String(id ?? scheduleId), one]
    }),
  )
}

function describe(id: string, left: unknown, right: unknown): Difference {
  const kind = left === undefined ? 'right' : right === undefined ? 'left' : 'changed'
  const isPlain = !isJson(left ?? right) && id !== String(left ?? right)
  const members = kind === 'changed' || isPlain ? [...memberDifferences(left, right)] : []
  return { id, title: titleOf(right ?? left), kind, members }
}

/** The member that people know a thing by. */
function titleOf(thing: unknown): string | undefined {
  if (!isJson(thing)) return undefined
  const { title, path, name, kind, at, reportSchedule } = thing
  // A run has the schedule that ran, and when.
  if (typeof at === 'string' && reportSchedule !== undefined) return `${titleOf(reportSchedule) ?? ''}, ${at}`
  const found = [title, path, name, kind].find((one) => typeof one === 'string')
  return typeof found === 'string' ? found : undefined
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

/** Whether two JSON values are equal; the order of members does not matter. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((one, index) => isSame(one, right[index]))
  if (!isJson(left) || !isJson(right)) return false
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every((name) => isSame(left[name], right[name]))
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
