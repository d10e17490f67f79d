/** Standin as a library: see `createStandin`. */
import './refuse-old-node.ts'

export { createStandin, type Standin, type StandinOptions } from './standin.ts'
export { StartRefused } from './problem.ts'
export {
  defineOperation,
  operationsOf,
  problem,
  type OwnHandle,
  type OwnOperation,
  type OwnOutcome,
  type Refusal,
} from './own/define-operation.ts'
export {
  events,
  type OwnEvent,
  type OwnFile,
  type OwnReportSchedule,
  type OwnReportScheduleChange,
} from './own/events.ts'
export type { UntypedOperation } from './own/typed.ts'
export type { CallView } from './own/call-view.ts'
export type {
  CollectionView,
  FileSetView,
  FileSetsView,
  ReportScheduleView,
  ReportSchedulesView,
  RunView,
  WorldView,
} from './own/world-view.ts'
export type { LogMode } from './config.ts'
export type { KeySetting } from './config/read-keys.ts'
export {
  type ControlClient,
  type ControlClientAnswer,
  type ControlClientOptions,
  type ControlClientRequest,
  ControlError,
  createControlClient,
} from './control/client.ts'
export type * from './control/types.ts'
export { readFolder, type Folder, type FolderEntry, type FolderOptions, type FolderProgress } from './seed/folder.ts'
