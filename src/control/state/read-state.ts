import { invalid, violation } from '../../errors/violation.ts'
import { readInstant } from '../../engine/control-route.ts'
import { readStoredFaults } from '../../faults/read-fault.ts'
import { readCollections } from '../../resources/collections/read-collections.ts'
import { readEntries, refuseTooManyEntries } from '../../resources/file-sets/control/file-sets.ts'
import type { DeliveryRecord, StateDocument, StoredFileSet, StoredReportSchedule } from '../client/types.ts'
import { type InitialFileSet, STATE_VERSION } from './write-state.ts'
import type { Beginning } from '../../engine/snapshot.ts'
import type { FixtureRules } from '../../seed/fixtures.ts'
import { encodePointer } from '../../formats/json.ts'
import { type Violation } from '../../errors/problem.ts'
import { fileSetInSteps } from '../../seed/initial-state.ts'
import type { Clock } from '../../engine/clock.ts'
import { type Entries, inSteps } from '../../resources/file-sets/store/entries.ts'
import type { EntryRecord } from '../../resources/file-sets/store/file-record.ts'
import { createLatest } from '../../engine/latest.ts'
import type { ReportSchedule } from '../../resources/report-schedules/calendar/report-schedule.ts'
import { type Delivery, MOST_RUNS_KEPT } from '../../resources/report-schedules/calendar/run.ts'
import type { Steps } from '../../engine/steps.ts'
import { type FileSet, NO_OVERRIDES, type Overrides, type State } from '../../engine/state.ts'
import { stateTooNew } from '../../errors/sandbox-errors.ts'

/** A document of a newer Standin holds what this one does not know, so it is refused before anything of it is read. @throws Problem 409 */
export function refuseNewerState(body: unknown): void {
  const version: unknown = typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined
  if (typeof version !== 'number' || version <= STATE_VERSION) return
  throw stateTooNew({
    detail: `The document is of version ${version}; this Standin reads up to ${STATE_VERSION}. Use the Standin that made it, or a newer one.`,
  })
}

/** By which rules a state is read. */
export interface Origin {
  readonly rules: FixtureRules
  /** The state whose file sets are only named. */
  readonly initialState?: State
  /** File sets that were generated already, by what from; for whoever reads many states. */
  readonly made?: Map<string, FileSet>
}

/**
 * Reads a state document that holds to the contract. Every part is checked before anything is changed.
 *
 * @throws Problem 400 with what is wrong
 */
export function* readState(from: Origin, written: StateDocument): Steps<Beginning> {
  const time = (text: string, pointer: string) => readInstant(text, { pointer })
  refuseRepeated(written)
  // What a log holds was let in before.
  if (!from.initialState)
    refuseTooManyEntries(written.fileSets.map(({ files = [], generated }) => files.length + (generated?.files ?? 0)))
  const reportSchedules = written.reportSchedules.map((one, index) =>
    readReportSchedule(from, one, `/reportSchedules/${index}`),
  )
  const progress = written.progress.map(({ scheduleId, settled, lastRun }, index) => {
    const at = `/progress/${index}`
    const last = lastRun === undefined ? undefined : time(lastRun, `${at}/lastRun`)
    return [scheduleId, { settled: time(settled, `${at}/settled`), lastRun: last }] as const
  })
  const runs = written.runs.map(({ id, at, reportSchedule }, index) => ({
    id,
    at: time(at, `/runs/${index}/at`),
    reportSchedule: readReportSchedule(from, reportSchedule, `/runs/${index}/reportSchedule`),
  }))
  const fileSets = new Map<string, FileSet>()
  for (const [index, one] of written.fileSets.entries())
    fileSets.set(one.id, yield* readFileSet(from, one, `/fileSets/${index}`))
  const state: State = {
    seed: written.seed,
    clock: readClock(written.clock),
    fileSets,
    reportSchedules: new Map(reportSchedules.map((one) => [one.id, one])),
    nextReportScheduleId: written.nextReportScheduleId,
    runsSince: time(written.runsSince, '/runsSince'),
    progress: new Map(progress),
    runs: createLatest(MOST_RUNS_KEPT, runs),
    deliveries: createLatest(
      MOST_RUNS_KEPT,
      written.deliveries.map((one, index) => readDelivery(one, `/deliveries/${index}`)),
    ),
    nextRunId: written.nextRunId,
    nextDeliveryId: written.nextDeliveryId,
    faults: readStoredFaults(written.faults ?? []),
    nextFaultId: written.nextFaultId ?? 1,
    overrides: readOverrides(from, written.behaviours ?? NO_OVERRIDES, '/behaviours'),
    collections: readCollections(written.collections ?? []),
  }
  return { state, requests: written.requests }
}

/** settings of behaviours. @throws Problem 400 for those that cannot be given */
export function readOverrides({ rules }: Pick<Origin, 'rules'>, overrides: Overrides, pointer: string): Overrides {
  const complaints = rules.checkOverrides(overrides)
  if (complaints.length === 0) return overrides
  throw invalid(
    complaints.map(({ id, value, complaint }) => ({
      ...violation({ pointer: `${pointer}/${encodePointer(id)}` }, 'behaviour', 'an answer of the ledger', value),
      message: complaint,
    })),
  )
}

