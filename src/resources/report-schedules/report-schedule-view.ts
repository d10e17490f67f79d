import { iso } from '../../base/formats/instant.ts'
import type { State } from '../../engine/state.ts'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { type BehaviourTracker, splitSetting } from '../../behaviours/tracker.ts'
import { type Integer, isObject, type Members } from '../../base/formats/json.ts'
import type { KnownContent } from '../adaptation.ts'
import type { Call } from '../handler.ts'
import { chanceKey, draw } from '../../engine/random.ts'
import { calendarChoices, nextRunOf, nextRunWithin, progressOf } from './next-run-date.ts'
import { withoutUndefined } from './report-schedule-info.ts'
import { DATES } from './schedule-settings.ts'
import {
  distinctRecipients,
  type ReportSchedule,
  type ScheduleSettings,
  type CalendarChoices,
} from './report-schedule.ts'

interface ResponseKind {
  readonly behaviour: 'create.response' | 'update.response'
  readonly status: number
  readonly seed: number
}

/** The response body of a create or an update. */
export function showReportSchedule(
  stored: ReportSchedule,
  call: Call,
  { behaviour, status, seed }: ResponseKind,
): unknown {
  const { tracker, adaptation } = call
  const shape = tracker.settings[behaviour]
  const isCreate = behaviour === 'create.response'
  tracker.note('response.nulls')
  if (shape === 'full') tracker.note(behaviour, 'response.full-type')
  if (isCreate || shape === 'full') tracker.note('response.report-view-id')
  const shown = showDocumented(stored, call, shape === 'full' || !isCreate)
  const { id, title, schedule } = shown
  const documented = isCreate ? shown : { id, title, schedule }
  if (shape === 'documented' && !adaptation) return withNulls(documented, tracker)
  const full = showAll(stored, call, shown, seed)
  const usual = shape === 'documented' ? documented : full
  return adaptation ? adaptation.complete(status, usual, knownOf(stored, full)) : withNulls(usual, tracker)
}

/** A report schedule for responses that only read it: what all of them show, and what they show where the contract names it. */
export function describeReportSchedule(
  stored: ReportSchedule,
  call: Call,
  state: State,
): { readonly usual: Members; readonly known: KnownContent } {
  const shown = showDocumented(stored, call, true)
  const { id, pageId, title, schedule } = shown
  const full = showAll(stored, call, shown, state.seed)
  const known = knownOf(stored, full)
  const progress = progressOf(state, stored)
  const nextRun = nextRunOf(stored, progress, calendarChoices(call.tracker.settings))
  const runs = withoutUndefined({
    nextRun: nextRun === undefined ? undefined : iso(nextRun),
    lastRun: progress.lastRun === undefined ? undefined : iso(progress.lastRun),
  })
  const whenNamed = { ...full, ...known.whenNamed, ...runs }
  return { usual: { id, pageId, title, schedule }, known: { ...known, whenNamed } }
}

type DocumentedSchedule = ReturnType<typeof showDocumented>

/** The fields of a documented create response. Fields that behaviours let a client clear are undefined. */
function showDocumented(stored: ReportSchedule, { tracker, now }: Call, withZone: boolean) {
  const { id, pageId, title, schedule, written } = stored
  return {
    id,
    reportViewId: reportViewIdOf(stored, tracker.settings),
    pageId: pageId ?? undefined,
    title: title === '' ? undefined : title,
    schedule: schedule ? showSettings(schedule, { tracker, now, written, withZone }) : undefined,
  }
}

/** `response.report-view-id` */
function reportViewIdOf({ id, viewId }: ReportSchedule, settings: BehaviourSettings): Integer | undefined {
  return settings['response.report-view-id'] === 'view-id' ? (viewId ?? undefined) : FIRST_REPORT_VIEW + id
}

const FIRST_REPORT_VIEW = 100_000

const NULLS = nulls(
  ...['id', 'reportViewId', 'pageId', 'title', 'viewName', 'type', 'ownerId', 'embedViewId', 'owner', 'cardCount'],
  ...['recipientCount', 'cardId', 'schedule'],
)
const NO_SETTINGS = nulls(
  ...['frequency', 'daysToRun', 'hourOfDay', 'minOfHour', 'timezone', 'enabled', 'additionalRecipients', 'nextRunDate'],
)

function nulls(...names: string[]): Members {
  return Object.fromEntries(names.map((name) => [name, null]))
}

/** `response.nulls`: adds null for every member that a report schedule, or its schedule, can have and this one does not. */
function withNulls(shown: Members, tracker: BehaviourTracker): Members {
  if (tracker.settings['response.nulls'] === 'omit') return shown
  const { schedule } = shown
  const noDates = tracker.settings['schedule.dates'] === 'honour' ? nulls(...DATES) : {}
  const settings = isObject(schedule) ? { schedule: { ...NO_SETTINGS, ...noDates, ...withoutUndefined(schedule) } } : {}
  return { ...NULLS, ...withoutUndefined(shown), ...settings }
}

