import { isDeepStrictEqual } from 'node:util'
import type { EventTime } from '../../../engine/state.ts'
import { collect, runSteps, type Steps } from '../../../engine/slices.ts'
import { companyLeaves } from '../generated/company.ts'
import type { DirectoryFields } from './base.ts'
import { addStored, createFieldsOf, fieldsOf, removeStored, replaceImplied } from './change.ts'
import { Entries } from './entries.ts'
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

/** A sandbox has at most this many. */
export const MAX_FILE_SETS = 1000

/** A file set of a fixture: its entries, how many entries can be read later, or how many files are generated from the seed. */
export type FileSetFixture = { readonly id: string } & (
  | { readonly records: readonly EntryRecord[] }
  | { readonly files: number; readonly readRecords: () => readonly EntryRecord[] }
  | { readonly generate: number }
)

/** Up to this many files, a set is made when it is first looked at; larger ones take too long for one request. */
const MADE_LATER = 10_000

/** How many files the sets have that were not generated yet, since no request has used them. */
const filesOfUnmade = new WeakMap<FileSet, number>()

/** Servers that begin with the same fixture share its file set, which never changes, and what searches remember of it. */
const created = new WeakMap<FileSetFixture, FileSet>()

/**
 * A file set at its first moment. Its entries are made when they are first looked at: most runs look at one set, or at none.
 *
 * @param earlier that of an earlier state, which is reused where it would be generated the same way again
 */
export function createFileSet(
  fixture: FileSetFixture,
  generation: Omit<Generation, 'files'>,
  earlier?: FileSet,
): FileSet {
  const known = created.get(fixture)
  if (known && (!('generate' in fixture) || isGeneratedBy(known, fixture, generation))) return known
  const isSame = earlier !== undefined && isGeneratedBy(earlier, fixture, generation)
  const fileSet = isSame ? earlier : createUnmade(fixture, generation)
  created.set(fixture, fileSet)
  return fileSet
}

function createUnmade(fixture: FileSetFixture, generation: Omit<Generation, 'files'>): FileSet {
  const make = () => runSteps(fileSetInSteps(fixture, generation))
  const files = 'generate' in fixture ? fixture.generate : 'files' in fixture ? fixture.files : Infinity
  if (files > MADE_LATER) return make()
  const fileSet = {
    ...beginningOf(fixture, generation),
    get entries(): Entries {
      filesOfUnmade.delete(fileSet)
      const { entries } = make()
      Object.defineProperty(fileSet, 'entries', { value: entries, enumerable: true })
      return entries
    },
  }
  filesOfUnmade.set(fileSet, files)
  return fileSet
}

function beginningOf(fixture: FileSetFixture, { seed, firstMoment, choices }: Omit<Generation, 'files'>) {
  const set = { id: fixture.id, version: 0, past: new Map<number, Entries>() }
  if (!('generate' in fixture)) return set
  return { ...set, generated: { seed, files: fixture.generate, firstMoment, ...(choices ? { choices } : {}) } }
}

/** How many files it has, which is known before they are made. */
export function fileCountOf(fileSet: FileSet): number {
  return filesOfUnmade.get(fileSet) ?? fileSet.entries.fileCount
}

/** A file set at its first moment, made now and in steps. */
export function* fileSetInSteps(fixture: FileSetFixture, generation: Omit<Generation, 'files'>): Steps<FileSet> {
  const { id } = fixture
  const set = beginningOf(fixture, generation)
  if (!('generate' in fixture)) {
    const records = 'records' in fixture ? fixture.records : fixture.readRecords()
    return { ...set, entries: new Entries(id, yield* recordsInSteps(id, records)) }
  }
  const files = fixture.generate
  const leaves = yield* companyLeaves({ ...generation, files })
  return { ...set, entries: new Entries(id, yield* createGenerated(id, { ...generation, files }, leaves)) }
}

function isGeneratedBy(
  { generated }: FileSet,
  fixture: FileSetFixture,
  { seed, firstMoment, choices }: Omit<Generation, 'files'>,
): boolean {
  return (
    generated !== undefined &&
    'generate' in fixture &&
    generated.seed === seed &&
    generated.firstMoment === firstMoment &&
    generated.files === fixture.generate &&
    isDeepStrictEqual(generated.choices, choices)
  )
}

/** At most this many earlier versions of a file set are kept. */
const VERSIONS_KEPT = 16
/** At most this many where searches see changes late (`search.lag`). */
const MAX_VERSIONS_KEPT = 1000

/** The file set after a change of its entries. */
export function changeFileSet(fileSet: FileSet, change: EntriesChange, time: EventTime): FileSet {
  const { entries, version } = fileSet
  const kept = versionsKept(fileSet, time)
  const past = new Map([...fileSet.past, [version, entries] as const].slice(-kept))
  const made = new Map([...(fileSet.made ?? []), [version + 1, time.at] as const].slice(-kept))
  const changed = changeEntries(entries, change)
  // A large change builds the set anew, and then it is no longer a generated one with changes.
  const generated = changed.base === entries.base ? fileSet.generated : undefined
  return { id: fileSet.id, entries: changed, version: version + 1, past, made, generated }
}

