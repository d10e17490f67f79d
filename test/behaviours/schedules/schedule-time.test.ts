import type { Response } from 'supertest'
import { expect, test } from 'vitest'
import { describeBehaviour } from '../../support/describe-behaviour.ts'
import { complaintsOf, createTester, NOW, rowsOf, type Tester, weekly } from '../../support/tester.ts'

/** The first id that a test is given: six schedules come with the package. */
const FIRST = 7

type Settings = Readonly<Record<string, unknown>>

function scheduleOf({ body }: Response): Record<string, unknown> {
  return (body as { schedule: Record<string, unknown> }).schedule
}

/** The next run of an answer, as people write it: `2026-03-09T12:30Z`. */
function runOf(response: Response): string {
  expect(response.status, response.text).toBe(200)
  const { nextRunDate } = scheduleOf(response)
  if (typeof nextRunDate !== 'number') throw new Error(`nextRunDate is ${String(nextRunDate)}`)
  expect(nextRunDate % 60_000).toBe(0)
  return new Date(nextRunDate).toISOString().replace(':00.000Z', 'Z')
}

/** Settings such as `WEEKLY SUN 02:30 America/New_York`. */
function settings(rule: string): Settings {
  const [frequency, daysToRun, time = '', timezone] = rule.split(' ')
  const [hourOfDay, minOfHour] = time.split(':').map(Number)
  return { frequency, daysToRun, hourOfDay, minOfHour, timezone }
}

/** Creates a schedule at a moment. */
function createAt({ create, moveTo }: Tester, moment: string | number, rule: string): Promise<Response> {
  moveTo(moment)
  return create(weekly({}, settings(rule)))
}

/** The run after a moment of a schedule that is created then. */
async function nextAt(tester: Tester, moment: string | number, rule: string): Promise<string> {
  return runOf(await createAt(tester, moment, rule))
}

/** Both operations refuse these settings for these reasons, and nothing of them is stored. */
async function refuses({ create, update }: Tester, parts: Settings, ...complaints: readonly string[]): Promise<void> {
  const body = weekly({ title: 'Refused' }, parts)
  for (const refused of [await create(body), await update(1, body)]) {
    expect(refused.status, JSON.stringify(parts)).toBe(400)
    expect(complaintsOf(refused), JSON.stringify(parts)).toEqual(complaints)
  }
  expect((await update(1, {})).body).toHaveProperty('title', 'Weekly sales')
}

const CALENDAR = ['days.short-month', 'next-run.when', 'next-run.gap', 'next-run.overlap']

/** The behaviours of the calendar that a response depends on. */
function calendarOf(response: Response): string[] {
  return rowsOf(response).filter((row) => CALENDAR.includes(row))
}

test('an ordinary run depends on no behaviour of the calendar, even when the clock shows a whole minute', async () => {
  const tester = createTester()
  const rules = ['WEEKLY MON 08:30 America/New_York', 'MONTHLY 15 08:30 Europe/London', 'MONTHLY 31 08:30 UTC']
  for (const rule of rules) {
    for (const moment of [NOW, NOW + 1, NOW + 60_000])
      expect(calendarOf(await createAt(tester, moment, rule))).toEqual([])
  }
})

