import type { ReportScheduleRecord, UpcomingRun } from '../../../../src/control/client/types.ts'
import { offsetAt } from '../../times.ts'

type Settings = ReportScheduleRecord['schedule']

const WEEKDAYS: Readonly<Record<string, string>> = {
  MON: 'Monday',
  TUE: 'Tuesday',
  WED: 'Wednesday',
  THU: 'Thursday',
  FRI: 'Friday',
  SAT: 'Saturday',
  SUN: 'Sunday',
}

/** The rule of a schedule in words: `Weekly on Monday and Friday at 08:30`. */
export function ruleInWords(settings: Settings): string {
  const { frequency, daysToRun = '', hourOfDay, minOfHour } = settings ?? {}
  if (frequency === undefined || hourOfDay === undefined || minOfHour === undefined) return 'No rule'
  const time = `at ${twoDigits(hourOfDay)}:${twoDigits(minOfHour)}`
  const days = daysToRun.split(',')
  if (frequency === 'WEEKLY') return `Weekly on ${listed(days.map((day) => WEEKDAYS[day] ?? day))} ${time}`
  if (frequency === 'MONTHLY') return `Monthly on the ${listed(days.map(ordinal))} ${time}`
  return `${frequency === 'DAILY' ? 'Daily' : frequency} ${time}`
}

/** The same as short as it can be told apart from others: `Mon, Fri 08:30`, `1st, 15th 06:05`. */
export function ruleInShort(settings: Settings): string {
  const { frequency, daysToRun = '', hourOfDay, minOfHour } = settings ?? {}
  if (frequency === undefined || hourOfDay === undefined || minOfHour === undefined) return 'No rule'
  const days = daysToRun.split(',')
  const inShort =
    frequency === 'WEEKLY'
      ? days.map((day) => (WEEKDAYS[day] ?? day).slice(0, 3))
      : frequency === 'MONTHLY'
        ? days.map(ordinal)
        : [frequency === 'DAILY' ? 'Daily' : frequency]
  return `${inShort.join(', ')} ${twoDigits(hourOfDay)}:${twoDigits(minOfHour)}`
}

/** @example ordinal('22') // '22nd' */
export function ordinal(day: string): string {
  const last = Number(day) % 10
  const isTeen = Math.floor(Number(day) / 10) === 1
  return `${day}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][last] ?? 'th')}`
}

/** @example recipientInWords({ type: 'GROUP', value: '12' }) // 'Group 12' */
export function recipientInWords({ type, value }: { readonly type: string; readonly value: string }): string {
  if (type === 'EMAIL') return value
  return `${type.slice(0, 1)}${type.slice(1).toLowerCase()} ${value}`
}

/** What stands in a timeline: a run, a day without one, or a change of the clocks between two runs. */
export type TimelineEntry =
  | {
      readonly kind: 'run'
      readonly run: UpcomingRun
      readonly mark: string | undefined
      /** Why it comes then; undefined where the run before has the same reason. */
      readonly why: string | undefined
    }
  | { readonly kind: 'skipped'; readonly what: string; readonly why: string }
  | { readonly kind: 'clocks'; readonly zone: string; readonly from: string; readonly to: string }

/** The entries of a timeline in their order: before each run what was passed over since the one before. @param viewer the time zone of the browser */
export function timelineOf(runs: readonly UpcomingRun[], viewer: string): TimelineEntry[] {
  return runs.flatMap((run, index): TimelineEntry[] => {
    const { explanation } = run
    const { countedFrom, timezone, offset, at } = explanation
    const before = runs[index - 1]?.explanation
    const changes = [
      { zone: timezone, from: before?.offset ?? offsetIn(countedFrom.localTime), to: offset },
      { zone: viewer, from: offsetAt(before?.at ?? countedFrom.at, viewer), to: offsetAt(at, viewer) },
    ].filter(({ zone, from, to }, place) => from !== to && (place === 0 || zone !== timezone))
    return [
      ...skippedBefore(run),
      ...changes.map((change) => ({ kind: 'clocks', ...change }) as const),
      { kind: 'run', run, mark: markOf(run), why: run.why === runs[index - 1]?.why ? undefined : run.why },
    ]
  })
}

function skippedBefore({ explanation: { days, shortMonths } }: UpcomingRun): TimelineEntry[] {
  const months = shortMonths
    .filter(({ became }) => became.startsWith('skipped'))
    .map(({ month, day }) => ({
      day: month,
      what: `${monthName(month)} is skipped`,
      why: `it has no ${ordinal(String(day))} (days.short-month)`,
    }))
  const gaps = days
    .filter(({ verdict }) => verdict === 'skipped')
    .map(({ date, intended }) => ({
      day: date,
      what: `${Number(date.slice(-2))} ${monthName(date)} is skipped`,
      why: `the clocks skip ${intended} (next-run.gap)`,
    }))
  return [...months, ...gaps]
    .sort((a, b) => (a.day < b.day ? -1 : 1))
    .map(({ what, why }) => ({ kind: 'skipped', what, why }))
}

/** What is unusual about the time of a run, in a few words. */
function markOf({ explanation: { days, shortMonths } }: UpcomingRun): string | undefined {
  const last = days.at(-1)
  if (last?.clocks === 'gap') return `The clocks skip ${last.intended}`
  if (last?.clocks === 'overlap') return `The clocks show ${last.intended} twice`
  const short = shortMonths.find(({ became }) => !became.startsWith('skipped'))
  return short ? `No ${ordinal(String(short.day))}: the last day` : undefined
}

/** @example monthName('2026-04') // 'April 2026' */
function monthName(date: string): string {
  const month = new Date(`${date.slice(0, 'yyyy-mm'.length)}-01T00:00:00Z`)
  return new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(month)
}

function offsetIn(local: string): string {
  return local.slice('yyyy-mm-ddThh:mm:ss'.length)
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(names)
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0')
}
