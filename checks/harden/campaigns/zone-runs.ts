/**
 * Runs by the wall clock of a zone, which is read through Intl alone: a list of stretches with one offset each, and for each date
 * the instant at which the wall clock shows the time. It knows no calendar library and nothing of Standin.
 */

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** Instants (epoch milliseconds) of one offset from UTC. */
export interface Stretch {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly offset: number
}

export interface Rule {
  readonly frequency: 'WEEKLY' | 'MONTHLY'
  readonly daysToRun: string
  readonly hourOfDay: number
  readonly minOfHour: number
}

/** The stretches of a zone, found by a look at every half day and then to the minute. */
export function readZone(zone: string, from: number, to: number): readonly Stretch[] {
  const offsetAt = createClock(zone)
  const stretches: Stretch[] = []
  let [begin, offset] = [from, offsetAt(from)]
  for (let at = from; at < to; at += DAY / 2) {
    if (offsetAt(at + DAY / 2) === offset) continue
    let [before, after] = [at, at + DAY / 2]
    while (after - before > MINUTE) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE
      if (offsetAt(middle) === offset) before = middle
      else after = middle
    }
    stretches.push({ from: begin, to: after, offset })
    ;[begin, offset] = [after, offsetAt(after)]
  }
  return [...stretches, { from: begin, to: to + DAY, offset }]
}

/** Milliseconds by which the wall clock is ahead of UTC at an instant. */
function createClock(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  return (at) => {
    const shown = format.format(at) // 03/08/2026, 03:30:00
    const part = (start: number, end: number) => Number(shown.slice(start, end))
    return Date.UTC(part(6, 10), part(0, 2) - 1, part(3, 5), part(12, 14), part(15, 17), part(18, 20)) - at
  }
}

/** All runs after one instant and up to another, each once, ascending. */
export function runsOf(stretches: readonly Stretch[], rule: Rule, after: number, until: number): readonly number[] {
  const runs = new Set<number>()
  for (let date = Math.floor(after / DAY) * DAY - 3 * DAY; date < until + 3 * DAY; date += DAY) {
    if (!isRunDate(rule, new Date(date))) continue
    const instant = instantOf(stretches, date + (rule.hourOfDay * 60 + rule.minOfHour) * MINUTE)
    if (instant !== undefined && instant > after && instant <= until) runs.add(instant)
  }
  return [...runs].sort((a, b) => a - b)
}

function isRunDate({ frequency, daysToRun }: Rule, date: Date): boolean {
  return frequency === 'WEEKLY' ? WEEKDAYS[date.getUTCDay()] === daysToRun : String(date.getUTCDate()) === daysToRun
}

/** The first instant at which the wall clock shows a time; where it jumps over it, as much later as it jumps. */
function instantOf(stretches: readonly Stretch[], wall: number): number | undefined {
  const shown = stretches.find(({ from, to, offset }) => wall - offset >= from && wall - offset < to)
  if (shown) return wall - shown.offset
  const before = stretches.findLast(({ to, offset }) => wall - offset >= to)
  return before && wall - before.offset
}
