import { EventDefect } from '../handler.ts'
import { nearest } from '../../base/errors/wording.ts'
import { shown } from '../../base/errors/problem.ts'
import { readGivenFiles } from './read-files.ts'
import { createFileSet, type FileSet, MAX_FILE_SETS } from './entries/file-set.ts'
import type { StateEvent, State } from '../../engine/state.ts'
import type { Entries } from './entries/entries.ts'
import type { EntryRecord, FileRules } from './entries/file-record.ts'
import { runSteps } from '../../engine/slices.ts'

/** What a handler of the user's own may do to file sets. */
export type FileEvent =
  | { readonly type: 'create-file-set'; readonly fileSetId: string; readonly files: readonly unknown[] }
  | { readonly type: 'remove-file-set'; readonly fileSetId: string }
  | { readonly type: 'add-files'; readonly fileSetId: string; readonly files: readonly unknown[] }
  | { readonly type: 'remove-files'; readonly fileSetId: string; readonly paths: readonly string[] }

/** Files that one event may add or remove. */
const MAX_FILES = 10_000

/** @throws EventDefect for what cannot happen */
export function readFileEvent(event: FileEvent, state: State, rules: FileRules): StateEvent {
  switch (event.type) {
    case 'create-file-set': {
      const { fileSetId: id } = event
      if (typeof id !== 'string' || id === '')
        throw new EventDefect(`the id of a file set is a text that is not empty, not ${shown(id)}.`)
      if (state.fileSets.has(id)) throw new EventDefect(`there is a file set ${shown(id)} already.`)
      if (state.fileSets.size >= MAX_FILE_SETS)
        throw new EventDefect(`a sandbox holds at most ${MAX_FILE_SETS} file sets. Remove one first.`)
      const records = read(id, event.files, undefined, rules)
      return { type: 'file-set.created', fileSet: createFileSet({ id, records }, { seed: 0, firstMoment: 0 }) }
    }
    case 'remove-file-set':
      return { type: 'file-set.removed', fileSetId: get(state, event.fileSetId).id }
    case 'add-files': {
      const { id, entries } = get(state, event.fileSetId)
      return { type: 'files.added', fileSetId: id, files: read(id, event.files, entries, rules) }
    }
    case 'remove-files': {
      const { id, entries } = get(state, event.fileSetId)
      const paths = new Set<string>()
      for (const path of list(event.paths, 'paths')) {
        if (typeof path !== 'string' || !entries.storedAt(path))
          throw new EventDefect(`${id} has no file ${shown(path)}.`)
        paths.add(path)
      }
      return { type: 'files.removed', fileSetId: id, paths: [...paths] }
    }
  }
}

function get({ fileSets }: State, id: string): FileSet {
  const found = fileSets.get(id)
  if (found) return found
  const meant = nearest(id, fileSets.keys())
  throw new EventDefect(
    `there is no file set ${shown(id)}.${meant === undefined ? '' : ` Did you mean ${shown(meant)}?`}`,
  )
}

function list(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= MAX_FILES) return value
  throw new EventDefect(`${name} must be a list of at most ${MAX_FILES}.`)
}

function read(id: string, files: unknown, present: Entries | undefined, rules: FileRules): EntryRecord[] {
  const complaints: string[] = []
  const complain = (_pointer: string, complaint: string) => void complaints.push(complaint)
  const records = runSteps(readGivenFiles(id, list(files, 'files'), present, { rules, complain }))
  if (complaints.length > 0) throw new EventDefect(complaints.slice(0, 3).join(' '))
  return records
}
