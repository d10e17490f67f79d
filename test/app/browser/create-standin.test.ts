import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { page } from '../../support/page-library.ts'

const SHOP = { contract: readFileSync('examples/shop/contract.yaml', 'utf8') }

test('an instance has its state, which requests and the control client share', async () => {
  const [one, other] = [page.createStandin(SHOP), page.createStandin(SHOP)]
  const body = JSON.stringify({ name: 'Grace Hopper', email: 'grace@example.com', country: 'US' })
  const created = await one.fetch('/customers', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  })
  expect([created.status, created.url]).toEqual([201, 'http://localhost/customers'])
  expect((await one.control.listDocuments('customers')).total).toBe(11)
  expect((await other.control.listDocuments('customers')).total).toBe(10)
  one.reset()
  expect((await one.control.listDocuments('customers')).total).toBe(10)
})

test('what needs files, ports or mail is refused with what to give instead', () => {
  const options = {
    contract: 'contract.yaml',
    data: './data',
    port: 4010,
    smtp: 'smtp://127.0.0.1:1025',
    fixtures: ['shop.yaml', { documents: {} }],
  }
  expect(() => page.createStandin(options)).toThrow(
    new page.StartupError([
      'options.data needs Node: a page has no files, ports, proxies or mail. Remove it.',
      'options.port needs Node: a page has no files, ports, proxies or mail. Remove it.',
      'options.smtp needs Node: a page has no files, ports, proxies or mail. Remove it.',
      'options.contract: a page cannot read the file "contract.yaml". Give the text of the document, or the document itself.',
      'options.fixtures: a page cannot read the file "shop.yaml". Give what it holds, as an object.',
    ]),
  )
})

test('a page cannot listen', async () => {
  await expect(page.createStandin().start()).rejects.toThrow('A page cannot listen.')
})

test('the connection breaks before a response, in its middle, or not at all', async () => {
  const { control, fetch } = page.createStandin(SHOP)
  for (const kind of ['reset', 'empty'] as const) {
    await control.armFaults({ kind, times: 1 })
    await expect(fetch('/customers')).rejects.toThrow(new TypeError('fetch failed'))
  }
  await control.armFaults({ kind: 'truncated', times: 1 })
  const truncated = await fetch('/customers')
  expect(truncated.status).toBe(200)
  await expect(truncated.text()).rejects.toThrow(new TypeError('terminated'))
  await control.armFaults({ kind: 'slow-drip', times: 1, milliseconds: 20, pieces: 4 })
  expect(await (await fetch('/customers')).json()).toMatchObject({ total: 10 })
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ answer }) => answer?.status ?? 0)).toEqual([0, 0, 200, 200])
})

test('a client that leaves ends its request', async () => {
  const { control, fetch } = page.createStandin(SHOP)
  await control.armFaults({ kind: 'latency', delay: { milliseconds: 50_000 } })
  const left = new AbortController()
  const response = fetch('/customers', { signal: left.signal })
  setTimeout(() => left.abort(), 5)
  await expect(response).rejects.toThrow('aborted')
})

test('the stream of events is open until the client leaves', async () => {
  const { control, fetch } = page.createStandin(SHOP)
  const leaving = new AbortController()
  const events = control.openStream({ signal: leaving.signal })[Symbol.asyncIterator]()
  const first = events.next()
  let isFollowed = false
  void first.then(() => (isFollowed = true))
  await expect.poll(async () => (await fetch('/customers')).ok && isFollowed).toBe(true)
  expect((await first).value).toMatchObject({ event: 'exchange', data: { operationId: 'listCustomers' } })
  leaving.abort()
  await expect(events.next()).rejects.toThrow('aborted')
})

test('a large body is read and sent in pieces', async () => {
  const { control, fetch } = page.createStandin()
  const long = 'x'.repeat(200)
  const files = Array.from({ length: 4000 }, (_, at) => ({ path: `added/${long}/file-${at}.txt` }))
  expect((await control.addFiles('demo', files)).files).toHaveLength(4000)
  const state = await (await fetch('/__mock/state')).text()
  expect(state.length).toBeGreaterThan(1_048_576)
  expect(JSON.stringify(JSON.parse(state))).toContain(`added/${long}/file-3999.txt`)
})