describeBehaviour('frequency.values', {
  default: async (tester) => {
    expect(await nextAt(tester, NOW, 'WEEKLY MON 08:30 UTC')).toBe('2026-03-09T08:30Z')
    expect(await nextAt(tester, NOW, 'MONTHLY 15 08:30 UTC')).toBe('2026-03-15T08:30Z')
    for (const frequency of ['DAILY', 'weekly', 'Monthly', 'YEARLY', '', ' WEEKLY', 'WEEKLY,MONTHLY', '__proto__'])
      await refuses(tester, { frequency }, '/schedule/frequency frequency.values')
  },
  'WEEKLY,MONTHLY,DAILY': async (tester) => {
    for (const days of ['MON', '15', '31', '', 'never'])
      expect(await nextAt(tester, NOW, `DAILY ${days} 08:30 UTC`)).toBe('2026-03-06T08:30Z')
    const created = await createAt(tester, NOW, 'DAILY never 15:00 UTC')
    expect(runOf(created)).toBe('2026-03-05T15:00Z')
    expect(scheduleOf(created)).toMatchObject({ frequency: 'DAILY', daysToRun: 'never' })
    expect(await nextAt(tester, NOW, 'WEEKLY MON 08:30 UTC')).toBe('2026-03-09T08:30Z')
    await refuses(tester, { frequency: 'HOURLY' }, '/schedule/frequency frequency.values')
    await refuses(tester, { frequency: 'DAILY', daysToRun: 1 }, '/schedule/daysToRun type')
    const missing = await tester.create(weekly({}, { frequency: undefined }))
    const errors = [{ pointer: '/schedule/frequency', expected: 'WEEKLY, MONTHLY or DAILY' }]
    expect(missing.body).toMatchObject({ errors })
  },
  MONTHLY: async (tester) => {
    expect(await nextAt(tester, NOW, 'MONTHLY 15 08:30 UTC')).toBe('2026-03-15T08:30Z')
    await refuses(tester, {}, '/schedule/frequency frequency.values')
    // What the package's schedules do is not undone by what a request may ask for.
    expect(scheduleOf(await tester.update(1, {}))).toMatchObject({ frequency: 'WEEKLY', daysToRun: 'SUN' })
  },
})

const NO_WEEKDAYS = [
  'mon',
  'Mon',
  'MONDAY',
  'MO',
  '',
  ' MON',
  'MON ',
  'MON;WED',
  'MON-FRI',
  'DAY',
  'MON,',
  ',',
  'MON,,WED',
]

describeBehaviour('days.weekly', {
  single: async (tester) => {
    const dates = { SUN: '08', MON: '09', TUE: '10', WED: '11', THU: '12', FRI: '06', SAT: '07' }
    for (const [day, date] of Object.entries(dates))
      expect(await nextAt(tester, NOW, `WEEKLY ${day} 08:30 UTC`)).toBe(`2026-03-${date}T08:30Z`)
    expect(await nextAt(tester, NOW, 'WEEKLY THU 14:31 UTC')).toBe('2026-03-05T14:31Z')
    for (const daysToRun of [...NO_WEEKDAYS, 'MON,WED', 'MON,MON', 'MON, WED'])
      await refuses(tester, { daysToRun }, '/schedule/daysToRun days.weekly')
  },
  list: async (tester) => {
    expect(await nextAt(tester, NOW, 'WEEKLY MON,WED 08:30 UTC')).toBe('2026-03-09T08:30Z')
    expect(await nextAt(tester, '2026-03-09T08:30:00Z', 'WEEKLY MON,WED 08:30 UTC')).toBe('2026-03-11T08:30Z')
    const created = await createAt(tester, NOW, 'WEEKLY WED,FRI,WED 08:30 UTC')
    expect(runOf(created)).toBe('2026-03-06T08:30Z')
    expect(scheduleOf(created)).toHaveProperty('daysToRun', 'WED,FRI,WED')
    expect(await nextAt(tester, NOW, 'WEEKLY SAT 08:30 UTC')).toBe('2026-03-07T08:30Z')
    for (const daysToRun of [...NO_WEEKDAYS, 'MON, WED', 'MON,15'])
      await refuses(tester, { daysToRun }, '/schedule/daysToRun days.weekly')
  },
})

const NO_MONTH_DAYS = [
  '0',
  '32',
  '01',
  '015',
  '1.0',
  '-1',
  '+1',
  '1e1',
  '',
  ' 15',
  '15 ',
  '15th',
  'LAST',
  '١٥',
  '1,',
  ',',
  '1,32',
]

