import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../src/index.ts'
import { createDirectory, runCommand } from '../support/command.ts'
import { PACKAGED, summaryOf } from '../support/packaged.ts'

/** What is said of a contract of which most operations are generated. */
const FORGETFUL = 'generated operations remember nothing, unless x-standin or handlers give them a memory'

const HELLO = {
  responses: { 200: { description: 'ok', content: { 'application/json': { schema: { const: 'hi' } } } } },
}

function contractOf(paths: unknown): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths })
}

/** An operation whose response has a schema. */
function showing(operationId: string, schema: unknown) {
  return { operationId, responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } }
}

const ORDER = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, customer_id: { type: 'integer' }, status: { enum: ['open', 'paid'] } },
}
const CUSTOMER = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } }
const BY_ID = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] }
const PAGE = { name: 'page', in: 'query', schema: { type: 'integer' } }
const SHOP = {
  '/customers': { get: showing('listCustomers', { type: 'array', items: CUSTOMER }) },
  '/customers/{id}': { ...BY_ID, get: showing('getCustomer', CUSTOMER) },
  '/customers/{id}/orders': {
    ...BY_ID,
    get: { ...showing('listOrdersOf', { type: 'array', items: ORDER }), parameters: [PAGE] },
  },
  '/orders': { get: showing('listOrders', { type: 'array', items: ORDER }) },
  '/orders/{id}': {
    ...BY_ID,
    get: showing('getOrder', ORDER),
    delete: { responses: { 204: { description: 'gone' } } },
  },
  '/settings': {
    get: showing('getSettings', CUSTOMER),
    put: {
      ...showing('putSettings', CUSTOMER),
      requestBody: { content: { 'application/json': { schema: CUSTOMER } } },
    },
  },
  '/rates': { get: HELLO },
  '/quotes': { get: HELLO },
  '/offers': { get: HELLO },
  '/words': { get: { ...HELLO, 'x-standin': 'generated' } },
  '/void': { get: { responses: {} } },
}

/** An object without these members matches both, and one with either too. */
const EITHER = {
  oneOf: ['lives', 'bark'].map((name) => ({
    type: 'object',
    properties: { [name]: { type: 'string' } },
    minProperties: 0,
  })),
}
const VARIANTS = contractOf({
  '/pets': {
    get: showing('listPets', { type: 'array', items: EITHER }),
    post: { ...showing('createPet', EITHER), requestBody: { content: { 'application/json': { schema: EITHER } } } },
  },
  '/settings': {
    get: showing('getSettings', EITHER),
    put: { ...showing('putSettings', EITHER), requestBody: { content: { 'application/json': { schema: EITHER } } } },
  },
})

/** Six lists, the first with a filter, and one whose pages begin at 0. */
const LISTS = Object.fromEntries(
  ['apples', 'pears', 'plums', 'grapes', 'figs', 'dates', 'limes'].map((name, index) => {
    const page = { ...PAGE, schema: { type: 'integer', minimum: index === 6 ? 0 : 1 } }
    const status = index === 0 ? [{ name: 'status', in: 'query', schema: { type: 'string' } }] : []
    return [`/${name}`, { get: { ...showing(name, { type: 'array', items: ORDER }), parameters: [page, ...status] } }]
  }),
)

/** A line for each example, whose places are lines of the file. */
const EXAMPLES = JSON.stringify(
  JSON.parse(
    contractOf({
      '/orders': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: {
                'application/json': {
                  schema: { type: 'array', items: ORDER },
                  examples: {
                    good: { value: [{ id: 7, customer_id: 99, status: 'open' }] },
                    bad: {
                      value: [
                        { id: 8, status: 'lost' },
                        { id: 9, customer_id: 'ada' },
                      ],
                    },
                  },
                },
              },
            },
          },
        },
      },
      '/orders/{id}': { ...BY_ID, get: showing('getOrder', ORDER) },
    }),
  ),
  null,
  1,
)

/** Orders that may show their customer. */
const RELATED = JSON.stringify({
  ...(JSON.parse(
    contractOf({
      '/customers': {
        get: showing('listCustomers', { type: 'array', items: { $ref: '#/components/schemas/Customer' } }),
      },
      '/customers/{id}': { ...BY_ID, get: showing('getCustomer', { $ref: '#/components/schemas/Customer' }) },
      '/orders': { get: showing('listOrders', { type: 'array', items: { $ref: '#/components/schemas/Order' } }) },
      '/orders/{id}': {
        ...BY_ID,
        get: {
          ...showing('getOrder', { $ref: '#/components/schemas/Order' }),
          parameters: [{ name: 'expand', in: 'query', schema: { type: 'string' } }],
        },
      },
    }),
  ) as object),
  components: {
    schemas: {
      Customer: CUSTOMER,
      Order: { ...ORDER, properties: { ...ORDER.properties, customer: { $ref: '#/components/schemas/Customer' } } },
    },
  },
})

