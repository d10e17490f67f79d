import { join } from 'node:path'
import request from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { createStandin, type StandinOptions } from '../../../src/index.ts'
import { createDirectory } from '../../support/command.ts'
import { exchangeRaw } from '../../support/raw.ts'
import { startComplaintsOf } from '../../support/tester.ts'

/** A document of OpenAPI 3.2 whose paths and components are these, as YAML. */
function start(paths: string, options: StandinOptions = {}, more = '') {
  const contract = `openapi: 3.2.0\n$self: https://example.com/pets.yaml\ninfo: { title: Pets, version: '1' }\n${more}\npaths:\n${paths}`
  return createStandin({ contract, ...options })
}

const COMPONENTS = `
components:
  mediaTypes:
    Pet: { schema: { $ref: '#/components/schemas/Pet' }, examples: { one: { dataValue: { id: 1, name: Rex, kind: dog } } } }
  schemas:
    Pet: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string }, kind: { enum: [cat, dog] } } }
`

const PETS = `
  /pets:
    get:
      operationId: listPets
      responses: { 200: { summary: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } } } }
    query:
      operationId: queryPets
      requestBody: { content: { application/json: { schema: { type: object, properties: { kind: { enum: [cat, dog] } } } } } }
      responses:
        200: { content: { application/json: { schema: { type: array, items: { $ref: 'https://example.com/pets.yaml#/components/schemas/Pet' } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, required: [name], properties: { name: {}, kind: {} } } } } }
      responses: { 201: { content: { application/json: { $ref: '#/components/mediaTypes/Pet' } } } }
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getPet, responses: { 200: { content: { application/json: { $ref: '#/components/mediaTypes/Pet' } } } } }
    additionalOperations:
      COPY: { operationId: copyPet, responses: { 201: { content: { application/json: { $ref: '#/components/mediaTypes/Pet' } } } } }
`

/** A request of any method, and the status and JSON of its response. */
async function send(url: string, method: string, path: string, body = '') {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json`
  const text = await exchangeRaw(url, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(text) ?? []
  return { status: Number(status), body: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as unknown }
}

test('QUERY of a list filters it by the body, and other methods are operations', async () => {
  const standin = start(PETS, { documents: 0 }, COMPONENTS)
  onTestFinished(() => standin.stop())
  const url = await standin.start()
  for (const kind of ['cat', 'dog', 'cat']) await request(url).post('/pets').send({ name: 'Pet', kind })
  const found = await send(url, 'QUERY', '/pets', '{"kind":"cat"}')
  expect(found).toMatchObject({ status: 200, body: [{ kind: 'cat' }, { kind: 'cat' }] })
  expect(await send(url, 'QUERY', '/pets', '{"kind":"cow"}')).toMatchObject({ status: 400 })
  expect(await send(url, 'COPY', '/pets/1')).toEqual({ status: 201, body: { id: 1, name: 'Rex', kind: 'dog' } })
  const allowed = await request(url).put('/pets')
  expect(allowed.headers.allow).toBe('GET, HEAD, POST, QUERY, OPTIONS')
})

test('the served document has other methods where OpenAPI 3.2 has them', async () => {
  const standin = start(PETS, {}, COMPONENTS)
  const { text } = await request(standin.app).get('/openapi.yaml')
  const { openapi, paths } = parse(text) as { openapi: string; paths: Record<string, Record<string, object>> }
  expect(openapi).toBe('3.2.0')
  expect(Object.keys(paths['/pets'] ?? {})).toEqual(['get', 'query', 'post'])
  expect(paths['/pets/{id}']?.additionalOperations).toHaveProperty('COPY.operationId', 'copyPet')
})

test('the fields of a query string are read like parameters', async () => {
  const { app } = start(`
  /pets:
    get:
      parameters:
        - name: query
          in: querystring
          content:
            application/x-www-form-urlencoded:
              schema: { type: object, required: [limit], properties: { limit: { type: integer, maximum: 5 } } }
      responses: { 200: { content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: integer } } } } } } } }
