import { iso } from '../../engine/instant.ts'
import { addedSlots } from '../../resources/file-sets/control/file-sets.ts'
import { writeFault } from '../../faults/show-fault.ts'
import { showDelivery, showStored } from '../show.ts'
import type { StateDocument, StoredCollection, StoredFileSet } from '../client/types.ts'
import { lazily } from '../../formats/json-pieces.ts'
import { counted } from '../../errors/counted.ts'
import type { Beginning } from '../../engine/snapshot.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import type { Clock } from '../../engine/clock.ts'
import type { Documents } from '../../resources/collections/collection-store.ts'
import { createEntries, type Entries, inSteps, keptDirectories } from '../../resources/file-sets/store/entries.ts'
import type { EntryRecord } from '../../resources/file-sets/store/file-record.ts'
import { recordsInSteps } from '../../resources/file-sets/store/records.ts'
import type { Run } from '../../resources/report-schedules/calendar/run.ts'
import { runSteps, type Steps } from '../../engine/steps.ts'
import type { FileSet, State } from '../../engine/state.ts'
import { stateTooLarge } from '../../errors/sandbox-errors.ts'

export const STATE_VERSION = 1

/** A file set that differs only so far from the one that the state was created with. No state that leaves the process has it. */
export interface InitialFileSet {
  readonly initialState?: true
}

/** A document is sent in one body, and so many records come near the most that a body may be, 100 MiB. */
const MOST_RECORDS = 200_000

/**
 * All of a sandbox but its checkpoints, as it is now; the lists are made when they are written.
 *
 * @throws Problem 409 when it has more files than a document can hold
 */
export function* writeState(sandbox: Sandbox): Steps<StateDocument> {
  const snapshot = sandbox.snapshot()
  refuseTooLarge([...snapshot.state.fileSets.values()])
  yield* prepareFileSets(snapshot.state)
  return writeSandboxState(snapshot, { list: lazily })
}

interface Writing {
  /** File sets of this state, as they are in it, are only named. */
  readonly initialState?: State | undefined
  /** How lists are made: at once, or when they are written. */
  readonly list?: typeof lazily
}

const atOnce: typeof lazily = (items, make) => Array.from(items, make)

/** All of a state, however large. */
export function writeSandboxState(
  { state, requests }: Beginning,
  { initialState, list = atOnce }: Writing = {},
): StateDocument {
  return {
    format: 'standin-state',
    version: STATE_VERSION,
    seed: state.seed,
    clock: writeClock(state.clock),
    requests,
    nextReportScheduleId: state.nextReportScheduleId,
    nextRunId: state.nextRunId,
    nextDeliveryId: state.nextDeliveryId,
    runsSince: iso(state.runsSince),
    fileSets: list(state.fileSets.values(), (fileSet) => writeFileSet(fileSet, initialState)),
    reportSchedules: list(state.reportSchedules.values(), showStored),
    progress: list(state.progress, ([scheduleId, { settled, lastRun }]) => ({
      scheduleId,
      settled: iso(settled),
      lastRun: lastRun === undefined ? undefined : iso(lastRun),
    })),
    runs: list(state.runs, writeRun),
    deliveries: list(state.deliveries, showDelivery),
    faults: [...state.faults.values()].map(writeFault),
    nextFaultId: state.nextFaultId,
    behaviours: state.overrides,
    // Most states have none.
    ...(state.collections.size > 0 ? { collections: [...state.collections].map(writeCollection) } : {}),
  }
}

function writeCollection([name, documents]: readonly [string, Documents]): StoredCollection {
  const written = [...documents].map(([id, { value }]) => ({ id, document: value }))
  return { name, made: documents.made, documents: written }
}

export function writeRun({ id, at, reportSchedule }: Run): StateDocument['runs'][number] {
  return { id, at: iso(at), reportSchedule: showStored(reportSchedule) }
}

export function writeClock(clock: Clock): StateDocument['clock'] {
  const { mode, at } = clock
  return mode === 'frozen' ? { mode, at: iso(at) } : { mode, at: iso(at), since: iso(clock.since), rate: clock.rate }
}

export function writeFileSet(fileSet: FileSet, initialState?: State): StoredFileSet & InitialFileSet {
  const { id, entries, version, generated } = fileSet
  const isBorn = isOfBirth(fileSet, initialState)
  if (!isBorn && !generated) return { id, version, files: [...entries.told()], ...kept(fileSet, false) }
  const made = isBorn
    ? ({ initialState: true } as const)
    : { generated: generated && { ...generated, firstMoment: iso(generated.firstMoment) } }
  if (entries.isUnchanged) return { id, version, ...made }
  const removed = removedPaths(entries)
  const files = addedRecords(entries)
  return { id, version, ...made, removed, files, ...kept(fileSet, true) }
}

function isOfBirth({ id, entries }: FileSet, initialState?: State): boolean {
  return initialState?.fileSets.get(id)?.entries.base === entries.base
}

function kept(fileSet: FileSet, isOnBase: boolean): Pick<StoredFileSet, 'directories'> {
  const directories = runSteps(findKept(fileSet, isOnBase))
  return directories.length === 0 ? {} : { directories }
}

/** Does in steps what takes long when the file sets of a state are written; they are written all the quicker for it. */
export function* prepareFileSets({ fileSets }: State, initialState?: State): Steps<undefined> {
  for (const fileSet of fileSets.values()) {
    const isOnBase = isOfBirth(fileSet, initialState) || fileSet.generated !== undefined
    if (!isOnBase || !fileSet.entries.isUnchanged) yield* findKept(fileSet, isOnBase)
  }
  return undefined
}

/** Directories that only the past of the set tells of: those that did not change with what lies in them (`dir.implied`). */
function* findKept({ id, entries }: FileSet, isOnBase: boolean): Steps<readonly EntryRecord[]> {
  const found = isOnBase ? KEPT.onBase : KEPT.alone
  const known = found.get(entries)
  if (known) return known
  const again = isOnBase
    ? yield* inSteps(createEntries(id, entries.base), { removed: removedPaths(entries), added: addedRecords(entries) })
    : createEntries(id, yield* recordsInSteps(id, [...entries.told()]))
  const kept = yield* keptDirectories(entries, again)
  found.set(entries, kept)
  return kept
}

/** What was found for entries before, whether they are compared with their base or made anew of their records. */
const KEPT = {
  onBase: new WeakMap<Entries, readonly EntryRecord[]>(),
  alone: new WeakMap<Entries, readonly EntryRecord[]>(),
}

/** What was generated and is gone. */
function removedPaths(entries: Entries): string[] {
  const { base } = entries
  const paths: string[] = []
  for (let slot = 0; slot < base.count; slot++)
    if (base.isTold(slot) && entries.isGone(slot)) paths.push(base.record(slot).path)
  return paths
}

/** What was added to a set that was generated, or changed in it. */
function addedRecords(entries: Entries): EntryRecord[] {
  return [...addedSlots(entries)].filter((slot) => !entries.isImplied(slot)).map((slot) => entries.record(slot))
}

/** @throws Problem 409 */
export function refuseTooLarge(fileSets: readonly FileSet[], initialState?: State): void {
  const records = fileSets.reduce(
    (sum, { id, entries, generated }) =>
      sum +
      entries.count -
      (generated || initialState?.fileSets.get(id)?.entries.base === entries.base ? entries.base.count : 0),
    0,
  )
  if (records <= MOST_RECORDS) return
  throw stateTooLarge({
    detail: `File sets that are not as they were generated hold ${counted(records, 'entry', 'entries')}; a document holds ${MOST_RECORDS}. Keep a checkpoint instead.`,
  })
}
