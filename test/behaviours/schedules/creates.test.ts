import { expect, test } from 'vitest'
import { describeBehaviour } from '../../support/describe-behaviour.ts'
import { complaintsOf, createTester, KEY_HEADER, rowsOf, type Tester, weekly } from '../../support/tester.ts'
import {
  FIRST,
  MONDAY,
  seen,
  JANE,
  whole,
  REQUIRED,
  storedOf,
  scheduleOf,
  withTexts,
} from '../../support/stored-schedules.ts'

describeBehaviour('create.required', {
  default: async ({ create }) => {
    for (const [pointer, body] of Object.entries(REQUIRED)) {
      const refused = await create(body)
      expect(refused.status, pointer).toBe(400)
      expect(complaintsOf(refused)).toEqual([`${pointer} create.required`])
      expect(rowsOf(refused)).toContain('create.required')
    }
    const top = ['/title', '/pageId', '/viewId', '/schedule'].map((pointer) => `${pointer} create.required`)
    expect(complaintsOf(await create({}))).toEqual(top)
    const parts = Object.keys(REQUIRED).filter((pointer) => pointer !== '/schedule')
    expect(complaintsOf(await create({ schedule: {} }))).toEqual(parts.map((pointer) => `${pointer} create.required`))
    for (const title of ['', ' ', '\t\r\n', '\u00a0\u2003'])
      expect(complaintsOf(await create(weekly({ title })))).toEqual(['/title create.required'])
    const created = await create(weekly({}, { timezone: undefined }))
    expect(created.status).toBe(200)
    expect(rowsOf(created)).toContain('create.required')
    expect(rowsOf(await create(whole()))).not.toContain('create.required')
  },
  '/title,/schedule': async ({ create }) => {
    const created = await create({ title: 'No page', schedule: {} })
    expect(created.body).toEqual({ id: FIRST, title: 'No page', schedule: { enabled: true } })
    expect(rowsOf(created)).toContain('create.required')
    expect(complaintsOf(await create({}))).toEqual(['/title create.required', '/schedule create.required'])
    expect(complaintsOf(await create({ title: 'No schedule' }))).toEqual(['/schedule create.required'])
  },
  '/schedule/timezone,/attachmentInclude': async ({ create }) => {
    const body = { attachmentInclude: false }
    expect((await create(body)).body).toEqual({ id: FIRST })
    expect(complaintsOf(await create({}))).toEqual(['/attachmentInclude create.required'])
    expect(complaintsOf(await create({ ...body, schedule: {} }))).toEqual(['/schedule/timezone create.required'])
  },
})

describeBehaviour(
  'create.defaults',
  {
    default: async (tester) => {
      const created = await tester.create(weekly({}, { timezone: undefined }))
      expect(rowsOf(created)).toEqual(expect.arrayContaining(['create.defaults', 'zone.omitted']))
      const stored = {
        enabled: true,
        timezone: 'UTC',
        additionalRecipients: [],
        nextRunDate: Date.UTC(2026, 2, 9, 8, 30),
      }
      expect(created.body).toMatchObject({ schedule: stored, recipientCount: 0 })
      expect(await storedOf(tester)).toEqual(created.body)
      expect(rowsOf(await tester.create(whole()))).not.toContain('create.defaults')
      for (const part of [{ attachmentInclude: undefined }, {}])
        expect(
          rowsOf(await tester.create(whole(part, 'attachmentInclude' in part ? {} : { enabled: undefined }))),
        ).toContain('create.defaults')
    },
    // attachmentInclude is in no answer, so all that shows of it is that it may be chosen.
    '{enabled: false, attachmentInclude: true}': async ({ create }) => {
      expect(scheduleOf(await create(weekly()))).toMatchObject({ enabled: false, additionalRecipients: [] })
      expect(scheduleOf(await create(weekly()))).not.toHaveProperty('nextRunDate')
      expect(scheduleOf(await create(weekly({}, { enabled: true })))).toMatchObject({
        enabled: true,
        nextRunDate: MONDAY,
      })
    },
    '{additionalRecipients: [{type: USER, value: "27"}]}': async ({ create, update }) => {
      const recipients = [{ type: 'USER', value: '27' }]
      expect((await create(weekly())).body).toMatchObject({
        recipientCount: 1,
        schedule: { enabled: true, additionalRecipients: recipients },
      })
      expect((await create(weekly({}, { additionalRecipients: [] }))).body).toMatchObject({ recipientCount: 0 })
      expect((await update(FIRST + 1, { schedule: weekly().schedule })).body).toMatchObject({ recipientCount: 1 })
    },
  },
  seen,
)

test('an id in the body of a create is an unknown property', async () => {
  const created = await createTester().create(weekly({ id: 3 }))
  expect(created.body).toHaveProperty('id', FIRST)
  expect(rowsOf(created)).not.toContain('update.body-id')
  expect(created.headers).toHaveProperty('x-mock-ignored', 'body /id')
})

