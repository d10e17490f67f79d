import { expect, test } from 'vitest'
import { describeBehaviour } from '../support/describe-behaviour.ts'
import {
  complaintsOf,
  createTester,
  KEY_HEADER,
  NOW,
  rowsOf,
  startComplaintsOf,
  type Tester,
  weekly,
} from '../support/tester.ts'

const lists = { fixtures: [{ pages: [100, 101], views: ['200', 201], users: [7], groups: [8] }] }

describeBehaviour(
  'links.exist',
  {
    any: async ({ create }) => {
      const created = await create(weekly({ pageId: 999 }))
      expect(created.status).toBe(200)
      expect(rowsOf(created)).toContain('links.exist')
    },
    listed: async ({ create, update }) => {
      expect((await create(weekly())).status).toBe(200)
      for (const [link, pointer] of [
        [{ pageId: 999 }, '/pageId'],
        [{ viewId: 999 }, '/viewId'],
      ] as const) {
        for (const refused of [await create(weekly(link)), await update(7, link)]) {
          expect([refused.status, ...complaintsOf(refused)]).toEqual([404, `${pointer} links.exist`])
          expect(rowsOf(refused)).toContain('links.exist')
        }
      }
      expect((await update(7, { viewId: 201, pageId: 101 })).status).toBe(200)
    },
    'listed-403': async ({ create }) => {
      expect((await create(weekly({ pageId: 999 }))).status).toBe(403)
      expect((await create(weekly())).status).toBe(200)
    },
  },
  lists,
)

const user = (value: string, type = 'USER') => weekly({}, { additionalRecipients: [{ type, value }] })

describeBehaviour(
  'recipients.known',
  {
    any: async ({ create }) => {
      const created = await create(user('999'))
      expect([created.status, rowsOf(created).includes('recipients.known')]).toEqual([200, true])
      expect(rowsOf(await create(weekly()))).not.toContain('recipients.known')
    },
    listed: async ({ create }) => {
      const at = '/schedule/additionalRecipients/0/value recipients.known'
      for (const refused of [await create(user('999')), await create(user('7', 'GROUP'))]) {
        expect([refused.status, ...complaintsOf(refused)]).toEqual([400, at])
        expect(rowsOf(refused)).toContain('recipients.known')
      }
      for (const body of [user('7'), user('007'), user('8', 'GROUP'), user('jane@example.com', 'EMAIL')])
        expect((await create(body)).status).toBe(200)
    },
  },
  lists,
)

test('a setting that says listed needs its lists', async () => {
  const behaviours = { 'links.exist': 'listed-403', 'recipients.known': 'listed' }
  expect(startComplaintsOf(() => createTester({ behaviours, fixtures: [{ pages: [1], groups: [1] }] }))).toEqual([
    'links.exist: `listed-403` needs a list of ids: give `views` in a fixture.',
    'recipients.known: `listed` needs a list of ids: give `users` in a fixture.',
  ])
  const refused = await createTester().request().put('/__mock/behaviours').send({ 'links.exist': 'listed' })
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('`pages` and `views` in a fixture')])
  expect(startComplaintsOf(() => createTester({ fixtures: [{ pages: ['abc'] }] }))[0]).toContain('`pages` lists ids')
})

const owners = {
  keys: [
    { key: 'seven', userId: 7 },
    { key: 'eight', userId: 8 },
  ],
}
const by = (key: string) => ({ [KEY_HEADER]: key })

async function updateBy({ create, update }: Tester, key: string) {
  const { id } = (await create(weekly(), by('seven'))).body as { id: number }
  return update(id, { title: 'Renamed' }, by(key))
}

describeBehaviour(
  'schedule.owner',
  {
    any: async (tester) => {
      const updated = await updateBy(tester, 'eight')
      expect([updated.status, rowsOf(updated).includes('schedule.owner')]).toEqual([200, true])
      expect(rowsOf(await updateBy(tester, 'seven'))).not.toContain('schedule.owner')
    },
    'owner-only-403': async (tester) => {
      const refused = await updateBy(tester, 'eight')
      expect([refused.status, ...complaintsOf(refused)]).toEqual([403, 'scheduleId schedule.owner'])
      expect((await updateBy(tester, 'seven')).status).toBe(200)
    },
    'owner-only-404': async (tester) => {
      const refused = await updateBy(tester, 'eight')
      expect([refused.status, ...complaintsOf(refused)]).toEqual([404, 'scheduleId schedule.owner'])
      expect((await updateBy(tester, 'seven')).status).toBe(200)
    },
  },
  owners,
)