describeBehaviour('days.monthly', {
  '31': async (tester) => {
    for (let day = 1; day <= 31; day++) {
      const month = day <= 5 ? '04' : '03'
      const run = `2026-${month}-${String(day).padStart(2, '0')}T08:30Z`
      expect(await nextAt(tester, NOW, `MONTHLY ${day} 08:30 UTC`)).toBe(run)
    }
    for (const daysToRun of [...NO_MONTH_DAYS, '1,15', '15,15'])
      await refuses(tester, { frequency: 'MONTHLY', daysToRun }, '/schedule/daysToRun days.monthly')
  },
  '28': async (tester) => {
    expect(await nextAt(tester, NOW, 'MONTHLY 28 08:30 UTC')).toBe('2026-03-28T08:30Z')
    for (const daysToRun of [...NO_MONTH_DAYS, '29', '30', '31', '1,15'])
      await refuses(tester, { frequency: 'MONTHLY', daysToRun }, '/schedule/daysToRun days.monthly')
    // The packaged schedule for day 31 is still there.
    expect(scheduleOf(await tester.update(2, {}))).toHaveProperty('daysToRun', '31')
  },
  list: async (tester) => {
    expect(await nextAt(tester, NOW, 'MONTHLY 1,15 08:30 UTC')).toBe('2026-03-15T08:30Z')
    expect(await nextAt(tester, '2026-03-15T08:30:00Z', 'MONTHLY 15,1 08:30 UTC')).toBe('2026-04-01T08:30Z')
    expect(await nextAt(tester, NOW, 'MONTHLY 31 08:30 UTC')).toBe('2026-03-31T08:30Z')
    for (const daysToRun of [...NO_MONTH_DAYS, '1, 15', '1,MON'])
      await refuses(tester, { frequency: 'MONTHLY', daysToRun }, '/schedule/daysToRun days.monthly')
  },
})

describeBehaviour('days.mismatch', {
  default: async (tester) => {
    for (const daysToRun of ['15', '1', '31']) await refuses(tester, { daysToRun }, '/schedule/daysToRun days.mismatch')
    for (const daysToRun of ['MON', 'SUN'])
      await refuses(tester, { frequency: 'MONTHLY', daysToRun }, '/schedule/daysToRun days.mismatch')
    for (const frequency of ['WEEKLY', 'MONTHLY']) {
      for (const daysToRun of [15, 1, true, ['MON'], {}])
        await refuses(tester, { frequency, daysToRun }, '/schedule/daysToRun type')
    }
  },
})

describeBehaviour('days.short-month', {
  skip: async (tester) => {
    const fromFebruary = await createAt(tester, '2026-02-01T00:00:00Z', 'MONTHLY 31 08:30 UTC')
    expect(runOf(fromFebruary)).toBe('2026-03-31T08:30Z')
    expect(calendarOf(fromFebruary)).toEqual(['days.short-month'])
    expect(await nextAt(tester, '2026-03-31T08:30:00Z', 'MONTHLY 31 08:30 UTC')).toBe('2026-05-31T08:30Z')
    expect(await nextAt(tester, '2026-02-01T00:00:00Z', 'MONTHLY 30 08:30 UTC')).toBe('2026-03-30T08:30Z')
    expect(await nextAt(tester, '2026-02-01T00:00:00Z', 'MONTHLY 29 08:30 UTC')).toBe('2026-03-29T08:30Z')
    expect(await nextAt(tester, '2028-02-01T00:00:00Z', 'MONTHLY 29 08:30 UTC')).toBe('2028-02-29T08:30Z')
    const fromMarch = await createAt(tester, '2026-03-05T00:00:00Z', 'MONTHLY 31 08:30 UTC')
    expect(calendarOf(fromMarch)).toEqual([])
  },
  'clamp-to-last': async (tester) => {
    const fromFebruary = await createAt(tester, '2026-02-01T00:00:00Z', 'MONTHLY 31 08:30 UTC')
    expect(runOf(fromFebruary)).toBe('2026-02-28T08:30Z')
    expect(calendarOf(fromFebruary)).toEqual(['days.short-month'])
    expect(await nextAt(tester, '2026-02-28T08:30:00Z', 'MONTHLY 31 08:30 UTC')).toBe('2026-03-31T08:30Z')
    expect(await nextAt(tester, '2026-03-31T08:30:00Z', 'MONTHLY 31 08:30 UTC')).toBe('2026-04-30T08:30Z')
    expect(await nextAt(tester, '2028-02-01T00:00:00Z', 'MONTHLY 30 08:30 UTC')).toBe('2028-02-29T08:30Z')
    expect(calendarOf(await createAt(tester, '2026-03-05T00:00:00Z', 'MONTHLY 31 08:30 UTC'))).toEqual([])
  },
})