/** Products whose id the contract asks clients for, though the server sets it. */
const PRODUCTS = JSON.stringify({
  ...(JSON.parse(
    contractOf({
      '/products': {
        post: {
          ...showing('createProduct', { $ref: '#/components/schemas/Product' }),
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Product' } } } },
        },
      },
      '/products/{id}': { ...BY_ID, get: showing('getProduct', { $ref: '#/components/schemas/Product' }) },
    }),
  ) as object),
  components: {
    schemas: {
      Product: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer' }, name: { type: 'string' }, price: { type: 'number' } },
      },
    },
  },
})

const FILES = {
  'products.json': PRODUCTS,
  'products.yaml': 'collections:\n  products:\n    "7":\n      name: Lamp\n      prize: 12\n      price: 3\n',
  'tiny.yaml': 'fileSets:\n  - id: tiny\n    files: [{ path: a.txt }, { path: b.txt }]\n',
  'more.json': '{"fileSets": [{"id": "more", "generate": 7}]}',
  'good.json': contractOf({ '/hello': { get: HELLO } }),
  'noted.json': contractOf({ '/hello': { get: HELLO }, 'no-slash': { get: HELLO } }),
  'shop.json': contractOf(SHOP),
  'lists.json': contractOf(LISTS),
  'examples.json': EXAMPLES,
  'related.json': RELATED,
  'variants.json': VARIANTS,
  'refused.json': contractOf({ '/hello': { get: HELLO }, '/void': { post: { responses: {} } } }),
}

/** Runs `standin check` in a directory with those files. */
async function check(...args: readonly string[]) {
  const directory = createDirectory(FILES)
  onTestFinished(directory.remove)
  const command = runCommand(['check', ...args], { cwd: directory.path })
  const code = await command.ended
  const lines = command.stdout().trimEnd().split('\n')
  return { code, lines, last: lines.at(-1), err: command.stderr(), path: directory.path }
}

test('a schema that nests deeper than it can be read is refused in one line', async () => {
  const nested = `${'{"properties":{"a":'.repeat(985)}{}${'}}'.repeat(985)}`
  const directory = createDirectory({
    'deep.json': contractOf({ '/a': { get: showing('read', 'HERE') } }).replace('"HERE"', nested),
  })
  onTestFinished(directory.remove)
  const command = runCommand(['check', '--contract', 'deep.json'], { cwd: directory.path })
  expect(await command.ended).toBe(1)
  expect(command.stderr()).toBe('standin: deep.json: it nests too deeply. Nest it less.\n')
})

test('it loads everything, reports, and ends', async () => {
  const { code, lines, err } = await check('--fixtures', 'tiny.yaml', '--fixtures', 'more.json', '--files', '5')
  expect(lines).toEqual([
    'POST /api/files/v1/filesets/{fileSetId}/files/search  searchFiles           stateful (by operationId)',
    'POST /api/content/v1/reportschedules                  createReportSchedule  stateful (by operationId)',
    'PUT /api/content/v1/reportschedules/{scheduleId}      updateReportSchedule  stateful (by operationId)',
    expect.stringMatching(
      // The file sets of the two fixtures are added to the package's.
      summaryOf({ fileSets: PACKAGED.fileSets + 2 }, 'seed 42: all is well$'),
    ),
  ])
  expect([code, err]).toEqual([0, ''])
})

test.each([
  ['a part that is left out', 'noted.json'],
  ['an operation that is refused', 'refused.json'],
])('the last line counts the notes, and with --strict they are a failure: %s', async (_what, contract) => {
  const plain = await check('--contract', contract)
  expect(plain.last).toMatch(/: it can start, with 1 note \(with --strict, notes exit with status 1\)$/)
  expect(plain.lines.filter((line) => line.startsWith('note: '))).toHaveLength(1)
  expect(plain.code).toBe(0)
  const strict = await check('--contract', contract, '--strict')
  expect([strict.code, strict.lines.slice(0, -1)]).toEqual([1, plain.lines.slice(0, -1)])
  expect(strict.last).toMatch(/: it can start, with 1 note \(refused by --strict\)$/)
})

