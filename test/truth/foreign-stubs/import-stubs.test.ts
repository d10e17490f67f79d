import { fileURLToPath } from 'node:url'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import supertest from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { createStandin } from '../../../src/index.ts'
import { createDirectory, runCommand } from '../../support/command.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const SHOP = join(HERE, '../../../examples/shop/contract.yaml')

/** Imports files, and serves what came of it. */
async function importStubs(files: Readonly<Record<string, string>>, args: readonly string[]) {
  const directory = createDirectory(files)
  onTestFinished(() => directory.remove())
  const ran = runCommand(['import', ...args, '--out', 'out.yaml'], { cwd: directory.path })
  const code = await ran.ended
  const out = join(directory.path, 'out.yaml')
  const written = code === 0 ? (parse(readFileSync(out, 'utf8')) as Record<string, unknown>) : {}
  return { code, out, written, said: ran.stderr() }
}

function serve(options: Parameters<typeof createStandin>[0]) {
  return supertest(createStandin(options).app)
}

const mapping = (request: object, response: object, more: object = {}) => JSON.stringify({ request, response, ...more })

test('mappings of WireMock become a contract with stubs', async () => {
  const item = { method: 'GET', urlPathPattern: '/items/[0-9]+' }
  const { said, out } = await importStubs(
    {
      'm/a.json': mapping(
        { method: 'GET', url: '/items/7?full=true' },
        { status: 200, jsonBody: { id: 7, full: true } },
      ),
      'm/b.json': mapping(item, {
        status: 200,
        body: '{"id":"{{request.pathSegments.[1]}}","q":"{{request.query.q}}"}',
        transformers: ['response-template'],
      }),
      'm/c.json': mapping(
        {
          method: 'POST',
          urlPath: '/items',
          bodyPatterns: [
            { equalToJson: '{"a":1}', ignoreExtraElements: true },
            { matchesJsonPath: '$.tags[?(@.n > 3)]' },
          ],
        },
        { status: 201, bodyFileName: 'made.json', headers: { Location: '/items/8' }, fixedDelayMilliseconds: 1 },
      ),
      'm/d.json': JSON.stringify({
        mappings: [
          { priority: 9, request: { method: 'POST', urlPath: '/items' }, response: { status: 400, body: 'no' } },
          { request: { method: 'GET', urlPath: '/down' }, response: { fault: 'EMPTY_RESPONSE' } },
          {
            request: { method: 'GET', urlPathTemplate: '/users/{name}', headers: { Accept: { contains: 'json' } } },
            response: { status: 200, jsonBody: [] },
          },
          {
            name: 'real',
            request: { method: 'GET', urlPath: '/real' },
            response: { proxyBaseUrl: 'https://api.example.com' },
          },
          {
            name: 'xml',
            request: { method: 'POST', urlPath: '/x', bodyPatterns: [{ equalToXml: '<a/>' }] },
            response: { status: 200 },
          },
        ],
      }),
      'm/e.json': mapping(
        { method: 'GET', urlPath: '/job' },
        { status: 202 },
        { scenarioName: 'job', requiredScenarioState: 'Started', newScenarioState: 'done' },
      ),
      'm/f.json': mapping(
        { method: 'GET', urlPath: '/job' },
        { status: 200, jsonBody: { done: true } },
        { scenarioName: 'job', requiredScenarioState: 'done' },
      ),
      'm/__files/made.json': '{"id":8}',
    },
    ['--stubs', 'm'],
  )
  expect(said.split('\n')).toEqual([
    'standin: 8 stubs. standin serve --contract out.yaml',
    expect.stringContaining('left out: xml: the matcher equalToXml has no equal'),
    expect.stringContaining('left out: real: it passes requests on to https://api.example.com: use --upstream'),
    '',
  ])
  const request = serve({ contract: out })
  expect((await request.get('/items/7?full=true')).body).toEqual({ id: 7, full: true })
  expect((await request.get('/items/9?q=x')).body).toEqual({ id: '9', q: 'x' })
  // As in WireMock 3.13.1, where a mapping for one item does not hide the one for all.
  expect((await request.get('/items/7')).body).toEqual({ id: '7', q: '' })
  const unmatched = await request.get('/items/abc')
  expect([unmatched.status, unmatched.text]).toEqual([404, 'No stub matches this request.'])
  const made = await request.post('/items').send({ a: 1, b: 2, tags: [{ n: 5 }] })
  expect([made.status, made.body, made.headers.location]).toEqual([201, { id: 8 }, '/items/8'])
  const refused = await request.post('/items').send({ a: 1, tags: [{ n: 1 }] })
  expect([refused.status, refused.text]).toEqual([400, 'no'])
  expect([(await request.get('/job')).status, (await request.get('/job')).body]).toEqual([202, { done: true }])
  await expect(request.get('/down')).rejects.toThrow('socket hang up')
})