describeBehaviour('time.range', {
  default: async (tester) => {
    for (const hourOfDay of [-1, 24, 100, 2147483647])
      await refuses(tester, { hourOfDay }, '/schedule/hourOfDay time.range')
    for (const minOfHour of [-1, 60, 100, -2147483648])
      await refuses(tester, { minOfHour }, '/schedule/minOfHour time.range')
    const both = ['/schedule/hourOfDay time.range', '/schedule/minOfHour time.range']
    await refuses(tester, { hourOfDay: 24, minOfHour: 60 }, ...both)
    expect(rowsOf(await tester.create(weekly({}, { hourOfDay: 24 })))).toContain('time.range')
    for (const hourOfDay of [2147483648, 1e300]) await refuses(tester, { hourOfDay }, '/schedule/hourOfDay format')
    expect(await nextAt(tester, NOW, 'WEEKLY MON 00:00 UTC')).toBe('2026-03-09T00:00Z')
    expect(await nextAt(tester, NOW, 'WEEKLY MON 23:59 UTC')).toBe('2026-03-09T23:59Z')
  },
})

const EXACTLY = Date.parse('2026-03-09T08:30:00.000Z')
const WEEKLY = 'WEEKLY MON 08:30 UTC'

describeBehaviour('next-run.when', {
  strict: async (tester) => {
    const exactly = await createAt(tester, EXACTLY, WEEKLY)
    expect(runOf(exactly)).toBe('2026-03-16T08:30Z')
    expect(calendarOf(exactly)).toEqual(['next-run.when'])
    const before = await createAt(tester, EXACTLY - 1, WEEKLY)
    expect(runOf(before)).toBe('2026-03-09T08:30Z')
    expect(calendarOf(before)).toEqual([])
    expect(await nextAt(tester, EXACTLY + 1, WEEKLY)).toBe('2026-03-16T08:30Z')
    expect(await nextAt(tester, NOW + 12_345, 'WEEKLY THU 14:31 UTC')).toBe('2026-03-05T14:31Z')
  },
  inclusive: async (tester) => {
    const exactly = await createAt(tester, EXACTLY, WEEKLY)
    expect(runOf(exactly)).toBe('2026-03-09T08:30Z')
    expect(calendarOf(exactly)).toEqual(['next-run.when'])
    const after = await createAt(tester, EXACTLY + 1, WEEKLY)
    expect(runOf(after)).toBe('2026-03-16T08:30Z')
    expect(calendarOf(after)).toEqual([])
  },
})

/** A moment before, the rule, the run that is moved forward by the gap, and the one after a gap that is skipped. */
const GAPS = [
  ['2026-03-05T14:30:00Z', 'WEEKLY SUN 02:30 America/New_York', 1772955000000, '2026-03-15T06:30Z'],
  ['2026-03-24T00:00:00Z', 'WEEKLY SUN 01:30 Europe/London', 1774747800000, '2026-04-05T00:30Z'],
  ['2026-10-01T00:00:00Z', 'WEEKLY SUN 02:15 Australia/Lord_Howe', 1791042300000, '2026-10-10T15:15Z'],
  ['2026-03-24T00:00:00Z', 'WEEKLY SUN 00:15 Asia/Beirut', 1774736100000, '2026-04-04T21:15Z'],
  ['2026-04-20T00:00:00Z', 'WEEKLY FRI 00:30 Africa/Cairo', 1776983400000, '2026-04-30T21:30Z'],
  ['2026-04-20T00:00:00Z', 'MONTHLY 24 00:30 Africa/Cairo', 1776983400000, '2026-05-23T21:30Z'],
  // Apia had no 30 December 2011.
  ['2011-12-28T00:00:00Z', 'WEEKLY FRI 08:00 Pacific/Apia', 1325268000000, '2012-01-05T18:00Z'],
  ['2011-12-28T00:00:00Z', 'MONTHLY 30 08:00 Pacific/Apia', 1325268000000, '2012-01-29T18:00Z'],
] as const

