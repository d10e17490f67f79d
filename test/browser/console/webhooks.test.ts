import { afterAll, beforeAll, expect, test } from 'vitest'
import { createControlClient, type ControlClient } from '../../../src/index.ts'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'
import { ORDERS, startReceiver } from '../../support/servers/webhook-receiver.ts'

let tester: ConsoleTester
let control: ControlClient

beforeAll(async () => {
  tester = await startConsole({ contract: ORDERS, clock: '2026-03-05T14:30:00Z' })
  control = createControlClient({ url: tester.url })
})

afterAll(() => tester.close())

const create = () =>
  fetch(`${tester.url}/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"number":7}',
  })

test('a webhook without an address is shown, gets one, and is sent', async () => {
  const receiver = await startReceiver((number) => (number === 1 ? 500 : 200))
  const page = await tester.open('webhooks')
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  await create()
  const row = page.getByRole('row', { name: /order.created/ })
  await row.getByText('captured').waitFor()
  await page.getByLabel('Send to').fill('http://10.0.0.1/')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('10.0.0.1 is another machine.').waitFor()
  await page.getByLabel('Send to').fill(receiver.url)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await control.listWebhooks()).target).toBe(`${receiver.url}/`)
  await row.click()
  const detail = page.getByRole('region', { name: /^Webhook msg_/ })
  await detail.getByLabel('Body of the webhook').getByText('7', { exact: true }).waitFor()
  await detail.getByRole('button', { name: 'Send now' }).click()
  await detail.getByText('500').waitFor()
  await detail.getByRole('button', { name: 'Send again' }).click()
  await detail.getByText('delivered').waitFor()
  expect(receiver.received).toHaveLength(2)
  expect(await seriousFindings(page)).toEqual([])
})
