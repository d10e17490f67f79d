import { counted } from '../../errors/wording.ts'
import type { Problem } from '../../errors/problem.ts'
import { LAST_INSTANT } from '../../engine/clock.ts'
import type { StateEvent, State } from '../../engine/state.ts'
import { type Agenda, createAgenda } from './calendar/agenda.ts'
import type { CalendarChoices } from './calendar/next-run-date.ts'
import type { Recipient, ReportSchedule } from './calendar/report-schedule.ts'
import {
  deliveriesOf,
  distinctRecipients,
  nextRunOf,
  type Run,
  runsPerMillisecond,
  shareWithinDates,
} from './calendar/run.ts'
import { progressOf } from './report-schedule-state.ts'
import { tooManyRuns } from '../../errors/resource-errors.ts'

/** Works out which runs fall due. It has no timer and changes no state: it answers events, which must be stored at once. */
export interface Runner {
  /** Epoch ms of the first run to come, of all schedules or of one; undefined when there is none. */
  next(reportScheduleId?: number): number | undefined
  /** The runs up to an instant, in order. When they are more than a state remembers, the oldest are passed over. */
  due(until: number): RunEvent[]
  /**
   * The same, for a clock that is advanced: in steps, for they may be many. Nothing is taken for done before `take`.
   *
   * @throws Problem 409 with the figure when they are too many
   */
  plan(until: number): Generator<undefined, RunPlan>
  /** Whether it has worked out when each schedule runs; it does when it is first asked. */
  isAwake(): boolean
  /** Called after every other event was stored. */
  onEvent(event: StateEvent): void
  /** Called when the state was replaced. */
  forget(): void
}

/** The runs that an advance will make, in order. */
interface RunPlan {
  readonly runs: readonly PlannedRun[]
  /** Takes them for done: they must be stored at once, or forgotten. */
  take(): void
}

/** A run with what its deliveries are made from. */
export interface PlannedRun {
  readonly run: Run
  readonly recipients: readonly Recipient[]
  readonly firstDeliveryId: number
}

export type RunEvent = Extract<StateEvent, { readonly type: 'report-schedule.ran' }>

/** One jump makes so many at most. */
const MOST_RUNS = 100_000
const MOST_DELIVERIES = 1_000_000

/** @param choices the calendar's open questions, as the behaviours are set; they may change when `forget` is called */
export function createRunner(state: () => State, choices: () => CalendarChoices): Runner {
  let agenda: Agenda | undefined
  const nextOf = (reportSchedule: ReportSchedule, since = -Infinity) => {
    const { settled, lastRun } = progressOf(state(), reportSchedule)
    return withinTime(nextRunOf(reportSchedule, { settled: Math.max(settled, since), lastRun }, choices()))
  }
  const createFrom = (since?: number) =>
    createAgenda(
      [...state().reportSchedules.values()].flatMap((reportSchedule) => {
        const at = nextOf(reportSchedule, since)
        return at === undefined ? [] : [{ at, reportScheduleId: reportSchedule.id }]
      }),
    )
  const present = () => (agenda ??= createFrom())
  return {
    next: (reportScheduleId) =>
      reportScheduleId === undefined ? present().first()?.at : present().of(reportScheduleId),
    due(until) {
      const from = present().first()?.at ?? until
      let runs = atOnce(takeRuns(state(), present(), until, choices()))
      // Runs that would be dropped at once are not computed: only the time before `until` that fills the list.
      for (let share = 0.9; !runs; share /= 2) {
        agenda = createFrom(until - Math.floor(share * longestStep(state(), from, until)))
        runs = atOnce(takeRuns(state(), agenda, until, choices()))
      }
      return runs.map(toEvent)
    },
    *plan(until) {
      const after = present().copy()
      yield
      const runs = yield* takeRuns(state(), after, until, choices())
      if (!runs) throw runLimitExceeded(state(), present().first()?.at ?? until, until)
      return { runs, take: () => void (agenda = after) }
    },
    isAwake: () => agenda !== undefined,
    onEvent(event) {
      if (!agenda) return
      if (event.type === 'clock.moved' && event.to < event.from) agenda = undefined
      else if (event.type === 'report-schedule.removed') agenda.set(event.reportScheduleId, undefined)
      else if (event.type === 'report-schedule.created' || event.type === 'report-schedule.updated')
        agenda.set(event.reportSchedule.id, nextOf(event.reportSchedule))
    },
    forget() {
      agenda = undefined
    },
  }
}

