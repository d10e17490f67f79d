import request, { type Response } from 'supertest'
import { expect, test } from 'vitest'
import { createContractTester, OWN_KEY } from '../../support/contracts/small-contract.ts'
import { contractFile } from '../../support/contracts/own-contract.ts'
import { createTester, rowsOf } from '../../support/tester.ts'
import type { StandinOptions } from '../../../src/index.ts'

const OK = { 200: { description: 'Done.' } }
const query = (name: string, schema: object) => ({ name, in: 'query', schema })
const PETS = {
  '/pets': {
    get: {
      operationId: 'listPets',
      parameters: [query('limit', { type: 'integer', format: 'int32' }), query('sold', { type: 'boolean' })],
      responses: OK,
    },
    post: {
      operationId: 'addPet',
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      responses: OK,
    },
  },
  '/pets/{petId}': {
    get: {
      operationId: 'getPet',
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: OK,
    },
  },
}

interface Refused {
  readonly errors: readonly {
    readonly pointer?: string
    readonly parameter?: string
    readonly code: string
    readonly source: string
  }[]
}

/** What was wrong with a request: `petId type contract.json`. */
function sourcesOf(response: Response): string[] {
  return (response.body as Refused).errors.map(
    ({ pointer, parameter, code, source }) =>
      `${pointer ?? parameter ?? ''} ${code} ${source.replace(/^.*\//, '').replace(/:\d+$/, '')}`,
  )
}

function createPetShop(options: StandinOptions = {}) {
  const { standin } = createContractTester(PETS, {}, options)
  return (path: string) => request(standin.app).get(path).set(OWN_KEY)
}

test.each([
  ['/pets/rex', 'petId type contract.json'],
  ['/pets/99999999999999999999', 'petId format contract.json'],
  ['/pets?limit=many', 'limit type contract.json'],
  ['/pets?limit=', 'limit type contract.json'],
  ['/pets?limit=3000000000', 'limit format contract.json'],
  ['/pets?sold=yes', 'sold type contract.json'],
])('a refusal of another contract names that contract, and no behaviour of ours: %s', async (path, complaint) => {
  const behaviours = { 'limit.format': 'default-if-blank', 'limit.int32': 'clamp' }
  for (const refused of [await createPetShop()(path), await createPetShop({ behaviours })(path)]) {
    expect([refused.status, sourcesOf(refused)]).toEqual([400, [complaint]])
    expect(rowsOf(refused)).toEqual(['auth.keys', 'error.body', 'error.invalid-status'])
  }
})

test('a body that another contract requires is asked for by that contract', async () => {
  const { standin } = createContractTester(PETS)
  const refused = await request(standin.app).post('/pets').set(OWN_KEY)
  expect([refused.status, sourcesOf(refused)]).toEqual([400, [' required contract.json']])
})

test('behaviours are named for the parameters that a stateful operation works by, and for no others of it', async () => {
  const contract = contractFile(({ operation }) => {
    const parameters = operation('search').parameters as unknown[]
    parameters.push(query('year', { type: 'integer' }))
  })
  const { search, update } = createTester({ contract, behaviours: { 'limit.format': 'default-if-blank' } })
  expect(sourcesOf(await search({ query: 'limit=many&year=' }))).toEqual([
    'limit limit.format own.json',
    'year type own.json',
  ])
  expect(sourcesOf(await update('one', {}))).toEqual(['scheduleId update.id-form own.json'])
})
