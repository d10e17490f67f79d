import type { BehaviourSettings } from '../../behaviours/settings.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import { parameterOf } from '../../behaviours/parameter-of.ts'
import { type Integer, isObject } from '../../formats/json.ts'
import type { Known } from '../adaptation.ts'
import type { Call } from '../handler.ts'
import { chanceKey, draw } from '../../engine/random.ts'
import type { CalendarChoices } from './calendar/next-run-date.ts'
import { recipientCount, type ReportSchedule, type ScheduleSettings } from './calendar/report-schedule.ts'
import { nextRunWithin } from './calendar/run.ts'

interface Answering {
  readonly row: 'create.response' | 'update.response'
  readonly status: number
  readonly seed: number
}

type Members = Readonly<Record<string, unknown>>

/** The body of an answer to a create or an update, as `create.response` and `update.response` have it. */
export function showReportSchedule(stored: ReportSchedule, call: Call, { row, status, seed }: Answering): unknown {
  const { tracker, now, follows } = call
  const shape = tracker.answers[row]
  if (shape === 'full') tracker.note(row, 'response.full-type')
  tracker.note('response.nulls')
  const { id, pageId, schedule } = stored
  // What the behaviour catalogue let somebody empty is left out, wherever it would be.
  const title = stored.title === '' ? undefined : stored.title
  const isCreate = row === 'create.response'
  const settings =
    schedule &&
    showSettings(schedule, { tracker, now, written: stored.written, withZone: shape === 'full' || !isCreate })
  if (isCreate || shape === 'full') tracker.note('response.report-view-id')
  const reportViewId = reportViewIdOf(stored, tracker.answers)
  const documented = isCreate
    ? { id, reportViewId, pageId: pageId ?? undefined, title, schedule: settings ?? undefined }
    : { id, title, schedule: settings ?? undefined }
  if (shape === 'documented' && !follows) return withNulls(documented, tracker)
  const full = showAll(stored, call, { title, settings, seed, reportViewId })
  const usual = shape === 'documented' ? documented : full
  return follows ? follows.answer(status, usual, knownOf(stored, full)) : withNulls(usual, tracker)
}

/** A report schedule for a response that only reads it: what all of them show, and what is shown where a contract names it. */
export function describeReportSchedule(
  stored: ReportSchedule,
  call: Call,
  seed: number,
): { readonly usual: Members; readonly known: Known } {
  const { tracker, now } = call
  const { id, pageId, schedule, written } = stored
  const title = stored.title === '' ? undefined : stored.title
  const settings = (schedule && showSettings(schedule, { tracker, now, written, withZone: true })) ?? undefined
  const reportViewId = reportViewIdOf(stored, tracker.answers)
  const full = showAll(stored, call, { title, settings, seed, reportViewId })
  const known = knownOf(stored, full)
  return {
    usual: { id, pageId: pageId ?? undefined, title, schedule: settings },
    known: { ...known, whenNamed: { ...full, ...known.whenNamed } },
  }
}

/** `response.report-view-id` */
function reportViewIdOf({ id, viewId }: ReportSchedule, answers: BehaviourSettings): Integer | undefined {
  return answers['response.report-view-id'] === 'view-id' ? (viewId ?? undefined) : FIRST_REPORT_VIEW + id
}

const FIRST_REPORT_VIEW = 100_000

const MEMBERS = ['id', 'reportViewId', 'pageId', 'title', 'viewName', 'type', 'ownerId', 'embedViewId', 'owner']
const MORE_MEMBERS = ['cardCount', 'recipientCount', 'cardId', 'schedule']
const SETTINGS = ['frequency', 'daysToRun', 'hourOfDay', 'minOfHour', 'timezone', 'enabled']
const MORE_SETTINGS = ['additionalRecipients', 'nextRunDate']
const NULLS = Object.fromEntries([...MEMBERS, ...MORE_MEMBERS].map((name) => [name, null]))
const NO_DATES = { startDate: null, expirationDate: null }
const NO_SETTINGS = Object.fromEntries([...SETTINGS, ...MORE_SETTINGS].map((name) => [name, null]))

/** `response.nulls`: a response with every member of interface.md 2.6, and of 2.5 in its schedule. */
function withNulls(shown: Members, tracker: BehaviourTracker): Members {
  if (tracker.answers['response.nulls'] === 'omit') return shown
  const { schedule } = shown
  const noDates = tracker.answers['schedule.dates'] === 'honour' ? NO_DATES : {}
  const settings = isObject(schedule) ? { schedule: { ...NO_SETTINGS, ...noDates, ...present(schedule) } } : {}
  return { ...NULLS, ...present(shown), ...settings }
}

