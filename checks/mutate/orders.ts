// A contract of orders: a list with tokens, creates that may be repeated with a key, and changes that may depend on what was read.

const order = {
  type: 'object',
  required: ['id', 'customer', 'note', 'created'],
  properties: {
    id: { type: 'integer', format: 'int64', readOnly: true },
    customer: { type: 'string' },
    note: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    created: { type: 'string', format: 'date-time', readOnly: true },
  },
}

const json = (schema: object) => ({ 'application/json': { schema } })
const responseOf = (schema: object, headers = {}) => ({ description: 'As it is.', headers, content: json(schema) })
const refusal = { description: 'Refused.' }
const etag = { ETag: { schema: { type: 'string' } } }
const parameter = (where: string, name: string, type = 'string') => ({ in: where, name, schema: { type } })

export const CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        parameters: [parameter('query', 'limit', 'integer'), parameter('query', 'cursor')],
        responses: {
          200: responseOf({
            type: 'object',
            required: ['orders', 'total'],
            properties: {
              orders: { type: 'array', items: order },
              total: { type: 'integer' },
              nextCursor: { type: ['string', 'null'] },
            },
          }),
          400: refusal,
        },
      },
      post: {
        operationId: 'createOrder',
        parameters: [parameter('header', 'Idempotency-Key')],
        requestBody: { required: true, content: json(order) },
        responses: { 201: responseOf(order) },
      },
    },
    '/orders/{id}': {
      parameters: [{ ...parameter('path', 'id', 'integer'), required: true }],
      get: { operationId: 'getOrder', responses: { 200: responseOf(order, etag), 404: refusal } },
      put: {
        operationId: 'replaceOrder',
        parameters: [parameter('header', 'If-Match')],
        requestBody: { required: true, content: json(order) },
        responses: { 200: responseOf(order, etag), 404: refusal, 412: refusal },
      },
    },
  },
}

/** The schedule of faults that shows each bug of `suites/bugs.test.ts`. */
export const BUGS = {
  'double create after a lost response': 'createOrder lost@1',
  'retry without backoff': 'listOrders 503@1',
  '429 ignored': 'listOrders 429@1',
  'lost update': 'replaceOrder edited@1',
  'page lost when a cursor expired': 'listOrders expired@1',
  'infinite paging': 'listOrders missing-entry@1',
  'partial list taken for whole': 'listOrders short-page@1',
  'timeouts that resend': 'createOrder slow@1',
}

/** The change of a response that shows each of the others. */
export const FORMAT_BUGS = {
  'float ids': 'listOrders /orders/*/id enlarged',
  'local time zone': 'createOrder /created zone',
}
