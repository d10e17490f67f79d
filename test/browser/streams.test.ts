import { chromium } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../src/index.ts'
import { writeContract } from '../support/contracts/small-contract.ts'
import { STREAMS, TICKS } from '../support/contracts/streams.ts'

/** A page of a server. */
async function openPage(options: StandinOptions, path: string) {
  const standin = createStandin({ port: 0, ...options })
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
  await page.goto(`${url}${path}`)
  return { standin, page }
}

test('an EventSource gets what changes, and after a lost connection what it has missed', async () => {
  const { standin, page } = await openPage({ contract: writeContract(STREAMS), documents: 0 }, '/orders')
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

test('an EventSource of generated events goes on after them, by the clock of the sandbox', async () => {
  const { standin, page } = await openPage(
    { contract: writeContract(TICKS), clock: '2026-03-01T09:00:00Z' },
    '/__mock/health',
  )
  await page.evaluate(`
    window.ids = []
    window.opened = 0
    window.source = new EventSource('/prices/live')
    source.onopen = () => { opened += 1 }
    source.onmessage = ({ lastEventId }) => ids.push(lastEventId)
  `)
  await page.waitForFunction('opened === 2')
  await standin.control.advanceClock({ by: 'PT2S' })
  await page.waitForFunction('ids.length === 5')
  expect(await page.evaluate('[ids, opened, source.readyState]')).toEqual([['1', '2', '3', '4', '5'], 2, 1])
})