test('matchers of WireMock hold here where they do there', async () => {
  const body = (name: string, ...bodyPatterns: object[]) =>
    mapping({ method: 'POST', urlPath: '/text', bodyPatterns }, { status: 200, body: name })
  const { out } = await importStubs(
    {
      'a.json': body('text', { contains: '"name":"Ada"' }),
      'b.json': body('seven', { matchesJsonPath: { expression: '$.age', equalTo: '7' } }),
      'i.json': body('both', { contains: 'left' }, { contains: 'right' }),
      'j.json': body('either', { matchesJsonPath: { expression: '$.k', or: [{ equalTo: '5' }, { contains: 'bc' }] } }),
      'c.json': body('list', { equalToJson: '[1,2]' }),
      'd.json': body('schema', { matchesJsonSchema: '{"type":"object","required":["x"]}' }),
      'e.json': mapping(
        {
          method: 'PUT',
          urlPattern: '/things/[a-z]{2}(\\?.*)?',
          headers: { 'X-T': { equalTo: 'Yes', caseInsensitive: true } },
        },
        { status: 204 },
      ),
      'f.json': mapping(
        {
          method: 'GET',
          urlPath: '/search',
          queryParameters: { q: { matches: 'ab+' }, lang: { absent: true }, n: { doesNotMatch: '[0-9]' } },
        },
        { status: 200, body: 'found' },
      ),
      'g.json': mapping(
        { method: 'GET', urlPath: '/cookie', cookies: { s: { equalTo: '1' } } },
        { status: 200, body: 'in' },
      ),
      'h.json': mapping(
        { method: 'ANY', urlPath: '/basic', basicAuth: { username: 'u', password: 'p' } },
        { status: 200, body: 'in' },
      ),
    },
    ['--stubs', '.'],
  )
  const request = serve({ contract: out })
  const sent = async (value: object) => (await request.post('/text').send(value)).text
  const none = 'No stub matches this request.'
  expect([await sent({ name: 'Ada' }), await sent({ age: 7 }), await sent({ age: '7' })]).toEqual([
    'text',
    'seven',
    'seven',
  ])
  expect([await sent([1, 2]), await sent([2, 1]), await sent({ x: 1 }), await sent({ y: 1 })]).toEqual([
    'list',
    none,
    'schema',
    none,
  ])
  const left = { t: 'left' }
  expect([
    await sent({ ...left, u: 'right' }),
    await sent(left),
    await sent({ k: 'abc' }),
    await sent({ k: 5 }),
    await sent({ k: 'd' }),
  ]).toEqual(['both', none, 'either', 'either', none])
  const put = async (path: string, header: string) => (await request.put(path).set('X-T', header).send({})).status
  expect([
    await put('/things/ab', 'yES'),
    await put('/things/ab?x=1', 'yes'),
    await put('/things/ab', 'no'),
    await put('/things/abc', 'yes'),
  ]).toEqual([204, 204, 404, 404])
  const search = async (query: string) => (await request.get(`/search?${query}`)).text
  expect([
    await search('q=abb'),
    await search('q=xabb'),
    await search('q=ab&lang=de'),
    await search('q=z&q=ab'),
    await search('q=ab&n=5'),
  ]).toEqual(['found', none, none, 'found', none])
  const cookie = async (value: string) => (await request.get('/cookie').set('Cookie', value)).text
  expect([await cookie('s=1; t=2'), await cookie('t=2; s=1'), await cookie('s=11')]).toEqual(['in', 'in', none])
  expect((await request.delete('/basic').auth('u', 'p')).text).toBe('in')
  expect((await request.get('/basic')).text).toBe(none)
})

