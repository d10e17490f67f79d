/**
 * A contract of many operations that share schemas, some of which hold themselves: five operations for each of as many things as
 * are needed.
 */
export function largeContract(operations: number): object {
  const things = Array.from({ length: Math.ceil(operations / 5) }, (_, index) => `thing${index}`)
  const paths = things.flatMap((thing) => [
    [`/${thing}s`, { get: listing(thing), post: creating(thing) }],
    [`/${thing}s/{id}`, { parameters: [idOf()], get: reading(thing), put: updating(thing), delete: removing(thing) }],
  ])
  const schemas = things.flatMap((thing, index) => [
    [nameOf(thing), schemaOf(thing, things[(index + 1) % things.length] ?? thing)],
    [`${nameOf(thing)}List`, { type: 'array', items: reference(thing) }],
  ])
  return {
    openapi: '3.1.0',
    info: { title: `A service of ${operations} operations`, version: '1.0.0' },
    security: [{ key: [] }],
    paths: Object.fromEntries(paths) as object,
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
      schemas: Object.fromEntries([...schemas, ['Error', ERROR]]) as object,
    },
  }
}

const ERROR = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } }

function nameOf(thing: string): string {
  return `${thing[0]?.toUpperCase() ?? ''}${thing.slice(1)}`
}

function reference(thing: string): object {
  return { $ref: `#/components/schemas/${nameOf(thing)}` }
}

function schemaOf(thing: string, next: string): object {
  return {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      name: { type: 'string', minLength: 1, maxLength: 80, description: `What people call the ${thing}.` },
      state: { enum: ['new', 'open', 'closed'] },
      size: { type: 'integer', minimum: 0 },
      created: { type: 'string', format: 'date-time' },
      tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
      parent: reference(thing),
      next: reference(next),
    },
  }
}

function idOf(): object {
  return { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
}

function json(schema: object): object {
  return { content: { 'application/json': { schema } } }
}

function answers(status: string, schema?: object): object {
  const error = { description: 'refused', ...json({ $ref: '#/components/schemas/Error' }) }
  return { [status]: { description: 'done', ...(schema ? json(schema) : {}) }, '4XX': error }
}

function listing(thing: string): object {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } }
  const tags = { name: 'tags', in: 'query', schema: { type: 'array', items: { type: 'string' } } }
  return {
    operationId: `list${nameOf(thing)}s`,
    parameters: [limit, tags],
    responses: answers('200', { $ref: `#/components/schemas/${nameOf(thing)}List` }),
  }
}

function creating(thing: string): object {
  return {
    operationId: `create${nameOf(thing)}`,
    requestBody: { required: true, ...json(reference(thing)) },
    responses: answers('201', reference(thing)),
  }
}

function reading(thing: string): object {
  return { operationId: `read${nameOf(thing)}`, responses: answers('200', reference(thing)) }
}

function updating(thing: string): object {
  return {
    operationId: `update${nameOf(thing)}`,
    requestBody: { required: true, ...json(reference(thing)) },
    responses: answers('200', reference(thing)),
  }
}

function removing(thing: string): object {
  return { operationId: `remove${nameOf(thing)}`, responses: answers('204') }
}
