import { rememberingAll } from '../../base/cache.ts'
import { counted } from '../../base/errors/wording.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { LAST_INSTANT } from '../../base/formats/instant.ts'
import type { AdvancePlan, DueEvent, ScheduledSandbox, Scheduler, State, StateEvent } from '../../engine/state.ts'
import { runSteps, type Steps } from '../../engine/slices.ts'
import type { PassedRun } from '../../../types/control-api.d.ts'
import { showRunFacts, writeDeliveryAt } from './report-schedule-document.ts'
import { type Agenda, createAgenda } from '../../engine/clock/agenda.ts'
import { calendarChoices, decodeMonthDays, decodeWeekdays, nextRunOf, progressOf, runRule } from './next-run-date.ts'
import {
  deliveriesOf,
  distinctRecipients,
  type Recipient,
  type ReportSchedule,
  type Run,
  type CalendarChoices,
} from './report-schedule.ts'
import { tooManyRuns } from '../../base/errors/resource-errors.ts'

/** For one move of the clock. */
const MAX_RUNS = 100_000
const MAX_DELIVERIES = 1_000_000

/** Finds the runs of report schedules that fall due. */
export class Runner implements Scheduler {
  readonly #sandbox: ScheduledSandbox
  /** Finding the next run of each schedule takes most of the time of a first response, so it waits until a run may fall due. */
  #agenda: Agenda<number> | undefined
  #choices: CalendarChoices | undefined

  constructor(sandbox: ScheduledSandbox) {
    this.#sandbox = sandbox
  }

