import { describe, expect, it } from 'vitest'
import {
  decodeMonthDays,
  decodeWeekdays,
  nextRun,
  nextRunDate,
} from '../../../src/resources/report-schedules/next-run-date.ts'
import type { CalendarChoices, RunRule } from '../../../src/resources/report-schedules/report-schedule.ts'
import { Temporal } from '../../../src/resources/report-schedules/time-zone.ts'

const defaults: CalendarChoices = { shortMonth: 'skip', gap: 'forward', overlap: 'earlier', when: 'strict' }

/** The run after an instant, both in ISO 8601, of a rule such as `MONTHLY 31 at 08:00 in Europe/Paris`. */
function next(rule: string, after: string, choices: Partial<CalendarChoices> = {}): string {
  const at = nextRunDate(decodeRule(rule), Date.parse(after), { ...defaults, ...choices })
  return new Date(at).toISOString().replace('.000Z', 'Z')
}

function decodeRule(rule: string): RunRule {
  const [frequency, ...rest] = rule.replace('DAILY', 'DAILY -').split(' ')
  const [daysToRun, , time, , timezone] = rest as [string, string, string, string, string]
  const [hourOfDay, minOfHour] = time.split(':').map(Number) as [number, number]
  return { frequency: frequency as RunRule['frequency'], daysToRun, hourOfDay, minOfHour, timezone }
}

/** The first `count` runs after an instant, each found from the one before it. */
function follow(rule: string, after: string, count: number, choices: Partial<CalendarChoices> = {}): string[] {
  const runs: string[] = []
  while (runs.length < count) runs.push(next(rule, runs.at(-1) ?? after, choices))
  return runs
}

describe('the day', () => {
  it('a weekly schedule runs on its weekday, by the clock of its zone', () => {
    // Monday 08:00 in Tokyo is still Sunday in UTC.
    expect(next('WEEKLY MON at 08:00 in Asia/Tokyo', '2026-01-01T00:00:00Z')).toBe('2026-01-04T23:00:00Z')
  })

  it.each([
    ['SUN', '2026-01-04'],
    ['MON', '2026-01-05'],
    ['TUE', '2026-01-06'],
    ['WED', '2026-01-07'],
    ['THU', '2026-01-01'],
    ['FRI', '2026-01-02'],
    ['SAT', '2026-01-03'],
  ])('asked on Thursday 1 January 2026 at midnight, a schedule for %s runs on %s', (weekday, date) => {
    expect(next(`WEEKLY ${weekday} at 00:01 in UTC`, '2026-01-01T00:00:00Z')).toBe(`${date}T00:01:00Z`)
  })

  it('a weekly schedule with a list of days runs on each of them, in whatever order they are listed', () => {
    const runs = ['2026-01-05T08:00:00Z', '2026-01-07T08:00:00Z', '2026-01-12T08:00:00Z']
    expect(follow('WEEKLY WED,MON at 08:00 in UTC', '2026-01-01T00:00:00Z', 3)).toEqual(runs)
  })

  it('a monthly schedule runs on its day of the month, over the end of a year', () => {
    const runs = ['2026-12-15T08:00:00Z', '2027-01-15T08:00:00Z']
    expect(follow('MONTHLY 15 at 08:00 in UTC', '2026-11-15T08:00:00Z', 2)).toEqual(runs)
  })

  it('a monthly schedule with a list of days runs on each of them', () => {
    const runs = ['2026-01-15T08:00:00Z', '2026-02-01T08:00:00Z', '2026-02-15T08:00:00Z']
    expect(follow('MONTHLY 15,1 at 08:00 in UTC', '2026-01-02T00:00:00Z', 3)).toEqual(runs)
  })

  it('a daily schedule runs every day and ignores its days', () => {
    const runs = ['2028-02-28T08:00:00Z', '2028-02-29T08:00:00Z', '2028-03-01T08:00:00Z']
    expect(follow('DAILY at 08:00 in UTC', '2028-02-27T08:00:00Z', 3)).toEqual(runs)
  })
})

