/** Standin as a library: see `createStandin`. */
export { createStandin, type Standin, type StandinOptions } from './standin.ts'
export { StartRefused } from './problem.ts'
export type { KeySetting, LogMode } from './config.ts'
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
