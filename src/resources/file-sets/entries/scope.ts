import type { Entries } from './entries.ts'
import type { Query } from '../search/cursor.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import { refusal } from '../../handler.ts'
import { fold } from './columns.ts'
import { requestInvalid } from '../../../errors/request-errors.ts'
import { directoryNotFound } from '../../../errors/resource-errors.ts'
import type { Test } from './filter.ts'
import type { Base } from './base.ts'

/** Which entries the filters apply to. */
export interface Scope {
  /** Numbers of the requested directories: none if no directory has that path, several if paths are compared loosely. */
  readonly directories: readonly number[]
  readonly immediateChildren: boolean
  /** `dir.self`: whether a directory is listed among its own contents. */
  readonly self: boolean
  /** `dir.entries` and `dir.implied`: which directory entries can appear at all. */
  readonly directoryEntries: 'all' | 'explicit' | 'none'
}

export function createScope(
  entries: Entries,
  { directoryPath, immediateChildren }: Query,
  tracker: BehaviourTracker,
): Scope {
  const directories =
    directoryPath === '' ? rootOf(immediateChildren, tracker) : findDirectories(entries, directoryPath, tracker)
  return {
    directories,
    immediateChildren,
    self: directories.some((directory) => directory > 0) && tracker.ask('dir.self') === 'include',
    directoryEntries: chooseDirectoryEntries(entries, { directories, immediateChildren }, tracker),
  }
}

/** Excluded directories do not show on pages, so their behaviours are recorded here. */
function chooseDirectoryEntries(
  entries: Entries,
  { directories, immediateChildren }: Pick<Scope, 'directories' | 'immediateChildren'>,
  { settings, note }: BehaviourTracker,
): Scope['directoryEntries'] {
  const hasAny = directories.some((directory) => entries.hasDirectoriesBelow(directory))
  const listed = settings['dir.entries']
  if (listed === 'never' || (listed === 'immediate-only' && !immediateChildren)) {
    if (hasAny) note('dir.entries')
    return 'none'
  }
  if (settings['dir.implied'] === 'materialise') return 'all'
  if (hasAny) note('dir.implied')
  return 'explicit'
}

function rootOf(immediateChildren: boolean, tracker: BehaviourTracker): number[] {
  tracker.note('dir.blank')
  if (immediateChildren && tracker.ask('dir.children-root') === 'error') {
    throw requestInvalid([
      refusal('dir.children-root', { parameter: 'directoryPath' }, 'a directory, since immediateChildren is true'),
    ])
  }
  return [0]
}

/** The directories with a path: at most one, unless paths are compared loosely. */
function findDirectories(entries: Entries, path: string, tracker: BehaviourTracker): number[] {
  const { settings } = tracker
  const isPrefix = settings['dir.segment'] === 'prefix'
  let found: number[]
  if (isPrefix || settings['dir.case'] !== 'exact') {
    if (isPrefix) tracker.note('dir.segment')
    if (settings['dir.case'] !== 'exact') tracker.note('dir.case')
    const normal = NORMAL_FORMS[settings['dir.case']]
    const wanted = normal(path)
    // A prefix is completed to the end of its last segment: what lies deeper is found as a descendant.
    const completes = (text: string) => text.startsWith(wanted) && !text.includes('/', wanted.length)
    const isWanted = (text: string) => text === wanted || (isPrefix && completes(text))
    found = [...entries.directories()].filter((one) => isWanted(normal(one.path))).map(({ number }) => number)
  } else {
    // A path without letters, in ASCII, has one form only.
    if (/[a-z]|[^\0-\x7f]/i.test(path)) tracker.note('dir.case')
    const number = entries.findDirectory(path)
    found = number === undefined ? [] : [number]
  }
  if (found.length === 0) throwIfMissing(entries, path, tracker)
  return found
}

/** How paths are normalised before they are compared, by `dir.case`. */
const NORMAL_FORMS = {
  exact: (path: string) => path,
  'case-insensitive': fold,
  nfc: (path: string) => path.normalize('NFC'),
}

function throwIfMissing(entries: Entries, path: string, tracker: BehaviourTracker): void {
  const row = entries.slotAt(path) === undefined ? 'dir.missing' : 'dir.file'
  tracker.note('dir.case')
  const answer = tracker.ask(row)
  if (answer === 'empty') return
  const violation = refusal(row, { parameter: 'directoryPath' }, 'a directory of the file set', path)
  if (answer === '400') throw requestInvalid([violation])
  throw directoryNotFound({ violations: [violation] })
}

/** The test that all entries pass. */
export const EVERYTHING: Test = () => true

/** Whether an entry is within the scope: `EVERYTHING` if all are. */
export function createScopeTest(entries: Entries, scope: Scope): Test {
  const { directories, immediateChildren, self, directoryEntries } = scope
  if (directoryEntries === 'all' && isWhole(scope)) return EVERYTHING
  const within = (slot: number, directory: number) => {
    const holder = entries.holder(slot)
    if (immediateChildren ? holder === directory : entries.isWithin(directory, holder)) return true
    return self && directory > 0 && slot === entries.slotOf(directory)
  }
  return (slot) => {
    if (entries.isDirectory(slot)) {
      if (directoryEntries === 'none') return false
      if (directoryEntries === 'explicit' && entries.isImplied(slot)) return false
    }
    return directories.some((directory) => within(slot, directory))
  }
}

/** Whether the scope is the whole file set. */
export function isWhole({ directories, immediateChildren }: Scope): boolean {
  return directories.length === 1 && directories[0] === 0 && !immediateChildren
}

/** The most slots of the base that the scope can have. */
export function scopeSize(base: Base, { directories, immediateChildren }: Scope): number {
  const { end, count } = base.directories
  let size = 0
  for (const directory of directories) {
    if (directory >= count) continue
    const files = immediateChildren ? filesRightIn(base, directory) : base.filesBelow(directory)
    size += files + (end[directory] ?? 0) - directory
  }
  return size
}

function filesRightIn({ files: { before } }: Base, directory: number): number {
  return (before[directory + 1] ?? 0) - (before[directory] ?? 0)
}

/** The slots of the base that may be within the scope, each once. */
export function* candidatesOf(base: Base, { directories, immediateChildren, self }: Scope): Generator<number> {
  const { files } = base
  const { count, end } = base.directories
  // Directories that were compared loosely may contain each other.
  if (directories.length > 1) {
    for (let slot = 0; slot < base.count; slot++) yield slot
    return
  }
  for (const directory of directories) {
    if (directory >= count) continue
    const last = immediateChildren ? directory + 1 : (end[directory] ?? 0)
    const places = files.before[last] ?? 0
    for (let place = files.before[directory] ?? 0; place < places; place++) yield files.at(place)
    for (
      let child = directory + 1;
      child < (end[directory] ?? 0);
      child = immediateChildren ? (end[child] ?? 0) : child + 1
    )
      yield base.slotOf(child)
    if (self && directory > 0) yield base.slotOf(directory)
  }
}