/** Creates a few schedules, with refusals between them, and answers their ids. */
async function idsOf({ create, update }: Tester): Promise<number[]> {
  const ids: number[] = []
  for (let count = 0; count < 4; count++) {
    const created = await create(weekly())
    expect(rowsOf(created)).toContain('create.ids')
    ids.push((created.body as { id: number }).id)
    await create({})
    await update(999, weekly())
  }
  return ids
}

describeBehaviour('create.ids', {
  // The six schedules that come with the package have the first six.
  default: async (tester) => {
    expect((await tester.update(1, {})).status).toBe(200)
    expect((await tester.update(0, {})).status).toBe(404)
    expect(await idsOf(tester)).toEqual([7, 8, 9, 10])
    expect(rowsOf(await tester.update(7, {}))).not.toContain('create.ids')
    tester.standin.reset()
    expect(await idsOf(tester)).toEqual([7, 8, 9, 10])
  },
  '500': async (tester) => {
    expect((await tester.update(500, {})).status).toBe(200)
    expect((await tester.update(499, {})).status).toBe(404)
    expect(await idsOf(tester)).toEqual([506, 507, 508, 509])
  },
})

test('creates that come at once get ids of their own', async () => {
  const { create } = createTester()
  const created = await Promise.all(Array.from({ length: 20 }, () => create(weekly())))
  const ids = created.map(({ body }) => (body as { id: number }).id).sort((a, b) => a - b)
  expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => FIRST + index))
})

/** Whether a create is refused because another schedule has the same. */
async function conflicts({ create }: Tester, parts: Readonly<Record<string, unknown>>): Promise<boolean> {
  const response = await create(weekly(parts))
  if (response.status === 200) return false
  expect(response.status).toBe(409)
  expect(complaintsOf(response)).toHaveLength(1)
  expect(complaintsOf(response)[0]).toMatch(/ create\.duplicate$/)
  expect(rowsOf(response)).toContain('create.duplicate')
  return true
}

describeBehaviour('create.duplicate', {
  allow: async (tester) => {
    const first = (await tester.create(weekly())).body as object
    expect((await tester.create(weekly())).body).toEqual({ ...first, id: FIRST + 1 })
  },
  'conflict-on-view': async (tester) => {
    expect(await conflicts(tester, {})).toBe(false)
    expect(await conflicts(tester, {})).toBe(true)
    expect(await conflicts(tester, { title: 'Another', pageId: 101 })).toBe(true)
    expect(await conflicts(tester, { viewId: 201 })).toBe(false)
    await tester.update(FIRST, { viewId: 202 })
    expect(await conflicts(tester, { viewId: 202 })).toBe(true)
    expect(await conflicts(tester, {})).toBe(false)
    expect((await tester.update(FIRST, {})).body).toHaveProperty('id', FIRST)
    expect((await tester.create(weekly({ viewId: 203 }))).body).toHaveProperty('id', FIRST + 3)
  },
  'conflict-on-title': async (tester) => {
    expect(await conflicts(tester, { title: 'Mine' })).toBe(false)
    expect(await conflicts(tester, { title: 'Mine', viewId: 201 })).toBe(true)
    expect(await conflicts(tester, { title: 'mine' })).toBe(false)
    expect(await conflicts(tester, { title: 'Board summary' })).toBe(true)
  },
})

test('large ids are in conflict only when all their digits are the same', async () => {
  const { create } = createTester({ behaviours: { 'create.duplicate': 'conflict-on-view' } })
  expect((await create(withTexts({ viewId: '9007199254740993' }))).status).toBe(200)
  expect((await create(withTexts({ viewId: '9007199254740992' }))).status).toBe(200)
  expect((await create(withTexts({ viewId: '9007199254740993' }))).status).toBe(409)
})

describeBehaviour(
  'write.refused',
  {
    default: async (tester) => {
      const before = (await tester.create(whole())).body as unknown
      const refusals = [
        whole({ title: ' ' }),
        whole({ title: 'New', pageId: -1 }),
        whole({ title: 'New', viewId: 'x' }),
        whole({ title: 'New', attachmentInclude: 'yes' }),
        whole({ title: 'New', pageId: 5 }, { hourOfDay: 24 }),
        whole({ title: 'New' }, { timezone: 'Mars/Olympus' }),
        whole({ title: 'New' }, { additionalRecipients: [JANE, { type: 'EMAIL', value: 'nobody' }] }),
        '{"title":"New"',
        '["New"]',
        'null',
      ]
      for (const body of refusals) {
        expect((await tester.update(FIRST, body)).status).toBe(400)
        expect((await tester.create(body)).status).toBe(400)
        expect((await tester.create(body, { 'Content-Type': 'text/plain' })).status).toBe(415)
        expect((await tester.update(FIRST, whole({ title: 'New' }), { [KEY_HEADER]: '' })).status).toBe(401)
        expect(await storedOf(tester)).toEqual(before)
      }
      expect((await tester.create(weekly())).body).toHaveProperty('id', FIRST + 1)
    },
  },
  seen,
)
