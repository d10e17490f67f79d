import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import { complaintsOf, createTester, pathsOf, rowsOf, type Tester } from '../support/tester.ts'

interface DateFilter {
  readonly field?: string | null
  readonly start?: string | number | null
  readonly end?: string | number | null
  readonly not?: boolean
}

const set = (dates: Readonly<Record<string, string>>) => {
  const files = Object.entries(dates).map(([path, created]) => ({ path, created }))
  return { fixtures: [{ fileSets: [{ id: 'tiny', files }] }] }
}

/** The paths that meet all of the date filters, by path; the field is `created` by default. */
const found = ({ paths }: Tester, ...dateFilters: readonly DateFilter[]) =>
  paths({ body: { dateFilters: dateFilters.map((filter) => ({ field: 'created', ...filter })) } })

const leaningOf = async ({ search }: Tester, filter: DateFilter) =>
  rowsOf(await search({ body: { dateFilters: [{ field: 'created', ...filter }] } }))

/** Sees one date filter refused, each complaint being a pointer below the filter and a row. */
async function expectRefused({ search }: Tester, filter: DateFilter, ...complaints: string[]): Promise<void> {
  const refused = await search({ body: { dateFilters: [{ field: 'created', ...filter }] } })
  expect(refused.status, JSON.stringify(filter)).toBe(400)
  expect(complaintsOf(refused)).toEqual(complaints.map((complaint) => `/dateFilters/0${complaint}`))
}

// A nanosecond apart, around the first moment of March.
const MARCH = '2026-03-01T00:00:00Z'
const march = set({
  '1 before': '2026-02-28T23:59:59.999999999Z',
  '2 at': '2026-03-01T00:00:00.000Z',
  '3 after': '2026-03-01T00:00:00.000000001Z',
})
const ALL = ['1 before', '2 at', '3 after']

describeBehaviour(
  'date.start',
  {
    inclusive: async (tester) => {
      expect(await found(tester, { start: MARCH })).toEqual(['2 at', '3 after'])
      expect(await found(tester, { start: '2026-03-01T00:00:00.000000001Z' })).toEqual(['3 after'])
      expect(await found(tester, { start: '2026-03-01T00:00:00.000000002Z' })).toEqual([])
      expect(await found(tester, { start: '2026-02-28T23:59:59.999999999Z' })).toEqual(ALL)
      expect(await found(tester, { start: MARCH, not: true })).toEqual(['1 before'])
      expect(await leaningOf(tester, { start: MARCH })).toContain('date.start')
      expect(await leaningOf(tester, { end: MARCH })).not.toContain('date.start')
      expect(rowsOf(await tester.search())).not.toContain('date.start')
    },
    exclusive: async (tester) => {
      expect(await found(tester, { start: MARCH })).toEqual(['3 after'])
      expect(await found(tester, { start: '2026-02-28T23:59:59.999999998Z' })).toEqual(ALL)
      expect(await found(tester, { start: MARCH, not: true })).toEqual(['1 before', '2 at'])
      expect(await found(tester, { end: MARCH })).toEqual(['1 before', '2 at'])
      expect(await found(tester, { start: MARCH, end: MARCH })).toEqual([])
    },
  },
  march,
)

describeBehaviour(
  'date.end',
  {
    inclusive: async (tester) => {
      expect(await found(tester, { end: MARCH })).toEqual(['1 before', '2 at'])
      expect(await found(tester, { end: '2026-02-28T23:59:59.999999999Z' })).toEqual(['1 before'])
      expect(await found(tester, { end: '2026-02-28T23:59:59.999999998Z' })).toEqual([])
      expect(await found(tester, { end: MARCH, not: true })).toEqual(['3 after'])
      expect(await found(tester, { start: MARCH, end: MARCH })).toEqual(['2 at'])
      expect(await found(tester, { start: MARCH, end: MARCH, not: true })).toEqual(['1 before', '3 after'])
      expect(await leaningOf(tester, { end: MARCH })).toContain('date.end')
      expect(await leaningOf(tester, { start: MARCH, end: null })).not.toContain('date.end')
    },
    exclusive: async (tester) => {
      expect(await found(tester, { end: MARCH })).toEqual(['1 before'])
      expect(await found(tester, { end: '2026-03-01T00:00:00.000000002Z' })).toEqual(ALL)
      expect(await found(tester, { end: MARCH, not: true })).toEqual(['2 at', '3 after'])
      expect(await found(tester, { start: MARCH })).toEqual(['2 at', '3 after'])
    },
  },
  march,
)

describeBehaviour(
  'date.open-end',
  {
    default: async (tester) => {
      for (const open of [{}, { end: null }]) {
        expect(await found(tester, { start: MARCH, ...open })).toEqual(['2 at', '3 after'])
        expect(await found(tester, { start: MARCH, ...open, not: true })).toEqual(['1 before'])
        const rows = await leaningOf(tester, { start: MARCH, ...open })
        for (const row of ['date.open-end', 'date.end', 'body.null']) expect(rows).not.toContain(row)
      }
    },
  },
  march,
)

