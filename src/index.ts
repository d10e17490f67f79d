/** Standin as a library: see `createStandin`. */
import './base/node-version/refuse-old-node.ts'

import { createStandin as createBehind } from './app/setup/create-standin.ts'
import type { Standin, StandinOptions } from './app/standin.ts'
import { createFront } from './truth/proxy/create-front.ts'

/**
 * Creates a mock server. Several in one process share no state.
 *
 * @throws StartupError with file, line and remedy when the contract, fixtures or options are wrong
 * @example const { app } = createStandin({ clock: '2026-03-01T09:00:00Z' })
 */
export function createStandin(options: StandinOptions = {}): Standin {
  return createBehind(options, createFront)
}

export type { Standin, StandinOptions } from './app/standin.ts'
export { openRedisStore } from './engine/stores/redis/redis-store.ts'
export { createMemoryStore } from './engine/stores/memory/memory-store.ts'
export type {
  EventStore,
  StoredCommit,
  StoredRecord,
  StoredSandbox,
  StoredSnapshot,
  StoredStream,
  FoundRecord,
  FoundStream,
} from './engine/stores/event-store.ts'
export type {
  ExchangeBatch,
  ExchangeStore,
  ExchangeWriters,
  FoundExchange,
  FoundExchanges,
  StoredExchange,
} from './engine/stores/exchange-store.ts'
export type { RunFingerprint } from './engine/stores/fingerprint.ts'
export { StartupError } from './base/errors/problem.ts'
export {
  defineOperation,
  operationsOf,
  problem,
  type UserHandle,
  type UserOperation,
  type UserOutcome,
  type Refusal,
} from './resources/user-operations/define-operation.ts'
export {
  events,
  type UserEvent,
  type UserFile,
  type OwnReportSchedule,
  type OwnReportScheduleChange,
} from './resources/user-operations/events.ts'
export type { UntypedOperation } from './resources/user-operations/typed.ts'
export type { CallView } from './resources/user-operations/call-view.ts'
export type {
  CollectionView,
  FileSetView,
  FileSetsView,
  ReportScheduleView,
  ReportSchedulesView,
  RunView,
  StateView,
} from './resources/user-operations/state-view.ts'
export type { LogMode } from './config/config.ts'
export type { KeySetting } from './config/setting-values.ts'
export {
  type ControlClient,
  type ControlClientOptions,
  ControlError,
  createControlClient,
} from './control/client/client.ts'
export type * from './control/client/types.ts'
export {
  readFolder,
  type Folder,
  type FolderEntry,
  type FolderOptions,
  type FolderProgress,
} from './resources/fixtures/folder.ts'
