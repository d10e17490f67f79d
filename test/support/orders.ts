const ORDER = {
  type: 'object',
  required: ['id', 'status'],
  properties: { id: { type: 'integer' }, status: { type: 'string' }, note: { type: 'string' } },
}
const JSON_OF = (schema: object) => ({ 'application/json': { schema } })
const ONE = { description: 'An order', content: JSON_OF(ORDER) }

/** Orders, and a ping of another tag. */
export const ORDERS = {
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url: 'https://api.example.com/v2' }],
  paths: {
    '/orders': {
      get: {
        operationId: 'listOrders',
        tags: ['orders'],
        responses: { 200: { description: 'All', content: JSON_OF({ type: 'array', items: ORDER }) } },
      },
      post: {
        operationId: 'createOrder',
        tags: ['orders'],
        requestBody: { content: JSON_OF({ ...ORDER, required: ['status'] }) },
        responses: { 201: ONE },
      },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getOrder', tags: ['orders'], responses: { 200: ONE, 404: { description: 'None' } } },
    },
    '/ping': { get: { operationId: 'ping', responses: { 204: { description: 'Pong' } } } },
  },
}