describeBehaviour(
  'date.open-start',
  {
    open: async (tester) => {
      for (const open of [{}, { start: null }]) {
        expect(await found(tester, { ...open, end: MARCH })).toEqual(['1 before', '2 at'])
        expect(await found(tester, { ...open, end: MARCH, not: true })).toEqual(['3 after'])
        expect(await found(tester, { ...open, end: null })).toEqual(ALL)
        expect(await found(tester, { ...open, not: true })).toEqual([])
        expect(await leaningOf(tester, { ...open, end: MARCH })).toContain('date.open-start')
      }
      expect(await leaningOf(tester, { start: MARCH })).not.toContain('date.open-start')
    },
    error: async (tester) => {
      for (const open of [{}, { start: null }]) {
        await expectRefused(tester, { ...open, end: MARCH }, '/start date.open-start')
        await expectRefused(tester, { ...open, end: null }, '/start date.open-start')
      }
      expect(await found(tester, { start: MARCH })).toEqual(['2 at', '3 after'])
    },
  },
  march,
)

// The second is the later instant, though the earlier text.
const INVERTED = { start: '2026-03-01T00:00:00.000000001Z', end: MARCH }
const INVERTED_BY_ZONE = { start: '2026-03-01T01:00:00-01:00', end: '2026-03-01T02:59:59+01:00' }

describeBehaviour(
  'date.inverted',
  {
    empty: async (tester) => {
      for (const inverted of [INVERTED, INVERTED_BY_ZONE]) {
        expect(await found(tester, inverted)).toEqual([])
        expect(await found(tester, { ...inverted, not: true })).toEqual(ALL)
        expect(await leaningOf(tester, inverted)).toContain('date.inverted')
      }
      expect(await leaningOf(tester, { start: MARCH, end: MARCH })).not.toContain('date.inverted')
    },
    error: async (tester) => {
      for (const inverted of [INVERTED, INVERTED_BY_ZONE]) {
        await expectRefused(tester, inverted, ' date.inverted')
        await expectRefused(tester, { ...inverted, not: true }, ' date.inverted')
      }
      expect(await found(tester, { start: MARCH, end: MARCH })).toEqual(['2 at'])
      expect(await found(tester, { start: '2026-03-01T02:00:00+02:00', end: MARCH })).toEqual(['2 at'])
    },
  },
  march,
)

/** Spellings of the first moment of March. */
const OFFSETS = ['+00:00', '-00:00', '+01:00', '-05:30', '+14:00', '+23:59', '-23:59'].map((offset) => {
  const [, sign, hours, minutes] = /(.)(..):(..)/.exec(offset) ?? []
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
  return new Date(Date.parse(MARCH) + ahead).toISOString().replace('.000Z', offset)
})
const SMALL = ['2026-03-01t00:00:00Z', '2026-03-01T00:00:00z']
const FRACTIONS = Array.from({ length: 9 }, (_, digits) => `2026-03-01T00:00:00.${'0'.repeat(digits + 1)}Z`)
const EPOCH = Date.parse(MARCH)

describeBehaviour(
  'date.format',
  {
    rfc3339: async (tester) => {
      for (const spelt of [MARCH, ...OFFSETS, ...SMALL, ...FRACTIONS, '2026-03-01T01:00:00.000000000+01:00']) {
        expect(await found(tester, { start: spelt, end: spelt }), spelt).toEqual(['2 at'])
      }
      expect(await found(tester, { start: '2026-03-01T00:59:59.999999999+01:00' })).toEqual(ALL)
      expect(await found(tester, { start: '2026-03-01T01:00:00.000000001+01:00' })).toEqual(['3 after'])
      await expectRefused(tester, { start: EPOCH }, '/start type')
      await expectRefused(tester, { start: String(EPOCH), end: '-1' }, '/start date.invalid', '/end date.invalid')
      expect(await leaningOf(tester, { start: MARCH })).not.toContain('date.format')
    },
    'strict-z': async (tester) => {
      for (const spelt of [MARCH, ...FRACTIONS]) {
        expect(await found(tester, { start: spelt, end: spelt }), spelt).toEqual(['2 at'])
      }
      for (const spelt of [...OFFSETS, '2026-03-01T00:00:00z']) {
        await expectRefused(tester, { start: spelt, end: spelt }, '/start date.format', '/end date.format')
      }
      await expectRefused(tester, { start: EPOCH }, '/start type')
    },
    'plus-epoch-ms': async (tester) => {
      for (const spelt of [MARCH, ...OFFSETS, EPOCH, String(EPOCH)]) {
        expect(await found(tester, { start: spelt, end: spelt }), String(spelt)).toEqual(['2 at'])
      }
      expect(await found(tester, { start: EPOCH - 1, end: EPOCH + 1 })).toEqual(ALL)
      expect(await found(tester, { start: -62135596800000, end: 253402300799999 })).toEqual(ALL)
      expect(await found(tester, { start: 0, end: -1 })).toEqual([])
      for (const spelt of [1.5, 1e21, '1.5', '1e3', '+1', '', ' 1', '1 ', '0x1', '1'.repeat(16)]) {
        await expectRefused(tester, { start: spelt, end: spelt }, '/start date.invalid', '/end date.invalid')
      }
    },
  },
  march,
)

