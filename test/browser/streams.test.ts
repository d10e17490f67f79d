import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { writeContract } from '../support/contracts/small-contract.ts'
import { STREAMS } from '../support/contracts/streams.ts'

test('an EventSource gets what changes, and after a lost connection what it has missed', async () => {
  const standin = createStandin({ contract: writeContract(STREAMS), documents: 0, port: 0 })
  const url = await standin.start()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  onTestFinished(async () => {
    await browser.close()
    await standin.stop()
  })
  const page = await browser.newPage()
  await page.goto(`${url}/orders`)
  // The first connection is lost in the middle of the second event. EventSource connects again by itself.
  await standin.control.armFaults({ kind: 'truncated', events: 1, times: 1, match: { path: '/orders/events' } })
  const ids = await page.evaluate<number[]>(`
    new Promise((resolve) => {
      const got = []
      const create = () => fetch('/orders', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ customer: 'Ann', status: 'placed' }),
      })
      const source = new EventSource('/orders/events')
      source.onopen = async () => { source.onopen = null; await create(); await create(); await create() }
      source.addEventListener('order.created', ({ data }) => {
        got.push(JSON.parse(data).id)
        if (got.length < 3) return
        source.close()
        resolve(got)
      })
    })`)
  expect(ids).toEqual([1, 2, 3])
})