test('what a mapping of WireMock asks for besides is not lost without a word', async () => {
  const get = { method: 'GET', urlPath: '/things' }
  const { said, written } = await importStubs(
    {
      'm.json': JSON.stringify({
        mappings: [
          {
            request: { ...get, queryParameters: { n: { greaterThanNumber: '5' }, any: { anything: 'anything' } } },
            response: { status: 200 },
          },
          { request: { ...get, customMatcher: { name: 'odd' } }, response: { status: 201 } },
          { request: { ...get, host: { equalTo: 'a.example.com' } }, response: { status: 202 } },
          { request: { ...get, multipartPatterns: [{}] }, response: { status: 203 } },
          {
            request: { ...get, bodyPatterns: [{ equalToJson: { id: '${json-unit.any-number}' } }] },
            response: { status: 204 },
          },
          { request: { ...get, urlPath: '/made' }, response: { status: 205, transformers: ['of-ours'] } },
          {
            name: 'with webhook',
            request: { method: 'POST', urlPath: '/things' },
            response: { status: 206 },
            serveEventListeners: [{ name: 'webhook', parameters: { url: 'http://localhost/hook' } }],
          },
        ],
      }),
    },
    ['--stubs', 'm.json'],
  )
  expect(said.split('\n').slice(1).toSorted()).toEqual([
    '',
    'standin: left out: GET /made: the transformer of-ours has no equal',
    'standin: left out: GET /things: the placeholder ${json-unit.any-number} has no equal',
    'standin: left out: GET /things: what it says of customMatcher has no equal',
    'standin: left out: GET /things: what it says of host has no equal',
    'standin: left out: GET /things: what it says of multipartPatterns has no equal',
    'standin: left out: with webhook: what it sends afterwards (webhook): that is said by the webhooks and callbacks of a contract',
  ])
  const request = serve({ contract: written })
  expect((await request.get('/things?n=6')).status).toBe(200)
  expect((await request.get('/things?n=5')).status).toBe(404)
  expect((await request.post('/things')).status).toBe(206)
})

test('a scenario of WireMock goes through several requests', async () => {
  // The example of WireMock's documentation, as its recorder writes it.
  const item = 'Cancel newspaper subscription'
  const list = { method: 'GET', url: '/todo/items' }
  const { said, out } = await importStubs(
    {
      'mappings.json': JSON.stringify({
        mappings: [
          {
            scenarioName: 'To do list',
            requiredScenarioState: 'Started',
            request: list,
            response: { status: 200, body: '<items><item>Buy milk</item></items>' },
          },
          {
            scenarioName: 'To do list',
            requiredScenarioState: 'Started',
            newScenarioState: 'Cancel newspaper item added',
            request: { method: 'POST', url: '/todo/items', bodyPatterns: [{ contains: item }] },
            response: { status: 201 },
          },
          {
            scenarioName: 'To do list',
            requiredScenarioState: 'Cancel newspaper item added',
            request: list,
            response: { status: 200, body: `<items><item>Buy milk</item><item>${item}</item></items>` },
          },
        ],
      }),
    },
    ['--stubs', 'mappings.json'],
  )
  expect(said).toBe('standin: 3 stubs. standin serve --contract out.yaml\n')
  const request = serve({ contract: out })
  const items = async () => (await request.get('/todo/items')).text.split('<item>').length - 1
  const add = async (text: string) => (await request.post('/todo/items').type('text').send(text)).status
  // As in WireMock 3.13.1.
  expect([await items(), await add('Feed the cat'), await items()]).toEqual([1, 404, 1])
  expect([await add(item), await items(), await items(), await add(item)]).toEqual([201, 2, 2, 404])
})

