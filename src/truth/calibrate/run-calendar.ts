import { isObject } from '../../base/formats/json.ts'
import { dayAt, fateOf } from '../recordings/zones.ts'

/** What the next run of a schedule depends on besides the schedule, as settings of behaviours. */
export interface CalendarSettings {
  readonly 'days.short-month': 'skip' | 'clamp-to-last'
  readonly 'next-run.gap': 'forward' | 'skip'
  readonly 'next-run.overlap': 'earlier' | 'later'
}

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
export interface Rule {
  readonly frequency: string
  readonly daysToRun: string
  readonly hourOfDay: number
  readonly minOfHour: number
  readonly timezone: string
  /** Epoch ms; there are no runs before. */
  readonly startDate?: number | undefined
}

/** The rule of a schedule as it was sent or received; undefined when a part is missing. */
export function ruleOf(schedule: unknown): Rule | undefined {
  if (!isObject(schedule)) return undefined
  const { frequency, hourOfDay, minOfHour, timezone, startDate } = schedule
  const daysToRun = frequency === 'DAILY' ? (schedule.daysToRun ?? '') : schedule.daysToRun
  if (typeof frequency !== 'string' || typeof daysToRun !== 'string' || typeof timezone !== 'string') return undefined
  if (typeof hourOfDay !== 'number' || typeof minOfHour !== 'number') return undefined
  const rule = { frequency, daysToRun, hourOfDay, minOfHour, timezone }
  return typeof startDate === 'number' ? { ...rule, startDate } : rule
}

const [MINUTE, DAY] = [60_000, 86_400_000]
const WEEKDAYS = ['THU', 'FRI', 'SAT', 'SUN', 'MON', 'TUE', 'WED']

/** The first run after an instant, or at the startDate; undefined when there is none in two years. */
export function nextRun(rule: Rule, after: number, settings: CalendarSettings): number | undefined {
  const { startDate = -Infinity, timezone } = rule
  const earliest = Math.max(after + 1, startDate)
  const first = dayAt(timezone, earliest) - 1
  const time = (rule.hourOfDay * 60 + rule.minOfHour) * MINUTE
  for (let day = first; day < first + 732; day++) {
    if (!runsOn(rule, day, settings['days.short-month'])) continue
    const { instants, forward } = fateOf(day * DAY + time, timezone)
    const at = settings['next-run.overlap'] === 'earlier' ? instants[0] : instants.at(-1)
    const run = at ?? (settings['next-run.gap'] === 'forward' ? forward : undefined)
    if (run !== undefined && run >= earliest) return run
  }
  return undefined
}

/** @param day counted from 1 January 1970, a Thursday */
function runsOn({ frequency, daysToRun }: Rule, day: number, shortMonth: 'skip' | 'clamp-to-last'): boolean {
  if (frequency === 'DAILY') return true
  const days = daysToRun.split(',')
  if (frequency === 'WEEKLY') return days.includes(WEEKDAYS[day % 7] ?? '')
  const date = new Date(day * DAY).getUTCDate()
  if (days.includes(String(date))) return true
  const isLast = new Date((day + 1) * DAY).getUTCDate() === 1
  return isLast && shortMonth === 'clamp-to-last' && days.some((one) => Number(one) > date)
}

/** The weekday of a day in UTC, as schedules name it. */
export function weekdayOf(at: number): string {
  return WEEKDAYS[Math.floor(at / DAY) % 7] ?? ''
}
