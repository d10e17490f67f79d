import { expect } from 'vitest'
import { describeBehaviour } from '../../support/describe-behaviour.ts'
import { complaintsOf, rowsOf, type Tester, weekly } from '../../support/tester.ts'
import {
  FIRST,
  seen,
  JANE,
  whole,
  storedOf,
  scheduleOf,
  SETTINGS,
  ZONED,
  FULL,
} from '../../support/stored-schedules.ts'

const CHANGES = {
  title: 'Renamed',
  pageId: 101,
  viewId: 201,
  schedule: { ...ZONED, daysToRun: 'TUE' },
  attachmentInclude: false,
}

describeBehaviour(
  'update.omitted',
  {
    keep: async (tester) => {
      const before = (await tester.create(whole())).body as object
      const changes = [
        [{ title: 'Renamed' }, { title: 'Renamed' }],
        [{ pageId: 101 }, { pageId: 101 }],
        [{ viewId: 200 }, {}],
        [{ attachmentInclude: false }, {}],
        [
          { schedule: whole({}, { enabled: false }).schedule },
          { schedule: { ...ZONED, additionalRecipients: [JANE] } },
        ],
      ] as const
      let expected = before
      for (const [sent, change] of changes) {
        const updated = await tester.update(FIRST, sent)
        expected = { ...expected, ...change }
        if ('schedule' in sent) {
          const { nextRunDate: _none, ...off } = { ...ZONED, enabled: false, additionalRecipients: [JANE] }
          expected = { ...expected, schedule: off }
        }
        expect(updated.body).toEqual(expected)
        expect(rowsOf(updated)).toContain('update.omitted')
        expect(await storedOf(tester)).toEqual(expected)
      }
      expect(rowsOf(await tester.update(FIRST, whole()))).not.toContain('update.omitted')
    },
    clear: async (tester) => {
      await tester.create(whole())
      const titled = await tester.update(FIRST, { title: 'Alone' })
      expect(rowsOf(titled)).toContain('update.omitted')
      const empty = { id: FIRST, type: FULL.type, ownerId: 1, owner: true, recipientCount: 0 }
      const cards = { cardCount: FULL.cardCount, cardId: FULL.cardId }
      expect(titled.body).toEqual({ ...empty, ...cards, title: 'Alone' })
      const scheduled = await tester.update(FIRST, { schedule: weekly().schedule })
      expect(scheduled.body).toEqual({ ...empty, ...cards, schedule: { ...ZONED, additionalRecipients: [] } })
      const all = await tester.update(FIRST, whole())
      expect(all.body).toMatchObject({ title: 'Weekly sales', reportViewId: 200, pageId: 100, recipientCount: 1 })
      expect(rowsOf(all)).not.toContain('update.omitted')
    },
    error: async (tester) => {
      await tester.create(weekly())
      for (const name of Object.keys(CHANGES)) {
        const refused = await tester.update(FIRST, { ...CHANGES, [name]: undefined })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual([`/${name} update.omitted`])
        expect(rowsOf(refused)).toContain('update.omitted')
      }
      expect(complaintsOf(await tester.update(FIRST, {}))).toEqual(
        ['/title', '/pageId', '/viewId', '/schedule', '/attachmentInclude'].map(
          (pointer) => `${pointer} update.omitted`,
        ),
      )
      expect((await tester.update(FIRST, CHANGES)).body).toMatchObject({
        title: 'Renamed',
        pageId: 101,
        reportViewId: 201,
      })
    },
  },
  seen,
)

