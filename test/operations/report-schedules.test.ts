import { expect, test } from 'vitest'
import { complaintsOf, createTester, rowsOf, weekly } from '../support/tester.ts'

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
