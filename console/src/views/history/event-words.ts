import type { HistoryEvent } from '../../../../src/control/client/types.ts'

/** What an event is about; the filter of the history has these. */
export type EventSubject =
  'schedules' | 'files' | 'documents' | 'faults' | 'stubs' | 'clock' | 'behaviours' | 'sandbox' | 'other'

const SUBJECTS: Readonly<Record<string, EventSubject>> = {
  'report-schedule': 'schedules',
  deliveries: 'schedules',
  'file-set': 'files',
  files: 'files',
  file: 'files',
  document: 'documents',
  fault: 'faults',
  faults: 'faults',
  'rate-limit': 'faults',
  stub: 'stubs',
  stubs: 'stubs',
  clock: 'clock',
  behaviours: 'behaviours',
  checkpoint: 'sandbox',
  sandbox: 'sandbox',
  state: 'sandbox',
}

export function subjectOf({ type }: Pick<HistoryEvent, 'type'>): EventSubject {
  return SUBJECTS[type.slice(0, type.indexOf('.'))] ?? 'other'
}

type Words = (event: HistoryEvent) => string

const WORDS: Readonly<Record<string, Words>> = {
  'report-schedule.created': (event) => `${scheduleOf(event)} was created`,
  'report-schedule.updated': (event) => `${scheduleOf(event)} was changed`,
  'report-schedule.removed': ({ scheduleId }) => `Schedule ${scheduleId ?? ''} was deleted`,
  'report-schedule.ran': ({ run, deliveries = [] }) =>
    `${titled('Schedule', run?.reportSchedule)} ran and sent ${counted(deliveries.length, 'delivery', 'deliveries')}`,
  'deliveries.removed': ({ ids = [] }) => `${counted(ids.length, 'delivery was', 'deliveries were')} deleted`,
  'file-set.created': (event) => `File set ${nameOf(event, 'fileSet')} was created`,
  'file-set.removed': ({ fileSetId = '' }) => `File set ${fileSetId} was deleted`,
  'files.added': ({ files = [], fileSetId = '' }) =>
    `${listed(files.map(({ path }) => path))} ${files.length === 1 ? 'was' : 'were'} added to ${fileSetId}`,
  'files.removed': ({ paths = [], fileSetId = '' }) =>
    `${listed(paths)} ${paths.length === 1 ? 'was' : 'were'} deleted from ${fileSetId}`,
  'file.changed': ({ path = '', file, fileSetId = '' }) =>
    file && file.path !== path
      ? `${path} in ${fileSetId} was moved to ${file.path}`
      : `${path} in ${fileSetId} was changed`,
  'document.created': (event) => `${documentOf(event)} was created`,
  'document.updated': (event) => `${documentOf(event)} was changed`,
  'document.removed': (event) => `${documentOf(event)} was deleted`,
  'fault.armed': (event) => `Fault ${nameOf(event, 'fault')} was armed`,
  'fault.struck': ({ faultId = '' }) => `Fault ${faultId} struck a request`,
  'fault.passed': ({ faultId = '' }) => `Fault ${faultId} matched a request and let it pass`,
  'rate-limit.met': () => 'A request was counted by a rate limit, or refused by one',
  'rate-limit.lifted': () => 'A client had waited long enough, so the rate limit was lifted',
  'faults.removed': ({ ids = [] }) => `Faults were removed: ${ids.join(', ')}`,
  'stub.used': ({ stub = '', uses, scenario }) =>
    `Stub ${stub} was used${uses === undefined ? '' : ` (${uses})`}${scenario ? `, and led the scenario ${scenario.name} to ${scenario.state}` : ''}`,
  'stubs.declared': ({ stubs = [] }) => `Stubs were declared: ${stubs.map(({ name }) => name).join(', ')}`,
  'stubs.removed': ({ names = [] }) => `Stubs were removed: ${names.join(', ')}`,
  'clock.moved': clockMoved,
  'behaviours.changed': ({ overrides = {} }) => {
    const all = Object.entries(overrides).map(([id, value]) => `${id} = ${JSON.stringify(value)}`)
    return all.length === 0 ? 'Behaviours went back to the configuration' : `Behaviours were set: ${all.join(', ')}`
  },
  'checkpoint.taken': ({ name = '' }) => `Checkpoint ${name} was taken`,
  'checkpoint.restored': ({ name = '' }) => `Checkpoint ${name} was restored`,
  'checkpoint.removed': ({ name = '' }) => `Checkpoint ${name} was deleted`,
  'sandbox.reset': () => 'The sandbox was reset to its initial state',
  'state.imported': ({ counts = {} }) =>
    `A state was imported: ${counted(counts.files ?? 0, 'file', 'files')}, ${counted(counts.reportSchedules ?? 0, 'schedule', 'schedules')}`,
}

/** An event as a sentence. Types of resources that are not built in are shown as they are called. */
export function sentenceOf(event: HistoryEvent): string {
  const words = WORDS[event.type]
  if (words) return words(event)
  const [subject = '', ...what] = event.type.replaceAll('-', ' ').split('.')
  return `${subject.slice(0, 1).toUpperCase()}${subject.slice(1)}: ${what.join(' ')}`
}

/** An instant as people read it, in UTC and to the second. */
export function timeOf(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)}`
}

export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

function scheduleOf({ reportSchedule }: HistoryEvent): string {
  return titled('Schedule', reportSchedule)
}

function titled(what: string, thing: unknown): string {
  const { id = '', title } = Object(thing) as { readonly id?: unknown; readonly title?: unknown }
  return `${what} ${String(id)}${typeof title === 'string' ? ` “${title}”` : ''}`
}

function documentOf({ id = '', collection = '' }: HistoryEvent): string {
  return `Document ${id} of ${collection}`
}

/** The id of a thing that the event holds. */
function nameOf(event: HistoryEvent, member: string): string {
  const { id } = Object((event as unknown as Record<string, unknown>)[member]) as { readonly id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? String(id) : ''
}

function clockMoved({ from = '', to = '', clock }: HistoryEvent): string {
  const rate = clock?.rate === undefined || clock.rate === 1 ? '' : `, ${clock.rate} times as fast`
  const goesOn = clock?.mode === 'frozen' ? 'stands still' : `runs${rate}`
  return from === to ? `The clock ${goesOn}` : `The clock was moved to ${timeOf(to)} and ${goesOn}`
}

function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 2).join(', ')
  return paths.length > 2 ? `${shown} and ${counted(paths.length - 2, 'other file', 'other files')}` : shown
}
