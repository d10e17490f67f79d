import { expect, test } from 'vitest'
import { inPath, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter } from '../../../support/contracts/shelter.ts'

const open = { type: 'object', additionalProperties: true }
const body = { type: 'object', properties: { data: open, permissions: { type: 'object' } } }

/** Notes of which the document says nothing but that they are objects, in a member called as in the list. */
function createNotes() {
  const listed = { type: 'object', properties: { data: { type: 'array', items: open } } }
  const query = ['updated_at', 'order_by'].map((name) => ({ name, in: 'query', schema: { type: 'string' } }))
  return createShelter({
    '/notes': {
      get: { parameters: query, responses: { 200: shows(listed) } },
      post: { requestBody: takes(body), responses: { 201: shows(body) } },
      delete: { parameters: query.slice(0, 1), responses: { 200: shows(listed) } },
    },
    '/notes/{noteId}': {
      parameters: [inPath('noteId', 'string')],
      get: { responses: { 200: shows(body), 404: { description: 'none' } } },
      put: { requestBody: takes(body), responses: { 200: shows(body), 201: shows(body) } },
      patch: { requestBody: takes(body), responses: { 200: shows(body) } },
      delete: { responses: { 204: { description: 'gone' } } },
    },
  })
}

test('items with any members keep what was sent, and have the id of their path', async () => {
  const { send } = createNotes()
  const made = await send(['post', '/notes'], { data: { title: 'a', words: 5 } })
  const { id } = made.body.data as { id: string }
  expect(made.body).toEqual({ data: { title: 'a', words: 5, id, updated_at: '2026-03-05T14:30:00.000Z' } })
  expect((await send(['get', `/notes/${id}`])).body).toEqual(made.body)
  const put = await send(['put', '/notes/mine'], { data: { title: 'b' } })
  expect(put).toMatchObject({ status: 201, body: { data: { id: 'mine', title: 'b' } } })
  await send(['patch', '/notes/mine'], { data: { words: 9 } })
  expect((await send(['get', '/notes/mine'])).body).toMatchObject({ data: { title: 'b', words: 9 } })
  await send(['put', '/notes/mine'])
  expect((await send(['get', '/notes/mine'])).body.data).not.toHaveProperty('title')
  expect((await send(['delete', '/notes/mine'])).status).toBe(204)
  expect((await send(['get', '/notes/mine'])).status).toBe(404)
})

test('items with any members are filtered by any of them, listed in the document or not', async () => {
  const { send } = createNotes()
  await send(['put', '/notes/a'], { data: { title: 'first', words: 5, tags: ['x', 'y'] } })
  await send(['put', '/notes/b'], { data: { title: 'second', words: 50, tags: [] } })
  const ids = async (query: string) => {
    const { data } = (await send(['get', `/notes?${query}`])).body as unknown as { data: { id: string }[] }
    return data.map(({ id }) => id)
  }
  expect(await ids('title=first')).toEqual(['a'])
  expect(await ids('words=50')).toEqual(['b'])
  expect(await ids('min_words=5&max_words=50')).toEqual(['a', 'b'])
  // What asks for a page, an order or a part of items is no filter by a member of that name.
  for (const query of ['pagelen=2', 'page=1', 'per_page=1', 'sort=-words', 'fields=id', 'expand=owner', 'q=words~"x"'])
    expect([query, (await ids(query)).length]).toEqual([query, (await ids('')).length])
  expect(await ids('gt_words=5')).toEqual(['b'])
  expect(await ids('like_title=SEC')).toEqual(['b'])
  expect(await ids('not_title=first&has_words=true')).toContain('b')
  expect(await ids('title__startswith=sec')).toEqual(['b'])
  expect(await ids('has_words=true&order_by=-words')).toEqual(['b', 'a'])
  await send(['delete', '/notes?title=first'])
  expect(await ids('has_words=true')).toEqual(['b'])
})
