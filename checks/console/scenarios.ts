import { createControlClient } from '../../src/control/client/client.ts'
import { createStandin, type Standin } from '../../src/index.ts'

/** A server whose console is checked. */
export interface Scenario {
  readonly name: string
  create(): Standin
  /** Sends the requests that come before the screenshots. */
  prepare?(url: string): Promise<void>
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'default', create: () => createStandin({ port: 0 }), prepare: useDefault },
  { name: 'empty', create: () => createStandin({ port: 0, documents: 0 }), prepare: emptyIt },
  { name: 'million', create: () => createStandin({ port: 0, files: 1_000_000 }), prepare: searchMany },
  {
    name: 'shop',
    create: () => createStandin({ port: 0, contract: 'examples/shop/contract.yaml' }),
    prepare: useShop,
  },
]

const API = '/api/files/v1/filesets/demo/files/search'
const CREATE = '/api/content/v1/reportschedules'

/** Searches that are answered, refused and disturbed, a schedule and its first runs. */
async function useDefault(url: string): Promise<void> {
  const control = createControlClient({ url })
  const send = sender(url)
  await send('POST', `${API}?limit=3`, { filters: [{ field: 'name', operator: 'LIKE', value: ['budget'] }] })
  await send('POST', `${API}?limit=5`, { filters: [{ field: 'nam', operator: 'LIKE', value: ['a'] }], limit: 'x' })
  await send('POST', API, { fieldSort: [{ field: 'created', order: 'DESC' }] })
  await send('GET', '/no/such/operation')
  await send('POST', CREATE, {})
  await control.armFaults({ kind: 'status', status: 503, headers: { 'Retry-After': '2' }, times: 1 })
  await send('POST', API, {})
  await control.armFaults({ kind: 'reset', times: 1 })
  await send('POST', API, {})
  await control.armFaults({ kind: 'status', status: 500, match: { operationId: 'searchFiles', page: 3 }, times: 1 })
  await control.advanceClock({ toNextRun: true })
  await control.advanceClock({ by: 'P7D' })
  await control.createCheckpoint({ name: 'before-the-release' })
  await control.createSandbox({ name: 'checkout-test', from: 'default' })
  await control.putBehaviours({ 'page.last': 'null' })
}

async function emptyIt(url: string): Promise<void> {
  const control = createControlClient({ url })
  const { fileSets } = await control.listFileSets()
  for (const { id } of fileSets) await control.deleteFileSet(id)
  const { reportSchedules } = await control.listReportSchedules()
  for (const { id } of reportSchedules) await control.deleteReportSchedule(id)
}

async function searchMany(url: string): Promise<void> {
  const send = sender(url)
  for (let page = 0; page < 1_000; page++)
    await send('POST', `${API}?limit=${1 + (page % 9)}`, {
      filters: [{ field: 'name', operator: 'LIKE', value: [String(page % 40)] }],
    })
}

async function useShop(url: string): Promise<void> {
  const send = sender(url)
  await send('GET', '/products')
  await send('GET', '/customers?limit=2')
  await send('POST', '/customers', { name: 'Jane Doe', email: 'jane@example.com' })
  await send('POST', '/customers', { name: 7 })
  await send('POST', '/orders', { customerId: 1, lines: [{ productId: 1, quantity: 2 }] })
  await send('GET', '/orders?status=placed')
  await send('GET', '/customers/999')
  await send('DELETE', '/customers/2')
}

/** Sends requests of a client that takes whatever comes. */
function sender(url: string) {
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(url + path, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-SERVICE-Developer-Token': 'any' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    const text = await response?.text().catch(() => '')
    return text === undefined || text === '' ? {} : (JSON.parse(text) as unknown)
  }
}
