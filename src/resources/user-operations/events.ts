import type { DocumentEvent } from '../collections/documents/read-document-event.ts'
import type { FileEvent } from '../file-sets/read-file-event.ts'
import type { ReportScheduleEvent } from '../report-schedules/given-report-schedules.ts'

/** An event of a user's handler. Events are checked after the handler returned, in the order of the list. */
export type UserEvent = DocumentEvent | ReportScheduleEvent | FileEvent

/** A file or directory as in a fixture: only the path is required. */
export type UserFile = Readonly<Record<string, unknown>> & { readonly path: string }

/** A report schedule as its create has it. */
export interface OwnReportSchedule {
  readonly title: string
  readonly pageId: number | bigint
  readonly viewId: number | bigint
  readonly attachmentInclude?: boolean
  readonly schedule: object
}

/** Changes of a report schedule. Settings that are not named stay. */
export interface OwnReportScheduleChange extends Partial<Omit<OwnReportSchedule, 'schedule'>> {
  readonly schedule?: Readonly<Record<string, unknown>>
}

/**
 * Creates events, to be returned in the `events` of a response.
 *
 * @example return { status: 201, body: order, events: [events.create('orders', order.id, order)] }
 */
export const events = {
  /** A new document. Its id must be free. */
  create: (collection: string, id: string | number, document: object): UserEvent => ({
    type: 'create-document',
    collection,
    id: String(id),
    document,
  }),
  /** Replaces a document that exists. */
  update: (collection: string, id: string | number, document: object): UserEvent => ({
    type: 'update-document',
    collection,
    id: String(id),
    document,
  }),
  /** Removes a document that exists. */
  remove: (collection: string, id: string | number): UserEvent => ({
    type: 'remove-document',
    collection,
    id: String(id),
  }),
  /** A report schedule under `state.nextReportScheduleId`, from the body of a create. */
  createReportSchedule: (info: OwnReportSchedule): UserEvent => ({ type: 'create-report-schedule', info }),
  changeReportSchedule: (id: number, change: OwnReportScheduleChange): UserEvent => ({
    type: 'change-report-schedule',
    id,
    change,
  }),
  removeReportSchedule: (id: number): UserEvent => ({ type: 'remove-report-schedule', id }),
  /** An extra run, now, with its deliveries. */
  runReportSchedule: (id: number): UserEvent => ({ type: 'run-report-schedule', id }),
  createFileSet: (fileSetId: string, files: readonly UserFile[] = []): UserEvent => ({
    type: 'create-file-set',
    fileSetId,
    files,
  }),
  removeFileSet: (fileSetId: string): UserEvent => ({ type: 'remove-file-set', fileSetId }),
  addFiles: (fileSetId: string, files: readonly UserFile[]): UserEvent => ({ type: 'add-files', fileSetId, files }),
  /** Files, or explicit directories, by path. */
  removeFiles: (fileSetId: string, paths: readonly string[]): UserEvent => ({ type: 'remove-files', fileSetId, paths }),
} as const