const INVALID = [
  // no zone
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00.000',
  // times and days that there are not
  '2026-01-01T24:00:00Z',
  '2026-01-01T25:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-12-31T23:59:60Z',
  '2016-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-32T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00+01:60',
  // blank, or not quite a timestamp
  '',
  ' ',
  'null',
  'now',
  ' 2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00Z ',
  '2026-01-01T00:00:00Z\n',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00Z',
  '2026-01-01T00:00:00.Z',
  '2026-01-01T00:00:00,5Z',
  '2026-01-01T00:00:00.0000000000Z',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00:00+01',
  '2026-01-01T00:00:00 +01:00',
  '2026-01-01T00:00:00[UTC]',
  '2026-1-1T0:0:0Z',
  '26-01-01T00:00:00Z',
  '+002026-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '20260101T000000Z',
  '2026-W01-1T00:00:00Z',
  '\uff12026-01-01T00:00:00Z',
  'Thu, 01 Jan 2026 00:00:00 GMT',
]
const VALID = ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00+23:59', '2024-02-29T23:59:59.999999999Z']

describeBehaviour(
  'date.invalid',
  {
    default: async (tester) => {
      for (const spelt of INVALID) {
        await expectRefused(tester, { start: spelt, end: spelt }, '/start date.invalid', '/end date.invalid')
        await expectRefused(tester, { start: MARCH, end: spelt, not: true }, '/end date.invalid')
      }
      const refused = await tester.search({ body: { dateFilters: [{ field: 'created', start: '' }] } })
      expect(rowsOf(refused)).toContain('date.invalid')
      for (const spelt of VALID) expect(await found(tester, { start: spelt }), spelt).toEqual(ALL)
      expect(await found(tester, { start: '9999-12-31T23:59:59.999999999-23:59' })).toEqual([])
      expect(await leaningOf(tester, { start: MARCH })).not.toContain('date.invalid')
    },
  },
  march,
)

async function expectFieldsRefused(tester: Tester): Promise<void> {
  for (const field of ['name', 'Created', 'created ', 'createdBy', 'modified', '', '__proto__', null]) {
    await expectRefused(tester, { field, start: MARCH }, '/field date.field')
  }
  const refused = await tester.search({ body: { dateFilters: [{ start: MARCH }, { field: 'crated' }] } })
  expect(complaintsOf(refused)).toEqual(['/dateFilters/0/field date.field', '/dateFilters/1/field date.field'])
  expect(refused.text).toContain('Did you mean created?')
  expect(await found(tester, { field: 'created', start: MARCH })).toEqual(['2 at', '3 after'])
}

describeBehaviour('date.field', { default: expectFieldsRefused }, march)

test('a date filter knows no millisecond boundary and no epoch', async () => {
  const tester = createTester(
    set({
      '1': '1969-12-31T23:59:59.999999998Z',
      '2': '1969-12-31T23:59:59.999999999Z',
      '3': '1970-01-01T00:00:00.000Z',
      '4': '1970-01-01T00:00:00.000000001Z',
      '5': '9999-12-31T23:59:59.999Z',
    }),
  )
  expect(await found(tester, { start: '1969-12-31T23:59:59.999999999Z', end: '1970-01-01T00:00:00Z' })).toEqual([
    '2',
    '3',
  ])
  expect(await found(tester, { end: '1969-12-31T23:59:59.999999998Z' })).toEqual(['1'])
  expect(await found(tester, { start: '1970-01-01T00:00:00.000000001Z', end: null })).toEqual(['4', '5'])
})

test('a date filter finds a directory by the date of its oldest file', async () => {
  const { search } = createTester(set({ 'd/old': '2026-01-01T00:00:00.000Z', 'd/new': '2026-02-01T00:00:00.000Z' }))
  const january = { field: 'created', start: '2026-01-01T00:00:00Z', end: '2026-01-31T00:00:00Z' }
  const page = await search({ body: { dateFilters: [january] } })
  expect(pathsOf(page)).toEqual(['d', 'd/old'])
  expect(rowsOf(page)).toEqual(expect.arrayContaining(['dir.implied', 'dir.filtered', 'date.start', 'date.end']))
})