`)
  expect((await request(app).get('/pets?limit=2')).body).toHaveLength(2)
  const wrong = await request(app).get('/pets?limit=9')
  expect([wrong.status, (wrong.body as { detail: string }).detail]).toEqual([400, 'limit: expected at most 5, got 9.'])
  expect((await request(app).get('/pets')).status).toBe(400)
})

test('a query string that is JSON is checked by its schema', async () => {
  const { app } = start(`
  /pets:
    get:
      parameters:
        - name: json
          in: querystring
          required: true
          content:
            application/json:
              schema: { type: object, required: [numbers], properties: { numbers: { type: array, maxItems: 2, items: { type: integer } }, flag: {} } }
      responses: { 200: { content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } } }
`)
  const ask = async (query: string) => {
    const response = await request(app).get(`/pets${query}`)
    return [response.status, (response.body as { detail?: string }).detail]
  }
  // The example of the specification.
  expect(await ask('?%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D')).toEqual([200, undefined])
  expect(await ask('?{"numbers":[1,2,3]}')).toEqual([
    400,
    'json/numbers: expected an array of at most 2 elements, got [1,2,3].',
  ])
  expect(await ask('?numbers=1')).toEqual([400, 'json: expected an object, got "numbers=1".'])
  expect(await ask('')).toEqual([400, 'json: expected an object, got nothing.'])
})

const ROW = `{ type: object, required: [n], properties: { n: { type: integer } } }`

test.for([
  ['application/jsonl', /^(?:\{"n":\d+\}\n)+$/],
  ['application/json-seq', /^(?:\u{1e}\{"n":\d+\}\n)+$/u],
  ['text/event-stream', /^(?:id: \d\ndata: \{"n":\d+\}\n\n)+$/],
] as const)('a body of many items is written as %s', async ([type, form]) => {
  const { app } = start(`
  /rows:
    get: { responses: { 200: { content: { ${type}: { itemSchema: ${ROW} } } } } }
`)
  const response = await request(app).get('/rows').responseType('blob')
  expect(response.headers['content-type']).toMatch(type)
  expect(String(response.body)).toMatch(form)
})

test('each row of a body is checked by the schema of the items', async () => {
  const { app } = start(`
  /rows:
    post:
      requestBody: { content: { application/jsonl: { itemSchema: ${ROW} } } }
      responses: { 204: {} }
`)
  const post = (text: string) => request(app).post('/rows').set('Content-Type', 'application/jsonl').send(text)
  expect((await post('{"n":1}\n{"n":2}\n')).status).toBe(204)
  const wrong = await post('{"n":1}\n{"n":"x"}\n')
  expect(wrong.body).toMatchObject({ status: 400, detail: '/1/n: expected an integer, got "x".' })
  expect((await post('{"n":1}\n{n:2}\n')).body).toMatchObject({
    detail: 'The body is not valid JSON: line 2, column 2: invalid symbol.',
  })
  // A row is one text, and blank rows count as lines.
  expect((await post('{"n":1},{"n":2}\n')).body).toMatchObject({ status: 400 })
  expect((await post('{"n":1}\n\n\n{"n":2}\n{n:3}')).body).toMatchObject({
    detail: 'The body is not valid JSON: line 5, column 2: invalid symbol.',
  })
})

test('a text of a sequence may have more than one line', async () => {
  const { app } = start(`
  /rows:
    post:
      requestBody: { content: { application/json-seq: { itemSchema: ${ROW} } } }
      responses: { 204: {} }
`)
  const post = (text: string) => request(app).post('/rows').set('Content-Type', 'application/json-seq').send(text)
  expect((await post('\u001e{\n"n":1\n}\n\u001e{"n":2}\n')).status).toBe(204)
  expect((await post('\u001e{\n"n":1\n}\n\u001e{\nn:2}\n')).body).toMatchObject({
    detail: 'The body is not valid JSON: line 5, column 1: invalid symbol.',
  })
})

test('the parts of a multipart body are written and read in their order, by their encodings', async () => {
  const { app } = start(`
  /parts:
    get:
      responses:
        200:
          content:
            multipart/mixed:
              schema:
                type: array
                prefixItems: [{ type: object, required: [n], properties: { n: { type: integer } } }]
                items: { type: string }
                minItems: 3
                maxItems: 3
              prefixEncoding: [{ contentType: application/vnd.n+json }]
              itemEncoding: { contentType: image/png }
    post:
      requestBody: { content: { multipart/mixed: { itemSchema: ${ROW}, itemEncoding: { contentType: application/json } } } }
      responses: { 204: {} }