describeBehaviour(
  'update.schedule',
  {
    replace: async ({ create, update }) => {
      await create(whole({}, { enabled: false }))
      const four = { frequency: 'MONTHLY', daysToRun: '15', hourOfDay: 9, minOfHour: 0 }
      for (const name of Object.keys(four)) {
        const refused = await update(FIRST, { schedule: { ...four, [name]: undefined } })
        expect(refused.status).toBe(400)
        expect(complaintsOf(refused)).toEqual([`/schedule/${name} update.schedule`])
        expect(rowsOf(refused)).toContain('update.schedule')
      }
      expect(complaintsOf(await update(FIRST, { schedule: {} }))).toEqual(
        Object.keys(four).map((name) => `/schedule/${name} update.schedule`),
      )
      const updated = await update(FIRST, { schedule: four })
      const replaced = { ...four, timezone: 'UTC', enabled: true, additionalRecipients: [] }
      expect(scheduleOf(updated)).toEqual({ ...replaced, nextRunDate: Date.UTC(2026, 2, 15, 9) })
      const rows = ['create.defaults', 'update.schedule', 'zone.omitted']
      expect(rowsOf(updated)).toEqual(expect.arrayContaining(rows))
      const complete = rowsOf(await update(FIRST, { schedule: whole().schedule }))
      expect(complete.filter((row) => rows.includes(row))).toEqual([])
    },
    'deep-merge': async ({ create, update }) => {
      await create(whole({}, { enabled: false }))
      const later = await update(FIRST, { schedule: { hourOfDay: 17 } })
      const { nextRunDate: _none, ...off } = { ...ZONED, enabled: false, additionalRecipients: [JANE] }
      expect(scheduleOf(later)).toEqual({ ...off, hourOfDay: 17 })
      expect(rowsOf(later)).toContain('update.schedule')
      expect(rowsOf(later)).not.toContain('create.defaults')
      expect(rowsOf(later)).not.toContain('zone.omitted')
      expect(scheduleOf(await update(FIRST, { schedule: {} }))).toEqual({ ...off, hourOfDay: 17 })
      const mismatched = await update(FIRST, { schedule: { frequency: 'MONTHLY' } })
      expect(complaintsOf(mismatched)).toEqual(['/schedule/daysToRun days.mismatch'])
      const bare = await update(FIRST, { schedule: { additionalRecipients: [], timezone: 'UTC', enabled: true } })
      expect(scheduleOf(bare)).toMatchObject({
        hourOfDay: 17,
        timezone: 'UTC',
        enabled: true,
        additionalRecipients: [],
      })
      expect(rowsOf(await update(FIRST, { schedule: whole().schedule }))).not.toContain('update.schedule')
    },
  },
  seen,
)

describeBehaviour('update.empty', {
  keep: async ({ create, update }) => {
    await create(whole())
    const updated = await update(FIRST, {})
    expect(updated.status).toBe(200)
    expect(updated.body).toEqual({ id: FIRST, title: 'Weekly sales', schedule: ZONED })
    expect(rowsOf(updated)).toContain('update.empty')
    expect(rowsOf(await update(FIRST, { title: 'x' }))).not.toContain('update.empty')
  },
  error: async ({ create, update }) => {
    await create(whole())
    const refused = await update(FIRST, {})
    expect(refused.status).toBe(400)
    expect(complaintsOf(refused)).toEqual([' update.empty'])
    expect(rowsOf(refused)).toContain('update.empty')
    expect((await update(FIRST, { title: 'x' })).status).toBe(200)
  },
})

describeBehaviour(
  'update.links',
  {
    allow: async (tester) => {
      await tester.create(whole())
      const updated = await tester.update(FIRST, { viewId: 201, pageId: 101 })
      expect(updated.body).toMatchObject({ reportViewId: 201, embedViewId: 201, pageId: 101 })
      expect(rowsOf(updated)).toContain('update.links')
      expect(await storedOf(tester)).toEqual(updated.body)
      expect(rowsOf(await tester.update(FIRST, { viewId: 201, pageId: 101 }))).not.toContain('update.links')
    },
    ignore: async ({ create, update }) => {
      await create(whole())
      const updated = await update(FIRST, { viewId: 201, pageId: 101, title: 'Renamed' })
      expect(updated.body).toMatchObject({ reportViewId: 200, embedViewId: 200, pageId: 100, title: 'Renamed' })
      expect(rowsOf(updated)).toContain('update.links')
    },
    error: async (tester) => {
      await tester.create(whole())
      const refused = await tester.update(FIRST, { viewId: 201, pageId: 101, title: 'Renamed' })
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['/pageId update.links', '/viewId update.links'])
      expect(rowsOf(refused)).toContain('update.links')
      expect(await storedOf(tester)).toMatchObject({ title: 'Weekly sales', pageId: 100 })
      expect((await tester.update(FIRST, { viewId: 200, pageId: 100, title: 'Renamed' })).status).toBe(200)
    },
  },
  seen,
)

