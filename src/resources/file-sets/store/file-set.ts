import { isDeepStrictEqual } from 'node:util'
import type { EventTime } from '../../../engine/state.ts'
import { runSteps, type Steps } from '../../../engine/steps.ts'
import { companyLeaves } from '../company.ts'
import { createEntries, type Entries, type EntriesChange } from './entries.ts'
import { createGenerated, type Generation } from './generated.ts'
import type { EntryRecord } from './file-record.ts'
import { recordsInSteps } from './records.ts'

/** One file set. Its entries never change; a change puts new ones in their place. */
export interface FileSet {
  readonly id: string
  readonly entries: Entries
  /** How many changes it has seen. */
  readonly version: number
  /** When the latest versions were made, epoch ms by the clock of the sandbox. What a state begins with is not here. */
  readonly made?: ReadonlyMap<number, number> | undefined
  /** Earlier entries by version, the newest last: walks that the behaviours let see a snapshot go on with them. */
  readonly past: ReadonlyMap<number, Entries>
  /** What the base of its entries was generated from; undefined for a set of given records. */
  readonly generated?: Generation | undefined
}

/** A file set of a fixture: its entries, or how many files are generated from the seed. */
export type FileSetFixture =
  { readonly id: string; readonly records: readonly EntryRecord[] } | { readonly id: string; readonly generate: number }

/** A file set at its first moment. */
export function createFileSet(fixture: FileSetFixture, generation: Omit<Generation, 'files'>): FileSet {
  return runSteps(fileSetInSteps(fixture, generation))
}

/** The same in steps. */
export function* fileSetInSteps(
  fixture: FileSetFixture,
  { seed, firstMoment, choices }: Omit<Generation, 'files'>,
): Steps<FileSet> {
  const { id } = fixture
  const set = { id, version: 0, past: new Map() }
  if ('records' in fixture) return { ...set, entries: createEntries(id, yield* recordsInSteps(id, fixture.records)) }
  const files = fixture.generate
  const leaves = companyLeaves(seed, files, firstMoment)
  yield
  const base = yield* createGenerated(id, { seed, files, firstMoment, choices }, leaves)
  return {
    ...set,
    entries: createEntries(id, base),
    generated: { seed, files, firstMoment, ...(choices ? { choices } : {}) },
  }
}

/** The generated file set of an earlier state, where it would be generated the same way again. */
export function findGenerated(
  fixture: FileSetFixture,
  { seed, firstMoment, choices }: Omit<Generation, 'files'>,
  known: FileSet | undefined,
): FileSet | undefined {
  const found = 'generate' in fixture ? known : undefined
  if (!found?.generated || !('generate' in fixture)) return undefined
  const { generated } = found
  const isSame =
    generated.seed === seed &&
    generated.firstMoment === firstMoment &&
    generated.files === fixture.generate &&
    isDeepStrictEqual(generated.choices, choices)
  return isSame ? found : undefined
}

/** As many earlier versions of a file set are kept. */
const VERSIONS_KEPT = 16
/** As many at most where searches see changes late (`search.lag`). */
const MOST_VERSIONS_KEPT = 1000

/** The file set after a change of its entries. */
export function changeFileSet(fileSet: FileSet, change: EntriesChange, time: EventTime): FileSet {
  const { entries, version } = fileSet
  const kept = versionsKept(fileSet, time)
  const past = new Map([...fileSet.past, [version, entries] as const].slice(-kept))
  const made = new Map([...(fileSet.made ?? []), [version + 1, time.at] as const].slice(-kept))
  const changed = entries.with(change)
  // A large change builds the set anew, and then it is no longer a generated one with changes.
  const generated = changed.base === entries.base ? fileSet.generated : undefined
  return { id: fileSet.id, entries: changed, version: version + 1, past, made, generated }
}

function versionsKept({ version, made }: FileSet, { keptSince }: EventTime): number {
  if (keptSince === undefined) return VERSIONS_KEPT
  // The version before the first one made since then is what there was at that moment.
  const [first = version + 1] = [...(made ?? [])].find(([, at]) => at > keptSince) ?? []
  return Math.min(MOST_VERSIONS_KEPT, Math.max(VERSIONS_KEPT, version - first + 2))
}
