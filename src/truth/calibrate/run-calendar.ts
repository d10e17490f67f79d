import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { once } from '../../base/cache.ts'
import type { Members } from '../../base/formats/json.ts'
import { calendarChoices, nextRunWithin, weekdayName } from '../../resources/report-schedules/next-run-date.ts'
import type { ScheduleSettings } from '../../resources/report-schedules/report-schedule.ts'
import { valuesOf } from './search-model/unknowns.ts'

/** What the next run of a schedule depends on besides the schedule, as settings of behaviours. */
export type CalendarSettings = Pick<BehaviourSettings, 'days.short-month' | 'next-run.gap' | 'next-run.overlap'>

/** Every combination of them. */
export const calendars = once(() =>
  valuesOf('days.short-month').flatMap((shortMonth) =>
    valuesOf('next-run.gap').flatMap((gap) =>
      valuesOf('next-run.overlap').map((overlap) => {
        const calendar = { 'days.short-month': shortMonth, 'next-run.gap': gap, 'next-run.overlap': overlap }
        return calendar as CalendarSettings
      }),
    ),
  ),
)

/** A schedule that was sent or received, as the handlers keep it: null is how a service shows that it has no value. */
export function asStored(schedule: Members): ScheduleSettings {
  return Object.fromEntries(
    Object.entries(schedule).filter(([, value]) => value !== null),
  ) as unknown as ScheduleSettings
}

/** The first run after an instant, or at the startDate; undefined for what is no rule, and where there is none in two years. */
export function nextRun(schedule: Members, after: number, calendar: CalendarSettings): number | undefined {
  try {
    return nextRunWithin(asStored(schedule), after, calendarChoices({ ...calendar, 'next-run.when': 'strict' }))?.at
  } catch {
    return undefined
  }
}

/** The weekday of a day in UTC, as schedules name it. */
export function weekdayOf(at: number): string {
  return weekdayName(Math.floor(at / 86_400_000))
}