describeBehaviour('update.body-id', {
  ignore: async ({ create, update }) => {
    await create(weekly())
    const updated = await update(FIRST, { id: FIRST, title: 'Renamed' })
    expect(updated.body).toMatchObject({ id: FIRST, title: 'Renamed' })
    expect(updated.headers).toHaveProperty('x-mock-ignored', 'body /id')
    expect(rowsOf(updated)).toContain('update.body-id')
    for (const id of [FIRST + 1, 1, String(FIRST), [FIRST], true, FIRST + 0.5]) {
      const refused = await update(FIRST, { id, title: 'Refused' })
      expect(refused.status).toBe(400)
      expect(complaintsOf(refused)).toEqual(['/id update.body-id'])
      expect(rowsOf(refused)).toContain('update.body-id')
    }
    const kept = await update(FIRST, {})
    expect(kept.body).toHaveProperty('title', 'Renamed')
    expect(rowsOf(kept)).not.toContain('update.body-id')
  },
  error: async ({ create, update }) => {
    await create(weekly())
    for (const id of [FIRST, FIRST + 1])
      expect(complaintsOf(await update(FIRST, { id }))).toEqual(['/id update.body-id'])
    expect((await update(FIRST, {})).status).toBe(200)
  },
})

/** An update of an unknown id is refused and creates nothing. */
async function refusesUnknown({ create, update }: Tester, status: number): Promise<void> {
  for (const id of [FIRST, 99, '9223372036854775807']) {
    const refused = await update(id, weekly())
    expect(refused.status).toBe(status)
    expect(complaintsOf(refused)).toEqual(['scheduleId update.unknown-id'])
    expect(rowsOf(refused)).toContain('update.unknown-id')
    expect((await update(id, {})).status).toBe(status)
  }
  expect((await create(weekly())).body).toHaveProperty('id', FIRST)
  expect(rowsOf(await update(FIRST, {}))).not.toContain('update.unknown-id')
}

describeBehaviour('update.unknown-id', {
  '404': (tester) => refusesUnknown(tester, 404),
  '403': (tester) => refusesUnknown(tester, 403),
  '400': (tester) => refusesUnknown(tester, 400),
  create: async ({ create, update }) => {
    const made = await update(99, whole({ title: 'Made' }))
    expect(made.body).toEqual({ id: 99, reportViewId: 200, pageId: 100, title: 'Made', schedule: SETTINGS })
    expect(rowsOf(made)).toContain('update.unknown-id')
    const again = await update(99, { title: 'Again' })
    expect(again.body).toEqual({ id: 99, title: 'Again', schedule: ZONED })
    expect(rowsOf(again)).not.toContain('update.unknown-id')
    const required = ['/title', '/pageId', '/viewId', '/schedule'].map((pointer) => `${pointer} create.required`)
    expect(complaintsOf(await update(50, {}))).toEqual(required)
    expect((await create(weekly())).body).toHaveProperty('id', 100)
    for (const id of ['0', '-1', '9007199254740993']) expect((await update(id, weekly())).status).toBe(404)
  },
})

