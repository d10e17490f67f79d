import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { createDirectory } from '../support/command.ts'
import { largeContract } from '../support/contracts/large-contract.ts'
import { createContractTester, type Json, OWN_KEY, writeContract } from '../support/contracts/small-contract.ts'
import { loadContract } from '../../src/contract/load/load.ts'
import { readSourceFile } from '../../src/base/formats/source-file.ts'
import { createStandin } from '../../src/index.ts'
import { takesAll } from '../support/cases.ts'

const directory = createDirectory({})
afterAll(directory.remove)

test.each(takesAll ? ['json', 'yaml'] : ['json'])(
  'a contract of 600 operations as %s is ready before anything of it is compiled',
  async (kind) => {
    const file = join(directory.path, `large.${kind}`)
    const contract = largeContract(600)
    writeFileSync(file, kind === 'json' ? JSON.stringify(contract, null, 2) : stringify(contract))
    const { app, summary } = createStandin({ contract: file })
    expect(summary).toContain('600 operations')
    expect(summary).toContain(' validators made on first use')
    const body = { id: 'x', name: '', parent: { id: 'y', name: 'a', size: -1 } }
    const refused = await request(app).post('/thing7s').set('X-Key', 'any').send(body)
    expect(refused.status).toBe(400)
    const list = await request(app).get('/thing119s?limit=0&tags=a&tags=b').set('X-Key', 'any')
    expect(list.status).toBe(400)
  },
)

/** Schemas that each refer to others, in circles. */
function mutualSchemas(count: number): Json {
  const refer = (index: number) => ({ $ref: `#/components/schemas/S${index % count}` })
  const schemas = Array.from({ length: count }, (_, at): [string, object] => [
    `S${at}`,
    {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, next: refer(at + 1), far: refer(at * 7 + 3) },
      additionalProperties: { type: 'array', items: refer(at * 13 + 5) },
    },
  ])
  return Object.fromEntries(schemas)
}

const MUTUAL = {
  '/s': {
    get: {
      'x-standin': 'generated',
      responses: { '200': { description: 'ok', content: mediaOf({ $ref: '#/components/schemas/S0' }) } },
    },
    post: {
      requestBody: { content: mediaOf({ $ref: '#/components/schemas/S0' }) },
      responses: { '204': { description: 'done' } },
    },
  },
}

function mediaOf(schema: object): object {
  return { 'application/json': { schema } }
}

test('thousands of schemas that refer to each other are answered and checked', async () => {
  const { standin } = createContractTester(MUTUAL, mutualSchemas(2000))
  const answer = await request(standin.app).get('/s').set(OWN_KEY)
  expect([answer.status, answer.headers['x-mock-generated']]).toEqual([200, 'true'])
  const body = { id: 'a', next: { id: 'b', next: { id: 'c', far: { id: 1 } } } }
  const refused = await request(standin.app).post('/s').set(OWN_KEY).send(body)
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ errors: [{ pointer: '/next/next/far/id', code: 'type' }] })
})

test('only what a value needs is compiled', () => {
  const file = writeContract({
    openapi: '3.1.0',
    info: { title: 'Mutual', version: '1' },
    paths: MUTUAL,
    components: { schemas: mutualSchemas(600) },
  })
  const contract = loadContract(readSourceFile(file))
  expect(contract.operations[0]?.checkResponse(200, { id: 'a', next: { id: 'b' } })).toEqual([])
  // The schema of the response, which is a reference, and two of those it leads to.
  expect(contract.validators).toBe(3)
})

test('others are answered while the first response of large schemas is made', async () => {
  const wide = (depth: number): object => ({
    type: 'object',
    required: ['id', 'kind'],
    properties: Object.fromEntries([
      ...Array.from({ length: 20 }, (_, at) => [`text${at}`, { type: 'string', minLength: at }]),
      ...(depth === 0 ? [] : ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, wide(depth - 1)])),
    ]) as object,
  })
  expect(await orderOf(wide(3))).toEqual(['/small 200', '/large 200'])
})

test('others are answered while a response is made again and again until it fits', async () => {
  const texts = Array.from({ length: 18 }, (_, at) => `text${at}`)
  const row = {
    type: 'object',
    required: texts,
    properties: Object.fromEntries(texts.map((name) => [name, { type: 'string' }])),
  }
  const never = { type: 'integer', not: { type: 'integer' } }
  const schema = {
    type: 'object',
    required: ['rows', 'last'],
    properties: {
      rows: { type: 'array', minItems: 100, items: row },
      last: { anyOf: [never, never, never, { type: 'string' }] },
    },
  }
  expect(await orderOf(schema)).toEqual(['/small 200', '/large 200'])
})

/** The order in which two requests are answered that are sent together: one for a value of the schema, and one for a truth. */
async function orderOf(large: object): Promise<string[]> {
  const answered = (schema: object) => ({ responses: { '200': { description: 'ok', content: mediaOf(schema) } } })
  const paths = { '/large': { get: answered(large) }, '/small': { get: answered({ type: 'boolean' }) } }
  const { standin } = createContractTester(paths, {}, { port: 0 })
  const url = await standin.start()
  onTestFinished(() => standin.stop())
  const order: string[] = []
  const ask = async (path: string) => {
    const { status } = await request(url).get(path).set(OWN_KEY)
    order.push(`${path} ${status}`)
  }
  // What makes values is loaded with the first of them.
  await ask('/small')
  await Promise.all([ask('/large'), ask('/small')])
  return order.slice(1)
}
