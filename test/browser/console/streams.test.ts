import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleTester, seriousFindings, startConsole } from '../../support/console.ts'
import { STREAMS } from '../../support/contracts/streams.ts'

let tester: ConsoleTester

beforeAll(async () => {
  tester = await startConsole({ contract: STREAMS, documents: 0 })
})

afterAll(() => tester.close())

const create = () =>
  fetch(`${tester.url}/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ customer: 'Ann', status: 'placed' }),
  })

/** Opens a stream, creates two orders, and leaves after two events, or at its end. */
async function listen(path: string) {
  const leaving = new AbortController()
  const { body } = await fetch(`${tester.url}${path}`, { signal: leaving.signal })
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  await create()
  await create()
  try {
    for (let text = ''; text.match(/\bcustomer\b/g)?.length !== 2;) text += (await reader.read()).value ?? ''
    leaving.abort()
  } catch {
    // The connection was cut.
  }
}

test('a stream shows its events one by one, and that the client left', async () => {
  await listen('/orders/events')
  const page = await tester.open('requests')
  const row = page.getByRole('row', { name: /stream: 2 events/ })
  await row.click()
  const events = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
  await events.nth(1).waitFor()
  expect(await events.count()).toBe(2)
  await events.first().getByText('order.created').waitFor()
  await events.first().getByText('"Ann"').waitFor()
  await page.getByText('2 events · the client left').waitFor()
  // A client that leaves a stream has a whole response.
  await page.getByRole('button', { name: 'Broken' }).click()
  await page.getByRole('heading', { name: 'No request matches the filter' }).waitFor()
  expect(await seriousFindings(page)).toEqual([])
})

test('a stream that a fault cut is marked where it was', async () => {
  await tester.control.armFaults({ kind: 'truncated', events: 1, times: 1, match: { path: '/orders/stream' } })
  await listen('/orders/stream')
  const page = await tester.open('requests')
  await page.getByRole('row', { name: /stream: 1 event / }).click()
  const events = page.getByRole('list', { name: 'Events' }).getByRole('listitem')
  await events.last().getByText('cut here').waitFor()
  await page.getByText('1 event · it was cut').waitFor()
})

test('open streams are listed with what they have sent, and ended', async () => {
  const page = await tester.open('streams')
  await page.getByText('No open streams').waitFor()
  const { body } = await fetch(`${tester.url}/orders/events`)
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  await create()
  await page.getByRole('listitem').filter({ hasText: '/orders/events' }).getByText('1 event sent').waitFor()
  expect(await seriousFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'End all' }).click()
  await page.getByText('No open streams').waitFor()
  for (;;) if ((await reader.read()).done) break
})