describeBehaviour('update.id-form', {
  default: async ({ create, update }) => {
    await create(weekly())
    for (const id of [
      'abc',
      '1.5',
      '007',
      '7.0',
      '+7',
      '1e1',
      '0x7',
      '%207',
      '9223372036854775808',
      '-9223372036854775809',
    ]) {
      const refused = await update(id, {})
      expect(refused.status, id).toBe(400)
      expect(complaintsOf(refused)).toEqual(['scheduleId update.id-form'])
    }
    for (const id of ['0', '-1', '-0', '9223372036854775807', '-9223372036854775808']) {
      const refused = await update(id, {})
      expect(refused.status, id).toBe(404)
      expect(complaintsOf(refused)).toEqual(['scheduleId update.unknown-id'])
    }
    expect((await update('%37', { title: 'Escaped' })).body).toMatchObject({ id: FIRST, title: 'Escaped' })
  },
})

/** Many whole updates at once; what is stored afterwards must be one of them. */
async function race(tester: Tester): Promise<void> {
  await tester.create(whole())
  const bodies = Array.from({ length: 12 }, (_, index) =>
    whole(
      { title: `Title ${index}`, pageId: 300 + index, viewId: 400 + index },
      { hourOfDay: index, minOfHour: index },
    ),
  )
  const settings = await Promise.all(bodies.map((body) => tester.update(FIRST, body)))
  for (const [index, answer] of settings.entries()) expect(answer.body).toMatchObject({ title: `Title ${index}` })
  const stored = (await storedOf(tester)) as { title: string; schedule: { hourOfDay: number } }
  const index = stored.schedule.hourOfDay
  expect(stored).toMatchObject({
    title: `Title ${index}`,
    pageId: 300 + index,
    reportViewId: 400 + index,
    schedule: { minOfHour: index },
  })
}

describeBehaviour(
  'update.concurrent',
  {
    'last-write-wins': async (tester) => {
      await race(tester)
      const first = await tester.update(FIRST, { title: 'One' })
      expect(first.headers).not.toHaveProperty('etag')
      expect(rowsOf(first)).not.toContain('update.concurrent')
      const second = await tester.update(FIRST, { title: 'Two' }, { 'If-Match': '"stale"' })
      expect(second.body).toHaveProperty('title', 'Two')
      expect(rowsOf(second)).toContain('update.concurrent')
    },
    etag: async (tester) => {
      await race(tester)
      const { create, update } = tester
      const created = await create(weekly())
      const id = FIRST + 1
      const tag = String(created.headers.etag)
      expect(tag).toMatch(/^"[^"]+"$/)
      expect(rowsOf(created)).toContain('update.concurrent')
      const unchanged = await update(id, {}, { 'If-Match': tag })
      expect(unchanged.headers).toHaveProperty('etag', tag)
      const second = await update(id, { title: 'Second' }, { 'If-Match': tag })
      expect(second.status).toBe(200)
      expect(second.headers.etag).not.toBe(tag)
      for (const stale of [tag, `W/${String(second.headers.etag)}`, '"', 'nonsense', `${tag}, "other"`]) {
        const refused = await update(id, { title: 'Third' }, { 'If-Match': stale })
        expect(refused.status, stale).toBe(412)
        expect(complaintsOf(refused)).toEqual(['header update.concurrent'])
        expect(rowsOf(refused)).toContain('update.concurrent')
      }
      const kept = await update(id, {})
      expect(kept.body).toHaveProperty('title', 'Second')
      expect(kept.headers.etag).toBe(second.headers.etag)
      for (const fresh of ['*', `${tag}, ${String(second.headers.etag)}`, undefined]) {
        const headers: Record<string, string> = fresh === undefined ? {} : { 'If-Match': fresh }
        expect((await update(id, {}, headers)).status).toBe(200)
      }
      const both = await Promise.all(
        ['A', 'B'].map((title) => update(id, { title }, { 'If-Match': String(kept.headers.etag) })),
      )
      expect(both.map(({ status }) => status).sort()).toEqual([200, 412])
    },
  },
  seen,
)
