const body = (schema: object, headers?: object) => ({
  description: 'ok',
  ...(headers && { headers }),
  content: { 'application/json': { schema } },
})
const query = (name: string, schema: object, description = '') => ({ name, in: 'query', schema, description })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const integer = { type: 'integer' }
const byId = [{ name: 'id', in: 'path', required: true, schema: integer }]
const none = { description: 'There is none.' }
const takes = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } })

/** Reads that say how long to wait, in the forms that services have for that. */
export const LONG_POLLING = {
  openapi: '3.1.0',
  info: { title: 'Waiting', version: '1' },
  paths: {
    // A list after an item, as Telegram and Kafka have it.
    '/messages': {
      get: {
        parameters: [
          query('since_id', integer, 'The last message that you have.'),
          query('room', { type: 'string' }),
          query('timeout', integer, 'Long polling: seconds to wait for new messages.'),
        ],
        responses: { 200: body({ type: 'array', items: ref('Message') }) },
      },
      post: { requestBody: takes('Message'), responses: { 201: body(ref('Message')) } },
    },
    // One item, until it changes.
    '/jobs': { post: { requestBody: takes('Job'), responses: { 201: body(ref('Job')) } } },
    '/jobs/{id}': {
      parameters: byId,
      get: {
        parameters: [
          query('waitMs', integer),
          { name: 'Prefer', in: 'header', schema: { type: 'string' }, description: 'Send `wait=30` to wait.' },
        ],
        responses: { 200: body(ref('Job')), 404: none },
      },
      patch: { requestBody: takes('Job'), responses: { 200: body(ref('Job')) } },
      delete: { responses: { 204: none } },
    },
    // An item with an ETag.
    '/notes': { post: { requestBody: takes('Note'), responses: { 201: body(ref('Note')) } } },
    '/notes/{id}': {
      parameters: byId,
      get: {
        parameters: [
          query('wait', { type: 'string' }, 'A duration such as 30s.'),
          { name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
        ],
        responses: { 200: body(ref('Note'), { ETag: { schema: { type: 'string' } } }), 304: none, 404: none },
      },
      patch: { requestBody: takes('Note'), responses: { 200: body(ref('Note')) } },
    },
    // A list with a version, as Consul has it.
    '/services': {
      get: {
        parameters: [query('index', integer), query('wait', { type: 'string' })],
        responses: {
          200: body({ type: 'array', items: ref('Service') }, { 'X-Registry-Index': { schema: integer } }),
        },
      },
      post: { requestBody: takes('Service'), responses: { 201: body(ref('Service')) } },
    },
    // A queue that says 204 where it is empty.
    '/tasks': {
      get: {
        parameters: [query('wait_seconds', integer)],
        responses: { 200: body({ type: 'array', items: ref('Note') }), 204: none },
      },
      post: { requestBody: takes('Note'), responses: { 201: body(ref('Note')) } },
    },
    // Neither of these is about waiting for something new.
    '/rides': {
      get: {
        parameters: [
          query('max_wait_time', integer),
          query('timeout', integer, 'Seconds after which the database query is cancelled.'),
        ],
        responses: { 200: body({ type: 'array', items: ref('Ride') }) },
      },
      post: { requestBody: takes('Ride'), responses: { 201: body(ref('Ride')) } },
    },
  },
  components: {
    schemas: Object.fromEntries(
      Object.entries({
        Message: { room: { type: 'string' }, text: { type: 'string' } },
        Job: { status: { type: 'string', enum: ['queued', 'running', 'succeeded', 'failed'] } },
        Note: { text: { type: 'string' } },
        Service: { name: { type: 'string' } },
        Ride: { wait_time: integer },
      }).map(([name, properties]) => [
        name,
        { type: 'object', properties: { id: { type: 'integer', readOnly: true }, ...properties } },
      ]),
    ),
  },
}