describeBehaviour('next-run.gap', {
  forward: async (tester) => {
    for (const [before, rule, run, after] of GAPS) {
      const created = await createAt(tester, before, rule)
      expect(scheduleOf(created).nextRunDate, rule).toBe(run)
      expect(calendarOf(created)).toEqual(['next-run.gap'])
      expect(await nextAt(tester, run - 1, rule)).toBe(new Date(run).toISOString().replace(':00.000Z', 'Z'))
      const next = await createAt(tester, run, rule)
      expect(runOf(next)).toBe(after)
      expect(calendarOf(next)).not.toContain('next-run.gap')
    }
  },
  skip: async (tester) => {
    for (const [before, rule, , after] of GAPS) {
      const created = await createAt(tester, before, rule)
      expect(runOf(created), rule).toBe(after)
      expect(calendarOf(created)).toEqual(['next-run.gap'])
      tester.moveTo(after)
      expect(calendarOf(await tester.update(FIRST, {}))).not.toContain('next-run.gap')
    }
  },
})

test('a day that was left out is not run twice', async () => {
  const tester = createTester({ behaviours: { 'frequency.values': 'WEEKLY,MONTHLY,DAILY' } })
  const runs = ['2011-12-29T18:00Z', '2011-12-30T18:00Z', '2011-12-31T18:00Z']
  let moment = '2011-12-29T00:00Z'
  for (const run of runs) expect((moment = await nextAt(tester, moment, 'DAILY - 08:00 Pacific/Apia'))).toBe(run)
})

/** A moment before, the rule, the first and the second time, and the run a week later. */
const OVERLAPS = [
  ['2026-10-28T00:00:00Z', 'WEEKLY SUN 01:30 America/New_York', 1793511000000, 1793514600000, '2026-11-08T06:30Z'],
  ['2026-10-20T00:00:00Z', 'WEEKLY SUN 01:30 Europe/London', 1792888200000, 1792891800000, '2026-11-01T01:30Z'],
  ['2027-03-30T00:00:00Z', 'WEEKLY SUN 01:45 Australia/Lord_Howe', 1806763500000, 1806765300000, '2027-04-10T15:15Z'],
] as const

describeBehaviour('next-run.overlap', {
  earlier: async (tester) => {
    for (const [before, rule, first, second, after] of OVERLAPS) {
      const created = await createAt(tester, before, rule)
      expect(scheduleOf(created).nextRunDate, rule).toBe(first)
      expect(calendarOf(created)).toEqual(['next-run.overlap'])
      // Once the first has been, the second is no run any more, which is an answer to the same question.
      const between = await createAt(tester, first + 1, rule)
      expect(runOf(between)).toBe(after)
      expect(calendarOf(between)).toEqual(['next-run.overlap'])
      expect(calendarOf(await createAt(tester, second + 1, rule))).toEqual([])
    }
  },
  later: async (tester) => {
    for (const [before, rule, first, second, after] of OVERLAPS) {
      for (const moment of [before, first - 1, first, first + 1, second - 1]) {
        const created = await createAt(tester, moment, rule)
        expect(scheduleOf(created).nextRunDate, rule).toBe(second)
        expect(calendarOf(created)).toContain('next-run.overlap')
      }
      expect(await nextAt(tester, second, rule)).toBe(after)
    }
  },
})

/** A schedule that is switched off and on again; what it shows while it is off is left to the test. */
async function switchOff({ create, update }: Tester, whileOff: (response: Response) => void): Promise<void> {
  const settled = weekly().schedule as Settings
  const off = await create(weekly({}, { enabled: false }))
  for (const response of [off, await update(FIRST, {}), await update(FIRST, { title: 'Still off' })]) {
    expect(scheduleOf(response)).toHaveProperty('enabled', false)
    expect(rowsOf(response)).toContain('next-run.disabled')
    whileOff(response)
  }
  const on = await update(FIRST, { schedule: { ...settled, enabled: true } })
  expect(runOf(on)).toBe('2026-03-09T12:30Z')
  expect(rowsOf(on)).not.toContain('next-run.disabled')
  whileOff(await update(FIRST, { schedule: { ...settled, enabled: false } }))
}

describeBehaviour('next-run.disabled', {
  absent: (tester) => switchOff(tester, (response) => expect(scheduleOf(response)).not.toHaveProperty('nextRunDate')),
  null: (tester) => switchOff(tester, (response) => expect(scheduleOf(response)).toHaveProperty('nextRunDate', null)),
  computed: (tester) => switchOff(tester, (response) => expect(runOf(response)).toBe('2026-03-09T12:30Z')),
})

