/** A time of day that a clock change skips or repeats within the next month, as members of a schedule. */
interface Transition {
  /** The behaviour that it shows. */
  readonly about: string
  readonly frequency: 'MONTHLY'
  readonly daysToRun: string
  readonly hourOfDay: number
  readonly minOfHour: number
  readonly timezone: string
}

/** Zones whose clocks change at different times of the year, one for each rule. */
const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Sydney',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Beirut',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
]
const HALF_HOUR = 1_800_000
/** A month has at least so many days, so the next run on that day of the month is the one of the clock change. */
const DAYS = 27

/** Clock changes that a schedule created now meets with its first run: there are none in most weeks of the year. */
export function findTransitions(now: number): Transition[] {
  const found = new Map<string, Transition>()
  for (const timezone of ZONES) {
    const offsetAt = createOffsetAt(timezone)
    const start = Math.ceil(now / HALF_HOUR) * HALF_HOUR + 2 * HALF_HOUR
    const end = now + DAYS * 86_400_000
    // A change is looked for by the day, then by the half hour.
    for (let day = start; day < end; day += 48 * HALF_HOUR) {
      if (offsetAt(day) === offsetAt(day + 48 * HALF_HOUR)) continue
      let at = day
      while (offsetAt(at) === offsetAt(at + HALF_HOUR)) at += HALF_HOUR
      const transition = describe(timezone, at + HALF_HOUR, offsetAt(at), offsetAt(at + HALF_HOUR))
      if (!found.has(transition.about)) found.set(transition.about, transition)
    }
  }
  return [...found.values()]
}

/** @param change epoch ms of the first moment with the new offset */
function describe(timezone: string, change: number, before: number, after: number): Transition {
  // A quarter of an hour into what is skipped, or into what is repeated.
  const local = new Date(change + (after > before ? before : after) + HALF_HOUR / 2)
  return {
    about: after > before ? 'next-run.gap' : 'next-run.overlap',
    frequency: 'MONTHLY',
    daysToRun: String(local.getUTCDate()),
    hourOfDay: local.getUTCHours(),
    minOfHour: local.getUTCMinutes(),
    timezone,
  }
}

/** Milliseconds that the local time is ahead of UTC. */
export function createOffsetAt(timeZone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  return (moment) => {
    const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  }
}
