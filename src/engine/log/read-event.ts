import { readInstant } from '../control-route.ts'
import {
  type Origin,
  readClock,
  readDelivery,
  readFileSet,
  readReportSchedule,
  readState,
} from '../../control/state/read-state.ts'
import type {
  DeliveryRecord,
  StateDocument,
  StoredFileSet,
  StoredReportSchedule,
} from '../../../types/control-api.d.ts'
import { type EventDocument, writeEvent } from '../../control/state/write-event.ts'
import { writeSandboxState } from '../../control/state/write-state.ts'
import { shown } from '../../errors/problem.ts'
import type { Image, SandboxEvent } from '../snapshot.ts'
import { storeDocument } from '../../resources/collections/collection-store.ts'
import { runSteps } from '../steps.ts'
import { copyState, type State } from '../state.ts'

/** An event for a log: a state that was imported goes with all that it holds. */
export function writeWholeEvent(event: SandboxEvent, initialState: State): EventDocument {
  if (event.type !== 'state.imported') return writeEvent(event, initialState)
  return { type: event.type, state: writeSandboxState(event.state, { initialState }) }
}

/** What the members of the types are, as `writeWholeEvent` has written them. */
interface Written {
  readonly reportSchedule: StoredReportSchedule
  readonly scheduleId: number
  readonly run: StateDocument['runs'][number]
  readonly deliveries: readonly DeliveryRecord[]
  readonly clock: StateDocument['clock']
  readonly from: string
  readonly to: string
  readonly since: string
  readonly fileSet: StoredFileSet
  readonly state: StateDocument
  readonly name: string
  readonly now: string
  readonly collection: string
  readonly id: string
  readonly document: unknown
}

/**
 * Reads an event of a log.
 *
 * @param image the sandbox as it was before
 * @throws Problem for what this Standin did not write
 */
export function readEvent(document: EventDocument, image: Image, origin: Origin): SandboxEvent {
  const { type } = document
  const written = document as unknown as Written
  const time = (member: 'from' | 'to' | 'since' | 'now') => readInstant(written[member], { pointer: `/${member}` })
  switch (type as SandboxEvent['type']) {
    case 'report-schedule.created':
    case 'report-schedule.updated':
      return {
        type: type as 'report-schedule.created',
        reportSchedule: readReportSchedule(origin, written.reportSchedule, '/reportSchedule'),
      }
    case 'report-schedule.removed':
      return { type: 'report-schedule.removed', reportScheduleId: written.scheduleId }
    case 'report-schedule.ran':
      return readRan(written, origin)
    case 'clock.moved':
      return { type: 'clock.moved', clock: readClock(written.clock), from: time('from'), to: time('to') }
    case 'file-set.created':
      return { type: 'file-set.created', fileSet: runSteps(readFileSet(origin, written.fileSet, '/fileSet')) }
    case 'sandbox.reset':
      return { type: 'sandbox.reset', at: time('since') }
    case 'state.imported':
      return { type: 'state.imported', state: runSteps(readState(origin, written.state)) }
    case 'checkpoint.taken': {
      const snapshot = { state: copyState(image.state), requests: image.requests, taken: time('now') }
      return { type: 'checkpoint.taken', name: written.name, snapshot }
    }
    case 'document.created':
    case 'document.updated': {
      const { collection, id } = written
      return { type: type as 'document.created', collection, id, document: storeDocument(written.document) }
    }
    case 'document.removed':
    case 'deliveries.removed':
    case 'file-set.removed':
    case 'files.added':
    case 'files.removed':
    case 'file.changed':
    case 'checkpoint.removed':
    case 'checkpoint.restored':
    case 'fault.armed':
    case 'fault.struck':
    case 'fault.passed':
    case 'rate-limit.lifted':
    case 'faults.removed':
    case 'behaviours.changed':
      // These are data as they are.
      return document as unknown as SandboxEvent
    default:
      throw new Error(`there is no event of the type ${shown(type)}`)
  }
}

function readRan({ run, deliveries }: Written, origin: Origin): SandboxEvent {
  const reportSchedule = readReportSchedule(origin, run.reportSchedule, '/run/reportSchedule')
  return {
    type: 'report-schedule.ran',
    run: { id: run.id, at: readInstant(run.at, { pointer: '/run/at' }), reportSchedule },
    deliveries: deliveries.map((one, index) => readDelivery(one, `/deliveries/${index}`)),
  }
}