test('with --strict a contract without notes passes', async () => {
  const { code, last } = await check('--contract', 'good.json', '--strict')
  expect([code, last]).toEqual([0, expect.stringContaining(FORGETFUL)])
})

test('an operation that is refused is noted with its reason', async () => {
  const { lines } = await check('--contract', 'refused.json')
  expect(lines).toContain(
    'note: refused.json: POST /void is refused with 501: the contract documents no response of it.',
  )
})

test('examples that cannot be documents are noted for each collection, with the first place and reason', async () => {
  const { lines, last } = await check('--contract', 'examples.json')
  const line = EXAMPLES.split('\n').findIndex((one) => one.includes('"bad"')) + 1
  expect(lines.filter((one) => one.startsWith('note: '))).toEqual([
    `note: examples.json:${line}: 2 examples of orders break its schema, so its documents do not begin with them. The first: /status: expected one of open, paid, got "lost".`,
  ])
  expect(last).toMatch(/: it can start, with 1 note \(with --strict, notes exit with status 1\)$/)
})

test('collections and single documents that no document can be made of are noted with the reason', async () => {
  const { lines, code } = await check('--contract', 'variants.json')
  const reason = (noun: string) =>
    `because no ${noun} that was generated is valid by its schema: the body: expected just one of 2 alternatives, and it is more than one of them, got {}. Mend its schema, or give it an example or a fixture.`
  expect([code, lines.filter((one) => one.startsWith('note: '))]).toEqual([
    0,
    [
      `note: variants.json:1: pets begins without documents, ${reason('pet')}`,
      `note: variants.json:1: /settings is 404 until a request writes it, ${reason('settings')}`,
    ],
  ])
})

test('a create that requires an id is noted, and so is a member of a fixture that the schema does not have', async () => {
  const { lines, code } = await check('--contract', 'products.json', '--fixtures', 'products.yaml')
  expect([code, lines.filter((one) => one.startsWith('note: '))]).toEqual([
    0,
    [
      'note: products.yaml:5: /collections/products/7/prize is not in the schema of products. Did you mean price?',
      'note: products.json:1: createProduct requires /id of a new product. If the server sets it, mark it readOnly in the contract.',
    ],
  ])
})

test('a contract with none of the stateful operations is not said to serve file sets and report schedules', async () => {
  const { last } = await check('--contract', 'good.json')
  expect(last).toBe(
    `1 operation: 1 generated, validators made on first use, contract good.json, seed 42: it can start; ${FORGETFUL}`,
  )
})

test('operations are grouped by the collection that each is of, with reasons, and the others by what they have in common', async () => {
  const { lines } = await check('--contract', 'shop.json')
  expect(lines.slice(0, -2)).toEqual([
    'customers (items by /id): 2 operations',
    '  GET  /customers       listCustomers  list (GET of a list)',
    '  GET  /customers/{id}  getCustomer    read (GET on the path of an item)',
    '',
    'orders (items by /id): 4 operations',
    '  GET     /customers/{id}/orders  listOrdersOf      list of the items whose /customer_id is {id} (GET of a list)',
    '      ?page  page of the list, from 1',
    '  GET     /orders                 listOrders        list (GET of a list)',
    '  GET     /orders/{id}            getOrder          read (GET on the path of an item)',
    '  DELETE  /orders/{id}            deleteOrdersById  delete (DELETE on the path of an item)',
    '',
    'settings (one document): 2 operations',
    '  GET  /settings  getSettings  read (GET of the one document of the path)',
    '  PUT  /settings  putSettings  replace (PUT of the one document of the path)',
    '',
    'generated, its response is neither an object nor a list of objects: 3 operations',
    '  GET  /rates   getRates',
    '  GET  /quotes  getQuotes',
    '  GET  /offers  getOffers',
    '',
    'generated: 1 operation',
    '  GET  /words  getWords  by x-standin',
    '',
    'refused: 1 operation',
    '  GET  /void  getVoid  the contract documents no response of it',
    '',
  ])
})

test('a parameter that means the same in many operations is explained once', async () => {
  const { lines } = await check('--contract', 'lists.json')
  expect(lines.filter((line) => line.includes('?'))).toEqual([
    '      ?status  filters by /status',
    '      ?page (see the end)',
    ...Array.from({ length: 5 }, () => '      ?page (see the end)'),
    '      ?page  page of the list, from 0',
    '  ?page  page of the list, from 1 (6 operations)',
  ])
})

