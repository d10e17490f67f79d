import type { StoredFileSet } from '../../../types/control-api.d.ts'
import { readInstant, iso } from '../../base/formats/instant.ts'
import type { Origin, Writing } from '../../engine/state.ts'
import { collect, runSteps, type Steps } from '../../engine/slices.ts'
import { counted } from '../../base/errors/wording.ts'
import { stateTooLarge } from '../../base/errors/control-errors.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'
import { violation } from '../../base/errors/problem.ts'
import { fakerOf } from '../../values/faker.ts'
import { readSentFiles, TRUSTED } from './read-files.ts'
import { Entries } from './entries/entries.ts'
import type { EntryRecord } from './entries/file-record.ts'
import { changeOnBase, type FileSet, fileSetInSteps, keptDirectories } from './entries/file-set.ts'
import { recordsInSteps } from './entries/records.ts'

/** File sets as state documents and logs hold them. */

/** A file set that may be written as changes to that of the initial state. Documents that leave the process never have this form. */
type NamedFileSet = StoredFileSet & { readonly initialState?: true }

type FileSets = ReadonlyMap<string, FileSet>

/** A document is sent in one body, and this many records come near the largest body, 100 MiB. */
const MAX_RECORDS = 200_000

export function writeFileSet(fileSet: FileSet, initial?: FileSets, list: Writing['list'] = Array.from): NamedFileSet {
  const { id, entries, version, generated } = fileSet
  const isNamed = isInitial(fileSet, initial)
  if (!isNamed && !generated) {
    const files = list({ [Symbol.iterator]: () => entries.stored() }, (one) => one)
    return { id, version, files, ...kept(fileSet, false) }
  }
  const made = isNamed
    ? ({ initialState: true } as const)
    : { generated: generated && { ...generated, firstMoment: iso(generated.firstMoment) } }
  if (entries.isUnchanged) return { id, version, ...made }
  const removed = removedPaths(entries)
  const files = [...addedRecords(entries)]
  return { id, version, ...made, removed, files, ...kept(fileSet, true) }
}

function isInitial({ id, entries }: FileSet, initial?: FileSets): boolean {
  return initial?.get(id)?.entries.base === entries.base
}

function kept(fileSet: FileSet, isOnBase: boolean): Pick<StoredFileSet, 'directories'> {
  const directories = runSteps(findKept(fileSet, isOnBase))
  return directories.length === 0 ? {} : { directories }
}

/** Does the slow part of writing file sets in steps. `writeFileSet` then uses the result. */
export function* prepareFileSets(fileSets: FileSets, initial?: FileSets): Steps<undefined> {
  for (const fileSet of fileSets.values()) {
    const isOnBase = isInitial(fileSet, initial) || fileSet.generated !== undefined
    if (!isOnBase || !fileSet.entries.isUnchanged) yield* findKept(fileSet, isOnBase)
  }
  return undefined
}

/** Implied directories that kept their fields when the entries below them changed (`dir.implied`), so they cannot be derived again. */
function* findKept({ id, entries }: FileSet, isOnBase: boolean): Steps<readonly EntryRecord[]> {
  const found = isOnBase ? KEPT.onBase : KEPT.alone
  const known = found.get(entries)
  if (known) return known
  const again = isOnBase
    ? yield* changeOnBase(new Entries(id, entries.base), {
        removed: removedPaths(entries),
        added: yield* collect(addedRecords(entries)),
      })
    : new Entries(id, yield* recordsInSteps(id, yield* collect(entries.stored())))
  const kept = yield* keptDirectories(entries, again)
  found.set(entries, kept)
  return kept
}

/** The results of `findKept` by entries: for a set that is written as changes to its base, and for one that is written whole. */
const KEPT = {
  onBase: new WeakMap<Entries, readonly EntryRecord[]>(),
  alone: new WeakMap<Entries, readonly EntryRecord[]>(),
}