`)
  const response = await request(app).get('/parts').responseType('blob')
  const [, boundary = ''] = /^multipart\/mixed; boundary=(\S+)$/.exec(String(response.headers['content-type'])) ?? []
  const [, first = '', second = '', third = '', end] = String(response.body).split(`--${boundary}`)
  expect(first).toMatch(/^\r\nContent-Type: application\/vnd\.n\+json\r\n\r\n\{"n":-?\d+\}\r\n$/)
  for (const part of [second, third]) expect(part).toMatch(/^\r\nContent-Type: image\/png\r\n\r\n.PNG/)
  expect(end).toBe('--\r\n')
  const part = (text: string, type = 'application/json') => `--x\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`
  const post = async (body: string, type = 'multipart/mixed; boundary="x"') => {
    const sent = await request(app).post('/parts').set('Content-Type', type).send(body)
    return [sent.status, (sent.body as { detail?: string }).detail]
  }
  expect(await post(`${part('{"n":1}')}${part('{"n":2}')}--x--\r\n`)).toEqual([204, undefined])
  expect(await post(`${part('{"n":1}')}${part('{"n":"x"}')}--x--`)).toEqual([
    400,
    '/1/n: expected an integer, got "x".',
  ])
  expect(await post(`${part('1', 'text/plain')}--x--`)).toEqual([
    400,
    'The body cannot be read: part 1: expected the Content-Type application/json, got text/plain.',
  ])
  expect(await post(part('{"n":1}'))).toEqual([400, 'The body cannot be read: it does not end with --x--.'])
  expect(await post('', 'multipart/mixed')).toEqual([204, undefined])
  expect(await post('x', 'multipart/mixed')).toEqual([
    400,
    'The body cannot be read: its Content-Type names no boundary.',
  ])
})

test('an item whose kind is not named fits the default of its discriminator', async () => {
  const kinds = (kind: string, more: string) =>
    `${kind}: { type: object, required: [petType], properties: { petType: { type: string }, ${more} } }`
  const { app } = start(
    `
  /pets:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { 204: {} }
`,
    {},
    `
components:
  schemas:
    Pet:
      properties: { petType: { type: string } }
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Other' }]
      discriminator: { propertyName: petType, mapping: { dog: '#/components/schemas/Dog' }, defaultMapping: Other }
    ${kinds('Cat', 'lives: { type: integer }')}
    ${kinds('Dog', 'bark: { type: string }')}
    Other: { type: object, properties: { petType: { type: string }, lives: { type: string } } }
`,
  )
  const statusOf = async (pet: object) => (await request(app).post('/pets').send(pet)).status
  expect(await statusOf({ petType: 'Cat', lives: 9 })).toBe(204)
  expect(await statusOf({ petType: 'Cat', lives: 'nine' })).toBe(400)
  expect(await statusOf({ petType: 'dog', bark: 'loud' })).toBe(204)
  expect(await statusOf({ petType: 'fish', lives: 'nine' })).toBe(204)
  expect(await statusOf({ lives: 'nine' })).toBe(204)
  expect(await statusOf({ petType: 'fish', lives: 9 })).toBe(400)
})

test('a scheme may be named by a reference, and new members are known', () => {
  const standin = start(
    `
  /pets:
    get:
      tags: [cats]
      security: [{ '#/components/securitySchemes/device': [read] }]
      parameters: [{ name: theme, in: cookie, style: cookie, schema: { type: string } }]
      responses: { 204: { summary: Nothing } }
`,
    {},
    `
