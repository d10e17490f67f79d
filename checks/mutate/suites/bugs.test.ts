// Ten classic bugs of clients, and twins without them: PLANTED says which. Each test is named after its bug.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type TestStandin, test } from '../../../src/testing/vitest.ts'

const isPlanted = process.env.PLANTED === 'yes'

interface Order {
  readonly id: number
  readonly customer: string
  readonly note: string
  readonly created: string
}

interface OrderPage {
  readonly orders: readonly Order[]
  readonly total: number
  readonly nextCursor?: string | null
}

interface SendOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  /** Milliseconds that the client waits for a response. */
  readonly patience?: number
  /** Whether a request without a response is sent again. */
  readonly repeats?: boolean
  /** Refusals that are repeated at once, although the service asks for a pause. */
  readonly impatient?: readonly number[]
}

const ATTEMPTS = 4
/** Milliseconds after a lost response. */
const PAUSE = 150
const TEMPORARY = [429, 503, 504]

async function send(standin: TestStandin, path: string, options: SendOptions = {}): Promise<Response> {
  const { method = 'GET', headers = {}, body, patience = 10_000, repeats = true, impatient = [] } = options
  for (let attempt = 1; ; attempt++) {
    const init = { method, headers: { 'Content-Type': 'application/json', ...headers } }
    const signal = AbortSignal.timeout(patience)
    const sent = standin.fetch(path, { ...init, signal, ...(body ? { body: JSON.stringify(body) } : {}) })
    const response = await sent.catch(() => undefined)
    const isUnknown = response === undefined || response.status === 504
    const isTemporary = response === undefined || TEMPORARY.includes(response.status)
    if (!isTemporary || attempt === ATTEMPTS || (isUnknown && !repeats)) {
      if (response === undefined) throw new Error('There was no response.')
      return response
    }
    const seconds = Number(response?.headers.get('retry-after') ?? 0)
    if (!impatient.includes(response?.status ?? 0)) await sleep(response ? 1000 * seconds : PAUSE)
  }
}

async function read<Body>(standin: TestStandin, path: string, options: SendOptions = {}): Promise<Body> {
  const response = await send(standin, path, options)
  if (!response.ok) throw new Error(`${path} was refused with ${response.status}.`)
  return (await response.json()) as Body
}

const pageOf = (cursor?: string | null) => `/orders?limit=4${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`

/** All orders; from the beginning again where a cursor expired. */
async function readAll(standin: TestStandin, isLast = (_page: OrderPage) => false): Promise<Order[]> {
  for (let attempt = 1; ; attempt++) {
    const orders = new Map<number, Order>()
    let cursor: string | null | undefined
    let isExpired = false
    do {
      const response = await send(standin, pageOf(cursor))
      isExpired = response.status === 400 && cursor !== undefined
      if (isExpired) break
      if (!response.ok) throw new Error(`The orders were refused with ${response.status}.`)
      const page = (await response.json()) as OrderPage
      for (const order of page.orders) orders.set(order.id, order)
      cursor = isLast(page) ? undefined : page.nextCursor
    } while (cursor)
    if (!isExpired) return [...orders.values()]
    if (attempt === ATTEMPTS) throw new Error('The cursor expires again and again.')
  }
}

/** How many orders the service has. */
const ORDERS = 10
const NEW = { customer: 'Ada', note: 'as a gift' }

test('double create after a lost response', async ({ standin }) => {
  const headers = isPlanted ? {} : { 'Idempotency-Key': 'order-of-ada' }
  const { customer } = await read<Order>(standin, '/orders', { method: 'POST', headers, body: NEW })
  expect(customer).toBe('Ada')
})

test('retry without backoff', async ({ standin }) => {
  const { orders } = await read<OrderPage>(standin, pageOf(), isPlanted ? { impatient: [503] } : {})
  expect(orders).not.toEqual([])
})

test('429 ignored', async ({ standin }) => {
  const { orders } = await read<OrderPage>(standin, pageOf(), isPlanted ? { impatient: [429] } : {})
  expect(orders).not.toEqual([])
})

test('lost update', async ({ standin }) => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const response = await send(standin, '/orders/1')
    const order = (await response.json()) as Order
    const headers = isPlanted ? {} : { 'If-Match': response.headers.get('etag') ?? '*' }
    const body = { ...order, tags: ['urgent'] }
    const { status } = await send(standin, '/orders/1', { method: 'PUT', headers, body })
    if (status === 200) return
    if (status !== 412) throw new Error(`The change was refused with ${status}.`)
  }
  throw new Error('Somebody else changes the order all the time.')
})

test('page lost when a cursor expired', async ({ standin }) => {
  const ids = new Set<number>()
  if (isPlanted) {
    let cursor: string | null | undefined
    do {
      const response = await send(standin, pageOf(cursor))
      // Whatever was read so far has to do.
      if (response.status === 400) break
      const page = (await response.json()) as OrderPage
      for (const { id } of page.orders) ids.add(id)
      cursor = page.nextCursor
    } while (cursor)
  } else for (const { id } of await readAll(standin)) ids.add(id)
  expect(ids.size).toBe(ORDERS)
})

test('infinite paging', async ({ standin }) => {
  if (!isPlanted) {
    await readAll(standin)
    return
  }
  const ids = new Set<number>()
  let cursor: string | null | undefined
  for (;;) {
    const page = await read<OrderPage>(standin, pageOf(cursor))
    for (const { id } of page.orders) ids.add(id)
    cursor = page.nextCursor
    if (ids.size >= page.total) break
  }
})

test('partial list taken for whole', async ({ standin }) => {
  const orders = await readAll(standin, (page) => isPlanted && page.orders.length < 4)
  expect(orders.length).toBeGreaterThan(0)
})

test('timeouts that resend', async ({ standin }) => {
  const headers = isPlanted ? {} : { 'Idempotency-Key': 'order-of-grace' }
  const options = { method: 'POST', headers, body: { ...NEW, customer: 'Grace' }, patience: 1000 }
  const { customer } = await read<Order>(standin, '/orders', options)
  expect(customer).toBe('Grace')
})

test('float ids', async ({ standin }) => {
  const text = await (await send(standin, pageOf())).text()
  const ids = isPlanted
    ? (JSON.parse(text) as OrderPage).orders.map(({ id }) => id)
    : [...text.matchAll(/"id":\s*(\d+)/g)].map(([, digits = '']) => BigInt(digits))
  const known = new Set<number | bigint>()
  for (const id of ids) {
    if (known.has(id)) throw new Error(`There are two orders ${id}.`)
    known.add(id)
  }
})

test('local time zone', async ({ standin }) => {
  const options = {
    method: 'POST',
    headers: { 'Idempotency-Key': 'order-of-alan' },
    body: { ...NEW, customer: 'Alan' },
  }
  const { created } = await read<Order>(standin, '/orders', options)
  const at = Date.parse(isPlanted ? `${created.slice(0, 19)}Z` : created)
  if (at > Date.now() + 60_000) throw new Error(`The order was created in the future, ${created}.`)
})
