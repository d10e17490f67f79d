import { expect, test } from 'vitest'
import { CATALOG } from '../../../checks/calibrate/recover.ts'
import { calibrateFrom } from '../../../src/truth/calibrate/calibrate.ts'

const PATH = '/api/content/v1/reportschedules'
const RULE = { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30, timezone: 'UTC', enabled: false }
const INFO = { title: 'Sales', pageId: 1, viewId: 2, attachmentInclude: false, schedule: RULE }

type Fields = Readonly<Record<string, unknown>>

/** A request with its status and response; without a response, what was sent. */
interface Told {
  readonly update?: number
  readonly info?: Fields & { readonly schedule?: Fields }
  readonly schedule?: Fields
  readonly status?: number
  readonly shown?: Fields
}

/** What calibration draws from a client's creates and updates, in this order. */
function concludeFrom(...told: readonly Told[]): Readonly<Record<string, unknown>> {
  const exchanges = told.map(({ update, info = INFO, schedule, status = 200, shown }, index) => {
    const body: Fields & { readonly schedule?: Fields } = schedule
      ? { ...info, schedule: { ...RULE, ...schedule } }
      : info
    const id = update ?? 5
    const response = status === 200 ? { id, ...body, schedule: { ...body.schedule, ...shown } } : {}
    return {
      source: `request ${index + 1}`,
      at: Date.UTC(2026, 2, 5, 9, index),
      milliseconds: 1,
      request: {
        method: update === undefined ? 'POST' : 'PUT',
        url: update === undefined ? PATH : `${PATH}/${update}`,
        headers: [
          { name: 'key', value: 'k' },
          { name: 'content-type', value: 'application/json' },
        ],
        body: JSON.stringify(body),
      },
      response: { status, headers: [], body: JSON.stringify(response), isWhole: true },
    }
  })
  const { results } = calibrateFrom(exchanges, { catalog: CATALOG, keyHeader: 'key' })
  return Object.fromEntries(
    results.map(({ id, finding }) => [id, finding.kind === 'settled' ? finding.value : undefined]),
  )
}

const OLD_ZONE = { timezone: 'US/Eastern' }

test('a refused request with two oddities settles neither', () => {
  const both = { schedule: { ...OLD_ZONE, hourOfDay: '8' }, status: 400 }
  const first = concludeFrom({}, { update: 5, ...both })
  expect(first).toMatchObject({ 'zone.alias': undefined, 'body.types': undefined })
  const accepted = { update: 5, schedule: { hourOfDay: '8' }, shown: { hourOfDay: 8 } }
  const present = { update: 5, schedule: { timezone: 'America/New_York' } }
  const second = concludeFrom({}, accepted, present, { update: 5, ...both })
  expect(second).toMatchObject({ 'zone.alias': 'reject', 'body.types': 'coerce' })
})

test('responses that contradict each other settle nothing', () => {
  const asSent = { update: 5, schedule: OLD_ZONE }
  expect(concludeFrom({}, asSent)).toMatchObject({ 'zone.alias': 'accept' })
  const other = { ...asSent, shown: { timezone: 'America/New_York' } }
  expect(concludeFrom({}, asSent, other)).toMatchObject({ 'zone.alias': undefined })
})

test('an update that is refused after its page was cleared may be refused for the page', () => {
  const odd = { update: 5, schedule: { hourOfDay: '8' }, status: 400 }
  expect(concludeFrom({}, odd)).toMatchObject({ 'body.types': 'strict' })
  const withoutPage = { update: 5, info: { title: 'Sales', schedule: RULE } }
  expect(concludeFrom({}, withoutPage, odd)).toMatchObject({ 'body.types': undefined })
})

test('a refused update of a schedule that was not seen may be one of another user', () => {
  const refused = { update: 17, schedule: OLD_ZONE, status: 404 }
  expect(concludeFrom({}, refused)).toMatchObject({
    'update.unknown-id': undefined,
    'schedule.owner': undefined,
    'zone.alias': undefined,
  })
})

test('a conflict says nothing about the fields of a create, but that none is missing', () => {
  const daily = { schedule: { frequency: 'DAILY' }, status: 409 }
  expect(concludeFrom({}, daily)).toMatchObject({ 'frequency.values': undefined, 'create.duplicate': undefined })
  const otherTitle = { info: { ...INFO, title: 'Costs' }, status: 409 }
  expect(concludeFrom({}, otherTitle)).toMatchObject({ 'create.duplicate': 'conflict-on-view' })
})

test('the next run of a day 31 shows what short months do, by the time of the response', () => {
  const last = { frequency: 'MONTHLY', daysToRun: '31', enabled: true }
  const runsAt = (month: number, day: number) => ({
    update: 5,
    schedule: last,
    shown: { nextRunDate: Date.UTC(2026, month, day, 8, 30) },
  })
  // On 5 March, 31 March is the next one in any case.
  expect(concludeFrom({}, runsAt(2, 31))).toMatchObject({ 'days.short-month': undefined, 'next-run.lag': 'at-once' })
  const inApril = { startDate: Date.UTC(2026, 3, 1) }
  const started = (month: number, day: number) => ({ ...runsAt(month, day), schedule: { ...last, ...inApril } })
  expect(concludeFrom({}, started(4, 31))).toMatchObject({ 'days.short-month': 'skip', 'schedule.dates': 'honour' })
  expect(concludeFrom({}, started(3, 30))).toMatchObject({ 'days.short-month': 'clamp-to-last' })
})

test('a schedule without its frequency may be refused since its days do not fit the stored one', () => {
  const { frequency: _frequency, ...rest } = RULE
  const other = { ...INFO, schedule: { ...RULE, frequency: 'MONTHLY', daysToRun: '15' } }
  const withoutFrequency = { update: 5, info: { ...INFO, schedule: rest }, status: 400 }
  expect(concludeFrom({}, { update: 5, info: other }, withoutFrequency)).toMatchObject({ 'update.schedule': undefined })
  const hourAlone = { update: 5, info: { ...INFO, schedule: { hourOfDay: 9 } }, status: 400 }
  expect(concludeFrom({}, { update: 5, info: other }, hourAlone)).toMatchObject({ 'update.schedule': 'replace' })
})