describeBehaviour('next-run.passes', {
  'on-read': async (tester) => {
    expect(await nextAt(tester, NOW, WEEKLY)).toBe('2026-03-09T08:30Z')
    tester.moveTo('2026-03-09T08:29:59.999Z')
    expect(runOf(await tester.update(FIRST, {}))).toBe('2026-03-09T08:30Z')
    tester.moveTo('2026-03-09T08:30:00.000Z')
    expect(runOf(await tester.update(FIRST, {}))).toBe('2026-03-16T08:30Z')
    tester.moveTo('2027-01-01T00:00:00.000Z')
    expect(runOf(await tester.update(FIRST, { title: 'Next year' }))).toBe('2027-01-04T08:30Z')
  },
  'frozen-at-write': async (tester) => {
    expect(await nextAt(tester, NOW, WEEKLY)).toBe('2026-03-09T08:30Z')
    tester.moveTo('2027-01-01T00:00:00.000Z')
    expect(runOf(await tester.update(FIRST, {}))).toBe('2026-03-09T08:30Z')
    expect((await tester.update(FIRST, { title: ' ' })).status).toBe(400)
    expect(runOf(await tester.update(FIRST, {}))).toBe('2026-03-09T08:30Z')
    expect(runOf(await tester.update(FIRST, { title: 'Written' }))).toBe('2027-01-04T08:30Z')
    tester.moveTo('2028-01-01T00:00:00.000Z')
    expect(runOf(await tester.update(FIRST, {}))).toBe('2027-01-04T08:30Z')
  },
})

describeBehaviour('zone.omitted', {
  default: async (tester) => {
    const created = await tester.create(weekly({}, { timezone: undefined }))
    expect(runOf(created)).toBe('2026-03-09T08:30Z')
    expect(rowsOf(created)).toContain('zone.omitted')
    expect(scheduleOf(created)).not.toHaveProperty('timezone')
    expect(scheduleOf(await tester.update(FIRST, {}))).toHaveProperty('timezone', 'UTC')
    expect(rowsOf(await tester.create(weekly()))).not.toContain('zone.omitted')
  },
  'Europe/Berlin': async (tester) => {
    const created = await tester.create(weekly({}, { timezone: undefined }))
    expect(runOf(created)).toBe('2026-03-09T07:30Z')
    expect(rowsOf(created)).toContain('zone.omitted')
    expect(scheduleOf(await tester.update(FIRST, {}))).toHaveProperty('timezone', 'Europe/Berlin')
    expect(runOf(await tester.create(weekly()))).toBe('2026-03-09T12:30Z')
  },
})

function messageOf(response: Response): string {
  return (response.body as { readonly errors: readonly { readonly message: string }[] }).errors[0]?.message ?? ''
}

const NO_ZONES = [
  ...['Mars/Olympus', '', ' ', 'America/New York', 'America/', '/New_York', ' America/New_York', 'America\\New_York'],
  ...['../../etc/passwd', '__proto__', 'constructor', 'null', 'local', '+25:00', '+2', 'Etc/GMT+15', 'UTC+2', 'Z'],
  ...['America/New_York\u0000', 'Ａmerica/New_York', '\ud800', 'A/'.repeat(5000)],
]

describeBehaviour('zone.invalid', {
  error: async (tester) => {
    expect(messageOf(await tester.create(weekly({}, { timezone: 'America/New_Yrok' })))).toMatch(
      /got "America\/New_Yrok"\. Did you mean America\/New_York\?$/,
    )
    expect(messageOf(await tester.create(weekly({}, { timezone: 'Berlin' })))).toMatch(/Did you mean Europe\/Berlin\?$/)
    expect(messageOf(await tester.create(weekly({}, { timezone: 'New York' })))).toMatch(
      /Did you mean America\/New_York\?$/,
    )
    expect(messageOf(await tester.create(weekly({}, { timezone: '../../etc/passwd' })))).toMatch(/got "[^"]+"\.$/)
    for (const timezone of NO_ZONES) await refuses(tester, { timezone }, '/schedule/timezone zone.invalid')
    expect(rowsOf(await tester.create(weekly({}, { timezone: 'Mars/Olympus' })))).toContain('zone.invalid')
    expect(rowsOf(await tester.create(weekly()))).not.toContain('zone.invalid')
  },
  utc: async (tester) => {
    for (const timezone of NO_ZONES) {
      const created = await tester.create(weekly({}, { timezone }))
      expect(runOf(created), timezone).toBe('2026-03-09T08:30Z')
      expect(rowsOf(created)).toContain('zone.invalid')
    }
    expect(scheduleOf(await tester.update(FIRST, {}))).toHaveProperty('timezone', 'UTC')
    expect(rowsOf(await tester.create(weekly()))).not.toContain('zone.invalid')
  },
})