/** The paths of entries of the base that were removed since. */
function removedPaths(entries: Entries): string[] {
  const { base } = entries
  const paths: string[] = []
  for (let slot = 0; slot < base.count; slot++)
    if (base.isStored(slot) && entries.isGone(slot)) paths.push(base.record(slot).path)
  return paths
}

/** The entries that were added or changed since the base. */
function* addedRecords(entries: Entries): Generator<EntryRecord> {
  for (const slot of entries.addedSlots()) if (!entries.isImplied(slot)) yield entries.record(slot)
}

/** @throws Problem 409 */
export function refuseTooLarge(fileSets: FileSets, initial?: FileSets): void {
  let records = 0
  for (const fileSet of fileSets.values()) {
    const { entries, generated } = fileSet
    records += entries.count - (generated || isInitial(fileSet, initial) ? entries.base.count : 0)
  }
  if (records <= MAX_RECORDS) return
  throw stateTooLarge({
    detail: `File sets that are not as they were generated hold ${counted(records, 'entry', 'entries')}; a document holds ${MAX_RECORDS}. Keep a checkpoint instead.`,
  })
}

export function* readFileSet(from: Origin, stored: NamedFileSet, pointer: string): Steps<FileSet> {
  const { id, version, files, removed = [] } = stored
  const directories = (stored.directories ?? []) as readonly EntryRecord[]
  directories.forEach(({ created }, index) =>
    readInstant(created, { pointer: `${pointer}/directories/${index}/created` }),
  )
  const base = yield* readBase(from, stored, pointer)
  if (base) {
    const left = yield* without(base.entries, removed, `${pointer}/removed`)
    const added = yield* readSentFiles(from.rules?.files ?? TRUSTED, id, files ?? [], {
      present: left,
      pointer: `${pointer}/files`,
    })
    return { ...base, entries: yield* changeOnBase(left, { added, directories }), version }
  }
  if (files === undefined || removed.length > 0)
    throw requestInvalid([violation({ pointer }, 'fileSet', 'files, or generated', Object.keys(stored).join(', '))])
  const records = yield* readSentFiles(from.rules?.files ?? TRUSTED, id, files, { pointer: `${pointer}/files` })
  const made = yield* fileSetInSteps({ id, records }, { seed: 0, firstMoment: 0 })
  return { ...made, entries: yield* changeOnBase(made.entries, { directories }), version }
}

/** The file set that a document differs from; undefined when the document holds all of it. */
function* readBase({ initialState, made }: Origin, stored: NamedFileSet, pointer: string): Steps<FileSet | undefined> {
  const { id, generated } = stored
  if (stored.initialState) return initialState?.fileSets.get(id)
  if (!generated) return undefined
  const firstMoment = readInstant(generated.firstMoment, { pointer: `${pointer}/generated/firstMoment` })
  refuseUnknownLocale(generated.choices?.locale, `${pointer}/generated/choices/locale`)
  const known = JSON.stringify([id, generated])
  const fileSet =
    (made?.get(known) as FileSet | undefined) ??
    (yield* fileSetInSteps(
      { id, generate: generated.files },
      {
        seed: generated.seed,
        firstMoment,
        choices: generated.choices,
      },
    ))
  made?.set(known, fileSet)
  return fileSet
}

function refuseUnknownLocale(locale: string | undefined, pointer: string): void {
  try {
    if (locale !== undefined) fakerOf(locale)
  } catch {
    throw requestInvalid([violation({ pointer }, 'locale', 'a locale that this stand-in has', locale)])
  }
}

function* without(entries: Entries, removed: readonly string[], pointer: string): Steps<Entries> {
  const unknown = removed.findIndex((path) => entries.slotAt(path) === undefined)
  if (unknown >= 0) {
    const where = { pointer: `${pointer}/${unknown}` }
    throw requestInvalid([violation(where, 'removed', 'the path of a generated file', removed[unknown])])
  }
  return yield* changeOnBase(entries, { removed })
}
