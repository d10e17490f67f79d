import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { PublicContract } from '../../../checks/public-documents/read-contract.ts'
import { createSession } from '../../../checks/lifecycle/session.ts'
import { isInferred, type Life, walkDocument } from '../../../checks/lifecycle/walk.ts'

const object = (properties: object, ...required: string[]) => ({ type: 'object', properties, required })
const json = (schema: object) => ({ 'application/json': { schema } })
const responses = (status: number, schema?: object) => ({
  [status]: { description: 'fine', ...(schema && { content: json(schema) }) },
  404: { description: 'unknown', content: json(object({ error: { type: 'string' } }, 'error')) },
})
const text = { type: 'string' }
const customer = object({ name: text, city: text, secret: { ...text, writeOnly: true } }, 'name')
const shown = object({ id: { type: 'integer', readOnly: true }, name: text, city: text }, 'id', 'name')
const parameter = { name: 'customer_id', in: 'path', required: true, schema: { type: 'integer' } }
const requestBody = { required: true, content: json(customer) }
const operations = {
  '/customers': {
    get: { responses: responses(200, object({ data: { type: 'array', items: shown }, next: text }, 'data')) },
    post: { requestBody, responses: responses(201, object({ data: shown }, 'data')) },
  },
  '/customers/{customer_id}': {
    parameters: [parameter],
    get: { responses: responses(200, object({ data: shown }, 'data')) },
    put: { requestBody, responses: responses(200, object({ data: shown }, 'data')) },
    patch: {
      requestBody: { content: json({ ...customer, required: [] }) },
      responses: responses(200, object({ data: shown }, 'data')),
    },
    delete: { responses: responses(204) },
  },
}
const contract: PublicContract = {
  document: { openapi: '3.1.0', paths: operations },
  operations: Object.entries(operations).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => {
        const pointer = `/paths/${path.replaceAll('/', '~1')}/${method}`
        return { method, path, basePath: '', item, operation: operation as object as Record<string, unknown>, pointer }
      }),
  ),
}

interface Customer {
  readonly id: number
  readonly name: string
  readonly city?: string
  readonly secret?: string
}

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a broken server does instead; undefined for what it does right. */
type Flaw = (request: { readonly method: string; readonly id: number | undefined }, right: Answer) => Answer | undefined

/** A server that keeps customers, two to a page. */
function createCustomers(): (method: string, url: URL, body: Partial<Customer>) => Answer {
  const customers = new Map<number, Customer>([1, 2, 3].map((id) => [id, { id, name: `customer ${id}` }]))
  const show = ({ secret: _, ...others }: Customer) => others
  let last = 3
  return (method, { pathname, searchParams }, body) => {
    const id = Number(pathname.split('/')[2] ?? Number.NaN)
    const held = customers.get(id)
    const store = (one: Customer) => customers.set(one.id, one)
    if (method === 'POST') {
      const made = { name: '', ...body, id: ++last }
      store(made)
      return { status: 201, body: { data: show(made) } }
    }
    if (Number.isNaN(id)) {
      const from = Number(searchParams.get('from') ?? 0)
      const rest = [...customers.values()].slice(from, from + 2).map(show)
      return { status: 200, body: { data: rest, ...(from + 2 < customers.size && { next: `?from=${from + 2}` }) } }
    }
    if (!held) return { status: 404, body: { error: 'There is no such customer.' } }
    if (method === 'DELETE') {
      customers.delete(id)
      return { status: 204 }
    }
    if (method !== 'GET') store({ ...(method === 'PATCH' ? held : { name: '' }), ...body, id })
    return { status: 200, body: { data: show(customers.get(id) ?? held) } }
  }
}

