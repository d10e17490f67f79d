import { expect, test } from 'vitest'
import { complaintsOf, createTester, rowsOf, weekly } from '../../support/tester.ts'

/** A complete create whose pageId is JSON text. */
function withPage(text: string): string {
  return JSON.stringify(weekly({ pageId: 0 })).replace('"pageId":0', `"pageId":${text}`)
}

test.each([
  ['1152921504606846977.0', '1152921504606846977'],
  ['1152921504606846977.000', '1152921504606846977'],
  ['1e18', '1000000000000000000'],
  ['1.152921504606846976e18', '1152921504606846976'],
  ['9007199254740991.0', '9007199254740991'],
  ['8.0', '8'],
  ['80e-1', '8'],
])('the integer %s is echoed as %s, however it is spelt', async (sent, echoed) => {
  const created = await createTester().create(withPage(sent))
  expect(created.status, created.text).toBe(200)
  expect(created.text).toContain(`"pageId":${echoed},`)
})

test.each(['9223372036854775808.0', '9.223372036854775808e18', '1e19', '-9223372036854775809', '1'.repeat(100_000)])(
  'the integer %s is beyond int64, however it is spelt',
  async (sent) => {
    const refused = await createTester().create(withPage(sent))
    expect(refused.status).toBe(400)
    expect(complaintsOf(refused)[0]).toMatch(/^\/pageId (body.int64|type|format)$/)
  },
)

test('an update with an integer in another spelling changes nothing', async () => {
  const { create, update } = createTester({ behaviours: { 'update.links': 'error' } })
  await create(withPage('1000000000000000000'))
  const same = await update(7, '{"pageId":1e18}')
  expect(same.status).toBe(200)
  expect(rowsOf(same)).not.toContain('update.links')
  expect(complaintsOf(await update(7, '{"pageId":1000000000000000001}'))).toEqual(['/pageId update.links'])
})

test('an update that cannot find its schedule is asked for no more than an update holds', async () => {
  const { update } = createTester()
  expect(complaintsOf(await update('abc', {}))).toEqual(['scheduleId update.id-form'])
  expect(complaintsOf(await update('abc', { id: 7 }))).toEqual(['scheduleId update.id-form', '/id update.body-id'])
  expect(complaintsOf(await update(99, { title: 5 }))).toEqual(['/title type'])
  expect(complaintsOf(await update(99, { title: 5, schedule: { frequency: 'WEEKLY', daysToRun: 'MON' } }))).toEqual([
    '/title type',
    '/schedule/hourOfDay update.schedule',
    '/schedule/minOfHour update.schedule',
  ])
})

test('an id beyond 2^53 is never given out: the create is refused and nothing is overwritten', async () => {
  const { create, update } = createTester({ behaviours: { 'update.unknown-id': 'create' } })
  const last = Number.MAX_SAFE_INTEGER
  expect((await update(last, weekly({ title: 'Last' }))).body).toHaveProperty('id', last)
  for (let attempt = 0; attempt < 2; attempt++) {
    const refused = await create(weekly({ title: 'One more' }))
    expect(refused.status).toBe(409)
    expect(rowsOf(refused)).toContain('create.ids')
  }
  expect((await update(last, {})).body).toHaveProperty('title', 'Last')
  expect((await update('9007199254740992', weekly())).status).toBe(404)
})

test('the largest first id leaves room for every schedule of the initial state', async () => {
  const first = 9007199253740991
  const { create, update } = createTester({ behaviours: { 'create.ids': first } })
  const begun = [0, 1, 2, 3, 4, 5].map(async (index) => (await update(first + index, {})).status)
  expect(await Promise.all(begun)).toEqual([200, 200, 200, 200, 200, 200])
  expect((await create(weekly())).body).toHaveProperty('id', first + 6)
  expect(() => createTester({ behaviours: { 'create.ids': first + 1 } })).toThrow('create.ids')
})

test('an update that creates is held to the rules of a create', async () => {
  const behaviours = {
    'update.unknown-id': 'create',
    'create.duplicate': 'conflict-on-title',
    'update.concurrent': 'etag',
  }
  const { update } = createTester({ behaviours })
  const created = await update(50, weekly({ title: 'Chosen' }))
  expect(created.headers).toHaveProperty('etag', '"1"')
  expect(rowsOf(created)).toEqual(expect.arrayContaining(['update.unknown-id', 'update.concurrent']))
  expect(rowsOf(created)).not.toContain('create.ids')
  expect(complaintsOf(await update(51, weekly({ title: 'Chosen' })))).toEqual(['/title create.duplicate'])
  expect(complaintsOf(await update(51, { title: 'Other' }))).toContain('/pageId create.required')
  for (const tag of ['*', '"1"']) {
    expect((await update(51, weekly({ title: 'Other' }), { 'If-Match': tag })).status).toBe(412)
  }
  expect((await update(51, weekly({ title: 'Other' }))).status).toBe(200)
})

test('a conflict names what is in conflict', async () => {
  const { create } = createTester({ behaviours: { 'create.duplicate': 'conflict-on-view' } })
  await create(weekly())
  const refused = await create(weekly({ title: 'Another' }))
  expect(refused.body).toMatchObject({ errors: [{ pointer: '/viewId', received: '200' }] })
})
