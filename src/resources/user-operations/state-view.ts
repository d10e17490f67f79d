import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import { calendarChoices, nextRunOf, progressOf } from '../report-schedules/next-run-date.ts'
import { documentsOf, requireDocuments } from '../collections/collection-state.ts'
import { NotReady } from '../handler.ts'
import { type DocumentValue, freezeJson } from '../collections/documents/stored-document.ts'
import type { EntryRecord } from '../file-sets/entries/file-record.ts'
import {
  type Delivery,
  distinctRecipients,
  type ReportSchedule,
  type Run,
} from '../report-schedules/report-schedule.ts'
import type { State } from '../../engine/state.ts'
import type { FileSet } from '../file-sets/entries/file-set.ts'

/** The state as a user's handler sees it: read-only. */
export interface StateView {
  /** Documents of a collection of the contract, or of the user. A collection without documents is empty. */
  collection<Document extends object = DocumentValue>(name: string): CollectionView<Document>
  readonly reportSchedules: ReportSchedulesView
  /** The id that the next report schedule gets. */
  readonly nextReportScheduleId: number
  readonly fileSets: FileSetsView
}

export interface CollectionView<Document> {
  readonly size: number
  /** An id that no document of the collection ever had, if all ids are such numbers: from 1 on. */
  readonly nextId: number
  get(id: string | number): Document | undefined
  has(id: string | number): boolean
  /** In the order they were created. */
  list(): readonly Document[]
  ids(): readonly string[]
}

export interface ReportSchedulesView {
  readonly size: number
  get(id: number): ReportScheduleView | undefined
  list(): readonly ReportScheduleView[]
  /** The runs of all schedules, or of one, the latest last. */
  runs(id?: number): readonly RunView[]
  /** The deliveries of all schedules, or of one, the latest last. */
  deliveries(id?: number): readonly Readonly<Delivery>[]
}

export interface ReportScheduleView extends Readonly<ReportSchedule> {
  /** Epoch ms; undefined when there is none. */
  readonly nextRun: number | undefined
  readonly lastRun: number | undefined
}

export interface RunView {
  readonly id: number
  /** Epoch ms. */
  readonly at: number
  readonly reportScheduleId: number
  readonly title: string
  readonly recipients: number
}

export interface FileSetsView {
  get(id: string): FileSetView | undefined
  list(): readonly FileSetView[]
}

export interface FileSetView {
  readonly id: string
  /** How often it was changed. */
  readonly version: number
  readonly files: number
  readonly directories: number
  /** A file or directory by its id. */
  get(id: string): EntryRecord | undefined
  at(path: string): EntryRecord | undefined
  /** In no particular order. @param limit 1,000 when absent, 10,000 at most */
  list(options?: { readonly offset?: number; readonly limit?: number }): readonly EntryRecord[]
}

/**
 * @param onWait called with the NotReady that `collection` throws, for documents that are to be made first
 */
export function createStateView(state: State, tracker: BehaviourTracker, onWait: (error: NotReady) => void): StateView {
  const collection = (name: string) => {
    try {
      return viewCollection(state, name)
    } catch (error) {
      if (error instanceof NotReady) onWait(error)
      throw error
    }
  }
  return Object.freeze({
    collection: <Document extends object>(name: string) => collection(name) as CollectionView<Document>,
    reportSchedules: viewReportSchedules(state, tracker),
    nextReportScheduleId: state.nextReportScheduleId,
    fileSets: Object.freeze({
      get: (id: string) => {
        const fileSet = state.fileSets.get(id)
        return fileSet && viewFileSet(fileSet)
      },
      list: () => [...state.fileSets.values()].map(viewFileSet),
    }),
  })
}

function viewCollection(state: State, name: string): CollectionView<DocumentValue> {
  requireDocuments(state, name)
  const documents = documentsOf(state, name)
  return Object.freeze({
    size: documents?.size ?? 0,
    nextId: (documents?.made ?? 0) + 1,
    get: (id: string | number) => documents?.get(String(id))?.value,
    has: (id: string | number) => documents?.get(String(id)) !== undefined,
    list: () => [...(documents ?? [])].map(([, { value }]) => value),
    ids: () => [...(documents ?? [])].map(([id]) => id),
  })
}

function viewReportSchedules(state: State, tracker: BehaviourTracker): ReportSchedulesView {
  const view = (stored: ReportSchedule): ReportScheduleView => {
    const progress = progressOf(state, stored)
    const nextRun = nextRunOf(stored, progress, calendarChoices(tracker.settings))
    return Object.freeze({ ...frozen(stored), nextRun, lastRun: progress.lastRun })
  }
  const isOf = (id: number | undefined) => (of: number) => id === undefined || of === id
  return Object.freeze({
    size: state.reportSchedules.size,
    get: (id: number) => {
      const stored = state.reportSchedules.get(id)
      return stored && view(stored)
    },
    list: () => [...state.reportSchedules.values()].map(view),
    runs: (id?: number) => [...state.runs].filter(({ reportSchedule }) => isOf(id)(reportSchedule.id)).map(viewRun),
    deliveries: (id?: number) =>
      [...state.deliveries].filter(({ reportScheduleId }) => isOf(id)(reportScheduleId)).map(frozen),
  })
}

function viewRun(run: Run): RunView {
  const { id, at, reportSchedule } = run
  const recipients = distinctRecipients(reportSchedule).length
  return Object.freeze({ id, at, reportScheduleId: reportSchedule.id, title: reportSchedule.title, recipients })
}

const FILES = { otherwise: 1000, most: 10_000 }

function viewFileSet({ id, version, entries }: FileSet): FileSetView {
  const recordAt = (slot: number | undefined) => (slot === undefined ? undefined : frozen(entries.record(slot)))
  return Object.freeze({
    id,
    version,
    files: entries.fileCount,
    directories: entries.count - entries.fileCount,
    get: (fileId: string) => recordAt(entries.slotWithId(fileId)),
    at: (path: string) => recordAt(entries.slotAt(path)),
    list: ({ offset = 0, limit = FILES.otherwise } = {}) =>
      [...entries.slots().drop(offset).take(Math.min(limit, FILES.most))].map((slot) => frozen(entries.record(slot))),
  })
}

/** A copy, because not everything in the state is frozen. */
function frozen<Value extends object>(value: Value): Value {
  return freezeJson(value) as unknown as Value
}
