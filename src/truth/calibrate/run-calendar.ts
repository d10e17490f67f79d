import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { isObject } from '../../base/formats/json.ts'
import { calendarChoices, nextRunDate, weekdayName } from '../../resources/report-schedules/next-run-date.ts'
import type { RunRule } from '../../resources/report-schedules/report-schedule.ts'

/** What the next run of a schedule depends on besides the schedule, as settings of behaviours. */
export type CalendarSettings = Pick<BehaviourSettings, keyof typeof CHOICES>

const CHOICES = {
  'days.short-month': ['skip', 'clamp-to-last'],
  'next-run.gap': ['forward', 'skip'],
  'next-run.overlap': ['earlier', 'later'],
} as const

/** Every combination of them. */
export const CALENDARS: readonly CalendarSettings[] = CHOICES['days.short-month'].flatMap((shortMonth) =>
  CHOICES['next-run.gap'].flatMap((gap) =>
    CHOICES['next-run.overlap'].map((overlap) => ({
      'days.short-month': shortMonth,
      'next-run.gap': gap,
      'next-run.overlap': overlap,
    })),
  ),
)

/** When a schedule runs. */
export interface CalendarRule extends RunRule {
  /** Epoch ms; there are no runs before. */
  readonly startDate?: number | undefined
}

/** The rule of a schedule as it was sent or received; undefined when a part is missing. */
export function ruleOf(schedule: unknown): CalendarRule | undefined {
  if (!isObject(schedule)) return undefined
  const { frequency, hourOfDay, minOfHour, timezone, startDate } = schedule
  const daysToRun = frequency === 'DAILY' ? (schedule.daysToRun ?? '') : schedule.daysToRun
  if (!isFrequency(frequency) || typeof daysToRun !== 'string' || typeof timezone !== 'string') return undefined
  if (typeof hourOfDay !== 'number' || typeof minOfHour !== 'number') return undefined
  const rule = { frequency, daysToRun, hourOfDay, minOfHour, timezone }
  return typeof startDate === 'number' ? { ...rule, startDate } : rule
}

function isFrequency(word: unknown): word is RunRule['frequency'] {
  return word === 'WEEKLY' || word === 'MONTHLY' || word === 'DAILY'
}

/** The first run after an instant, or at the startDate; undefined when there is none in two years. */
export function nextRun(rule: CalendarRule, after: number, settings: CalendarSettings): number | undefined {
  const choices = calendarChoices({ ...settings, 'next-run.when': 'inclusive' })
  try {
    return nextRunDate(rule, Math.max(after + 1, rule.startDate ?? 0), choices)
  } catch {
    return undefined
  }
}

/** The weekday of a day in UTC, as schedules name it. */
export function weekdayOf(at: number): string {
  return weekdayName(Math.floor(at / 86_400_000))
}