/** Older names, the present ones, and the next Monday 08:30 there. */
const ALIASES = [
  ['US/Eastern', 'America/New_York', '2026-03-09T12:30Z'],
  ['Asia/Calcutta', 'Asia/Kolkata', '2026-03-09T03:00Z'],
  ['Europe/Kiev', 'Europe/Kyiv', '2026-03-09T06:30Z'],
] as const

/** What an update echoes and when it runs, for a zone that is sent. */
async function zoned({ update }: Tester, timezone: string): Promise<Response> {
  return update(1, { schedule: weekly({}, { timezone }).schedule })
}

describeBehaviour('zone.alias', {
  accept: async (tester) => {
    for (const [alias, name, run] of ALIASES) {
      const updated = await zoned(tester, alias)
      expect(scheduleOf(updated)).toHaveProperty('timezone', alias)
      expect(runOf(updated)).toBe(run)
      expect(rowsOf(updated)).toContain('zone.alias')
      const plain = await zoned(tester, name)
      expect(runOf(plain)).toBe(run)
      expect(rowsOf(plain)).not.toContain('zone.alias')
    }
  },
  canonicalise: async (tester) => {
    for (const [alias, name, run] of ALIASES) {
      const updated = await zoned(tester, alias)
      expect(scheduleOf(updated)).toHaveProperty('timezone', name)
      expect(runOf(updated)).toBe(run)
      expect(rowsOf(updated)).toContain('zone.alias')
      expect(scheduleOf(await tester.update(1, {}))).toHaveProperty('timezone', name)
    }
  },
  reject: async (tester) => {
    for (const [alias, name] of ALIASES) {
      await refuses(tester, { timezone: alias }, '/schedule/timezone zone.alias')
      expect((await zoned(tester, name)).status).toBe(200)
      await tester.update(1, { title: 'Weekly sales' })
    }
    expect(rowsOf(await tester.create(weekly({}, { timezone: 'US/Eastern' })))).toContain('zone.alias')
  },
})

const WITHOUT_REGION = [
  'EST',
  'EST5EDT',
  'CET',
  'Japan',
  'Zulu',
  '+02:00',
  '-0330',
  '+00',
  'utc',
  'gmt',
  'us/eastern',
  'america/new_york',
]

describeBehaviour('zone.short', {
  strict: async (tester) => {
    for (const timezone of WITHOUT_REGION) await refuses(tester, { timezone }, '/schedule/timezone zone.short')
    const offsets = { UTC: '08:30', GMT: '08:30', 'Etc/GMT+5': '13:30', 'Etc/GMT-14': '18:30' }
    for (const [timezone, time] of Object.entries(offsets)) {
      const updated = await zoned(tester, timezone)
      expect(scheduleOf(updated)).toHaveProperty('timezone', timezone)
      expect(runOf(updated)).toBe(`2026-03-0${timezone === 'Etc/GMT-14' ? 8 : 9}T${time}Z`)
      expect(rowsOf(updated)).not.toContain('zone.alias')
    }
  },
  any: async (tester) => {
    for (const timezone of WITHOUT_REGION) {
      const updated = await zoned(tester, timezone)
      expect(updated.status, updated.text).toBe(200)
      expect(scheduleOf(updated)).toHaveProperty('timezone', timezone)
    }
    expect(runOf(await zoned(tester, '+02:00'))).toBe('2026-03-09T06:30Z')
    expect(runOf(await zoned(tester, '-0330'))).toBe('2026-03-09T12:00Z')
    expect(runOf(await zoned(tester, 'utc'))).toBe('2026-03-09T08:30Z')
    expect(runOf(await zoned(tester, 'us/eastern'))).toBe('2026-03-09T12:30Z')
    await refuses(tester, { timezone: 'Mars/Olympus' }, '/schedule/timezone zone.invalid')
  },
})
