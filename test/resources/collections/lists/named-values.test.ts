import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { shows } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const integer = { type: 'integer', minimum: 1 }
const STATUS = { enum: ['not_started', 'running', 'finished', 'canceled'] }

const GAME = {
  type: 'object',
  required: ['id', 'status', 'is_featured', 'begins_at'],
  properties: {
    id: { type: 'integer' },
    status: STATUS,
    is_featured: { type: 'boolean' },
    begins_at: { type: 'string', format: 'date-time' },
  },
}

const KIND = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }

const members = (properties: object) => ({ type: 'object', additionalProperties: false, properties })
const list = (items: object) => ({ type: 'array', minItems: 1, items })

/** Parameters as services of sports results have them. */
const PARAMETERS = [
  {
    name: 'filter',
    in: 'query',
    style: 'deepObject',
    schema: members({ status: list(STATUS), running: { type: 'boolean' }, id: list({ type: 'integer' }) }),
  },
  { name: 'range', in: 'query', style: 'deepObject', schema: members({ begins_at: list(text), id: list(integer) }) },
  // One number, or an object with both; `style` is left out.
  { name: 'page', in: 'query', schema: { oneOf: [integer, members({ number: integer, size: integer })] } },
]

const games = { get: { parameters: PARAMETERS, responses: { 200: shows({ type: 'array', items: GAME }) } } }

/** Twelve games, each status three times. */
function createGames() {
  const { standin } = createContractTester(
    {
      '/games': games,
      '/games/past': games,
      '/games/running': games,
      '/games/upcoming': games,
      '/games/featured': games,
      '/games/popular': games,
      '/games/running-now': { ...games, post: { responses: { 200: shows({ type: 'array', items: GAME }) } } },
      '/games/kinds': { get: { parameters: PARAMETERS, responses: { 200: shows({ type: 'array', items: KIND }) } } },
      '/games/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: shows(GAME), 404: { description: 'Unknown.' } } },
      },
    },
    {},
    { documents: 12 },
  )
  return async (path: string) => {
    const response = await request(standin.app).get(path).set(OWN_KEY)
    expect([response.status, response.headers['x-mock-ignored']]).toEqual([200, undefined])
    return response.body as { id: number; status: string; is_featured: boolean; begins_at: string }[]
  }
}

describe('a list whose path is a word after that of a collection', () => {
  test.each([
    ['past', ['finished']],
    ['running', ['running']],
    ['upcoming', ['not_started']],
  ])('/games/%s shows the games with the status %s', async (word, statuses) => {
    const get = createGames()
    const all = await get('/games')
    const expected = all.filter(({ status }) => statuses.includes(status))
    expect(expected.length).toBeGreaterThan(0)
    expect(await get(`/games/${word}`)).toEqual(expected)
  })

  test('shows those that have a flag of that name', async () => {
    const get = createGames()
    const all = await get('/games')
    expect(await get('/games/featured')).toEqual(all.filter((one) => one.is_featured))
  })

  test('has items of its own where it shows less than half of an item', async () => {
    const get = createGames()
    const [kind] = await get('/games/kinds')
    expect(kind).not.toEqual((await get('/games'))[0])
    expect(Object.keys(kind ?? {})).toEqual(['id'])
  })

  test('shows all of them where requests add to it, since nothing says that they set the flag', async () => {
    const get = createGames()
    expect(await get('/games/running-now')).toEqual(await get('/games'))
  })

  test('shows all of them where the word says nothing of an item', async () => {
    const get = createGames()
    expect(await get('/games/popular')).toEqual(await get('/games'))
  })
})

describe('parameters with parts', () => {
  test('a page is a number, or an object', async () => {
    const get = createGames()
    const all = await get('/games?page[size]=12')
    expect(await get('/games?page[number]=2&page[size]=5')).toEqual(all.slice(5, 10))
    expect(await get('/games?page=1')).toEqual(await get('/games'))
    expect(await get('/games?page=2')).not.toEqual(await get('/games?page=1'))
  })

  test.each<[string, (one: Json) => boolean]>([
    ['filter[status]=running', ({ status }) => status === 'running'],
    ['filter[status]=running,finished', ({ status }) => status === 'running' || status === 'finished'],
    [
      'filter[status][]=running&filter[status][]=finished',
      ({ status }) => status === 'running' || status === 'finished',
    ],
    ['filter[running]=true', ({ status }) => status === 'running'],
    ['filter[running]=false', ({ status }) => status !== 'running'],
    ['filter[id]=3', ({ id }) => id === 3],
    ['range[id]=3,6', ({ id }) => Number(id) >= 3 && Number(id) <= 6],
  ])('%s', async (query, fits) => {
    const get = createGames()
    const all = await get('/games')
    const expected = all.filter((one) => fits(one))
    expect(expected.length).toBeGreaterThan(0)
    expect(await get(`/games?${query}`)).toEqual(expected)
  })
})
