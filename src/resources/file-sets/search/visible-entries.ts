import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'
import type { Call } from '../../handler.ts'
import { splitSetting } from '../../../behaviours/tracker.ts'
import { changeInSteps, directoryFields, type FileSet } from '../entries/file-set.ts'
import { Entries } from '../entries/entries.ts'
import type { EntryRecord } from '../entries/file-record.ts'
import type { Integer } from '../../../base/formats/json.ts'
import { isFile, recordsInSteps } from '../entries/records.ts'
import type { Steps } from '../../../engine/slices.ts'

/** `search.lag` in milliseconds; 0 for none. */
export function lagOf({ 'search.lag': lag }: BehaviourSettings): number {
  return lag === 'none' ? 0 : Number(lag) * 1000
}

/** `file.pending` in milliseconds; 0 for files that are complete at once. */
export function pendingTimeOf({ 'file.pending': pending }: BehaviourSettings): number {
  return pending === 'complete' ? 0 : splitSetting(pending).numbers[0] * 1000
}

/** A file set as the behaviours `search.lag`, `file.pending` and `search.visible` let a call see it. */
export function* restrictFileSet(fileSet: FileSet, call: Call): Steps<FileSet> {
  const { settings } = call.tracker
  const lagging = settings['search.lag'] === 'none' ? fileSet : fileSetAt(fileSet, call.now - lagOf(settings))
  const entries = yield* withPending(lagging, call)
  const seen = yield* visibleEntries(entries, lagging.id, call)
  return seen === fileSet.entries ? fileSet : { ...lagging, entries: seen }
}

/** A file set as it was at a moment, or its oldest known version. */
function fileSetAt(fileSet: FileSet, moment: number): FileSet {
  const { made, past } = fileSet
  let { version, entries } = fileSet
  for (;;) {
    const earlier = (made?.get(version) ?? -Infinity) > moment ? past.get(version - 1) : undefined
    if (!earlier) return version === fileSet.version ? fileSet : { ...fileSet, version, entries }
    entries = earlier
    version--
  }
}

/** Only this many of the newest files can be pending. */
const MAX_PENDING = 500

/** By the latest entries: those that are no longer pending, and what a search sees. */
const pendingViews = new WeakMap<Entries, { readonly settled: Entries; readonly seen: Entries }>()

function* withPending(fileSet: FileSet, { tracker, now }: Call): Steps<Entries> {
  const { settings } = tracker
  const { entries } = fileSet
  if (settings['file.pending'] === 'complete') return entries
  const { entries: settled } = fileSetAt(fileSet, now - pendingTimeOf(settings))
  if (settled === entries) return entries
  const known = pendingViews.get(entries)
  if (known?.settled === settled) return known.seen
  const pending = (yield* addedSince(settled, entries)).slice(-MAX_PENDING)
  const incomplete = pending.map((record) => ({ ...record, contentType: null, size: null, hash: null }))
  // The three are null nowhere else, so the type of a record does not say that they can be.
  const added = incomplete as unknown as EntryRecord[]
  const removed = pending.map(({ path }) => path)
  const seen = pending.length === 0 ? entries : yield* changeInSteps(entries, { removed, added })
  pendingViews.set(entries, { settled, seen })
  return seen
}

/** Files that earlier entries do not contain, newest last. A renamed or changed file is not new. */
function* addedSince(earlier: Entries, entries: Entries): Steps<EntryRecord[]> {
  const added: EntryRecord[] = []
  let looked = 0
  // Entries of a shared base existed before; a set that was rebuilt shares none.
  for (const slot of entries.base === earlier.base ? entries.addedSlots() : entries.slots()) {
    if (++looked % MAX_LOOKED === 0) yield
    if (entries.isDirectory(slot)) continue
    const record = entries.record(slot)
    if (isFile(record) && !earlier.storedWithId(record.id)) added.push(record)
  }
  return added
}

/** Entries as a key sees them (`search.visible`). */
export function* visibleEntries(entries: Entries, fileSetId: string, { tracker, identity }: Call): Steps<Entries> {
  const rule = tracker.ask('search.visible')
  if (rule === 'all') return entries
  if (rule === 'own') return yield* ownEntries(entries, fileSetId, identity.userId)
  return yield* listedEntries(entries, fileSetId, identity.directories?.get(fileSetId) ?? [])
}

function* ownEntries(entries: Entries, fileSetId: string, userId: Integer): Steps<Entries> {
  return yield* remembered(entries, `user ${userId}`, () => {
    const createdBy = entries.integer('createdBy')
    const owner = BigInt(userId)
    return restricted(entries, fileSetId, (slot) => BigInt(createdBy(slot) ?? -1) === owner)
  })
}

/** @param directories paths without slashes around them; the empty one is the whole file set */
function* listedEntries(entries: Entries, fileSetId: string, directories: readonly string[]): Steps<Entries> {
  if (directories.includes('')) return entries
  return yield* remembered(entries, JSON.stringify(directories), () => {
    const path = entries.text('path')
    const isListed = (text: string) => directories.some((one) => text === one || text.startsWith(`${one}/`))
    return restricted(entries, fileSetId, (slot) => isListed(path(slot) ?? ''))
  })
}

/** Restricted views that are cached for the same entries. */
const MAX_VIEWS = 64

const views = new WeakMap<Entries, Map<string, Entries>>()

function* remembered(entries: Entries, key: string, make: () => Steps<Entries>): Steps<Entries> {
  const known = views.get(entries) ?? new Map<string, Entries>()
  const found = known.get(key)
  if (found) return found
  const made = yield* make()
  if (known.size >= MAX_VIEWS) known.clear()
  views.set(entries, known.set(key, made))
  return made
}

/** Entries that are looked at in one step. */
const MAX_LOOKED = 512

function* restricted(entries: Entries, fileSetId: string, isVisible: (slot: number) => boolean): Steps<Entries> {
  const records: EntryRecord[] = []
  let looked = 0
  for (const slot of entries.slots()) {
    if (++looked % MAX_LOOKED === 0) yield
    if (!entries.isImplied(slot) && isVisible(slot)) records.push(entries.record(slot))
  }
  return new Entries(fileSetId, yield* recordsInSteps(fileSetId, records, yield* directoryFields(entries)))
}
