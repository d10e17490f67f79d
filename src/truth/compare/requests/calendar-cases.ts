import type { Case } from '../case.ts'
import { type Bodies, create, creating, type Members, sending, updating } from './schedule-requests.ts'
import { type ClockChange, clockChanges } from '../../recordings/zones.ts'

const COUNTS = [1, 5, 10, 20, 50, 100, 1000, 1001]

/**
 * When schedules run.
 *
 * @param now epoch ms, to choose dates near it
 */
export function calendarCases(made: Bodies, now: number): Case[] {
  const schedule = (members: Members) => made({}, members)
  const monthly = (daysToRun: string) => schedule({ frequency: 'MONTHLY', daysToRun })
  const zone = (timezone: string) => schedule({ timezone })
  return [
    sending('frequency.values', 'frequencies', [
      create(schedule({}), 'WEEKLY'),
      create(monthly('15'), 'MONTHLY'),
      create(schedule({ frequency: 'DAILY', daysToRun: 'MON' }), 'DAILY'),
    ]),
    creating('days.weekly', 'several days of the week', [
      schedule({ daysToRun: 'MON,WED' }),
      schedule({ daysToRun: 'Mon' }),
    ]),
    creating('days.monthly', 'days of the month', ['28', '31', '1,15', '07'].map(monthly)),
    creating('days.mismatch', 'days of another frequency', [schedule({ daysToRun: '15' }), monthly('MON')]),
    creating('days.short-month', 'the last days of a month', ['29', '30', '31'].map(monthly)),
    creating('time.range', 'hours that no day has', [schedule({ hourOfDay: 24 }), schedule({ minOfHour: 60 })]),
    ...findTransitions(now).map((change) =>
      creating(change.isGap ? 'next-run.gap' : 'next-run.overlap', `a clock change in ${change.zone}`, [
        schedule(monthlyAt(change)),
      ]),
    ),
    updating('next-run.disabled', 'a schedule that is not enabled', schedule({ enabled: false }), []),
    creating('next-run.lag', 'the next run of a create', [made()]),
    updating('next-run.passes', 'the next run of an update', made(), [made()]),
    creating('schedule.dates', 'a start and an end', [
      schedule({ startDate: now + 31_536_000_000, expirationDate: now + 63_072_000_000 }),
      schedule({ startDate: 'tomorrow' }),
    ]),
    creating('zone.invalid', 'a time zone that does not exist', [zone('Mars/Olympus')]),
    updating('zone.alias', 'an older name of a time zone', made(), [zone('US/Eastern'), zone('Asia/Calcutta')]),
    updating('zone.short', 'short names of time zones', made(), ['UTC', 'EST', 'utc', '+02:00'].map(zone)),
  ]
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
const HOUR = 3_600_000
/** A month has at least so many days, so the next run on that day of the month is the one of the clock change. */
const DAYS = 27

/** A gap and an overlap that a schedule created now meets with its first run: there are none in most weeks of the year. */
function findTransitions(now: number): ClockChange[] {
  const changes = ZONES.flatMap((zone) => clockChanges(zone, now + HOUR, DAYS))
  return [...new Map(changes.toReversed().map((change) => [change.isGap, change])).values()]
}

/** A time of day that the change skips or repeats. */
function monthlyAt({ zone: timezone, local }: ClockChange): Members {
  const date = new Date(local)
  return {
    frequency: 'MONTHLY',
    daysToRun: String(date.getUTCDate()),
    hourOfDay: date.getUTCHours(),
    minOfHour: date.getUTCMinutes(),
    timezone,
  }
}

/** A recipient by e-mail. */
export const email = (value: unknown) => ({ type: 'EMAIL', value })

/** Who gets a report. */
export function recipientCases(made: Bodies): Case[] {
  const to = (...additionalRecipients: readonly unknown[]) => made({}, { additionalRecipients })
  return [
    sending('recipient.types', 'types of recipients', [
      create(to(email('a@example.com')), 'EMAIL'),
      create(to({ type: 'USER', value: '17' }), 'USER'),
      create(to({ type: 'GROUP', value: '17' }), 'GROUP'),
      create(to({ type: 'ROBOT', value: '17' })),
    ]),
    creating('recipient.email', 'addresses', [to(email('nobody')), to(email('a b@example.com'))]),
    creating('recipient.id', 'a user by number', [to({ type: 'USER', value: 17 })]),
    creating('recipients.known', 'an unknown user', [to({ type: 'USER', value: '999999999' })]),
    updating('recipient.duplicates', 'a recipient twice', to(email('a@example.com'), email('a@example.com')), []),
    creating(
      'recipient.max',
      'many recipients',
      COUNTS.map((count) => to(...Array.from({ length: count }, (_, at) => email(`${at}@example.com`)))),
      COUNTS,
    ),
  ]
}