/** The last year there is comes to an end, and with it the runs. */
function withinTime(at: number | undefined): number | undefined {
  return at === undefined || at > LAST_INSTANT ? undefined : at
}

/** Takes from an agenda all runs up to an instant, one in each step; undefined when they are too many. */
function* takeRuns(
  state: State,
  agenda: Agenda,
  until: number,
  choices: CalendarChoices,
): Generator<undefined, readonly PlannedRun[] | undefined> {
  const runs: PlannedRun[] = []
  const known = new Map<ReportSchedule, readonly Recipient[]>()
  let { nextRunId, nextDeliveryId } = state
  for (let first = agenda.first(); first && first.at <= until; first = agenda.first()) {
    const { at, reportScheduleId } = first
    const reportSchedule = state.reportSchedules.get(reportScheduleId)
    if (!reportSchedule)
      throw new Error(`the agenda has the report schedule ${reportScheduleId}, which the world has not`)
    const recipients = known.get(reportSchedule) ?? distinctRecipients(reportSchedule)
    known.set(reportSchedule, recipients)
    runs.push({ run: { id: nextRunId++, at, reportSchedule }, recipients, firstDeliveryId: nextDeliveryId })
    nextDeliveryId += recipients.length
    if (runs.length > MOST_RUNS || nextDeliveryId - state.nextDeliveryId > MOST_DELIVERIES) return undefined
    agenda.set(reportScheduleId, withinTime(nextRunOf(reportSchedule, { settled: at, lastRun: at }, choices)))
    yield
  }
  return runs
}

/** The event that a planned run is; its deliveries are made anew each time. */
export function toEvent({ run, recipients, firstDeliveryId }: PlannedRun): RunEvent {
  return { type: 'report-schedule.ran', run, deliveries: deliveriesOf(run, recipients, firstDeliveryId) }
}

function atOnce<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

interface Rates {
  /** About so many in a millisecond, of all schedules together. */
  readonly runs: number
  readonly deliveries: number
}

/** Over a span of time. */
function ratesOf({ reportSchedules }: State, from: number, until: number): Rates {
  let [runs, deliveries] = [0, 0]
  for (const reportSchedule of reportSchedules.values()) {
    const each = runsPerMillisecond(reportSchedule) * shareWithinDates(reportSchedule, from, until)
    runs += each
    deliveries += each * distinctRecipients(reportSchedule).length
  }
  return { runs, deliveries }
}

/** Milliseconds in which about as many runs are made as one step may make. */
function longestStep(state: State, from: number, until: number): number {
  const { runs, deliveries } = ratesOf(state, from, until)
  return Math.min(MOST_RUNS / runs, MOST_DELIVERIES / deliveries, until - from)
}

function runLimitExceeded(state: State, from: number, until: number): Problem {
  const { runs, deliveries } = ratesOf(state, from, until)
  const about = (rate: number) => Math.round(rate * (until - from)).toLocaleString('en')
  return tooManyRuns({
    detail:
      `Up to ${new Date(until).toISOString()} there would be about ${counted(about(runs), 'run')} with ${counted(about(deliveries), 'delivery', 'deliveries')}; ` +
      `one step may make ${MOST_RUNS.toLocaleString('en')} runs and ${MOST_DELIVERIES.toLocaleString('en')} deliveries. ` +
      'Nothing was changed. Move the clock in smaller steps, or disable schedules first.',
  })
}