function present(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** What is stored besides what answers usually show. */
function knownOf(stored: ReportSchedule, full: Members): Known {
  const { viewId, attachmentInclude, added, schedule, written } = stored
  const { added: addedSettings, ...settings } = schedule ?? {}
  return {
    whenNamed: { ...added, viewId: viewId ?? undefined, attachmentInclude, schedule: addedSettings },
    whenRequired: { ...full, schedule: settings },
    written,
  }
}

interface Shown {
  readonly title: string | undefined
  readonly settings: unknown
  readonly seed: number
  readonly reportViewId: Integer | undefined
}

/** All the fields that interface.md 2.6 names. */
function showAll(stored: ReportSchedule, call: Call, { title, settings, seed, reportViewId }: Shown): Members {
  const { identity, tracker } = call
  const { id, pageId, viewId, schedule } = stored
  const view = draw(chanceKey(seed, 'view'), Number(viewId ?? 0) | 0)
  return {
    id,
    reportViewId,
    pageId: pageId ?? undefined,
    title,
    viewName: viewId === null ? undefined : `View ${viewId}`,
    type: tracker.answers['response.full-type'],
    ownerId: stored.ownerId,
    embedViewId: viewId ?? undefined,
    owner: stored.ownerId === identity.userId,
    cardCount: 1 + (view % 12),
    recipientCount: recipientCount(schedule?.additionalRecipients ?? []),
    cardId: 1 + (view % 1_000_000),
    schedule: settings ?? undefined,
  }
}

interface Showing {
  readonly tracker: BehaviourTracker
  readonly now: number
  readonly written: number
  readonly withZone: boolean
}

function showSettings(settings: ScheduleSettings, { tracker, now, written, withZone }: Showing): unknown {
  const { frequency, daysToRun, hourOfDay, minOfHour, timezone, enabled, additionalRecipients } = settings
  const withRecipients = tracker.ask('response.recipients') === 'yes'
  const from = tracker.ask('next-run.passes') === 'on-read' ? now : written
  const next =
    settings.enabled && isNextRunAwaited({ tracker, now, written }) ? undefined : showNextRun(settings, from, tracker)
  // Members that are not shown are undefined, in one literal: building it from parts takes several times as long.
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
  if (startDate === undefined && expirationDate === undefined) return { ...shown, nextRunDate: next }
  return { ...shown, ...showDates(settings, tracker), nextRunDate: next }
}

/** `schedule.dates`. What a contract names itself is shown as it was sent. */
function showDates({ startDate, expirationDate, added = {} }: ScheduleSettings, tracker: BehaviourTracker): Members {
  const dates = present({ startDate, expirationDate })
  if (Object.keys(dates).length > 0) tracker.note('schedule.dates')
  return Object.fromEntries(Object.entries(dates).filter(([name]) => !(name in added)))
}

/** `next-run.lag` */
function isNextRunAwaited({ tracker, now, written }: Pick<Showing, 'tracker' | 'now' | 'written'>): boolean {
  const lag = tracker.ask('next-run.lag')
  return lag !== 'at-once' && now - written < parameterOf(lag).numbers[0] * 1000
}

/** Epoch ms of the next run; undefined leaves the field out. */
function showNextRun(settings: ScheduleSettings, from: number, tracker: BehaviourTracker): number | null | undefined {
  if (!settings.enabled) {
    const answer = tracker.ask('next-run.disabled')
    if (answer !== 'computed') return answer === 'null' ? null : undefined
  }
  return findNextRun(settings, from, tracker)
}

/** The calendar's open questions, as the behaviour catalogue answers them. */
export function calendarChoices(answers: BehaviourSettings): CalendarChoices {
  return {
    shortMonth: answers['days.short-month'],
    gap: answers['next-run.gap'],
    overlap: answers['next-run.overlap'],
    when: answers['next-run.when'],
  }
}

/** Notes the calendar's open questions whose other answer would have given another run. */
function findNextRun(settings: ScheduleSettings, from: number, tracker: BehaviourTracker): number | undefined {
  const choices = calendarChoices(tracker.answers)
  const run = nextRunWithin(settings, from, choices)
  if (!run) return undefined
  const { at, inGap, metGap, metOverlap } = run
  const differs = (other: Partial<CalendarChoices>) =>
    nextRunWithin(settings, from, { ...choices, ...other })?.at !== at
  const { frequency, daysToRun = '' } = settings
  const isLate = frequency === 'MONTHLY' && daysToRun.split(',').some((day) => Number(day) > 28)
  if (isLate && differs({ shortMonth: choices.shortMonth === 'skip' ? 'clamp-to-last' : 'skip' }))
    tracker.note('days.short-month')
  // A run at this very instant can only be one at second 0.
  if (from % MINUTE === 0 && differs({ when: choices.when === 'strict' ? 'inclusive' : 'strict' }))
    tracker.note('next-run.when')
  if (inGap || (choices.gap === 'skip' && metGap && differs({ gap: 'forward' }))) tracker.note('next-run.gap')
  if (metOverlap && differs({ overlap: choices.overlap === 'earlier' ? 'later' : 'earlier' }))
    tracker.note('next-run.overlap')
  return at
}

const MINUTE = 60_000