/** Walks the customers of a server with a flaw. */
async function walk(flaw: Flaw = () => undefined): Promise<Life> {
  const customers = createCustomers()
  const server = createServer((request, response) => {
    void read(request).then((sent) => {
      const method = request.method ?? ''
      const url = new URL(request.url ?? '', 'http://localhost')
      const right = customers(method, url, sent)
      const id = url.pathname.split('/')[2]
      const { status, body, headers } = flaw({ method, id: id === undefined ? undefined : Number(id) }, right) ?? right
      response.writeHead(status, { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers })
      response.end(body === undefined ? undefined : JSON.stringify(body))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const lives: Life[] = []
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for await (const life of walkDocument(createSession(contract, base))) lives.push(life)
  return lives[0]!
}

async function read(request: IncomingMessage): Promise<Partial<Customer>> {
  const text = (await request.toArray()).join('')
  return text === '' ? {} : (JSON.parse(text) as Partial<Customer>)
}

const verdicts = ({ steps }: Life) => Object.fromEntries(steps.map(({ name, verdict }) => [name, verdict]))
const reasons = ({ steps }: Life) => steps.flatMap(({ name, why }) => (why === undefined ? [] : [`${name}: ${why}`]))

test('an item passes its whole life on a server that does all of it right', async () => {
  const life = await walk()
  expect(reasons(life)).toEqual([])
  expect(life.steps.map(({ name }) => name)).toEqual([
    ...['create', 'read', 'list', 'replace', 'read after replace', 'merge', 'read after merge'],
    ...['delete', 'read after delete', 'list after delete'],
  ])
  expect(new Set(life.steps.map(({ verdict }) => verdict))).toEqual(new Set(['passed']))
  expect(isInferred(life)).toBe(true)
})

const isRead = (method: string, id: number | undefined) => method === 'GET' && id !== undefined
const ok = (data: unknown): Answer => ({ status: 200, body: { data } })
const anyone = { id: 4, name: 'Somebody else' }

test.each<[string, Flaw, string]>([
  [
    'reads another item',
    ({ method, id }, { status }) => (isRead(method, id) && status === 200 ? ok(anyone) : undefined),
    'read',
  ],
  [
    'lists only the first page',
    ({ method, id }, { body }) =>
      method === 'GET' && id === undefined ? ok((body as { data: unknown[] }).data) : undefined,
    'list',
  ],
  ['shows another item than it stored', ({ method }) => (method === 'PUT' ? ok(anyone) : undefined), 'replace'],
  ['does not store a replacement', readsAsCreated(), 'read after replace'],
  [
    'serves what was deleted',
    ({ method, id }, { status }) => (isRead(method, id) && status === 404 ? ok(anyone) : undefined),
    'read after delete',
  ],
  [
    'breaks the document',
    ({ method }) => (method === 'POST' ? { status: 201, body: { data: { id: 4 } } } : undefined),
    'create',
  ],
  [
    'responds with a status that is not documented',
    ({ method }) => (method === 'DELETE' ? { status: 200 } : undefined),
    'delete',
  ],
  ['fails', ({ method }) => (method === 'PATCH' ? { status: 500 } : undefined), 'merge'],
  ['lists what was deleted', listsForever(), 'list after delete'],
  [
    'refuses the wrong way',
    ({ method, id }, { status }) => (isRead(method, id) && status === 404 ? { status: 404, body: {} } : undefined),
    'read after delete',
  ],
])('a server is wrong that %s', async (_, flaw, step) => {
  expect(verdicts(await walk(flaw))).toMatchObject({ [step]: 'wrong' })
})

test('a merge that changes members which were not sent is wrong', async () => {
  const customers = new Map<number | undefined, boolean>()
  const life = await walk(({ method, id }, { body }) => {
    if (method === 'PATCH') customers.set(id, true)
    if (!isRead(method, id) || !customers.has(id)) return undefined
    const { data } = body as { data?: Customer }
    return data && ok({ ...data, name: 'Changed by nobody' })
  })
  expect(reasons(life)).toEqual([
    expect.stringMatching(/^read after merge: GET \/customers\/4 200: \/name is "Changed by nobody"/),
  ])
})

test('a generated response is counted apart, and says nothing of what is stored', async () => {
  const headers = { 'X-Mock-Generated': 'true' }
  const everything = await walk((_, right) => ({ ...right, headers }))
  expect(isInferred(everything)).toBe(false)
  const removal = await walk(({ method }) => (method === 'DELETE' ? { status: 204, headers } : undefined))
  expect(isInferred(removal)).toBe(true)
  expect(verdicts(removal)).toMatchObject({ 'read after merge': 'passed', delete: 'generated' })
  expect(removal.steps.at(-1)?.name).toBe('delete')
})

test('a refusal is no wrong answer, and the item that is walked is one that is listed', async () => {
  const refusal = { status: 404, body: { error: 'Not today.' } }
  const life = await walk(({ method }) => (method === 'POST' ? refusal : undefined))
  expect(verdicts(life)).toMatchObject({
    create: 'refused',
    list: 'passed',
    read: 'passed',
    'list after delete': 'passed',
  })
})

function listsForever(): Flaw {
  const seen = new Map<number, Customer>()
  return ({ method, id }, { body }) => {
    if (method !== 'GET' || id !== undefined) return undefined
    const page = body as { readonly data: readonly Customer[]; readonly next?: string }
    for (const one of page.data) seen.set(one.id, one)
    return { status: 200, body: { ...page, data: [...seen.values()] } }
  }
}

function readsAsCreated(): Flaw {
  let first: Answer | undefined
  return ({ method, id }, right) => (isRead(method, id) ? (first ??= right) : undefined)
}