/** Ids are there once, and the next ones lie beyond them. */
function refuseRepeated(written: StateDocument): void {
  const violations: Violation[] = []
  const check = (list: readonly { readonly id: number | string }[], name: string, next?: keyof StateDocument) => {
    const ids = new Set<number | string>()
    for (const [index, { id }] of list.entries()) {
      const pointer = `/${name}/${index}/id`
      if (ids.has(id)) violations.push(violation({ pointer }, 'repeated', 'each id once', id))
      if (next && Number(id) >= Number(written[next]))
        violations.push(violation({ pointer }, next, `an id below ${next}`, id))
      ids.add(id)
    }
  }
  check(written.fileSets, 'fileSets')
  check(written.reportSchedules, 'reportSchedules', 'nextReportScheduleId')
  check(written.faults ?? [], 'faults')
  check(written.runs, 'runs', 'nextRunId')
  check(written.deliveries, 'deliveries', 'nextDeliveryId')
  if (violations.length > 0) throw invalid(violations)
}

export function readClock({ mode, at, since, rate }: StateDocument['clock']): Clock {
  const shows = readInstant(at, { pointer: '/clock/at' })
  if (mode === 'frozen') return { mode, at: shows }
  if (since === undefined || rate === undefined)
    throw invalid([violation({ pointer: '/clock' }, 'clock', 'since and rate for a clock that runs')])
  return { mode, at: shows, since: readInstant(since, { pointer: '/clock/since' }), rate }
}

export function* readFileSet(from: Origin, stored: StoredFileSet & InitialFileSet, pointer: string): Steps<FileSet> {
  const { id, version, files, removed = [] } = stored
  const directories = (stored.directories ?? []) as readonly EntryRecord[]
  directories.forEach(({ created }, index) =>
    readInstant(created, { pointer: `${pointer}/directories/${index}/created` }),
  )
  const base = yield* readBase(from, stored, pointer)
  if (base) {
    const left = yield* without(base.entries, removed, `${pointer}/removed`)
    const added = yield* readEntries(from, id, files ?? [], { present: left, pointer: `${pointer}/files` })
    return { ...base, entries: yield* inSteps(left, { added, directories }), version }
  }
  if (files === undefined || removed.length > 0)
    throw invalid([violation({ pointer }, 'fileSet', 'files, or generated', Object.keys(stored).join(', '))])
  const records = yield* readEntries(from, id, files, { pointer: `${pointer}/files` })
  const made = yield* fileSetInSteps({ id, records }, { seed: 0, firstMoment: 0 })
  return { ...made, entries: yield* inSteps(made.entries, { directories }), version }
}

/** The file set that one differs from; undefined when all of it was told. */
function* readBase(
  { initialState, made }: Origin,
  stored: StoredFileSet & InitialFileSet,
  pointer: string,
): Steps<FileSet | undefined> {
  const { id, generated } = stored
  if (stored.initialState) return initialState?.fileSets.get(id)
  if (!generated) return undefined
  const firstMoment = readInstant(generated.firstMoment, { pointer: `${pointer}/generated/firstMoment` })
  const known = JSON.stringify([id, generated])
  const fileSet =
    made?.get(known) ??
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

function* without(entries: Entries, removed: readonly string[], pointer: string): Steps<Entries> {
  const strange = removed.findIndex((path) => entries.slotAt(path) === undefined)
  if (strange >= 0) {
    const where = { pointer: `${pointer}/${strange}` }
    throw invalid([violation(where, 'removed', 'the path of a generated file', removed[strange])])
  }
  return yield* inSteps(entries, { removed })
}

/** What the service would have refused is refused here too, but for what the behaviours let an update leave empty. */
export function readReportSchedule(from: Origin, stored: StoredReportSchedule, pointer: string): ReportSchedule {
  const { id, ownerId, written, revision, ...rest } = stored
  const info = rest as Omit<ReportSchedule, 'id' | 'ownerId' | 'written' | 'revision'>
  const given = Object.fromEntries(Object.entries(bodyOf(info)).filter(([, value]) => value !== null && value !== ''))
  const violations = from.rules
    .checkReportSchedule(given)
    .filter(({ received }) => received !== undefined)
    .map(({ pointer: at = '', expected, received = '' }) => ({
      ...violation({ pointer: pointer + at }, 'reportSchedule', expected),
      message: `${pointer}${at}: expected ${expected}, got ${received}.`,
      received,
    }))
  if (violations.length > 0) throw invalid(violations)
  if (!Number.isSafeInteger(id)) throw invalid([violation({ pointer: `${pointer}/id` }, 'id', 'an id below 2^53', id)])
  return { id, ...info, ownerId, written: readInstant(written, { pointer: `${pointer}/written` }), revision }
}

/** What a client would have sent: members that a contract of the user's own adds stand among the others there. */
export function bodyOf({ added, schedule, ...rest }: Pick<ReportSchedule, 'added' | 'schedule'>): object {
  if (!schedule) return { ...rest, ...added, schedule }
  const { added: addedSettings, ...settings } = schedule
  return { ...rest, ...added, schedule: { ...settings, ...addedSettings } }
}

export function readDelivery({ at, scheduleId, ...rest }: DeliveryRecord, pointer: string): Delivery {
  const { id, runId, recipient, title, pageId, viewId, attachmentInclude } = rest
  const facts = { id, runId, at: readInstant(at, { pointer: `${pointer}/at` }), reportScheduleId: scheduleId }
  return { ...facts, recipient, title, pageId, viewId, attachmentInclude }
}