  quietUntil(): number {
    if (this.#agenda) return this.#agenda.first()?.at ?? Infinity
    return firstPossibleRun(this.#sandbox.state.runsSince, this.#settings())
  }

  next(reportScheduleId?: number): number | undefined {
    const agenda = this.#present()
    return reportScheduleId === undefined ? agenda.first()?.at : agenda.of(reportScheduleId)
  }

  due(until: number): readonly DueEvent[] {
    const { state } = this.#sandbox
    const from = this.#present().first()?.at ?? until
    let runs = runSteps(takeRuns(state, this.#present(), until, this.#settings()))
    // Runs that would be dropped at once are not computed: only the time before `until` that fills the list.
    for (let share = 0.9; !runs; share /= 2) {
      this.#agenda = this.#createAgenda(until - Math.floor(share * longestStep(state, from, until)))
      runs = runSteps(takeRuns(state, this.#agenda, until, this.#settings()))
    }
    return runs
  }

  *plan(until: number): Steps<AdvancePlan> {
    const { state } = this.#sandbox
    const after = this.#present().copy()
    yield
    const due = yield* takeRuns(state, after, until, this.#settings())
    if (!due) throw runLimitExceeded(state, this.#present().first()?.at ?? until, until)
    return { due, take: () => void (this.#agenda = after) }
  }

  onEvent(event: StateEvent): void {
    if (!this.#agenda) return
    if (event.type === 'clock.moved' && event.to < event.from) this.#agenda = undefined
    else if (event.type === 'report-schedule.removed') this.#agenda.set(event.reportScheduleId, undefined)
    else if (event.type === 'report-schedule.created' || event.type === 'report-schedule.updated')
      this.#agenda.set(event.reportSchedule.id, this.#nextOf(event.reportSchedule))
  }

  onRepeat(event: StateEvent): void {
    if (event.type === 'report-schedule.ran') this.#agenda = undefined
  }

  forget(): void {
    this.#agenda = undefined
    this.#choices = undefined
  }

  #settings(): CalendarChoices {
    return (this.#choices ??= calendarChoices(this.#sandbox.settings))
  }

  #present(): Agenda<number> {
    return (this.#agenda ??= this.#createAgenda())
  }

  #createAgenda(since?: number): Agenda<number> {
    return createAgenda(
      [...this.#sandbox.state.reportSchedules.values()].flatMap((reportSchedule) => {
        const at = this.#nextOf(reportSchedule, since)
        return at === undefined ? [] : [{ at, key: reportSchedule.id }]
      }),
    )
  }

  #nextOf(reportSchedule: ReportSchedule, since = -Infinity): number | undefined {
    const { settled, lastRun } = progressOf(this.#sandbox.state, reportSchedule)
    return withinTime(nextRunOf(reportSchedule, { settled: Math.max(settled, since), lastRun }, this.#settings()))
  }
}

/** A run that falls due. Its deliveries are created when they are needed. */
class PlannedRun implements DueEvent {
  readonly listedIn = 'runs'
  readonly #run: Run
  readonly #recipients: readonly Recipient[]
  readonly #firstDeliveryId: number

  constructor(run: Run, recipients: readonly Recipient[], firstDeliveryId: number) {
    this.#run = run
    this.#recipients = recipients
    this.#firstDeliveryId = firstDeliveryId
  }

  get at() {
    return this.#run.at
  }

  get parts() {
    return this.#recipients.length
  }

  toEvent() {
    const deliveries = deliveriesOf(this.#run, this.#recipients, this.#firstDeliveryId)
    return { type: 'report-schedule.ran', run: this.#run, deliveries } as const
  }

  /** A year of many schedules has a hundred thousand deliveries, so an instant that they share is formatted once. */
  show(): PassedRun {
    const facts = showRunFacts(this.#run)
    return { ...facts, deliveries: this.toEvent().deliveries.map((delivery) => writeDeliveryAt(delivery, facts.at)) }
  }
}

/** Schedules run at whole minutes. Until 1972 the offset of some time zones from UTC was not a whole number of minutes. */
function firstPossibleRun(after: number, { when }: CalendarChoices): number {
  return after < WHOLE_MINUTES_SINCE || when === 'inclusive' ? after : (Math.floor(after / MINUTE) + 1) * MINUTE
}

const MINUTE = 60_000
const WHOLE_MINUTES_SINCE = Date.UTC(1973, 0, 1)

/** Undefined after the last instant that a clock can show. */
function withinTime(at: number | undefined): number | undefined {
  return at === undefined || at > LAST_INSTANT ? undefined : at
}

/** Takes the runs up to an instant from an agenda, one in each step. Undefined when there are too many. */
function* takeRuns(
  state: State,
  agenda: Agenda<number>,
  until: number,
  choices: CalendarChoices,
): Steps<readonly PlannedRun[] | undefined> {
  const runs: PlannedRun[] = []
  const recipientsOf = rememberingAll(distinctRecipients)
  let { nextRunId, nextDeliveryId } = state
  for (let first = agenda.first(); first && first.at <= until; first = agenda.first()) {
    const { at, key: reportScheduleId } = first
    const reportSchedule = state.reportSchedules.get(reportScheduleId)
    if (!reportSchedule)
      throw new Error(`the agenda has the report schedule ${reportScheduleId}, which the state does not have`)
    const recipients = recipientsOf(reportSchedule)
    runs.push(new PlannedRun({ id: nextRunId++, at, reportSchedule }, recipients, nextDeliveryId))
    nextDeliveryId += recipients.length
    if (runs.length > MAX_RUNS || nextDeliveryId - state.nextDeliveryId > MAX_DELIVERIES) return undefined
    agenda.set(reportScheduleId, withinTime(nextRunOf(reportSchedule, { settled: at, lastRun: at }, choices)))
    yield
  }
  return runs
}

interface Rates {
  /** Per millisecond, of all schedules together. */
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

const MILLISECONDS_OF = { day: 86_400_000, week: 7 * 86_400_000, month: 30.436875 * 86_400_000 }

/** The approximate number of runs of a schedule per millisecond. */
function runsPerMillisecond({ schedule }: ReportSchedule): number {
  const rule = schedule?.enabled === true ? runRule(schedule) : undefined
  if (!rule) return 0
  if (rule.frequency === 'DAILY') return 1 / MILLISECONDS_OF.day
  if (rule.frequency === 'WEEKLY') return (decodeWeekdays(rule.daysToRun)?.length ?? 0) / MILLISECONDS_OF.week
  return (decodeMonthDays(rule.daysToRun)?.length ?? 0) / MILLISECONDS_OF.month
}

/** The share of a span that lies from startDate to expirationDate, from 0 to 1. */
function shareWithinDates({ schedule }: ReportSchedule, from: number, until: number): number {
  const start = Math.max(from, schedule?.startDate ?? from)
  const end = Math.min(until, schedule?.expirationDate ?? until)
  return until > from ? Math.max(0, end - start) / (until - from) : 1
}

/** Milliseconds that contain about as many runs as one move may make. */
function longestStep(state: State, from: number, until: number): number {
  const { runs, deliveries } = ratesOf(state, from, until)
  return Math.min(MAX_RUNS / runs, MAX_DELIVERIES / deliveries, until - from)
}

function runLimitExceeded(state: State, from: number, until: number): Problem {
  const { runs, deliveries } = ratesOf(state, from, until)
  const about = (rate: number) => Math.round(rate * (until - from)).toLocaleString('en')
  return tooManyRuns({
    detail:
      `Up to ${new Date(until).toISOString()} there would be about ${counted(about(runs), 'run')} with ${counted(about(deliveries), 'delivery', 'deliveries')}; ` +
      `one step may make ${MAX_RUNS.toLocaleString('en')} runs and ${MAX_DELIVERIES.toLocaleString('en')} deliveries. ` +
      'Nothing was changed. Move the clock in smaller steps, or disable schedules first.',
  })
}
