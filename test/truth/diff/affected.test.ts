import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createStandin, type Standin } from '../../../src/index.ts'
import { createDirectory, runCommand } from '../../support/command.ts'

const NOTE = { note: { type: 'string' } }
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }

interface Version {
  readonly status?: readonly string[]
  readonly query?: object
  readonly properties?: object
  readonly required?: readonly string[]
}

function orders({ status = ['open', 'paid'], query = {}, properties = NOTE, required = ['sku'] }: Version = {}) {
  const Order = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, sku: { type: 'string' }, status: { enum: status }, ...properties },
  }
  const ok = (schema: unknown) => ({ 200: { description: 'ok', content: { 'application/json': { schema } } } })
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100, ...query } }
  const body = { type: 'object', required, properties: { sku: { type: 'string' }, status: { enum: ['open', 'paid'] } } }
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/orders': {
        get: { operationId: 'listOrders', parameters: [limit], responses: ok({ type: 'array', items: Order }) },
        post: {
          operationId: 'createOrder',
          requestBody: { content: { 'application/json': { schema: body } } },
          responses: ok(Order),
        },
      },
      '/orders/{id}': {
        parameters: [ID],
        get: { operationId: 'getOrder', responses: ok(Order) },
        delete: { operationId: 'deleteOrder', responses: { 204: { description: 'gone' } } },
      },
    },
  }
}

const { path, remove } = createDirectory({ 'old.yaml': stringify(orders()) })
let standin: Standin
let url = ''

/** What the client of these tests did: three requests to a stand-in. */
beforeAll(async () => {
  // The response of the creation has no note, since the request has none.
  const behaviours = { 'collections.unsent': 'omit' } as const
  standin = createStandin({ contract: join(path, 'old.yaml'), clock: '2026-03-05T14:30:00Z', behaviours })
  url = await standin.start()
  const headers = { 'Content-Type': 'application/json' }
  await fetch(`${url}/orders`, { method: 'POST', headers, body: '{"sku":"A1","status":"paid"}' })
  await fetch(`${url}/orders?limit=60`)
  await fetch(`${url}/orders/1`)
  writeFileSync(join(path, 'session.har'), JSON.stringify(await standin.control.exportHar()))
})

afterAll(async () => {
  await standin.stop()
  remove()
})

async function diff(next: object, ...flags: readonly string[]) {
  writeFileSync(join(path, 'new.yaml'), stringify(next))
  const { ended, stdout, stderr } = runCommand(['diff', 'old.yaml', 'new.yaml', ...flags], { cwd: path })
  const code = await ended
  return { code, text: stdout(), errors: stderr() }
}

test('names the requests that NEW refuses, with the reason', async () => {
  const { code, text } = await diff(
    orders({ query: { maximum: 50 }, required: ['sku', 'note'] }),
    '--har',
    'session.har',
  )
  expect(code).toBe(2)
  expect(text).toContain('2 breaking changes. Affected: 2 of 3 requests')
  expect(text).toContain('- GET /orders?limit=60 (session.har, entry 2): limit: expected at most 50, got 60.')
  expect(text).toContain('- POST /orders (session.har, entry 1): /note: expected a value, got nothing.')
})

test('names the requests in whose responses something changes, if they had it', async () => {
  const { text } = await diff(orders({ properties: {} }), '--har', 'session.har')
  const affected = text.split('\n').filter((line) => line.includes('(session.har'))
  expect(affected.map((line) => line.trim())).toEqual([
    '- GET /orders?limit=60 (session.har, entry 2)',
    '- GET /orders/1 (session.har, entry 3)',
  ])
  expect(text).toContain(
    'breaking, but none of your requests is affected\n  POST /orders: response 200 /note is no longer returned',
  )
})

test('a breaking change that affects none of the requests is listed apart, and exits with 0', async () => {
  const next = orders()
  const { delete: _delete, ...item } = next.paths['/orders/{id}']
  const { code, text } = await diff({ ...next, paths: { ...next.paths, '/orders/{id}': item } }, '--har', 'session.har')
  expect(text).toBe(
    [
      'old.yaml → new.yaml: 1 breaking change. Affected: 0 of 3 requests',
      '',
      'breaking, but none of your requests is affected',
      '  DELETE /orders/{id} is removed',
      '      old.yaml:74',
      '',
    ].join('\n'),
  )
  expect(code).toBe(0)
})

test('reads the journal of a running stand-in, and tells scripts which request is affected by which change', async () => {
  const next = orders({ query: { maximum: 50 } })
  const { code, text } = await diff(next, '--url', url, '--format', 'json')
  expect(code).toBe(2)
  expect(JSON.parse(text)).toMatchObject({
    changes: [{ kind: 'maximum', uses: [{ operation: 'GET /orders' }] }],
    requests: { requests: 3, affected: [{ method: 'GET', url: '/orders?limit=60', changes: [0] }] },
  })
})

test('traffic that is not of the service, and a server that is not there, are refused', async () => {
  const next = orders()
  writeFileSync(join(path, 'empty.har'), '{"log":{"entries":[]}}')
  expect(await diff(next, '--har', 'empty.har')).toMatchObject({ code: 1, text: '' })
  const unreachable = await diff(next, '--url', '127.0.0.1:1')
  expect(unreachable.code).toBe(1)
  expect(unreachable.errors).toMatch(/^standin: http:\/\/127\.0\.0\.1:1 does not answer \(.+ or pass a --har file/)
  const both = await diff(next, '--url', url, '--har', 'session.har')
  expect(both.errors).toBe('standin: --har and --url exclude each other. Pass one of them.\n')
})