test('a parameter for related items says which members show them, also of a read', async () => {
  const { lines } = await check('--contract', 'related.json')
  expect(lines.filter((line) => line.includes('?'))).toEqual([
    '      ?expand  shows the items that these members name: customer',
  ])
})

test('a directory for --data that is not there is not created', async () => {
  const { code, path } = await check('--data', 'kept/here')
  expect([code, existsSync(join(path, 'kept'))]).toEqual([0, false])
})

test('a directory for --data that could not be created is refused', async () => {
  const { code, err } = await check('--data', 'tiny.yaml/kept')
  expect([code, err]).toEqual([
    1,
    'standin: --data tiny.yaml/kept: a part of the path is a file and no directory. Name a directory that this user may write.\n',
  ])
})

test('the logs of --data are read, and no file is created, changed or removed', async () => {
  const data = createDirectory({})
  onTestFinished(data.remove)
  const clock = '2026-03-05T14:30:00Z'
  await createStandin({ clock, data: data.path }).stop()
  const log = join(data.path, 'sandbox-1.jsonl')
  appendFileSync(log, '{"torn')
  writeFileSync(join(data.path, 'lock.left'), '')
  writeFileSync(join(data.path, 'sandbox-2.jsonl.unfinished'), '')
  const seen = () => readdirSync(data.path).map((name) => [name, readFileSync(join(data.path, name), 'utf8')])
  const before = seen()
  const args = ['--data', data.path, '--clock', clock]

  const { code, lines, last } = await check(...args)
  expect(code).toBe(0)
  expect(lines.at(-2)).toMatch(/^note: .*sandbox-1\.jsonl:\d+: the last line was not finished and is dropped\.$/)
  expect(last).toMatch(/: it can start, with 1 note \(with --strict, notes exit with status 1\)$/)
  const other = await check(...args, '--seed', '7')
  expect([other.code, other.err]).toEqual([
    1,
    expect.stringContaining('it was created with --seed 42, and this start has 7'),
  ])
  expect(seen()).toEqual(before)
})

test('with --format json it prints what each operation was taken for as data', async () => {
  const { code, lines } = await check('--contract', 'shop.json', '--format', 'json')
  expect([code, lines.length]).toEqual([0, 1])
  const { operations, notes } = JSON.parse(lines[0] ?? '') as { operations: unknown[]; notes: unknown[] }
  expect(notes).toHaveLength(1)
  expect(operations).toContainEqual({
    operationId: 'listOrdersOf',
    method: 'GET',
    path: '/customers/{id}/orders',
    handledBy: 'collection',
    collection: 'orders',
    role: 'list of the items whose /customer_id is {id}',
    reason: 'GET of a list',
    parameters: [{ name: 'page', meaning: 'page of the list, from 1' }],
  })
  expect(operations).toContainEqual(expect.objectContaining({ path: '/words', handledBy: 'generated', parameters: [] }))
  expect((await check('--format', 'xml')).err).toContain('Allowed choices are text, json')
})

test('--allow-ref is asked each time, also in a process that has loaded the contract before', async () => {
  const { path, remove } = createDirectory({ 'secret.json': '{"title":"SECRET"}' })
  onTestFinished(remove)
  mkdirSync(join(path, 'api'))
  const contract = join(path, 'api/contract.json')
  const document = {
    openapi: '3.1.0',
    info: { title: 'A', version: '1' },
    paths: { '/a': { get: { responses: { 200: { description: 'ok' } } } } },
    components: { schemas: { Own: { $ref: '../secret.json' } } },
  }
  writeFileSync(contract, JSON.stringify(document))
  const served = async (allowRef: string[]) =>
    (await createStandin({ contract, allowRef }).fetch('/openapi.json')).text()
  expect(await served([path])).toContain('SECRET')
  expect(await served([])).not.toContain('SECRET')
  expect(await served([path])).toContain('SECRET')
  const saidOf = async (...args: string[]) => {
    const command = runCommand(['check', '--contract', contract, ...args])
    await command.ended
    return command.stdout() + command.stderr()
  }
  const said = [saidOf('--allow-ref', path), saidOf(), saidOf('--allow-ref', join(path, 'none'))]
  expect(await Promise.all(said)).toEqual([
    expect.stringContaining(FORGETFUL),
    expect.stringContaining('secret.json" is not below the folder of the contract. If it may be read and served, pass'),
    expect.stringContaining('--allow-ref: Expected directories that are there'),
  ])
})
