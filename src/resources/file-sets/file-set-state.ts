import type { StoredFileSet } from '../../../types/control-api.d.ts'
import { refuseRepeatedIds } from '../../engine/sandbox-document.ts'
import { type EventTime, type OwnedState, stateChange, type StatePart } from '../../engine/state.ts'
import { refuseTooManyEntries } from './file-set-routes.ts'
import { prepareFileSets, readFileSet, refuseTooLarge, writeFileSet } from './file-set-document.ts'
import { lagOf, pendingTimeOf } from './search/visible-entries.ts'
import { isAddedField } from './read-files.ts'
import type { EntryRecord, FileRules } from './entries/file-record.ts'
import {
  changeFileSet,
  createFileSet,
  type EntriesChange,
  fileCountOf,
  type FileSet,
  type FileSetFixture,
} from './entries/file-set.ts'
import { runSteps } from '../../engine/slices.ts'

declare module '../../engine/state.ts' {
  interface State {
    readonly fileSets: ReadonlyMap<string, FileSet>
  }
  interface OwnedState {
    fileSets: Map<string, FileSet>
  }
  interface StateRules {
    readonly files: FileRules
  }
  interface Fixtures {
    readonly fileSets: readonly FileSetFixture[]
  }
  interface StateEvents {
    'file-set.created': { readonly fileSet: FileSet }
    'file-set.removed': { readonly fileSetId: string }
    'files.added': { readonly fileSetId: string; readonly files: readonly EntryRecord[] }
    'files.removed': { readonly fileSetId: string; readonly paths: readonly string[] }
    /** `path` is where it was; the record may have another. */
    'file.changed': { readonly fileSetId: string; readonly path: string; readonly file: EntryRecord }
  }
}

/** The file sets of a sandbox. */
export const fileSetState: StatePart<
  'file-set.created' | 'file-set.removed' | 'files.added' | 'files.removed' | 'file.changed'
> = {
  name: 'file-sets',
  keepFor: (settings) => Math.max(lagOf(settings), pendingTimeOf(settings)),
  events: {
    'file-set.created': {
      evolve(state, { fileSet }) {
        state.fileSets.set(fileSet.id, fileSet)
      },
      write: ({ fileSet }, initialState) => ({ fileSet: writeFileSet(fileSet, initialState?.fileSets) }),
      read: ({ fileSet }: { fileSet: StoredFileSet }, origin) => ({
        fileSet: runSteps(readFileSet(origin, fileSet, '/fileSet')),
      }),
      parts: ({ fileSet: { generated, entries } }) => (generated ? 0 : entries.count),
      publish: ({ fileSet: { id, entries } }) => [
        stateChange('file-set.created', { fileSetId: id, files: entries.fileCount }),
      ],
    },
    'file-set.removed': {
      evolve(state, { fileSetId }) {
        state.fileSets.delete(fileSetId)
      },
    },
    'files.added': {
      evolve: (state, { fileSetId, files }, time) => change(state, fileSetId, { added: files }, time),
      parts: ({ files }) => files.length,
      publish: ({ fileSetId, files }) => publishPaths('files.added', fileSetId, files, ({ path }) => path),
    },
    'files.removed': {
      evolve: (state, { fileSetId, paths }, time) => change(state, fileSetId, { removed: paths }, time),
      parts: ({ paths }) => paths.length,
      publish: ({ fileSetId, paths }) => publishPaths('files.removed', fileSetId, paths, (path) => path),
    },
    'file.changed': {
      evolve: (state, { fileSetId, path, file }, time) =>
        change(state, fileSetId, { removed: [path], added: [file] }, time),
      publish: ({ fileSetId, path, file }) => [stateChange('file.changed', { fileSetId, path, to: file.path })],
    },
  },
  initial({ seed, firstMoment, fixtures, rules }, known) {
    const options = { seed, firstMoment, choices: rules.files.choices }
    const fileSets = fixtures.fileSets.map((fixture) => {
      const { id } = fixture
      return [id, createFileSet(fixture, options, known?.fileSets.get(id))] as const
    })
    return { fileSets: new Map(fileSets) }
  },
  count: ({ fileSets }) => ({
    fileSets: fileSets.size,
    files: [...fileSets.values()].reduce((sum, fileSet) => sum + fileCountOf(fileSet), 0),
  }),
  own(state) {
    state.fileSets = new Map(state.fileSets)
  },
  accepts: isAddedField,
  write: ({ fileSets }, { initialState, list }) => ({
    fileSets: list(fileSets.values(), (fileSet) => writeFileSet(fileSet, initialState?.fileSets, list)),
  }),
  prepare: ({ fileSets }, initialState) => prepareFileSets(fileSets, initialState?.fileSets),
  refuseTooLarge: ({ fileSets }, initialState) => refuseTooLarge(fileSets, initialState?.fileSets),
  *read({ fileSets: written }: { fileSets: readonly StoredFileSet[] }, origin) {
    refuseRepeatedIds(written, 'fileSets')
    // What a log holds was let in before.
    if (!origin.initialState)
      refuseTooManyEntries(written.map(({ files = [], generated }) => files.length + (generated?.files ?? 0)))
    const fileSets = new Map<string, FileSet>()
    for (const [index, one] of written.entries())
      fileSets.set(one.id, yield* readFileSet(origin, one, `/fileSets/${index}`))
    return { fileSets }
  },
}

function change({ fileSets }: OwnedState, fileSetId: string, entries: EntriesChange, time: EventTime): void {
  const fileSet = fileSets.get(fileSetId)
  if (fileSet) fileSets.set(fileSetId, changeFileSet(fileSet, entries, time))
}

/** A change of many files lists at most this many paths. */
const MAX_PATHS = 5

function publishPaths<Changed>(
  type: string,
  fileSetId: string,
  changed: readonly Changed[],
  pathOf: (one: Changed) => string,
) {
  const paths = changed.slice(0, MAX_PATHS).map(pathOf)
  return [stateChange(type, { fileSetId, count: changed.length, paths })]
}
