import { expect, onTestFinished, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../../src/index.ts'
import { createDirectory } from '../../support/command.ts'
import { startProxy, startService } from '../../support/servers/proxy.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, weekly } from '../../support/tester.ts'

const files = Array.from({ length: 45 }, (_, at) => ({
  path: `reports/${at}.pdf`,
  created: '2026-03-01T09:00:00.000Z',
}))
const OPTIONS = { seed: 7, clock: '2026-03-05T14:30:00Z', fixtures: [{ fileSets: [{ id: 'demo', files }] }] }
const HEADERS = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }

/** A stand-in that plays the service, and a proxy with another one beside it. */
async function start(service: StandinOptions = {}) {
  const standin = createStandin({ ...OPTIONS, ...service })
  onTestFinished(() => standin.stop())
  const proxy = await startProxy(await standin.start(), { ...OPTIONS, shadow: true })
  return { ...proxy, service: standin }
}

async function walk(url: string): Promise<void> {
  let next: string | undefined
  do {
    const token = next === undefined ? '' : `&next=${encodeURIComponent(next)}`
    const path = `${SEARCH}/demo/files/search?limit=20${token}`
    const response = await fetch(url + path, { method: 'POST', headers: HEADERS, body: '{}' })
    ;({ next } = ((await response.json()) as { pageContext: { next?: string } }).pageContext)
  } while (typeof next === 'string')
}

async function send(url: string, method: string, path: string, body: object): Promise<{ readonly id: number }> {
  const response = await fetch(url + path, { method, headers: HEADERS, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  return (await response.json()) as { readonly id: number }
}

test('where the stand-in responds as the service does, there is nothing to say, page by page', async () => {
  // With another seed, the tokens of the service mean nothing to the stand-in.
  const { url, control, service } = await start({ seed: 8 })
  await walk(url)
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ issues }) => issues)).toEqual([[], [], []])
  const beside = await (await fetch(`${url}/__mock/journal?sandbox=shadow`)).json()
  expect(beside).toMatchObject({ total: 3, exchanges: [{ answer: { status: 200 } }, {}, {}] })
  expect((await service.control.listExchanges()).total).toBe(3)
})

test('a difference is in the journal with both values, and the client has the response of the service', async () => {
  const { url, control } = await start({ behaviours: { 'page.last': 'null' } })
  await walk(url)
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ issues }) => issues.length)).toEqual([0, 0, 1])
  expect(exchanges[2]?.issues).toMatchObject([{ pointer: '/pageContext/next', expected: 'null', received: 'absent' }])
  expect(exchanges[2]?.problem).toBe(
    'shadow: /pageContext/next: the service has null, the stand-in absent (exchange 3 of the sandbox shadow).',
  )
  expect(exchanges[2]?.answer?.body).toContain('"next":null')
})

test('what was created is the same thing for both, under two ids', async () => {
  const { url, control, service } = await start()
  await send(service.url ?? '', 'POST', SCHEDULES, weekly())
  const { id } = await send(url, 'POST', SCHEDULES, weekly())
  await send(url, 'PUT', `${SCHEDULES}/${id}`, weekly({ title: 'Second' }))
  const { exchanges } = await control.listExchanges()
  expect(exchanges.map(({ issues }) => issues)).toEqual([[], []])
})

test('a header of the response has the differences on request, beside what breaks the contract', async () => {
  const { url } = await start({ fixtures: [{ fileSets: [{ id: 'demo', files: files.slice(1) }] }] })
  const response = await fetch(`${url}${SEARCH}/demo/files/search?limit=100`, {
    method: 'POST',
    headers: { ...HEADERS, 'X-Mock-Violations': 'true' },
    body: '{}',
  })
  const shown = JSON.parse(response.headers.get('x-mock-violations') ?? '') as { readonly code: string }[]
  expect(shown.map(({ code }) => code)).toContain('shadow.items')
})

test('a service that fails is not compared, and a sandbox has a shadow of its own', async () => {
  const service = await startService((_request, response) => void response.destroy())
  const { url, control } = await startProxy(service, { shadow: true })
  expect(
    (await fetch(`${url}${SEARCH}/demo/files/search`, { method: 'POST', headers: HEADERS, body: '{}' })).status,
  ).toBe(502)
  const other = await start()
  const headers = { ...HEADERS, 'X-Mock-Sandbox': 'one' }
  await fetch(`${other.url}${SEARCH}/demo/files/search`, { method: 'POST', headers, body: '{}' })
  const names = async (client: typeof control) => (await client.listSandboxes()).sandboxes.map(({ name }) => name)
  expect(await names(control)).toEqual(['default'])
  expect(await names(other.control)).toEqual(['default', 'one', 'one-shadow'])
})

test('what only ends like an id is compared', async () => {
  const members = { paid: 'boolean', valid: 'boolean', amountPaid: 'integer', bid: 'integer', customerId: 'integer' }
  const here = { paid: true, valid: true, amountPaid: 5, bid: 7, customerId: 1 }
  const properties = Object.fromEntries(
    Object.entries(members).map(([name, type]) => [name, { type, enum: [here[name as keyof typeof here]] }]),
  )
  const schema = { type: 'object', required: Object.keys(members), properties }
  const responses = { 200: { description: 'the state', content: { 'application/json': { schema } } } }
  const contract = {
    openapi: '3.0.3',
    info: { title: 'Auctions', version: '1' },
    paths: { '/auction': { get: { operationId: 'getAuction', responses } } },
  }
  const { path, remove } = createDirectory({ 'auctions.json': JSON.stringify(contract) })
  onTestFinished(remove)
  const service = await startService((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ paid: false, valid: false, amountPaid: 6, bid: 8, customerId: 2 }))
  })
  const { url, control } = await startProxy(service, { shadow: true, contract: `${path}/auctions.json` })
  await fetch(`${url}/auction`)
  const { exchanges } = await control.listExchanges()
  const shadow = exchanges[0]?.issues.filter(({ code }) => code.startsWith('shadow.'))
  expect(shadow?.map(({ pointer }) => pointer)).toEqual(['/paid', '/valid', '/amountPaid', '/bid'])
})
