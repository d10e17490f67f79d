import { expect, test } from 'vitest'
import { createPetShop, inPath, nothing, ref, shows, takes } from '../../support/contracts/pets.ts'
import { OWN_KEY } from '../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const whole = { type: 'integer' }
const person = { type: 'object', properties: { id: whole, name: text } }

/** An article as content management systems document it: ids under two names, and relations that a request asks for. */
const Article = {
  type: 'object',
  properties: {
    id: text,
    documentId: text,
    title: text,
    locale: text,
    note: { type: ['string', 'null'] },
    createdBy: person,
    tags: { type: 'array', items: { type: 'object', properties: { id: whole, label: text } } },
  },
}

const article = { type: 'object', properties: { data: ref('Article'), meta: { type: 'object' } } }
const pagination = {
  type: 'object',
  properties: { page: whole, pageSize: { ...whole, minimum: 25 }, pageCount: { ...whole, maximum: 1 }, total: whole },
}
const articles = {
  type: 'object',
  properties: {
    data: { type: 'array', items: ref('Article') },
    meta: { type: 'object', properties: { pagination } },
  },
}

const inQuery = (name: string, schema: object, description = '') => ({ name, in: 'query', schema, description })

function createContentService(documents = 0, members: object = {}) {
  const input = { type: 'object', properties: { data: { type: 'object', properties: { title: text } } } }
  const { request } = createPetShop(
    { documents },
    {
      '/articles': {
        get: {
          parameters: [
            inQuery('pagination[page]', whole, 'Page number (default: 0)'),
            inQuery('pagination[pageSize]', whole, 'Page size (default: 25)'),
            inQuery('populate', text, 'Relations to return'),
          ],
          responses: { 200: shows(articles) },
        },
        post: { requestBody: takes(input), responses: { 201: shows(article) } },
      },
      '/articles/{id}': {
        parameters: [inPath('id', 'string')],
        get: { responses: { 200: shows(article), 404: nothing } },
      },
    },
    { Article: { ...Article, properties: { ...Article.properties, ...members } } },
  )
  const create = async (title: string) => {
    const created = await request().post('/articles').set(OWN_KEY).send({ data: { title } })
    return created.body as { readonly data: { readonly id: string; readonly documentId: string } }
  }
  return { create, get: (path: string) => request().get(path).set(OWN_KEY) }
}

test('a new item has both of its ids, and neither items that requests ask for nor a text that cannot be empty', async () => {
  const { create, get } = createContentService()
  const created = await create('Tea')
  const { id } = created.data
  expect(created).toEqual({ data: { id, documentId: id, title: 'Tea', note: null }, meta: {} })
  expect((await get(`/articles/${created.data.documentId}`)).body).toEqual(created)
})

test('the path of an item may have either of its ids', async () => {
  const { get } = createContentService(3)
  const { data } = (await get('/articles')).body as { readonly data: readonly Record<string, string>[] }
  for (const { id = '', documentId = '' } of data) {
    expect(documentId).not.toBe('')
    const read = await get(`/articles/${documentId}`)
    expect(read.body).toMatchObject({ data: { id, documentId } })
    expect((await get(`/articles/${id}`)).body).toEqual(read.body)
  }
  expect((await get('/articles/unknown')).status).toBe(404)
})

test('no new item has the other id of an example', async () => {
  const { create } = createContentService(3, {
    id: whole,
    documentId: { ...text, example: 'znrlzntu9ei5onjvwfaalu2v' },
  })
  const ids = [await create('Coffee'), await create('Tea')].map(({ data }) => data.documentId)
  expect(new Set([...ids, 'znrlzntu9ei5onjvwfaalu2v']).size).toBe(3)
})

test('pages are asked for by the parts of an object, and say their size where the contract allows it', async () => {
  const { create, get } = createContentService()
  for (const title of ['Coffee', 'Tea', 'Water']) await create(title)
  const whole = await get('/articles')
  expect(whole.body).toMatchObject({ meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 3 } } })
  const second = await get('/articles?pagination[page]=2&pagination[pageSize]=2')
  expect(second.body).toMatchObject({ data: [{ title: 'Water' }], meta: { pagination: { page: 2, total: 3 } } })
  expect(second.text).not.toContain('pageSize')
})

test('what the query of a creation must have is a part of the item', async () => {
  const Branch = { type: 'object', properties: { name: text, commit: text } }
  const { request } = createPetShop(
    { documents: 0 },
    {
      '/branches': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Branch') }) } },
        post: {
          parameters: [{ ...inQuery('name', text), required: true }],
          requestBody: takes(ref('Branch')),
          responses: { 200: shows(ref('Branch')) },
        },
      },
      '/branches/{name}': {
        parameters: [inPath('name', 'string')],
        get: { responses: { 200: shows(ref('Branch')), 404: nothing } },
      },
    },
    { Branch },
  )
  const source = { name: 'main', commit: 'a1' }
  const created = await request().post('/branches?name=trial').set(OWN_KEY).send(source)
  expect(created.body).toEqual({ name: 'trial', commit: 'a1' })
  expect(created.headers['x-mock-ignored']).toBeUndefined()
  expect((await request().get('/branches/trial').set(OWN_KEY)).body).toEqual(created.body)
  expect((await request().get('/branches/main').set(OWN_KEY)).status).toBe(404)
})