describe('short months', () => {
  it('day 31 skips the months that have none', () => {
    const runs = ['2026-01-31T08:00:00Z', '2026-03-31T08:00:00Z', '2026-05-31T08:00:00Z', '2026-07-31T08:00:00Z']
    expect(follow('MONTHLY 31 at 08:00 in UTC', '2026-01-01T00:00:00Z', 4)).toEqual(runs)
  })

  it('day 31 can be clamped to the last day of a month', () => {
    const runs = ['2026-01-31T08:00:00Z', '2026-02-28T08:00:00Z', '2026-03-31T08:00:00Z', '2026-04-30T08:00:00Z']
    expect(follow('MONTHLY 31 at 08:00 in UTC', '2026-01-01T00:00:00Z', 4, { shortMonth: 'clamp-to-last' })).toEqual(
      runs,
    )
  })

  it('day 29 runs in February of leap years only; 2100 is none', () => {
    expect(next('MONTHLY 29 at 08:00 in UTC', '2028-02-01T00:00:00Z')).toBe('2028-02-29T08:00:00Z')
    expect(next('MONTHLY 29 at 08:00 in UTC', '2027-02-01T00:00:00Z')).toBe('2027-03-29T08:00:00Z')
    expect(next('MONTHLY 29 at 08:00 in UTC', '2100-02-01T00:00:00Z')).toBe('2100-03-29T08:00:00Z')
    expect(next('MONTHLY 29 at 08:00 in UTC', '2100-02-01T00:00:00Z', { shortMonth: 'clamp-to-last' })).toBe(
      '2100-02-28T08:00:00Z',
    )
  })

  it('days that are clamped to the same date run once', () => {
    const runs = ['2026-02-28T08:00:00Z', '2026-03-28T08:00:00Z', '2026-03-30T08:00:00Z', '2026-03-31T08:00:00Z']
    const clamped = { shortMonth: 'clamp-to-last' } as const
    expect(follow('MONTHLY 28,30,31 at 08:00 in UTC', '2026-02-01T00:00:00Z', 4, clamped)).toEqual(runs)
  })
})

describe('the moment', () => {
  it('a run is strictly after the clock: asked at the very instant, the answer is the next one', () => {
    expect(next('WEEKLY THU at 08:00 in UTC', '2026-01-01T07:59:59.999Z')).toBe('2026-01-01T08:00:00Z')
    expect(next('WEEKLY THU at 08:00 in UTC', '2026-01-01T08:00:00.000Z')).toBe('2026-01-08T08:00:00Z')
  })

  it('or, when inclusive, it may be the clock itself', () => {
    const inclusive = { when: 'inclusive' } as const
    expect(next('WEEKLY THU at 08:00 in UTC', '2026-01-01T08:00:00.000Z', inclusive)).toBe('2026-01-01T08:00:00Z')
    expect(next('WEEKLY THU at 08:00 in UTC', '2026-01-01T08:00:00.001Z', inclusive)).toBe('2026-01-08T08:00:00Z')
  })

  it('a run is on second 0 even where the offset has seconds', () => {
    // Monrovia was 44 minutes and 30 seconds behind UTC until January 1972.
    expect(next('DAILY at 08:00 in Africa/Monrovia', '1971-06-01T00:00:00Z')).toBe('1971-06-01T08:44:30Z')
  })

  it('zones may be offsets and aliases, and the year may be far away', () => {
    expect(next('DAILY at 08:00 in +05:30', '2026-01-01T00:00:00Z')).toBe('2026-01-01T02:30:00Z')
    expect(next('DAILY at 08:00 in us/eastern', '2026-01-01T00:00:00Z')).toBe('2026-01-01T13:00:00Z')
    expect(next('DAILY at 08:00 in Europe/Paris', '2199-07-01T07:00:00Z')).toBe('2199-07-02T06:00:00Z')
  })
})