describeBehaviour('title.text', {
  default: async ({ create, update }) => {
    const title = '  Spaces around  '
    const created = await create(weekly({ title }))
    expect(created.body).toMatchObject({ title })
    expect(rowsOf(created)).toContain('title.text')
    expect(rowsOf(await create(weekly()))).not.toContain('title.text')
    expect((await update(7, { title: '\u{1f600}'.repeat(1024) })).status).toBe(200)
    const refused = await update(7, { title: 'x'.repeat(1025) })
    expect([refused.status, ...complaintsOf(refused)]).toEqual([400, '/title title.text'])
    expect((await create(weekly({ title: ' \t' }))).status).toBe(400)
  },
  '{spaces: trim}': async ({ create }) => {
    expect((await create(weekly({ title: '  Spaces around  ' }))).body).toMatchObject({ title: 'Spaces around' })
    expect((await create(weekly({ title: '  ' }))).status).toBe(400)
  },
  trim: async ({ create }) => {
    expect((await create(weekly({ title: ' x ' }))).body).toMatchObject({ title: 'x' })
  },
  '5': async ({ create }) => {
    expect((await create(weekly({ title: '12345' }))).status).toBe(200)
    expect(complaintsOf(await create(weekly({ title: '123456' })))).toEqual(['/title title.text'])
  },
})

const ALL =
  'id reportViewId pageId title viewName type ownerId embedViewId owner cardCount recipientCount cardId schedule'

describeBehaviour(
  'response.nulls',
  {
    omit: async ({ create, update }) => {
      const created = await create(weekly())
      expect(Object.keys(created.body as object)).toEqual(['id', 'reportViewId', 'pageId', 'title', 'schedule'])
      expect(rowsOf(created)).toContain('response.nulls')
      expect((await update(7, {})).text).not.toContain('null')
    },
    null: async ({ create, update }) => {
      const created = (await create(weekly())).body as Record<string, unknown>
      expect(Object.keys(created).join(' ')).toBe(ALL)
      expect(created).toMatchObject({ id: 7, pageId: 100, viewName: null, type: null, cardId: null })
      expect(created.schedule).toMatchObject({ hourOfDay: 8, timezone: null, additionalRecipients: null })
      const off = (await update(7, weekly({}, { enabled: false }))).body as Record<string, unknown>
      expect(off).toMatchObject({ pageId: null, schedule: { nextRunDate: null, timezone: 'America/New_York' } })
    },
  },
  { selfCheck: false },
)

describeBehaviour('response.report-view-id', {
  'view-id': async ({ create, update }) => {
    const created = await create(weekly({ viewId: 201 }))
    expect(created.body).toHaveProperty('reportViewId', 201)
    expect(rowsOf(created)).toContain('response.report-view-id')
    expect(rowsOf(await update(7, {}))).not.toContain('response.report-view-id')
  },
  'own counter': async ({ create }) => {
    expect((await create(weekly({ viewId: 201 }))).body).toMatchObject({ id: 7, reportViewId: 100_007 })
    expect((await create(weekly({ viewId: 201 }))).body).toMatchObject({ id: 8, reportViewId: 100_008 })
  },
})

const full = { behaviours: { 'create.response': 'full' } }

describeBehaviour(
  'response.full-type',
  {
    default: async ({ create }) => {
      const created = await create(weekly())
      expect(created.body).toHaveProperty('type', 'RECURRING')
      expect(rowsOf(created)).toContain('response.full-type')
      expect(rowsOf(await createTester().create(weekly()))).not.toContain('response.full-type')
    },
    PDF: async ({ create }) => {
      expect((await create(weekly())).body).toHaveProperty('type', 'PDF')
    },
  },
  full,
)

describeBehaviour('next-run.lag', {
  'at-once': async ({ create }) => {
    const created = await create(weekly())
    expect(created.body).toHaveProperty('schedule.nextRunDate')
    expect(rowsOf(created)).toContain('next-run.lag')
  },
  'absent for PT30S': async ({ create, update, moveTo }) => {
    const created = await create(weekly())
    expect(created.body).not.toHaveProperty('schedule.nextRunDate')
    expect(rowsOf(created)).toContain('next-run.lag')
    moveTo(NOW + 29_999)
    expect((await update(7, {})).body).not.toHaveProperty('schedule.nextRunDate')
    moveTo(NOW + 30_000)
    expect((await update(7, {})).body).toHaveProperty('schedule.nextRunDate')
    expect((await update(7, { title: 'Again' })).body).not.toHaveProperty('schedule.nextRunDate')
  },
})
