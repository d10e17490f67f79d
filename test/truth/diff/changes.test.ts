import { beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createDirectory, runCommand } from '../../support/command.ts'
import { CASES, documentOf, returns } from './cases.ts'

interface Output {
  readonly code: number | null
  readonly text: string
  readonly errors: string
}

async function diff(files: Readonly<Record<string, unknown>>, ...flags: readonly string[]): Promise<Output> {
  const texts = Object.entries(files).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : name.endsWith('.json') ? JSON.stringify(value) : stringify(value),
  ])
  const { path, remove } = createDirectory(Object.fromEntries(texts) as Record<string, string>)
  try {
    const [old = '', now = ''] = Object.keys(files)
    const command = runCommand(['diff', old, now, ...flags], { cwd: path })
    return { code: await command.ended, text: command.stdout(), errors: command.stderr() }
  } finally {
    remove()
  }
}

describe('each change', () => {
  /** The changes of each operation. */
  const found = new Map<string, string[]>()

  beforeAll(async () => {
    const files = {
      'old.yaml': documentOf(CASES.map(({ old }) => old)),
      'new.yaml': documentOf(CASES.map(({ now }) => now)),
    }
    let level = ''
    for (const line of (await diff(files)).text.split('\n')) {
      level = /^(breaking|warning|compatible)/.exec(line)?.[1] ?? level
      const [, operation, change] = /^ {2}(POST \/\d+):? (.*)/.exec(line) ?? []
      if (operation !== undefined) found.set(operation, [...(found.get(operation) ?? []), `${level}: ${change ?? ''}`])
    }
  })

  test.each(CASES.map((one, at) => ({ ...one, operation: `POST /${at}` })))('$name', ({ operation, says }) => {
    expect(found.get(operation) ?? []).toEqual(says)
  })
})

const OLD = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://api.example.com/v1' }],
  paths: {
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: returns({ $ref: '#/components/schemas/Order' }),
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/orders': { get: returns({ type: 'array', items: { $ref: '#/components/schemas/Order' } }) },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Order: {
        type: 'object',
        properties: { total: { type: 'number' }, parent: { $ref: '#/components/schemas/Order' } },
      },
    },
  },
}

test('a schema that operations share is one change, with its lines in both files and all its uses', async () => {
  const { total: _total, ...rest } = OLD.components.schemas.Order.properties
  const Order = { type: 'object', properties: rest }
  const { code, text } = await diff({
    'old.yaml': OLD,
    'new.json': { ...OLD, components: { ...OLD.components, schemas: { Order } } },
  })
  expect(text).toBe(
    [
      'old.yaml → new.json: 1 breaking change',
      '',
      'breaking',
      '  GET /v1/orders/{id}: response 200 /total is no longer returned',
      '      also GET /v1/orders: response 200 /*/total',
      '      old.yaml:48',
      '',
    ].join('\n'),
  )
  expect(code).toBe(2)
})

test('operations that are removed, moved and secured break clients; a path parameter of another name does not', async () => {
  const { '/orders/{id}': item, '/orders': orders } = OLD.paths
  const { code, text } = await diff({
    'old.yaml': OLD,
    'new.yaml': {
      ...OLD,
      servers: [{ url: 'https://api.example.com/v2' }],
      security: [{ key: [] }],
      paths: {
        '/orders/{orderId}': { parameters: [{ ...item.parameters[0], name: 'orderId' }], get: item.get },
        '/orders': orders,
      },
    },
  })
  expect(text.split('\n').filter((line) => /^ {2}\S/.test(line))).toEqual([
    '  DELETE /v1/orders/{id} is removed',
    '  GET /v1/orders/{id} is below /v2 now, instead of /v1',
    '  GET /v1/orders/{id} needs the header x-key now',
  ])
  expect(text).toContain('      also GET /v1/orders\n')
  expect(code).toBe(2)
})

test('documents of OpenAPI 3.0 and 3.1 and Swagger 2.0 are compared by what they mean', async () => {
  const note = (schema: object) => ({ type: 'object', properties: { note: schema } })
  const swagger = {
    swagger: '2.0',
    info: { title: 'Cases', version: '1' },
    produces: ['application/json'],
    paths: {
      '/0': {
        post: { operationId: 'case0', responses: { 200: { description: 'ok', schema: note({ type: 'string' }) } } },
      },
    },
  }
  const nullable = documentOf([returns(note({ type: 'string', nullable: true }))], '3.0.3')
  const union = documentOf([returns(note({ type: ['string', 'null'] }))])
  expect(await diff({ 'a.yaml': nullable, 'b.yaml': union })).toEqual({
    code: 0,
    text: 'a.yaml → b.yaml: nothing changed for clients\n',
    errors: '',
  })
  expect((await diff({ 'a.yaml': swagger, 'b.yaml': union })).text).toContain(
    'POST /0: response 200 /note may now be null',
  )
})

test('prints Markdown, JSON and annotations of GitHub', async () => {
  const files = {
    'old.yaml': documentOf([returns({ type: 'object', properties: { state: { enum: ['a'] } } })]),
    'new.yaml': documentOf([returns({ type: 'object', properties: { state: { enum: ['a', 'b'] } } })]),
  }
  expect((await diff(files, '--format', 'markdown')).text).toContain(
    '#### Breaking\n\n- **`POST /0`**: response 200 `/state` may now be "b"\n  <br>old.yaml:17 → new.yaml:17\n',
  )
  expect((await diff(files, '--format', 'github')).text).toBe(
    '::error file=new.yaml,line=17,title=Breaking change::POST /0: response 200 /state may now be "b"\n1 breaking change\n',
  )
  const named = Object.fromEntries(Object.entries(files).map(([name, text]) => [`a \`${name}`, text]))
  expect((await diff(named, '--format', 'markdown')).text).toMatch(/^### `` a `old.yaml `` → `` a `new.yaml ``\n/)
  const { code, text } = await diff(files, '--format', 'json')
  expect(code).toBe(2)
  expect(JSON.parse(text)).toMatchObject({
    old: 'old.yaml',
    new: 'new.yaml',
    breaking: 1,
    compatible: 0,
    changes: [{ kind: 'enum', side: 'response', uses: [{ operation: 'POST /0', pointer: '/state' }] }],
  })
})

test('both files are refused with their lines where neither is an OpenAPI document that can be compared', async () => {
  const { code, errors } = await diff({ 'old.yaml': 'openapi: 4.0.0\npaths: {}\n', 'new.yaml': documentOf([]) })
  expect({ code, errors }).toEqual({
    code: 1,
    errors:
      'standin: old.yaml:1: /openapi: OpenAPI 4.0.0 is not supported. Bring the document to 3.2 or 3.1.\n' +
      'standin: new.yaml:5: /paths: The document has no operations. Add one.\n',
  })
})
