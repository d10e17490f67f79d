import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../support/command.ts'
import { serve } from '../support/serve.ts'
import { createContractTester, type Json, OWN_KEY, writeContract } from '../support/contracts/small-contract.ts'

const ID = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const answering = (schema: unknown) => ({
  responses: { '200': { description: 'ok', content: { 'application/json': { schema } } } },
})
const HELLO = answering({ const: 'hello' })

/** Serves paths and asks them with a key. */
function serveInProcess(paths: Json, schemas: Json = {}, extra: Json = {}) {
  const { standin } = createContractTester(paths, schemas, { extra })
  return {
    notes: standin.notes.map((note) => note.replace(/^.*contract\.json/, 'contract.json')),
    get: (path: string) => request(standin.app).get(path).set(OWN_KEY),
    post: (path: string, body: object) => request(standin.app).post(path).set(OWN_KEY).send(body),
  }
}

describe('a contract with parts that cannot be served', () => {
  test('is served without them, and `check` and `serve` name each with file, line and reason', async () => {
    const contract = writeContract({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: { '/hello': { get: HELLO }, 'no-slash': { get: HELLO } },
      components: { schemas: { Unused: { type: 'strng' } } },
    })
    const told = [
      /contract\.json:1: \/paths\/no-slash: the path "no-slash" begins with no slash\. Put one first\. It is left out\./,
      /contract\.json:1: \/components\/schemas\/Unused\/type: expected one of .*, got "strng"\. Did you mean "string"\? It is left out\./,
    ]
    const check = runCommand(['check', '--contract', contract])
    expect(await check.ended).toBe(0)
    for (const line of told) expect(check.stdout()).toMatch(line)
    const { command, url } = await serve(['--contract', contract])
    for (const line of told) expect(command.stdout()).toMatch(line)
    expect(await (await fetch(`${url}/hello`)).json()).toBe('hello')
  })

  test('has fifty of its notes logged at start, and `check` prints all of them', async () => {
    const schemas = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`S${index}`, { type: 'strng' }]))
    const contract = writeContract({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: { '/hello': { get: HELLO } },
      components: { schemas },
    })
    const { command } = await serve(['--contract', contract])
    expect(command.stdout().match(/It is left out\./g)).toHaveLength(50)
    expect(command.stdout()).toContain('… and 10 more. `standin check` prints all of them.\n')
    const check = runCommand(['check', '--contract', contract])
    await check.ended
    expect(check.stdout().match(/It is left out\./g)).toHaveLength(60)
  })

  test('serves templates that differ only in the name of a parameter, and the first one where their methods overlap', async () => {
    const { get, post, notes } = serveInProcess({
      '/fields/{id}': { parameters: [ID('id')], get: answering({ const: 'first' }) },
      '/fields/{fieldId}': {
        parameters: [ID('fieldId')],
        get: answering({ const: 'second' }),
        post: { ...answering({ const: 'third' }), requestBody: { content: { 'application/json': { schema: {} } } } },
      },
    })
    expect((await get('/fields/1')).body).toBe('first')
    expect((await post('/fields/1', {})).body).toBe('third')
    expect(notes).toEqual([
      'contract.json:1: /paths/~1fields~1{fieldId}/get: no request can tell /fields/{fieldId} from /fields/{id}: only names of parameters differ. Merge them. It is left out.',
    ])
  })

  test('serves the first of such templates whose path parameters a request fits, else the first of all', async () => {
    const path = (name: string, schema: Json) => ({ name, in: 'path', required: true, schema })
    const { get, notes } = serveInProcess(
      {
        '/invoices/{invoice}/files/{fileId}': {
          get: {
            parameters: [path('invoice', { type: 'integer' }), path('fileId', { type: 'string', format: 'uuid' })],
            ...answering({ const: 'by id' }),
          },
        },
        '/invoices/{invoice}/files/{fileName}': {
          parameters: [path('invoice', { type: 'integer' }), path('fileName', { $ref: '#/components/schemas/Name' })],
          get: answering({ const: 'by name' }),
        },
        '/invoices/{invoice}/files/{sameId}': {
          parameters: [path('invoice', { type: 'integer' }), path('sameId', { type: 'string', format: 'uuid' })],
          get: answering({ const: 'never' }),
        },
      },
      { Name: { type: 'string', maxLength: 10 } },
    )
    expect((await get('/invoices/7/files/b4a5b0a6-3d5b-4c1c-8d8c-1f1d1e1f2a2b')).body).toBe('by id')
    expect((await get('/invoices/7/files/scan%20.pdf')).body).toBe('by name')
    const refused = await get('/invoices/7/files/far-too-long.pdf')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('fileId: expected')
    expect(notes).toEqual([
      'contract.json:1: /paths/~1invoices~1{invoice}~1files~1{fileName}/get: only schemas of path parameters tell /invoices/{invoice}/files/{fileName} from /invoices/{invoice}/files/{fileId}. It handles the requests that fit it and not the other.',
      'contract.json:1: /paths/~1invoices~1{invoice}~1files~1{sameId}/get: no request can tell /invoices/{invoice}/files/{sameId} from /invoices/{invoice}/files/{fileId}: only names of parameters differ. Merge them. It is left out.',
    ])
  })

  test('serves a schema without the keywords that are not understood', async () => {
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer', minimum: 5, oneOf: [] } } }
    const { post, notes } = serveInProcess({
      '/numbers': { post: { ...HELLO, requestBody: { content: { 'application/json': { schema } } } } },
    })
    expect((await post('/numbers', { n: 4 })).status).toBe(400)
    expect((await post('/numbers', { n: 5 })).status).toBe(200)
    expect(notes).toEqual([
      expect.stringMatching(/\/n\/oneOf: expected a list of one schema or more, got \[\]\. It is left out\.$/),
    ])
  })

  test('serves an operation whose schema refers to nothing, and takes anything in its place', async () => {
    const Order = {
      type: 'object',
      properties: { size: { $ref: '#/components/schemas/Size' }, n: { type: 'integer' } },
    }
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } }
    const { post, notes } = serveInProcess({ '/orders': { post: { ...HELLO, requestBody: { content } } } }, { Order })
    expect((await post('/orders', { size: 'XL', n: 1 })).status).toBe(200)
    expect((await post('/orders', { size: 'XL', n: 'one' })).status).toBe(400)
    expect(notes).toEqual([
      expect.stringMatching(/"#\/components\/schemas\/Size" refers to something that is not there\./),
    ])
  })

  test.each([
    ['exclusiveMinimum', 'minimum', 5, 6],
    ['exclusiveMaximum', 'maximum', 5, 4],
  ])('reads `%s: true` of OpenAPI 3.0 in a document that says 3.1', async (exclusive, limit, refused, taken) => {
    const schema = { type: 'object', properties: { n: { type: 'integer', [limit]: 5, [exclusive]: true } } }
    const { post, notes } = serveInProcess({
      '/numbers': { post: { ...HELLO, requestBody: { content: { 'application/json': { schema } } } } },
    })
    expect((await post('/numbers', { n: refused })).status).toBe(400)
    expect((await post('/numbers', { n: taken })).status).toBe(200)
    expect(notes).toEqual([])
  })

  test('may have extensions among its paths and webhooks', async () => {
    const { get, notes } = serveInProcess(
      { 'x-groups': ['a', 'b'], '/hello': { get: HELLO } },
      {},
      { webhooks: { 'x-more': 1 } },
    )
    expect((await get('/hello')).body).toBe('hello')
    expect(notes).toEqual([])
  })
})
