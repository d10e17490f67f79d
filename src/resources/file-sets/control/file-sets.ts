import type { FileSetSummary } from '../../../../types/control-api.d.ts'
import type { ControlCall } from '../../../engine/control-route.ts'
import { nearest } from '../../../errors/wording.ts'
import { shown } from '../../../errors/problem.ts'
import type { Entries } from '../store/entries.ts'
import type { Steps } from '../../../engine/steps.ts'
import type { FileSet } from '../store/file-set.ts'
import { fileNotFound, fileSetNotFound, tooManyFiles } from '../../../errors/resource-errors.ts'

/** What the operations on file sets and on files have in common. */

/** @throws Problem 404 */
export function getFileSet(call: ControlCall): FileSet {
  const { name, state } = call.sandbox()
  const id = String(call.path.fileSetId)
  const found = state.fileSets.get(id)
  if (found) return found
  const meant = nearest(id, state.fileSets.keys())
  throw fileSetNotFound({
    detail: `The sandbox ${name} has no file set ${shown(id)}. ${meant === undefined ? 'GET /__mock/file-sets lists them.' : `Did you mean ${shown(meant)}?`}`,
  })
}

/** Each file set may be as large as one that is configured; all sets of a sandbox together this large. */
const MOST_ENTRIES = 20_000_000

/** @throws Problem 409 when a sandbox would hold too much */
export function refuseTooManyEntries(numbers: readonly number[]): void {
  const entries = numbers.reduce((sum, each) => sum + each, 0)
  if (entries <= MOST_ENTRIES) return
  throw tooManyFiles({
    detail: `A sandbox holds at most ${MOST_ENTRIES} files and directories; this would make ${entries}. Delete a file set first.`,
  })
}

/** The slot of an entry by its id. @throws Problem 404 */
export function getSlot({ id: fileSetId, entries }: FileSet, id: string): number {
  const slot = entries.slotWithId(id)
  if (slot !== undefined) return slot
  throw fileNotFound({
    detail: `The file set ${shown(fileSetId)} has no entry with the id ${shown(id)}. GET its files with ?path= to find one by path.`,
  })
}

/** Whether a directory contains entries, which imply it. */
export function holdsEntries(entries: Entries, path: string): boolean {
  return entries.with({ removed: [path] }).findDirectory(path) !== undefined
}

/**
 * Works something out in steps for a file set, and again when another request changed the set between two of them: what comes back
 * holds for the current set until the caller yields.
 */
export function* ofPresent<Result>(call: ControlCall, work: (fileSet: FileSet) => Steps<Result>): Steps<Result> {
  for (;;) {
    const fileSet = getFileSet(call)
    const result = yield* work(fileSet)
    if (getFileSet(call) === fileSet) return result
  }
}

export function showFileSet({ id, entries, version }: FileSet): FileSetSummary {
  const files = entries.fileCount
  return { id, files, directories: entries.count - files, version }
}