describe('a local time that the clock skips', () => {
  it.each([
    ['New York, 02:30', 'WEEKLY SUN at 02:30 in America/New_York', '2026-03-05T00:00:00Z', 1772955000000],
    ['London, 01:30', 'MONTHLY 29 at 01:30 in Europe/London', '2026-03-05T00:00:00Z', 1774747800000],
    [
      'Lord Howe, by half an hour, 02:15',
      'WEEKLY SUN at 02:15 in Australia/Lord_Howe',
      '2026-10-01T00:00:00Z',
      1791042300000,
    ],
    ['Beirut, at midnight, 00:15', 'DAILY at 00:15 in Asia/Beirut', '2026-03-28T00:00:00Z', 1774736100000],
    ['Cairo, at midnight, 00:30', 'WEEKLY FRI at 00:30 in Africa/Cairo', '2026-04-23T00:00:00Z', 1776983400000],
    ['Apia, a whole day, 08:00', 'WEEKLY FRI at 08:00 in Pacific/Apia', '2011-12-28T00:00:00Z', 1325268000000],
  ])('is moved forward by the gap: %s', (_case, rule, after, at) => {
    expect(Date.parse(next(rule, after))).toBe(at)
    // The clock may have passed the gap in the meantime, but not the run.
    expect(Date.parse(next(rule, new Date(at - 1).toISOString()))).toBe(at)
  })

  it.each([
    ['DAILY at 02:30 in America/New_York', '2026-03-08T00:00:00Z', '2026-03-09T06:30:00Z'],
    ['WEEKLY SUN at 02:30 in America/New_York', '2026-03-05T00:00:00Z', '2026-03-15T06:30:00Z'],
    ['MONTHLY 29 at 01:30 in Europe/London', '2026-03-05T00:00:00Z', '2026-04-29T00:30:00Z'],
    ['DAILY at 02:15 in Australia/Lord_Howe', '2026-10-03T00:00:00Z', '2026-10-04T15:15:00Z'],
    ['DAILY at 08:00 in Pacific/Apia', '2011-12-29T18:00:00Z', '2011-12-30T18:00:00Z'],
    ['WEEKLY FRI at 08:00 in Pacific/Apia', '2011-12-28T00:00:00Z', '2012-01-05T18:00:00Z'],
  ])('or that run does not happen: %s', (rule, after, at) => {
    expect(next(rule, after, { gap: 'skip' })).toBe(at)
  })

  it('the last minute before a gap and the first after it are ordinary times', () => {
    for (const gap of ['forward', 'skip'] as const) {
      expect(next('DAILY at 01:59 in America/New_York', '2026-03-08T00:00:00Z', { gap })).toBe('2026-03-08T06:59:00Z')
      expect(next('DAILY at 03:00 in America/New_York', '2026-03-08T00:00:00Z', { gap })).toBe('2026-03-08T07:00:00Z')
    }
  })

  it('the day that Apia never had, moved forward, falls onto the next one and is not run twice', () => {
    const runs = ['2011-12-29T18:00:00Z', '2011-12-30T18:00:00Z', '2011-12-31T18:00:00Z']
    expect(follow('DAILY at 08:00 in Pacific/Apia', '2011-12-29T00:00:00Z', 3)).toEqual(runs)
    expect(follow('WEEKLY FRI,SAT,SUN at 08:00 in Pacific/Apia', '2011-12-29T20:00:00Z', 2)).toEqual(runs.slice(1))
    expect(follow('MONTHLY 30,31 at 08:00 in Pacific/Apia', '2011-12-29T20:00:00Z', 2)[1]).toBe('2012-01-29T18:00:00Z')
  })

  it('a run that a gap moved to the next date is still found on that date', () => {
    // Apia has 31 December by now; the run was meant for the 30th.
    expect(next('WEEKLY FRI at 08:00 in Pacific/Apia', '2011-12-30T12:00:00Z')).toBe('2011-12-30T18:00:00Z')
    expect(next('MONTHLY 30 at 08:00 in Pacific/Apia', '2011-12-30T12:00:00Z')).toBe('2011-12-30T18:00:00Z')
  })
})