test('an environment of Mockoon responds here as it does there', async () => {
  const { said, out } = await importStubs({}, ['--stubs', join(HERE, 'environment.mockoon.json')])
  expect(said).toContain('9 stubs, 1 document. standin serve --contract out.yaml --fixtures out.fixtures.yaml')
  expect(said).toContain('left out: GET /loop: response 200: the template {{#repeat 3}} has no equal')
  const request = serve({ contract: out })
  // What @mockoon/cli 9.9.0 responds to these requests.
  const order = { id: '5', page: '' }
  for (const [path, status, body, headers] of [
    ['orders/5', 200, order, {}],
    ['orders/5?page=2', 200, { id: '5', page: '2' }, {}],
    ['orders/95', 404, { error: 'none' }, {}],
    ['orders/5', 404, { error: 'none' }, { 'X-Case': 'gone' }],
    ['orders/5?a=1&b=2', 200, order, {}],
    ['people', 200, [{ id: 1, name: 'Ada' }], {}],
  ] as const) {
    const answer = await request.get(`/v1/${path}`).set(headers)
    expect([answer.status, answer.body, answer.headers['x-env']]).toEqual([status, body, 'shop'])
  }
  expect((await request.get('/v1/orders/5?a=1')).text).toBe('both')
  const create = async (body: object) => {
    const answer = await request.post('/v1/orders').send(body)
    return [answer.status, answer.body as unknown]
  }
  const minor = [422, { error: 'minor' }]
  expect(await create({ customer: { name: 'Ada', age: 30 } })).toEqual([201, { got: 30, name: 'Ada', coupon: 'none' }])
  expect(await create({ customer: { name: 'Ada', age: 7 } })).toEqual(minor)
  expect(await create({ customer: { name: 'Ada', age: '7' } })).toEqual(minor)
  expect(await create({ tags: ['kid'], customer: { name: 'B', age: 1 } })).toEqual(minor)
  const inTurn: string[] = []
  for (let turn = 0; turn < 3; turn++) inTurn.push((await request.get('/v1/seq')).text)
  expect(inTurn).toEqual(['one', 'two', 'one'])
})

test('what an environment of Mockoon does besides is said, and a contract of it can be served', async () => {
  const route = (endpoint: string, body: string, more: object = {}) => ({
    type: 'http',
    method: 'get',
    endpoint,
    responses: [{ statusCode: 200, headers: [], body, bodyType: 'INLINE', default: true, rules: [], ...more }],
  })
  const environment = {
    lastMigration: 33,
    name: 'Mine',
    proxyMode: true,
    proxyHost: 'http://real.example.com',
    routes: [
      route('a/:id', `{"id": "{{urlParam 'id'}}", "b": "{{urlParam 'b'}}", "c": "{{urlParam 'c' 'none'}}"}`),
      route('whole', `{{queryParam}}`),
      route('told', 'yes', { callbacks: [{ uuid: '1' }] }),
    ],
  }
  const { said, out } = await importStubs({ 'e.json': JSON.stringify(environment) }, ['--stubs', 'e.json'])
  expect(said.split('\n').slice(1)).toEqual([
    'standin: left out: Mine: it passes other requests on to http://real.example.com: use --upstream',
    'standin: left out: GET /whole: response 200: the template {{queryParam}} has no equal',
    'standin: left out: GET /told: response 200: its callbacks: those of a contract are sent',
    '',
  ])
  const request = serve({ contract: out })
  expect((await request.get('/a/7')).body).toEqual({ id: '7', b: '', c: 'none' })
  expect((await request.get('/told')).text).toBe('yes')
})

test('helpers that Mockoon writes into the routes of an OpenAPI document are translated with their arguments', async () => {
  const body = `{
    "id": {{faker 'number.int' min=10 max=19}},
    "status": "{{oneOf (array 'enabled' 'disabled')}}",
    "isOpen": {{faker 'datatype.boolean'}},
    "at": "{{faker 'date.recent' 365}}",
    "by": "{{email}}"
  }`
  const environment = {
    lastMigration: 33,
    headers: [{ key: 'Content-Type', value: 'application/json' }],
    routes: [
      { type: 'http', method: 'get', endpoint: 'thing', responses: [{ statusCode: 200, body, default: true }] },
      {
        type: 'http',
        method: 'delete',
        endpoint: 'thing',
        responses: [{ statusCode: 200, body: '""', default: true }],
      },
    ],
  }
  const { said, out } = await importStubs({ 'e.json': JSON.stringify(environment) }, ['--stubs', 'e.json'])
  expect(said).toBe('standin: 2 stubs. standin serve --contract out.yaml\n')
  const request = serve({ contract: out })
  const removed = await request.delete('/thing')
  expect([removed.status, removed.text]).toEqual([200, '""'])
  const thing = (await request.get('/thing')).body as Record<string, unknown>
  expect(thing).toEqual({
    id: expect.any(Number) as number,
    status: expect.stringMatching(/^(?:en|dis)abled$/) as string,
    isOpen: expect.any(Boolean) as boolean,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    by: expect.stringMatching(/@example\./) as string,
  })
  expect(Math.floor(Number(thing.id) / 10)).toBe(1)
})

