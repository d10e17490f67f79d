import { once } from '../../base/cache.ts'
import { type Behaviours, chooseBehaviours } from '../../behaviours/behaviours.ts'
import { createBehaviourTracker } from '../../behaviours/tracker.ts'
import type { State, StateEvent } from '../../engine/state.ts'
import { shown, type Violation } from '../../base/errors/problem.ts'
import { asObject, type Integer, type Members, withNumbers } from '../../base/formats/json.ts'
import { EventDefect } from '../handler.ts'
import type { RuleParts } from '../resource.ts'
import { deliveriesOf, distinctRecipients, type ReportSchedule } from './report-schedule.ts'
import { infoOf } from './report-schedule-document.ts'
import { normalizeReportScheduleInfo, readReportScheduleInfo } from './report-schedule-info.ts'

/** The body of a create with defaults filled in. */
type GivenReportSchedule = Pick<
  ReportSchedule,
  'title' | 'pageId' | 'viewId' | 'attachmentInclude' | 'schedule' | 'added'
>

/** Reads report schedules that do not come from requests: from fixtures, restored states, and users' handlers. */
export interface GivenReportSchedules {
  /** Whether the user's contract names a member beyond those of the interface. */
  isAdded(name: string): boolean
  /** A body that was written for another contract, with what the user's requires. */
  completeBody(body: Members): unknown
  check(info: unknown): readonly Violation[]
  /**
   * For what passes the check.
   *
   * @param isChecked whether the contract is known to allow it, so that its schemas need not be compiled
   */
  complete(info: unknown, isChecked?: boolean): GivenReportSchedule
}

/**
 * What the default settings accept is never refused here. So a configuration that only accepts recipients of type EMAIL still starts with
 * a schedule for a GROUP.
 */
export function createGivenReportSchedules({
  behaviours,
  firstMoment,
  operation,
  adapter: adapterOf,
}: RuleParts): GivenReportSchedules {
  const adapter = adapterOf('createReportSchedule')
  const { adaptation } = adapter ?? {}
  const checkBody = operation('createReportSchedule')?.checkBody ?? (() => [])
  // Honoured dates are part of a schedule, whatever the other settings are.
  const dates = { id: 'schedule.dates', value: behaviours.settings['schedule.dates'], setBy: 'the configuration' }
  const defaults = once(() => chooseBehaviours(behaviours.catalog, { overrides: [dates] }))
  const read = (given: unknown, by: Behaviours, isChecked = false) => {
    const tracker = createBehaviourTracker(by)
    const body = normalizeReportScheduleInfo(given, tracker, adaptation)
    const required = [{ pointers: by.settings['create.required'], behaviour: 'create.required' }] as const
    const { info, violations } = readReportScheduleInfo(body, tracker, { required, adaptation })
    return { by, info, violations: isChecked ? violations : [...checkBody(withNumbers(body)), ...violations] }
  }
  return {
    isAdded: (name) => adaptation?.added['']?.has(name) === true,
    completeBody: (body) => adapter?.completeBody(body, firstMoment) ?? body,
    check(given) {
      const { violations } = read(given, behaviours)
      return violations.length > 0 && read(given, defaults()).violations.length === 0 ? [] : violations
    },
    complete(given, isChecked) {
      const strict = read(given, behaviours, isChecked)
      const { by, info } = strict.violations.length === 0 ? strict : read(given, defaults())
      return {
        title: info.title ?? '',
        pageId: info.pageId ?? null,
        viewId: info.viewId ?? null,
        attachmentInclude: info.attachmentInclude ?? by.settings['create.defaults'].attachmentInclude,
        schedule: info.schedule ?? null,
        ...(info.added ? { added: info.added } : {}),
      }
    },
  }
}

/** An event of a user's handler. */
export type ReportScheduleEvent =
  | { readonly type: 'create-report-schedule'; readonly info: object }
  | { readonly type: 'change-report-schedule'; readonly id: number; readonly change: object }
  | { readonly type: 'remove-report-schedule'; readonly id: number }
  | { readonly type: 'run-report-schedule'; readonly id: number }

/** The request that an event comes from. */
export interface EventOrigin {
  /** Epoch ms. */
  readonly now: number
  readonly userId: Integer
}

/** The event of the state that an event of a user's handler stands for. @throws EventDefect for an impossible one */
export function readReportScheduleEvent(
  event: ReportScheduleEvent,
  state: State,
  given: GivenReportSchedules,
  { now, userId }: EventOrigin,
): StateEvent {
  if (event.type === 'create-report-schedule') {
    const facts = { ownerId: userId, written: now, revision: 1 }
    const reportSchedule = { id: state.nextReportScheduleId, ...complete(event.info, given), ...facts }
    return { type: 'report-schedule.created', reportSchedule }
  }
  const stored = state.reportSchedules.get(event.id)
  if (!stored) throw new EventDefect(`there is no report schedule ${shown(event.id)}.`)
  switch (event.type) {
    case 'change-report-schedule': {
      const { id, ownerId, revision } = stored
      const changed = complete(changedInfo(stored, event.change), given)
      const reportSchedule = { id, ...changed, ownerId, written: now, revision: revision + 1 }
      return { type: 'report-schedule.updated', reportSchedule }
    }
    case 'remove-report-schedule':
      return { type: 'report-schedule.removed', reportScheduleId: stored.id }
    case 'run-report-schedule': {
      const run = { id: state.nextRunId, at: now, reportSchedule: stored }
      const deliveries = deliveriesOf(run, distinctRecipients(stored), state.nextDeliveryId)
      return { type: 'report-schedule.ran', run, deliveries }
    }
  }
}

/** @throws EventDefect with the first violation */
function complete(info: unknown, given: GivenReportSchedules): GivenReportSchedule {
  const [first] = given.check(info)
  if (first) throw new EventDefect(`the report schedule is not valid: ${first.message}`)
  return given.complete(info)
}

/** The body of a create for the stored schedule with a change laid over it. */
function changedInfo(stored: ReportSchedule, change: object): unknown {
  const before = infoOf(stored)
  const settings = asObject('schedule' in change ? change.schedule : undefined)
  const info: Readonly<Record<string, unknown>> = {
    ...before,
    ...change,
    schedule: { ...(before.schedule ?? {}), ...settings },
  }
  return Object.fromEntries(Object.entries(info).filter(([, value]) => (value ?? null) !== null))
}