/** What is stored besides the fields that responses usually show. */
function knownOf(stored: ReportSchedule, full: Members): KnownContent {
  const { viewId, attachmentInclude, added, schedule, written } = stored
  const { added: addedSettings, ...settings } = schedule ?? {}
  return {
    whenNamed: { ...added, viewId: viewId ?? undefined, attachmentInclude, schedule: addedSettings },
    whenRequired: { ...full, schedule: settings },
    written,
  }
}

/** All fields that a stored report schedule has in the service's interface. */
function showAll(stored: ReportSchedule, call: Call, shown: DocumentedSchedule, seed: number): Members {
  const { viewId, ownerId } = stored
  const view = draw(chanceKey(seed, 'view'), Number(viewId ?? 0) | 0)
  return {
    id: shown.id,
    reportViewId: shown.reportViewId,
    pageId: shown.pageId,
    title: shown.title,
    viewName: viewId === null ? undefined : `View ${viewId}`,
    type: call.tracker.settings['response.full-type'],
    ownerId,
    embedViewId: viewId ?? undefined,
    owner: ownerId === call.identity.userId,
    cardCount: 1 + (view % 12),
    recipientCount: distinctRecipients(stored).length,
    cardId: 1 + (view % 1_000_000),
    schedule: shown.schedule,
  }
}

interface ScheduleShowing {
  readonly tracker: BehaviourTracker
  readonly now: number
  readonly written: number
  readonly withZone: boolean
}

function showSettings(settings: ScheduleSettings, { tracker, now, written, withZone }: ScheduleShowing): Members {
  const { frequency, daysToRun, hourOfDay, minOfHour, timezone, enabled, additionalRecipients } = settings
  const withRecipients = tracker.ask('response.recipients') === 'yes'
  const from = tracker.ask('next-run.passes') === 'on-read' ? now : written
  const lag = enabled ? tracker.ask('next-run.lag') : 'at-once'
  const isAwaited = lag !== 'at-once' && now - written < splitSetting(lag).numbers[0] * 1000
  const nextRunDate = isAwaited ? undefined : showNextRun(settings, from, tracker)
  // One literal with undefined members is several times as fast as one built from parts.
  const shown = {
    frequency,
    daysToRun,
    hourOfDay,
    minOfHour,
    timezone: withZone ? timezone : undefined,
    enabled,
    additionalRecipients: withRecipients ? additionalRecipients : undefined,
  }
  const { startDate, expirationDate } = settings
  if (startDate === undefined && expirationDate === undefined) return { ...shown, nextRunDate }
  return { ...shown, ...showDates(settings, tracker), nextRunDate }
}

/** `schedule.dates`. Dates that the user's contract names are shown as sent. */
function showDates({ startDate, expirationDate, added = {} }: ScheduleSettings, tracker: BehaviourTracker): Members {
  const dates = withoutUndefined({ startDate, expirationDate })
  if (Object.keys(dates).length > 0) tracker.note('schedule.dates')
  return Object.fromEntries(Object.entries(dates).filter(([name]) => !(name in added)))
}

/** Epoch ms of the next run; undefined leaves the field out. */
function showNextRun(settings: ScheduleSettings, from: number, tracker: BehaviourTracker): number | null | undefined {
  if (!settings.enabled) {
    const answer = tracker.ask('next-run.disabled')
    if (answer !== 'computed') return answer === 'null' ? null : undefined
  }
  return findNextRun(settings, from, tracker)
}

/** Records the behaviours whose other setting would have given another run. */
function findNextRun(settings: ScheduleSettings, from: number, tracker: BehaviourTracker): number | undefined {
  const choices = calendarChoices(tracker.settings)
  const run = nextRunWithin(settings, from, choices)
  if (!run) return undefined
  const { at, inGap, metGap, metOverlap } = run
  const differs = (other: Partial<CalendarChoices>) =>
    nextRunWithin(settings, from, { ...choices, ...other })?.at !== at
  const { frequency, daysToRun = '' } = settings
  const isLate = frequency === 'MONTHLY' && daysToRun.split(',').some((day) => Number(day) > 28)
  if (isLate && differs({ shortMonth: choices.shortMonth === 'skip' ? 'clamp-to-last' : 'skip' }))
    tracker.note('days.short-month')
  // Runs are at second 0, so only there can one be at this very instant.
  if (from % MINUTE === 0 && differs({ when: choices.when === 'strict' ? 'inclusive' : 'strict' }))
    tracker.note('next-run.when')
  if (inGap || (choices.gap === 'skip' && metGap && differs({ gap: 'forward' }))) tracker.note('next-run.gap')
  if (metOverlap && differs({ overlap: choices.overlap === 'earlier' ? 'later' : 'earlier' }))
    tracker.note('next-run.overlap')
  return at
}

const MINUTE = 60_000