test('a CRUD route of Mockoon is a collection with the items of its data bucket', async () => {
  const { out } = await importStubs({}, ['--stubs', join(HERE, 'environment.mockoon.json')])
  const request = serve({ contract: out, fixtures: [out.replace('.yaml', '.fixtures.yaml')] })
  // What @mockoon/cli 9.9.0 responds to these requests, but for the ids that it makes.
  const ada = { id: 1, name: 'Ada' }
  const things = '/v1/things'
  const read = async (path: string) => (await request.get(things + path)).body as unknown
  expect([await read(''), await read('/1')]).toEqual([[ada], ada])
  const made = await request.post(things).send({ name: 'Cy', odd: { x: [1] } })
  expect([made.status, made.body]).toEqual([201, { id: expect.anything() as unknown, name: 'Cy', odd: { x: [1] } }])
  const { id } = made.body as { id: number }
  expect(await read(`/${id}`)).toEqual(made.body)
  expect((await request.patch(`${things}/${id}`).send({ name: 'D' })).body).toEqual({ ...made.body, name: 'D' })
  expect((await request.put(`${things}/${id}`).send({ n: 1 })).body).toEqual({ id, n: 1 })
  expect([await read('?page=2&limit=1'), await read('?search=ada'), await read('?sort=id&order=asc')]).toEqual([
    [{ id, n: 1 }],
    [ada],
    [ada, { id, n: 1 }],
  ])
  expect((await request.delete(`${things}/${id}`)).status).toBe(200)
  expect((await request.get(`${things}/${id}`)).status).toBe(404)
})

test('with a contract, the items of a CRUD route are documents of its collection', async () => {
  const environment = (value: string, endpoint = 'products') =>
    JSON.stringify({
      lastMigration: 33,
      data: [{ id: 'b', value }],
      routes: [{ type: 'crud', endpoint, responses: [{ databucketID: 'b', crudKey: 'id' }] }],
    })
  const product = { id: 7, name: 'Pot', category: 'kitchen', price: 1, inStock: false }
  const { out, said } = await importStubs(
    {
      'a.json': environment(JSON.stringify([product])),
      'b.json': environment('[{"id":"x"}]', 'customers'),
      'c.json': environment('{{#repeat 3}}{}{{/repeat}}'),
      'd.json': environment('[]', 'nothing'),
    },
    ['--stubs', 'a.json', 'b.json', 'c.json', 'd.json', '--contract', SHOP],
  )
  expect(said.split('\n')).toEqual([
    expect.stringContaining('0 stubs, 1 document.'),
    expect.stringContaining(
      'left out: /products: it is a CRUD route whose data bucket is no list of objects, or has templates',
    ),
    expect.stringContaining('left out: the items of /customers are not as the contract says: '),
    'standin: left out: the CRUD route /nothing: the contract has no such operation',
    '',
  ])
  const request = serve({ contract: SHOP, stubs: out, fixtures: [out.replace('.yaml', '.fixtures.yaml')] })
  expect((await request.get('/products')).body).toMatchObject({ data: [product] })
})

