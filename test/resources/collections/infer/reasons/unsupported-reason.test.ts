import { expect, test } from 'vitest'
import { createStandin } from '../../../../../src/index.ts'
import { writeContract } from '../../../../support/contracts/small-contract.ts'

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const showing = (schema: unknown, rest: object = {}) => ({
  responses: { 200: { description: 'ok', ...json(schema) } },
  ...rest,
})
const taking = (schema: unknown) => ({ requestBody: json(schema) })

const PET = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, kind: { type: 'string' } },
}
const OTHER = { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } }
const listOf = (items: unknown) => ({ type: 'array', items })
const BY_ID = { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] }

const PATHS = {
  '/pets': {
    get: showing(listOf(PET)),
    post: showing(PET, taking(PET)),
    delete: { responses: { 204: { description: 'gone' } } },
  },
  '/pets/{id}': { ...BY_ID, get: showing(PET), patch: showing(PET, taking({ type: 'string' })) },
  '/pets/{id}/groom': { ...BY_ID, post: showing(OTHER) },
  '/pets/{id}/route': { ...BY_ID, get: showing(OTHER) },
  '/ratings': {
    get: showing(listOf(OTHER), {
      parameters: [{ name: 'of', in: 'query', required: true, schema: { type: 'string' } }],
    }),
  },
  '/quotes': { post: showing(OTHER, taking(OTHER)) },
  '/flags': { put: showing(OTHER, taking(OTHER)) },
  '/motto': { get: showing({ type: 'string' }) },
  '/toys/{id}': { ...BY_ID, get: showing(PET) },
  '/pets/{id}/walks': { ...BY_ID, get: showing(listOf(PET)) },
  '/walks/{id}': { ...BY_ID, get: showing(PET) },
  '/cats': { 'x-standin': { ignore: true }, get: showing(listOf(PET)) },
  '/cats/{id}': { ...BY_ID, get: showing(PET) },
}

test('each operation that is of no collection says why', () => {
  const contract = writeContract({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: PATHS })
  const why = createStandin({ contract }).operations.flatMap((line) => {
    const [, operation = '', reason = ''] = /^(\S+ \S+).* generated \((.*)\)$/.exec(line) ?? []
    return operation === '' ? [] : [[operation, reason]]
  })
  expect(Object.fromEntries(why)).toEqual({
    'DELETE /pets': 'DELETE of a whole collection has no usual meaning',
    'PATCH /pets/{id}': 'its body is not an object',
    'POST /pets/{id}/groom': 'its response does not show the item, so it is not known what it does to it',
    'GET /pets/{id}/route': 'no operation changes what it reads',
    'GET /ratings': 'its list is a search or a report, and no operation reads or changes its items',
    'POST /quotes': 'no operation reads what it creates',
    'PUT /flags': 'no operation reads what it changes',
    'GET /motto': 'its response is neither an object nor a list of objects',
    'GET /toys/{id}': 'no operation lists or creates its items',
    'GET /walks/{id}':
      'its items are listed at /pets/{id}/walks only, and a path without the ids of parents cannot find them',
    'GET /cats': 'x-standin ignores its path',
    'GET /cats/{id}': 'x-standin ignores its path',
  })
})