function versionsKept({ version, made }: FileSet, { keptSince }: EventTime): number {
  if (keptSince === undefined) return VERSIONS_KEPT
  // The version before the first one made since then is what there was at that moment.
  const [first = version + 1] = [...(made ?? [])].find(([, at]) => at > keptSince) ?? []
  return Math.min(MAX_VERSIONS_KEPT, Math.max(VERSIONS_KEPT, version - first + 2))
}

/** What a change removes, by path, and then adds. Each path to remove must be there, and each to add must be free. */
export interface EntriesChange {
  readonly removed?: readonly string[]
  readonly added?: readonly EntryRecord[]
  /** Implied directories that differ from what their oldest descendant would give them; see `keptDirectories`. */
  readonly directories?: readonly EntryRecord[]
}

/** Larger changes, if they also affect a fourth of the set, rebuild the set, which is faster. */
const MAX_SINGLY = 1024
/** Entries per step of a loop over all of them. */
const MAX_IN_A_STEP = 1024

/** The entries after a change. */
export function changeEntries(entries: Entries, change: EntriesChange): Entries {
  return takePrepared(entries, change) ?? runSteps(changeInSteps(entries, change))
}

export function* changeInSteps(
  entries: Entries,
  { removed = [], added = [], directories = [] }: EntriesChange,
): Steps<Entries> {
  const { base, changes: before } = entries
  const size = removed.length + added.length
  // Slots are never reused, so a small set that changes often is rebuilt from time to time.
  const isWorn = before.nextSlot - base.count > MAX_SINGLY + 4 * before.count
  if (isWorn || (size > MAX_SINGLY && size > before.count / 4)) return yield* rebuild(entries, removed, added)
  let changed = entries
  for (const path of removed) {
    const slot = changed.slotAt(path)
    if (slot !== undefined && !changed.isImplied(slot)) changed = removeStored(changed, slot)
    yield
  }
  const ofDirectory = yield* createFieldsOf(entries, added)
  for (const record of added) {
    changed = addStored(changed, { record, fieldsOf: ofDirectory })
    yield
  }
  for (const record of directories) {
    const directory = changed.numberOf(record.path)
    if (directory !== undefined) changed = replaceImplied(changed, directory, fieldsOf(record))
    yield
  }
  return changed
}

function* rebuild(entries: Entries, removed: readonly string[], added: readonly EntryRecord[]): Steps<Entries> {
  const gone = new Set(removed)
  const records = yield* collect(entries.stored(), ({ path }) => !gone.has(path))
  const { fileSetId } = entries
  const base = yield* recordsInSteps(fileSetId, [...records, ...added], yield* directoryFields(entries))
  return new Entries(fileSetId, base)
}

/** Entries with some records added, by the list of the records. */
const prepared = new WeakMap<readonly EntryRecord[], { readonly before: Entries; readonly after: Entries }>()

/** Adds records in steps, before the event that adds them: `changeEntries` then finds the result. */
export function* prepareAdded(entries: Entries, added: readonly EntryRecord[]): Steps<undefined> {
  prepared.set(added, { before: entries, after: yield* changeInSteps(entries, { added }) })
  return undefined
}

function takePrepared(entries: Entries, { added, removed, directories }: EntriesChange): Entries | undefined {
  if (!added || removed || directories) return undefined
  const known = prepared.get(added)
  prepared.delete(added)
  return known?.before === entries ? known.after : undefined
}

/** Records per step: a larger change at once would rebuild the set, which would no longer share its base. */
const STEP = 1000

/** The same change, a part at a time, on the same base. */
export function* changeOnBase(
  entries: Entries,
  { removed = [], added = [], directories = [] }: EntriesChange,
): Steps<Entries> {
  let changed = entries
  for (let at = 0; at < removed.length; at += STEP)
    changed = yield* changeInSteps(changed, { removed: removed.slice(at, at + STEP) })
  for (let at = 0; at < added.length; at += STEP)
    changed = yield* changeInSteps(changed, { added: added.slice(at, at + STEP) })
  return directories.length === 0 ? changed : yield* changeInSteps(changed, { directories })
}

/** The fields of every directory, by its path. */
export function* directoryFields(entries: Entries): Steps<ReadonlyMap<string, DirectoryFields>> {
  const fields = new Map<string, DirectoryFields>()
  let looked = 0
  for (const { path } of entries.directories()) {
    if (++looked % MAX_IN_A_STEP === 0) yield
    const slot = entries.slotAt(path)
    if (slot !== undefined) fields.set(path, fieldsOf(entries.record(slot)))
  }
  return fields
}

/** The implied directories that differ from those of a set made from the same files. */
export function* keptDirectories(entries: Entries, again: Entries): Steps<EntryRecord[]> {
  const kept: EntryRecord[] = []
  let looked = 0
  for (const { path } of entries.directories()) {
    if (++looked % MAX_IN_A_STEP === 0) yield
    const [slot, other] = [entries.slotAt(path), again.slotAt(path)]
    if (slot === undefined || other === undefined || !entries.isImplied(slot)) continue
    const [record, derived] = [entries.record(slot), again.record(other)]
    const isSame =
      record.id === derived.id && record.created === derived.created && record.createdBy === derived.createdBy
    if (!isSame) kept.push(record)
  }
  return kept
}
