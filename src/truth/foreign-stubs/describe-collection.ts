import { asObject, type Members } from '../../base/formats/json.ts'
import { capital } from '../learn/contract/path-templates.ts'
import { schemaOfValues } from '../learn/schemas/schema-of-values.ts'
import type { ForeignCollection } from './foreign-stub.ts'
import { pathOf } from './place-stubs.ts'

interface DescribedCollection {
  readonly paths: Readonly<Record<string, Record<string, Members>>>
  readonly schemas: Members
}

/** The operations of a CRUD route of Mockoon, whose items may have any members. */
export function describeCollection({ path, key, items }: ForeignCollection): DescribedCollection {
  const words = path.flatMap((one) => (typeof one === 'string' ? one.split(/[^A-Za-z\d]+/) : []))
  const name = words.map(capital).join('')
  const { properties } = schemaOfValues(items)
  // Mockoon makes a UUID where no item has an id.
  const { [key]: id = { type: 'string', format: 'uuid' } } = asObject(properties)
  const known = { ...asObject(properties), [key]: id }
  const item = { type: 'object', required: [key], properties: known, additionalProperties: true }
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
  const list = { 'application/json': { schema: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } } }
  const requestBody = { content: { 'application/json': { schema: { type: 'object' } } } }
  const one = (operationId: string, status: number, more: Members = {}): Members => ({
    operationId: `${operationId}${name}`,
    ...more,
    responses: { [status]: { description: 'The item.', content }, 404: { description: 'There is no such item.' } },
  })
  const parameter = (called: string, schema: Members): Members => ({ name: called, in: 'query', schema })
  return {
    paths: {
      [pathOf(path)]: {
        get: {
          operationId: `list${name}`,
          parameters: [
            parameter('page', { type: 'integer' }),
            parameter('limit', { type: 'integer' }),
            parameter('sort', { type: 'string' }),
            parameter('order', { enum: ['asc', 'desc'] }),
            parameter('search', { type: 'string' }),
          ],
          responses: { 200: { description: 'The items.', content: list } },
        },
        post: one('create', 201, { requestBody }),
      },
      [`${pathOf(path)}/{${key}}`]: {
        get: one('get', 200, named(key)),
        put: one('replace', 200, { ...named(key), requestBody }),
        patch: one('change', 200, { ...named(key), requestBody }),
        delete: one('delete', 200, named(key)),
      },
    },
    schemas: { [name]: item },
  }
}

function named(key: string): Members {
  return { parameters: [{ name: key, in: 'path', required: true, schema: { type: 'string' } }] }
}
