import request, { type Response } from 'supertest'
import { createContractTester, type Json, OWN_KEY } from './small-contract.ts'
import type { StandinOptions } from '../../../src/index.ts'

export const CLOCK = '2026-03-05T14:30:00Z'

type Answer = Omit<Response, 'body'> & { readonly body: unknown }
type Headers = Readonly<Record<string, string>>

export const ID = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
export const json = (schema: unknown, more: Json = {}) => ({ content: { 'application/json': { schema, ...more } } })
export const answered = (schema: unknown, more: Json = {}) => ({ '200': { description: 'ok', ...json(schema, more) } })

/** Sends a request to a server for a contract that the test writes. */
export function createShop(paths: Json, schemas: Json = {}, options: StandinOptions = {}) {
  const { standin, control } = createContractTester(paths, schemas, { clock: CLOCK, ...options })
  const ask = async (
    method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'head',
    path: string,
    headers: Headers,
    body?: unknown,
  ) => {
    const sending = request(standin.app)
      [method](path)
      .set({ ...OWN_KEY, ...headers })
    return (body === undefined ? sending : sending.send(body as object)) as Promise<Answer>
  }
  return {
    standin,
    control,
    get: (path: string, headers: Headers = {}) => ask('get', path, headers),
    post: (path: string, body: unknown, headers: Headers = {}) => ask('post', path, headers, body),
    put: (path: string, body: unknown, headers: Headers = {}) => ask('put', path, headers, body),
    patch: (path: string, body: unknown) => ask('patch', path, {}, body),
    remove: (path: string) => ask('delete', path, {}),
    head: (path: string) => ask('head', path, {}),
  }
}

export const CUSTOMER = {
  type: 'object',
  required: ['id', 'name', 'email', 'createdAt', 'status', 'fileSize', 'website'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    email: { type: 'string' },
    firstName: { type: 'string' },
    city: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time' },
    expiresAt: { type: 'string', format: 'date-time' },
    status: { type: 'string', enum: ['trial', 'paying', 'gone'] },
    fileSize: { type: 'integer' },
    price: { type: 'number' },
    active: { type: 'boolean' },
    token: { type: 'string', format: 'uuid' },
    website: { type: 'string', format: 'uri' },
    secret: { type: 'string', writeOnly: true },
  },
}

export const CUSTOMERS = {
  '/customers/{id}': {
    get: {
      operationId: 'getCustomer',
      parameters: [ID],
      responses: {
        ...answered({ $ref: '#/components/schemas/Customer' }),
        '404': {
          description: 'none',
          ...json(
            { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
            { examples: { gone: { value: { message: 'gone' } }, moved: { value: { message: 'moved' } } } },
          ),
        },
      },
    },
    put: {
      operationId: 'putCustomer',
      parameters: [ID],
      requestBody: {
        required: true,
        ...json({ type: 'object', properties: { name: { type: 'string', minLength: 2 } } }),
      },
      responses: answered({ $ref: '#/components/schemas/Customer' }),
    },
    delete: { operationId: 'removeCustomer', parameters: [ID], responses: { '204': { description: 'gone' } } },
  },
}
export const createCustomers = (options: StandinOptions = {}) => createShop(CUSTOMERS, { Customer: CUSTOMER }, options)