servers: [{ url: https://example.com, name: production }]
tags: [{ name: pets, summary: Pets, kind: nav }, { name: cats, parent: pets }]
components:
  securitySchemes:
    device:
      type: oauth2
      oauth2MetadataUrl: https://example.com/.well-known/oauth-authorization-server
      deprecated: true
      flows: { deviceAuthorization: { deviceAuthorizationUrl: https://example.com/device, tokenUrl: https://example.com/token, scopes: { read: Read } } }
`,
  )
  expect(standin.notes).toEqual([])
})

test('a tag stands for the operations of the tags below it', async () => {
  const standin = start(
    `
  /cats: { get: { tags: [cats], responses: { 200: {} } } }
  /dogs: { get: { tags: [puppies], responses: { 200: {} } } }
  /cars: { get: { tags: [cars], responses: { 200: {} } } }
`,
    { stubs: [{ operation: 'tag:pets', respond: { status: 200, headers: { 'X-Pet': 'yes' } } }] },
    // A tag that is below itself is a mistake of the document.
    `tags: [{ name: pets, parent: pets }, { name: cats, parent: pets }, { name: dogs, parent: pets }, { name: puppies, parent: dogs }, { name: cars }]`,
  )
  const said = async (path: string) => (await request(standin.app).get(path)).headers['x-pet'] as unknown
  expect([await said('/cats'), await said('/dogs'), await said('/cars')]).toEqual(['yes', 'yes', undefined])
})

test('a method that no request can have is left out, and an unknown version is refused', () => {
  const standin = start(`
  /pets:
    get: { responses: { 204: {} } }
    additionalOperations:
      FROB: { responses: { 204: {} } }
`)
  expect(standin.notes.join('\n')).toMatch(
    /FROB: no request has the method FROB: Node's parser refuses it\. It is left/,
  )
  expect(startComplaintsOf(() => createStandin({ contract: 'openapi: 3.3.0\ninfo: {}\npaths: {}\n' }))).toEqual([
    expect.stringContaining('OpenAPI 3.3.0 is not supported. Bring the document to 3.2 or 3.1.'),
  ])
})

test('the data of an event is the JSON that its content schema describes', async () => {
  const { app } = start(`
  /events:
    get:
      responses:
        200:
          content:
            text/event-stream:
              itemSchema:
                type: object
                required: [event, data]
                properties:
                  event: { enum: [added] }
                  data:
                    type: string
                    contentMediaType: application/json
                    contentSchema: { type: object, required: [n], properties: { n: { type: integer } } }
`)
  const { body } = (await request(app).get('/events').responseType('blob')) as { body: Buffer }
  const data = [...body.toString().matchAll(/^data: (.*)$/gm)].map(([, text = '']) => JSON.parse(text) as unknown)
  expect(data.length).toBeGreaterThan(0)
  for (const one of data) expect(one).toEqual({ n: expect.any(Number) as number })
})

test('an additional operation of a method that the path has already is left out', () => {
  const { notes } = start(`
  /x:
    get: { operationId: own, responses: { 204: {} } }
    additionalOperations:
      GET: { operationId: other, responses: { 204: {} } }
`)
  expect(notes.join('\n')).toMatch(/additionalOperations\/GET: the path has `get` already\. It is left out\./)
})

test('a reference may use the addresses that documents and schemas give themselves', async () => {
  const { path, remove } = createDirectory({
    'openapi.yaml': `openapi: 3.2.0
$self: https://example.com/api/openapi
info: { title: Example, version: 1.0 }
paths:
  /foo:
    post:
      requestBody: { $ref: 'shared/foo#/components/requestBodies/Foo' }
      responses: { 200: { content: { application/json: { schema: { $ref: 'openapi#/components/schemas/Made' } } } } }
components:
  schemas:
    Made: { $id: made, type: object, required: [at], properties: { at: { $ref: place } } }
    Place: { $id: 'https://example.com/api/place', const: here }
`,
    // As the specification has it (OpenAPI 3.2, appendix F).
    'shared/foo': `openapi: 3.2.0
$self: https://example.com/api/shared/foo
info: { title: Shared components for all APIs, version: 1.0 }
components:
  requestBodies:
    Foo: { content: { application/json: { schema: { $ref: ../schemas/foo } } } }
  schemas:
    Foo: { $id: 'https://example.com/api/schemas/foo', properties: { bar: { $ref: bar } } }
    Bar: { $id: 'https://example.com/api/schemas/bar', type: string }
`,
  })
  onTestFinished(remove)
  const { app, notes } = createStandin({ contract: join(path, 'openapi.yaml') })
  expect(notes).toEqual([])
  const made = await request(app).post('/foo').send({ bar: 'a' })
  expect([made.status, made.body]).toEqual([200, { at: 'here' }])
  expect((await request(app).post('/foo').send({ bar: 7 })).status).toBe(400)
})

test('an example of rows that is a text is sent as it is written', async () => {
  const two = '{"n": 1}\n{"n": 2}\n'
  const { app } = start(`
  /log:
    get:
      responses:
        200:
          content:
            application/jsonl:
              itemSchema: ${ROW}
              examples: { two: { value: ${JSON.stringify(two)} } }
`)
  const { body } = (await request(app).get('/log').responseType('blob')) as { body: Buffer }
  expect(body.toString()).toBe(two)
})

test('each event of a body is checked by the schema of the items', async () => {
  const { app } = start(`
  /events:
    post:
      requestBody:
        required: true
        content:
          text/event-stream:
            itemSchema:
              type: object
              required: [event]
              properties: { event: { type: string }, data: { type: string }, retry: { type: integer } }
              oneOf:
                - properties: { event: { const: addString } }
                - { properties: { event: { const: addJson } }, required: [data] }
      responses: { 204: {} }
  /texts:
    post:
      requestBody: { content: { text/event-stream: { schema: { type: string, minLength: 30 } } } }
      responses: { 204: {} }
`)
  const post = async (text: string, path = '/events') => {
    const response = await request(app).post(path).set('Content-Type', 'text/event-stream').send(text)
    return [response.status, (response.body as { detail?: string }).detail]
  }
  const two = 'event: addJson\ndata: {"foo":\ndata: 1}\n\n: a comment\n\nevent:addString\r\nretry: 5\r\n\r\n'
  expect(await post(two)).toEqual([204, undefined])
  expect(await post('event: addString\n\nevent: addJson\n\n')).toEqual([
    400,
    expect.stringContaining('/1/event: expected addString'),
  ])
  expect(await post('data: nameless\n\n')).toEqual([400, expect.stringContaining('/0: expected just one')])
  expect(await post('data: of a text\n\n', '/texts')).toEqual([400, expect.stringContaining('30')])
})

test('texts, character data and elements without a node of their own are written and read as XML', async () => {
  const { app } = start(
    `
  /docs:
    get:
      responses:
        200:
          content:
            application/xml:
              schema: { xml: { nodeType: element, name: StoredDocument }, $ref: '#/components/schemas/Documentation' }
              examples: { stored: { dataValue: { content: '<b>Docs</b>' }, externalValue: ./stored.xml } }
    put:
      requestBody:
        required: true
        content:
          application/xml:
            schema: { xml: { nodeType: element, name: UpdatedDocument }, $ref: '#/components/schemas/Documentation' }
      responses: { 204: {} }
  /links:
    get:
      responses:
        200:
          content:
            application/xml:
              schema:
                type: object
                xml: { name: link }
                properties:
                  to: { type: string, xml: { nodeType: attribute } }
                  words: { type: string, xml: { nodeType: text } }
                  more: { type: object, xml: { nodeType: none }, properties: { id: { type: integer } } }
              example: { to: /a, words: Here, more: { id: 7 } }
`,
    {},
    `
components:
  schemas:
    Documentation:
      xml: { nodeType: none }
      type: object
      required: [content]
      properties: { content: { type: string, contentMediaType: text/html, xml: { nodeType: cdata } } }
`,
  )
  const get = async (path: string) => {
    const { body } = (await request(app).get(path).responseType('blob')) as { body: Buffer }
    return body.toString().replaceAll(/<\?.*\?>|\s+(?=<)|\n/g, '')
  }
  expect(await get('/docs')).toBe('<StoredDocument><![CDATA[<b>Docs</b>]]></StoredDocument>')
  expect(await get('/links')).toBe('<link to="/a">Here<id>7</id></link>')
  const put = (text: string) => request(app).put('/docs').set('Content-Type', 'application/xml').send(text)
  expect((await put('<UpdatedDocument><![CDATA[<b>Docs</b>]]></UpdatedDocument>')).status).toBe(204)
  expect((await put('<UpdatedDocument><other/></UpdatedDocument>')).status).toBe(400)
})
