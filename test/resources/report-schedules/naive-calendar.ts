import type { CalendarChoices, RunRule } from '../../../src/resources/report-schedules/report-schedule.ts'

/**
 * A second opinion on run dates that shares no mechanism with the code: it reads a zone's wall clock through Intl, quarter of
 * an hour by quarter of an hour, and looks where the time it wants is shown. It knows no offsets, no disambiguation, no
 * Temporal. Good from 1980 on, since when all zones are whole quarters of an hour away from UTC, and for times on the quarter.
 */

export const minute = 60_000
export const day = 1440 * minute
const step = 15 * minute

/** Every way to answer the calendar's open questions. */
export const allChoices: CalendarChoices[] = (['skip', 'clamp-to-last'] as const).flatMap((shortMonth) =>
  (['forward', 'skip'] as const).flatMap((gap) =>
    (['earlier', 'later'] as const).flatMap((overlap) =>
      (['strict', 'inclusive'] as const).map((when) => ({ shortMonth, gap, overlap, when })),
    ),
  ),
)

/** The wall clock at an instant: what it shows, as if that were UTC, in epoch milliseconds. */
type WallClock = (at: number) => number

export function wallClock(zone: string): WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  return (at) => {
    const shown = format.format(at) // 03/08/2026, 03:30:00
    const part = (from: number, to: number) => Number(shown.slice(from, to))
    return Date.UTC(part(6, 10), part(0, 2) - 1, part(3, 5), part(12, 14), part(15, 17), part(18, 20))
  }
}

/** What a zone's clock shows at each quarter of an hour. */
export interface Timeline {
  readonly from: number
  readonly walls: readonly number[]
  /** The first and the last time that a wall clock time is shown, as indexes into `walls`. */
  readonly shown: ReadonlyMap<number, readonly [first: number, last: number]>
}

export function readTimeline(zone: string, from: number, to: number): Timeline {
  const start = Math.floor(from / step) * step
  const clock = wallClock(zone)
  const walls = Array.from({ length: Math.ceil((to - start) / step) }, (_, index) => clock(start + index * step))
  const shown = new Map<number, readonly [number, number]>()
  for (const [index, wall] of walls.entries()) shown.set(wall, [shown.get(wall)?.[0] ?? index, index])
  return { from: start, walls, shown }
}

/** All runs of a rule in a timeline, ascending, each instant once. */
export function naiveRuns(timeline: Timeline, rule: RunRule, choices: CalendarChoices): number[] {
  const runs = new Set<number>()
  const firstDate = Math.floor(timeline.walls[0]! / day) * day
  for (let date = firstDate; date <= timeline.walls.at(-1)!; date += day) {
    if (!isRunDate(rule, new Date(date), choices)) continue
    const at = naiveInstant(timeline, date + (rule.hourOfDay * 60 + rule.minOfHour) * minute, choices)
    if (at !== undefined) runs.add(at)
  }
  return [...runs].sort((a, b) => a - b)
}

/** The first of `runs` after an instant, or at it; `later` when there is none before the end of the timeline. */
export function expectedRun(runs: number[], after: number, when: CalendarChoices['when']): number | 'later' {
  return runs.find((run) => (when === 'strict' ? run > after : run >= after)) ?? 'later'
}

function isRunDate(rule: RunRule, date: Date, choices: CalendarChoices): boolean {
  const days = rule.daysToRun.split(',')
  if (rule.frequency === 'DAILY') return true
  if (rule.frequency === 'WEEKLY') {
    return days.includes(['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'][date.getUTCDay()]!)
  }
  if (days.includes(String(date.getUTCDate()))) return true
  const isLastOfMonth = new Date(date.getTime() + day).getUTCDate() === 1
  return (
    choices.shortMonth === 'clamp-to-last' && isLastOfMonth && days.some((item) => Number(item) > date.getUTCDate())
  )
}

function naiveInstant({ from, walls, shown }: Timeline, wanted: number, choices: CalendarChoices): number | undefined {
  const found = shown.get(wanted)
  if (found) return from + found[choices.overlap === 'earlier' ? 0 : 1] * step
  // Never shown: the clock jumped over it. A watch that was not put forward shows it this long after the last look.
  const before = walls.findIndex((wall, index) => wall < wanted && (walls[index + 1] ?? wall) > wanted)
  if (before === -1 || choices.gap === 'skip') return undefined
  return from + before * step + wanted - walls[before]!
}

/** The instants, to the quarter of an hour, at which a zone's clock is put forward or back. */
export function clockChanges(zone: string, from: number, to: number): number[] {
  const clock = wallClock(zone)
  const offset = (at: number) => clock(at) - at
  const changes: number[] = []
  for (let week = from; week < to; week += 7 * day) {
    let [before, after] = [week, week + 7 * day]
    if (offset(before) === offset(after)) continue
    while (after - before > step) {
      const middle = before + Math.floor((after - before) / 2 / step) * step
      if (offset(middle) === offset(before)) before = middle
      else after = middle
    }
    changes.push(after)
  }
  return changes
}
