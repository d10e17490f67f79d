import { expect, test } from 'vitest'
import { describeBehaviour } from '../../support/describe-behaviour.ts'
import { createTester, KEY_HEADER, rowsOf, weekly } from '../../support/tester.ts'
import { FIRST, seen, JANE, whole, scheduleOf, SETTINGS, ZONED, FULL } from '../../support/stored-schedules.ts'

describeBehaviour('create.status', {
  '200': async ({ create }) => expect((await create(weekly())).status).toBe(200),
  '201': async ({ create, update }) => {
    expect((await create(weekly())).status).toBe(201)
    expect((await update(FIRST, {})).status).toBe(200)
  },
})

describeBehaviour('create.response', {
  documented: async ({ create }) => {
    const created = await create(whole())
    expect(created.body).toEqual({
      id: FIRST,
      reportViewId: 200,
      pageId: 100,
      title: 'Weekly sales',
      schedule: SETTINGS,
    })
    expect(created.headers).toHaveProperty('content-type', 'application/json')
  },
  full: async ({ create, update }) => {
    expect((await create(whole())).body).toEqual(FULL)
    expect((await update(FIRST, {})).body).toEqual({ id: FIRST, title: 'Weekly sales', schedule: ZONED })
  },
})

describeBehaviour('update.response', {
  documented: async ({ create, update }) => {
    await create(whole())
    for (const body of [{}, { pageId: 5 }, whole()])
      expect((await update(FIRST, body)).body).toEqual({ id: FIRST, title: 'Weekly sales', schedule: ZONED })
  },
  full: async ({ create, update }) => {
    expect((await create(whole())).body).not.toHaveProperty('viewName')
    expect((await update(FIRST, {})).body).toEqual(FULL)
    expect((await update(FIRST, { title: 'Renamed' })).body).toEqual({ ...FULL, title: 'Renamed' })
  },
})

test('what a full answer says of a view is the same for every schedule of it, and differs between views', async () => {
  const { create } = createTester(seen)
  const ofView = async (viewId: number) => {
    const { viewName, cardCount, cardId, embedViewId } = (await create(weekly({ viewId }))).body as Record<
      string,
      unknown
    >
    return { viewName, cardCount, cardId, embedViewId }
  }
  const first = await ofView(200)
  expect(await ofView(200)).toEqual(first)
  const other = await ofView(201)
  expect([other.viewName, other.cardId]).not.toEqual([first.viewName, first.cardId])
})

test('the owner of a schedule is who created it, and `owner` says whether that is who asks', async () => {
  const keys = [
    { key: 'ann', userId: 5 },
    { key: 'bob', userId: 6 },
  ]
  const { create, update } = createTester({ ...seen, keys })
  expect((await create(weekly(), { [KEY_HEADER]: 'ann' })).body).toMatchObject({ ownerId: 5, owner: true })
  expect((await update(FIRST, { title: 'By Bob' }, { [KEY_HEADER]: 'bob' })).body).toMatchObject({
    ownerId: 5,
    owner: false,
  })
  expect((await update(FIRST, {}, { [KEY_HEADER]: 'ann' })).body).toMatchObject({ ownerId: 5, owner: true })
})

describeBehaviour('response.recipients', {
  no: async ({ create, update }) => {
    const created = await create(whole())
    for (const response of [created, await update(FIRST, {}), await update(FIRST, whole())]) {
      expect(scheduleOf(response)).not.toHaveProperty('additionalRecipients')
      expect(rowsOf(response)).toContain('response.recipients')
    }
  },
  yes: async ({ create, update }) => {
    const recipients = [JANE, { type: 'USER', value: '27' }]
    const created = await create(whole({}, { additionalRecipients: recipients }))
    for (const response of [created, await update(FIRST, {})]) {
      expect(scheduleOf(response)).toHaveProperty('additionalRecipients', recipients)
      expect(rowsOf(response)).toContain('response.recipients')
    }
    expect(scheduleOf(await create(weekly()))).toHaveProperty('additionalRecipients', [])
  },
})
