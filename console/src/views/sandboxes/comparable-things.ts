import type { StateDocument } from '../../../../src/control/client/types.ts'
import { isJson, type Json } from '../../parts/json-value.ts'
import { counted, timeOf } from '../history/event-words.ts'
import { summaryOf } from '../requests/rows/gist.ts'

/** A thing of a state as it is compared: without counters and what is only kept to go on. */
export interface ComparableThing {
  readonly value: unknown
  readonly title?: string | undefined
  readonly note?: string | undefined
  /** It says that something was deleted. */
  readonly isAbsence?: true
  /** It says how something that is not in the document was changed. */
  readonly isChange?: boolean
}

type Things = ReadonlyMap<string, ComparableThing>
type Describe = (thing: Json) => Omit<ComparableThing, 'value'> & { readonly value?: unknown }

const TITLES: Readonly<Record<string, string>> = {
  reportSchedules: 'Schedules',
  runs: 'Runs',
  deliveries: 'Deliveries',
  faults: 'Faults',
}

/** All things of a state, in groups. */
export function thingsOf(state: StateDocument): Map<string, Things> {
  const { format: _format, version: _version, fileSets, collections = [], behaviours = {}, clock, seed } = state
  const groups = new Map<string, Things>()
  groups.set('File sets', thingsById(fileSets.map(({ id }) => ({ id }))))
  for (const { id, generated, files = [], directories = [], removed = [] } of fileSets) {
    // A generated file set is stored as its changes only.
    const isChange = generated !== undefined
    groups.set(
      `Files of ${id}`,
      thingsById(files, (file) => ({ title: nameOf(file), isChange })),
    )
    groups.set(`Directories of ${id}`, thingsById(directories))
    groups.set(`Deleted files of ${id}`, new Map(removed.map((path) => [path, { value: 'deleted', isAbsence: true }])))
  }
  for (const { name, documents } of collections)
    // Keys of idempotency, for instance, are kept beside the documents.
    if (!name.startsWith('~'))
      groups.set(
        `Documents of ${name}`,
        new Map(documents.map(({ id, document }) => [id, { value: document, title: nameOf(document as Json) }])),
      )
  for (const [name, title] of Object.entries(TITLES)) {
    const list = (state as unknown as Json)[name]
    if (Array.isArray(list)) groups.set(title, thingsById(list, DESCRIBED[name]))
  }
  const { declaredStubs = [] } = state
  groups.set('Stubs', new Map(declaredStubs.map(({ name, stub }) => [name, { value: stub }])))
  groups.set('Behaviours', new Map(Object.entries(behaviours).map(([id, value]) => [id, { value }])))
  groups.set('Clock', new Map([['clock', { value: clockInWords(clock) }]]))
  return groups.set('Seed', new Map([['seed', { value: seed }]]))
}

/** How things are compared whose record has more than people know. */
const DESCRIBED: Readonly<Record<string, Describe>> = {
  reportSchedules: ({ revision: _revision, written: _written, ...schedule }) => ({ value: schedule }),
  runs: ({ at, reportSchedule }) => ({
    title: [nameOf(reportSchedule), timeOf(String(at))].filter((one) => one !== undefined).join(', '),
  }),
  deliveries({ title, recipient }) {
    const { value = '' } = isJson(recipient) ? recipient : {}
    return { title: [title, `to ${String(value)}`].filter((one) => typeof one === 'string').join(', ') }
  },
  faults({ matched: _matched, spent: _spent, struck = 0, ...fault }) {
    const isUsed = fault.times !== undefined && Number(struck) >= Number(fault.times)
    const { kind, status } = fault as { readonly kind: string; readonly status?: number }
    const title = status === undefined ? kind : `${kind} ${status}`
    return { value: { ...fault, struck }, title, note: isUsed ? 'used up' : undefined }
  },
}

function thingsById(list: readonly unknown[], describe: Describe = () => ({})): Things {
  return new Map(
    list.map((one, index) => {
      const thing = isJson(one) ? one : {}
      const { id = index } = thing as { readonly id?: string | number }
      return [String(id), { value: one, title: nameOf(thing), ...describe(thing) }]
    }),
  )
}

/** What people know a thing by. */
function nameOf(thing: unknown): string | undefined {
  if (!isJson(thing)) return undefined
  if (typeof thing.path === 'string') return thing.path
  const { id: _id, ...others } = thing
  const summary = summaryOf(others)
  return summary === '' ? undefined : summary
}

/** A running clock is kept as two instants, of its own and of the machine: what tells people something is how far it was moved. */
function clockInWords({ mode, at, since, rate = 1 }: StateDocument['clock']): string {
  if (mode === 'frozen') return `stands still at ${timeOf(at)}`
  const moved = Math.round((Date.parse(at) - Date.parse(since ?? at)) / 1000)
  const speed = rate === 1 ? 'runs' : `runs ${rate} times as fast`
  if (moved === 0) return speed
  return `${speed}, ${lengthInWords(Math.abs(moved))} ${moved > 0 ? 'ahead of' : 'behind'} real time`
}

const UNITS = [
  [86_400, 'day', 'days'],
  [3_600, 'hour', 'hours'],
  [60, 'minute', 'minutes'],
  [1, 'second', 'seconds'],
] as const

/** The two largest units of a time. @param seconds more than 0 */
function lengthInWords(seconds: number): string {
  let rest = seconds
  const parts = UNITS.flatMap(([size, one, many]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [counted(count, one, many)]
  })
  return parts.slice(0, 2).join(' ')
}
