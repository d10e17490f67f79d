import request from 'supertest'
import { expect, test } from 'vitest'
import { shows, takes } from '../../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: Json) => ({ type: 'object', properties })
const query = (name: string, schema: Json) => ({ name, in: 'query', schema })
const NOTE = { ...object({ id: text, title: text }), required: ['id', 'title'] }

interface Told extends Record<string, unknown> {
  readonly results: readonly { readonly id: string }[]
}

/** Lists ten notes by GET, and by the search of a POST. @param beside what a page tells of the next one */
function createNotes(beside: Json, parameters: Json[], body: Json = {}) {
  const list = shows({ ...object({ results: { type: 'array', items: NOTE }, ...beside }), required: ['results'] })
  const { standin } = createContractTester({
    '/notes': {
      get: { parameters, responses: { 200: list } },
      post: { requestBody: takes(object({ title: text })), responses: { 201: shows(NOTE) } },
    },
    '/notes/query': { post: { requestBody: takes(object(body)), responses: { 200: list } } },
  })
  const send = async (asked: request.Test) => {
    const response = await asked.set(OWN_KEY)
    expect([response.status, response.headers['x-mock-ignored']]).toEqual([200, undefined])
    return response.body as Told
  }
  return {
    get: (search: string) => send(request(standin.app).get(`/notes?${search}`)),
    find: (sent: Json) => send(request(standin.app).post('/notes/query').send(sent)),
  }
}

/** The ids of all pages of three notes, and how many pages there are. */
async function walk(get: (next: string | number | undefined) => Promise<Told>, member: string) {
  const ids: string[] = []
  let page = await get(undefined)
  let pages = 1
  for (; page[member] !== undefined && page[member] !== null && pages < 12; pages++) {
    ids.push(...page.results.map(({ id }) => id))
    page = await get(page[member] as string | number)
  }
  ids.push(...page.results.map(({ id }) => id))
  return { pages, ids: new Set(ids).size, last: page }
}

test('a cursor that responses tell is taken though the contract lists no parameter for it', async () => {
  const beside = { has_more: { type: 'boolean' }, next_cursor: { ...text, nullable: true } }
  const { get, find } = createNotes(beside, [query('page_size', integer)], { page_size: integer })
  const walked = await walk((next) => get(`page_size=3${next ? `&start_cursor=${next}` : ''}`), 'next_cursor')
  expect(walked).toMatchObject({ pages: 4, ids: 10, last: { has_more: false } })
  const found = await walk((next) => find({ page_size: 3, ...(next ? { start_cursor: next } : {}) }), 'next_cursor')
  expect(found).toMatchObject({ pages: 4, ids: 10, last: { has_more: false } })
})

test('a marker that is a number counts the items before the page', async () => {
  const { get } = createNotes({ next_marker: integer }, [query('limit', integer), query('marker', text)])
  expect((await get('limit=3')).next_marker).toBe(3)
  expect(await walk((next) => get(`limit=3${next ? `&marker=${next}` : ''}`), 'next_marker')).toMatchObject({
    pages: 4,
    ids: 10,
  })
})

test('so does the number of a parameter that takes no text', async () => {
  const { get } = createNotes({ nextCursor: integer }, [query('limit', integer), query('cursor', integer)])
  expect(await walk((next) => get(`limit=3${next ? `&cursor=${next}` : ''}`), 'nextCursor')).toMatchObject({
    pages: 4,
    ids: 10,
  })
})

test('where responses tell nothing of other pages, a parameter that is not listed is none', async () => {
  const { standin } = createContractTester({
    '/notes': { get: { responses: { 200: shows({ type: 'array', items: NOTE }) } } },
  })
  const { headers } = await request(standin.app).get('/notes?start_cursor=a').set(OWN_KEY).expect(200)
  expect(headers['x-mock-ignored']).toBe('query start_cursor')
})
