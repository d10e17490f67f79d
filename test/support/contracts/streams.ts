const ref = { $ref: '#/components/schemas/Order' }
const ORDER = {
  type: 'object',
  required: ['id', 'customer', 'status'],
  properties: {
    id: { type: 'integer', readOnly: true },
    customer: { type: 'string' },
    status: { type: 'string', enum: ['placed', 'shipped'] },
  },
}
const ENVELOPE = {
  type: 'object',
  required: ['type', 'order'],
  properties: { type: { enum: ['order.created', 'order.updated', 'order.deleted'] }, order: ref },
}
const FIELDS = {
  type: 'object',
  required: ['data'],
  properties: { event: { enum: ['order.created', 'order.shipped', 'order.deleted'] }, data: ref },
}
const body = (schema: object, ...types: string[]) => ({
  description: 'ok',
  content: Object.fromEntries((types.length > 0 ? types : ['application/json']).map((type) => [type, { schema }])),
})
const stream = (schema: object, ...types: string[]) => ({
  get: { responses: { 200: body(schema, ...types) } },
})
const inPath = [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }]
/** Orders, and each kind of stream of what changes in them. */
export const STREAMS = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': { schema: { type: 'array', items: ref } },
              'text/event-stream': { schema: ref },
            },
          },
        },
      },
      post: {
        operationId: 'createOrder',
        requestBody: { content: { 'application/json': { schema: ORDER } } },
        responses: { 201: body(ref) },
      },
    },
    '/orders/{orderId}': {
      parameters: inPath,
      get: { responses: { 200: body(ref), 404: { description: 'none' } } },
      patch: {
        requestBody: { content: { 'application/json': { schema: { ...ORDER, required: [] } } } },
        responses: { 200: body(ref) },
      },
      delete: { responses: { 204: { description: 'gone' } } },
    },
    '/orders/stream': stream(ref, 'text/event-stream'),
    '/orders/events': stream(FIELDS, 'text/event-stream'),
    '/orders/changes': stream(ENVELOPE, 'application/x-ndjson', 'application/json-seq'),
    '/orders/{orderId}/events': { parameters: inPath, ...stream(ENVELOPE, 'text/event-stream') },
    '/events': stream(ENVELOPE, 'text/event-stream'),
  },
  components: { schemas: { Order: ORDER } },
}

/** A stream that is about no collection. */
export const TICKS = {
  openapi: '3.1.0',
  info: { title: 'Ticks', version: '1' },
  paths: {
    '/prices/live': stream(
      {
        type: 'object',
        required: ['price'],
        properties: { price: { type: 'integer', minimum: 1, maximum: 1_000_000 } },
      },
      'text/event-stream',
    ),
  },
}