test('examples of a collection of Postman are found by their requests, and others of one request by their names', async () => {
  const url = {
    raw: '{{base}}/users/:id?full=true',
    host: ['{{base}}'],
    path: ['users', ':id'],
    query: [{ key: 'full', value: 'true' }],
  }
  const header = [{ key: 'Content-Type', value: 'application/json' }]
  const request = { method: 'GET', url }
  const collection = {
    info: { name: 'Users', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [
      {
        name: 'users',
        item: [
          {
            name: 'Read',
            request,
            response: [
              { name: 'found', originalRequest: request, code: 200, header, body: '{"name":"Ada"}' },
              { name: 'gone', originalRequest: request, code: 404, header, body: '{"error":"none"}' },
              { name: 'lost', originalRequest: request, code: 404, header, body: '{"error":"lost"}' },
            ],
          },
          { name: 'Create', request: { method: 'POST', url: 'https://api.example.com/users' } },
        ],
      },
    ],
  }
  const { said, out } = await importStubs({ 'c.json': JSON.stringify(collection) }, ['--stubs', 'c.json'])
  expect(said).toContain('left out: Create: it has no saved example')
  const server = serve({ contract: out })
  expect((await server.get('/users/7?full=true')).body).toEqual({ name: 'Ada' })
  const named = await server.get('/users/7?full=true').set('x-mock-response-name', 'gone')
  expect([named.status, named.body]).toEqual([404, { error: 'none' }])
  const lost = await server.get('/users/7?full=true').set('x-mock-response-name', 'lost')
  expect([lost.status, lost.body]).toEqual([404, { error: 'lost' }])
  const coded = async (code: number) =>
    (await server.get('/users/7?full=true').set('x-mock-response-code', String(code))).body as unknown
  expect([await coded(404), await coded(200)]).toEqual([{ error: 'none' }, { name: 'Ada' }])
})

test('handlers of MSW are asked once', async () => {
  const { said, out } = await importStubs({}, ['--stubs', join(HERE, 'handlers.ts')])
  expect(said).toContain('2 stubs.')
  expect(said).toContain('left out: GET */broken: it is a network error.')
  expect(said).toContain('its path is a regular expression')
  const request = serve({ contract: out })
  expect((await request.get('/users/9')).body).toEqual({ id: '1', name: 'Ada' })
  const login = await request.post('/login').send({ user: 'ada' })
  expect([login.status, login.body, login.headers['x-session']]).toEqual([201, { user: 'nobody' }, 's1'])
})

test('with a contract, each stub finds its operation, and what the contract does not allow is said', async () => {
  const product = { id: 7, name: 'Pot', category: 'kitchen', price: 1, inStock: false }
  const { said, written, out } = await importStubs(
    {
      'a.json': mapping({ method: 'GET', urlPath: '/products/7' }, { status: 200, jsonBody: product }),
      'b.json': mapping(
        { method: 'GET', urlPath: '/products/8' },
        { status: 200, jsonBody: { ...product, price: 'free' } },
      ),
      'c.json': mapping({ method: 'GET', urlPath: '/prodacts/8' }, { status: 200 }),
    },
    ['--stubs', 'a.json', 'b.json', 'c.json', '--contract', SHOP],
  )
  expect(said).toContain('2 stubs.')
  expect(said).toContain(
    'not as the contract says, so it has validate: false: GET /products/8: its response 200 is not as the contract says: /price: expected an integer, got "free".',
  )
  expect(said).toContain('left out: GET /prodacts/8: the contract has no such operation')
  expect(written.stubs).toContainEqual({
    operation: 'getProduct',
    when: { path: { productId: '7' } },
    respond: { status: 200, body: product },
  })
  const request = serve({ contract: SHOP, stubs: out })
  expect((await request.get('/products/7')).body).toEqual(product)
  expect((await request.get('/products/8')).body).toEqual({ ...product, price: 'free' })
})

test.each([
  [
    { 'a.json': '{"some":"thing"}' },
    ['--stubs', 'a.json'],
    'a.json is neither a mapping of WireMock, nor an environment of Mockoon',
  ],
  [{ 'a.json': '{"mappings":[]}' }, ['--stubs', 'a.json'], 'nothing of a.json can be taken over.'],
  [{}, ['--stubs', 'b.json'], '--stubs: b.json: there is no such file'],
  [{ 'a.mjs': 'export default 7' }, ['--stubs', 'a.mjs'], 'a.mjs exports no handlers of MSW.'],
  [{ 'a.mjs': 'import "nothing-there"' }, ['--stubs', 'a.mjs'], 'a.mjs cannot be imported: Cannot find package'],
  [{}, ['--stubs', 'a.json', '--har', 'b.har'], '--har and --stubs exclude each other. Leave out all but one.'],
  [{}, ['--stubs', 'a.json', '--url', 'http://127.0.0.1:1'], '--url belongs to a folder.'],
])('wrong input %j %j is refused', async (files, args, message) => {
  const { code, said } = await importStubs(files, args)
  expect([code, said]).toEqual([1, expect.stringContaining(message)])
})