describe('a local time that happens twice', () => {
  it.each([
    [
      'New York, 01:30',
      'WEEKLY SUN at 01:30 in America/New_York',
      '2026-10-30T00:00:00Z',
      1793511000000,
      1793514600000,
    ],
    ['London, 01:30', 'MONTHLY 25 at 01:30 in Europe/London', '2026-10-20T00:00:00Z', 1792888200000, 1792891800000],
    [
      'Lord Howe, by half an hour, 01:45',
      'DAILY at 01:45 in Australia/Lord_Howe',
      '2027-04-03T00:00:00Z',
      1806763500000,
      1806765300000,
    ],
  ])('runs the first time, or the second, and never both: %s', (_case, rule, after, earlier, later) => {
    for (const [overlap, at, other] of [
      ['earlier', earlier, later],
      ['later', later, earlier],
    ] as const) {
      expect(Date.parse(next(rule, after, { overlap }))).toBe(at)
      expect(follow(rule, after, 2, { overlap }).map((run) => Date.parse(run))).not.toContain(other)
    }
  })

  it('asked between the two, the first has passed and the second is still to come', () => {
    const between = '2026-11-01T06:00:00Z'
    const rule = 'DAILY at 01:30 in America/New_York'
    expect(next(rule, between)).toBe('2026-11-02T06:30:00Z')
    expect(next(rule, between, { overlap: 'later' })).toBe('2026-11-01T06:30:00Z')
  })

  it('a skipped time still moves forward when the later of two is chosen', () => {
    const rule = 'DAILY at 02:30 in America/New_York'
    expect(next(rule, '2026-03-08T00:00:00Z', { overlap: 'later' })).toBe('2026-03-08T07:30:00Z')
  })
})

describe('a run says what the clock does at its time', () => {
  it.each([
    ['2026-03-07T12:00:00Z', 'earlier', { at: Date.parse('2026-03-08T07:30:00Z'), inGap: true, inOverlap: false }],
    ['2026-03-07T12:00:00Z', 'later', { at: Date.parse('2026-03-08T07:30:00Z'), inGap: true, inOverlap: false }],
    ['2026-07-01T00:00:00Z', 'earlier', { at: Date.parse('2026-07-01T06:30:00Z'), inGap: false, inOverlap: false }],
  ] as const)('after %s, with the %s of two times', (after, overlap, run) => {
    const rule = decodeRule('DAILY at 02:30 in America/New_York')
    expect(nextRun(rule, Date.parse(after), { ...defaults, overlap })).toMatchObject(run)
  })

  it.each(['earlier', 'later'] as const)('when it happens twice, and it is the %s one', (overlap) => {
    const rule = decodeRule('DAILY at 01:30 in America/New_York')
    const run = nextRun(rule, Date.parse('2026-11-01T00:00:00Z'), { ...defaults, overlap })
    expect(run).toMatchObject({ inGap: false, inOverlap: true })
  })
})

describe('a rule that should have been refused', () => {
  it.each([
    ['WEEKLY 15 at 08:00 in UTC', 'WEEKLY cannot run on the days "15"'],
    ['MONTHLY 32 at 08:00 in UTC', 'MONTHLY cannot run on the days "32"'],
    ['DAILY at 08:00 in Mars/Olympus_Mons', 'Mars/Olympus_Mons is not a time zone'],
  ])('%s is a defect with a message', (rule, message) => {
    expect(() => next(rule, '2026-01-01T00:00:00Z')).toThrow(message)
  })
})

it('Temporal is there in every supported runtime', () => {
  expect(Temporal.PlainDate.from('2026-03-08').dayOfWeek).toBe(7)
})

describe('daysToRun', () => {
  it('weekdays are read as ISO weekdays, sorted, each once', () => {
    expect(decodeWeekdays('SUN')).toEqual([7])
    expect(decodeWeekdays('WED,MON,WED')).toEqual([1, 3])
    expect(decodeWeekdays('MON,TUE,WED,THU,FRI,SAT,SUN')).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it.each(['', ',', 'MON,', 'mon', 'MONDAY', ' MON', 'MON, WED', 'MON WED', '1', 'MON,15'])(
    '%j is no weekday',
    (text) => {
      expect(decodeWeekdays(text)).toBeUndefined()
    },
  )

  it('days of the month are read as numbers, sorted, each once', () => {
    expect(decodeMonthDays('31')).toEqual([31])
    expect(decodeMonthDays('15,1,10,2,15')).toEqual([1, 2, 10, 15])
  })

  it('every day from 1 to 31 can be meant', () => {
    const days = Array.from({ length: 31 }, (_, index) => index + 1)
    expect(decodeMonthDays(days.join(','))).toEqual(days)
  })

  it.each(['', '0', '32', '01', '+1', '-1', '1.0', '1e1', ' 1', '1, 15', '1,', 'MON', '١'])(
    '%j is no day of the month',
    (text) => {
      expect(decodeMonthDays(text)).toBeUndefined()
    },
  )
})
