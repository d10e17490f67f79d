import type { ControlHandler } from '../engine/control-route.ts'
import { ok } from '../engine/control-route.ts'
import * as behaviours from './behaviour-routes.ts'
import * as clock from './clock-routes.ts'
import * as deliveries from '../resources/report-schedules/delivery-routes.ts'
import * as faults from '../faults/fault-routes.ts'
import { explain, type ExplainNeeds, refuseBareSearch } from './explain-routes.ts'
import * as fileSets from '../resources/file-sets/control/file-set-routes.ts'
import * as files from '../resources/file-sets/control/file-routes.ts'
import * as history from './state/history-routes.ts'
import * as journal from '../journal/journal-routes.ts'
import * as reportSchedules from '../resources/report-schedules/report-schedule-routes.ts'
import * as sandboxes from './sandbox-routes.ts'
import * as state from './state/state-routes.ts'
import { openStream, type StreamNeeds } from '../journal/stream.ts'
import type { JournalNeeds } from '../journal/verify/match-exchange.ts'
import type { FaultNeeds } from '../faults/fault-routes.ts'
import type { StateRules } from '../engine/state.ts'
import type { Health, Info } from './client/types.ts'

/** What runs here, as the routes of the server show it. */
interface ServerNeeds {
  readonly health: Health
  info(): Info
  /** In Prometheus' text format. */
  renderMetrics(): string
}

/** What all routes together need besides the call. */
export interface RouteNeeds
  extends
    ServerNeeds,
    JournalNeeds,
    StreamNeeds,
    FaultNeeds,
    deliveries.DeliveryNeeds,
    ExplainNeeds,
    history.ReplayNeeds {
  readonly rules: StateRules
}

/** Prometheus' text format 0.0.4. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** The handler of each operation of `spec/control.openapi.yaml`, which has their methods, paths and parameters. */
export const CONTROL_ROUTES = {
  getHealth: ({ health }) => ({ status: health.status === 'ready' ? 200 : 503, body: health }),
  getMetrics: ({ renderMetrics }) => ({ status: 200, text: { contentType: METRICS_TYPE, content: renderMetrics() } }),

  getInfo: ({ info }) => ok(info()),
  getBehaviours: behaviours.getBehaviours,
  putBehaviours: behaviours.putBehaviours,

  listSandboxes: sandboxes.listSandboxes,
  createSandbox: sandboxes.createSandbox,
  getSandbox: sandboxes.getSandbox,
  deleteSandbox: sandboxes.deleteSandbox,
  forkSandbox: sandboxes.forkSandbox,

  reset: sandboxes.reset,
  getState: state.getState,
  putState: state.putState,
  listCheckpoints: sandboxes.listCheckpoints,
  createCheckpoint: sandboxes.createCheckpoint,
  restoreCheckpoint: sandboxes.restoreCheckpoint,
  deleteCheckpoint: sandboxes.deleteCheckpoint,

  getClock: clock.getClock,
  putClock: clock.putClock,
  advanceClock: clock.advanceClock,

  listReportSchedules: reportSchedules.listReportSchedules,
  getReportSchedule: reportSchedules.getReportSchedule,
  deleteReportSchedule: reportSchedules.deleteReportSchedule,
  listRuns: reportSchedules.listRuns,
  listDeliveries: deliveries.listDeliveries,
  deleteDeliveries: deliveries.deleteDeliveries,

  listExchanges: journal.listExchanges,
  deleteJournal: journal.deleteJournal,
  getExchange: journal.getExchange,
  verifyJournal: journal.verifyJournal,
  exportHar: journal.exportHar,
  openStream,

  listFileSets: fileSets.listFileSets,
  createFileSet: fileSets.createFileSet,
  getFileSet: fileSets.readFileSet,
  deleteFileSet: fileSets.deleteFileSet,
  listFiles: files.listFiles,
  addFiles: files.addFiles,
  getFile: files.getFile,
  changeFile: files.changeFile,
  deleteFile: files.deleteFile,

  listFaults: faults.listFaults,
  armFaults: faults.armFaults,
  removeFaults: faults.removeFaults,
  getFault: faults.getFault,
  removeFault: faults.removeFault,
  explain,
  getHistory: history.getHistory,
  getReplay: history.getReplay,
} satisfies Record<string, ControlHandler<RouteNeeds>>

/** Operations that change nothing although their method is not `GET`. */
export const READ_ONLY: ReadonlySet<string> = new Set<keyof typeof CONTROL_ROUTES>(['explain', 'verifyJournal'])

/** Checks of a body before it is validated against the contract. @throws Problem */
export const BODY_PRECHECKS: Readonly<Record<string, (body: unknown) => void>> = {
  putState: state.refuseNewerState,
  explain: refuseBareSearch,
}
