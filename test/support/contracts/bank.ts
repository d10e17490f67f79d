import { createContractTester, type Json, OWN_KEY } from './small-contract.ts'
import { inPath, ref, shows, takes } from './pets.ts'

const text = { type: 'string' }
const uuid = { type: 'string', format: 'uuid' }
const maybe = { type: ['string', 'null'] }
const currency = { ...text, pattern: '^[A-Z]{3}$' }
const amount = { type: 'integer', minimum: 1 }
const object = (properties: Json, required: readonly string[]) => ({ type: 'object', required, properties })

const FAILURE = object({ error: object({ code: text, message: text, field: text }, ['code', 'message']) }, ['error'])
const refuses = (description: string, code?: string) => ({
  description,
  content: {
    'application/json': {
      schema: FAILURE,
      ...(code !== undefined && { example: { error: { code, message: 'Why', field: 'email' } } }),
    },
  },
})

const customer = { name: text, email: { ...text, format: 'email' }, born_on: { ...text, format: 'date' } }
const transfer = { from_account_id: uuid, to_account_id: uuid, amount, currency }
const STATUSES = { ...text, enum: ['pending', 'queued', 'in_progress', 'completed', 'failed', 'cancelled'] }
const EVENTS = { type: 'array', items: { ...text, enum: ['transfer.completed', 'account.frozen'] } }
const hook = { id: text, url: { ...text, format: 'uri' }, events: { type: 'array', items: text } }

const SCHEMAS = {
  Customer: object({ id: uuid, ...customer }, ['id', 'name', 'email']),
  Account: object(
    {
      ...{ id: uuid, customer_id: uuid, currency, iban: { ...text, example: 'DE89370400440532013000' } },
      ...{ balance: { type: 'integer' }, status: { ...text, enum: ['active', 'frozen', 'closed'] } },
      ...{ frozen_at: { ...maybe, format: 'date-time' }, freeze_reason: maybe },
    },
    ['id', 'customer_id', 'currency', 'iban', 'balance', 'status'],
  ),
  Transfer: object({ id: uuid, ...transfer, status: STATUSES }, ['id', 'status']),
  Hook: object(hook, ['id', 'url', 'events']),
}

const lists = (schema: Json, parameters: readonly object[] = []) => ({
  parameters,
  responses: { 200: shows({ type: 'array', items: schema }) },
})
const does = (id: string, said: string, body?: object) => ({
  parameters: [inPath(id, 'string')],
  post: {
    ...(body && { requestBody: body }),
    responses: { 200: shows(ref(id === 'accountId' ? 'Account' : 'Transfer')), 409: refuses(said) },
  },
})

/** Customers with accounts, transfers between these, and webhooks. @param cancelling the description of the 409 of a cancellation */
export function createBank({ cancelling = 'Conflict' }: { readonly cancelling?: string } = {}) {
  const paths = {
    '/customers': {
      get: lists(ref('Customer')),
      post: {
        requestBody: takes(object(customer, ['name', 'email'])),
        responses: { 201: shows(ref('Customer')), 422: refuses('Invalid', 'invalid_input'), 409: refuses('Exists') },
      },
    },
    '/customers/{customerId}': {
      parameters: [inPath('customerId', 'string')],
      get: { responses: { 200: shows(ref('Customer')), 404: refuses('Not found', 'customer_missing') } },
      delete: { responses: { 204: { description: 'Gone' }, 404: refuses('Not found') } },
    },
    '/accounts': {
      get: lists(ref('Account')),
      post: {
        requestBody: takes(object({ customer_id: uuid, currency }, ['customer_id', 'currency'])),
        responses: { 201: shows(ref('Account')), 404: refuses('No such customer'), 422: refuses('Invalid') },
      },
    },
    '/accounts/{accountId}': {
      parameters: [inPath('accountId', 'string')],
      get: { responses: { 200: shows(ref('Account')) } },
    },
    '/accounts/{accountId}/freeze': does(
      'accountId',
      'Already frozen or closed',
      takes(object({ reason: text }, ['reason'])),
    ),
    '/accounts/{accountId}/unfreeze': does('accountId', 'The account is not frozen.'),
    '/transfers': {
      get: lists(ref('Transfer'), [{ name: 'account_id', in: 'query', schema: uuid }]),
      post: {
        requestBody: takes(object({ ...transfer, status: STATUSES }, ['from_account_id', 'to_account_id', 'amount'])),
        responses: { 201: shows(ref('Transfer')) },
      },
    },
    '/transfers/{transferId}': {
      parameters: [inPath('transferId', 'string')],
      get: { responses: { 200: shows(ref('Transfer')) } },
    },
    '/transfers/{transferId}/cancel': does('transferId', cancelling),
    '/hooks': {
      get: lists(ref('Hook')),
      post: {
        requestBody: takes(object({ url: hook.url, events: EVENTS }, ['url', 'events'])),
        responses: { 201: shows({ allOf: [ref('Hook'), { type: 'object', properties: { secret: text } }] }) },
      },
    },
    '/hooks/{hookId}': {
      parameters: [inPath('hookId', 'string')],
      delete: { responses: { 204: { description: 'Gone' } } },
    },
    '/rates': {
      get: {
        parameters: [{ name: 'base', in: 'query', schema: currency }],
        responses: { 200: shows(object({ base: text, rates: { type: 'object' } }, ['base', 'rates'])) },
      },
    },
  }
  const tester = createContractTester(paths, SCHEMAS, { selfCheck: true })
  const send = async (method: 'get' | 'post' | 'delete', path: string, sent?: object) => {
    const sending = tester.request()[method](path).set(OWN_KEY)
    const response = await (sent === undefined ? sending : sending.send(sent))
    return { status: response.status, body: response.body as Json }
  }
  const listed = async (path: string) => (await send('get', path)).body as unknown as Json[]
  const accountOf = async (currency = 'EUR') => {
    const [{ id } = {}] = await listed('/customers')
    return (await send('post', '/accounts', { customer_id: id, currency })).body
  }
  return { ...tester, send, listed, accountOf }
}
