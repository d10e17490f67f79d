import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const JSON_API = 'application/vnd.api+json'
const object = (properties: Json, ...required: string[]) => ({ type: 'object', properties, required })
const holds = (schema: Json) => ({ content: { [JSON_API]: { schema } } })

const attributes = object({ title: text, body: text, pages: { type: 'integer' } }, 'title')
const author = object({ data: object({ type: { enum: ['people'] }, id: text }, 'type', 'id') }, 'data')
const Article = object(
  {
    type: { type: 'string', enum: ['articles'] },
    id: text,
    attributes,
    relationships: object({ author }),
    links: object({ self: text }),
  },
  'type',
  'id',
  'attributes',
)
const NewArticle = object({ type: { enum: ['articles'] }, attributes, relationships: object({ author }) }, 'type')
const ChangedArticle = object(
  { type: { enum: ['articles'] }, id: text, attributes: object({ title: text, body: text }) },
  'type',
  'id',
)
const one = { description: 'OK', ...holds(object({ data: Article }, 'data')) }
const list = {
  ...{ type: 'object', required: ['data'] },
  properties: { data: { type: 'array', items: Article }, links: object({ next: text }), meta: { type: 'object' } },
}
const refused = {
  description: 'No',
  ...holds(object({ errors: { type: 'array', items: object({ status: text, title: text }) } }, 'errors')),
}

function createArticles() {
  const { standin } = createContractTester({
    '/articles': {
      get: { responses: { 200: { description: 'OK', ...holds(list) } } },
      post: { requestBody: holds(object({ data: NewArticle }, 'data')), responses: { 201: one, 404: refused } },
    },
    '/articles/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: one, 404: refused } },
      patch: { requestBody: holds(object({ data: ChangedArticle }, 'data')), responses: { 200: one, 404: refused } },
      delete: { responses: { 204: nothing, 404: refused } },
    },
  })
  return async (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) => {
    const sent = request(standin.app)[method](path).set(OWN_KEY).set('accept', JSON_API)
    const response = await (body ? sent.type(JSON_API).send(JSON.stringify(body)) : sent)
    expect(response.headers).not.toHaveProperty('x-mock-generated')
    const held: unknown = response.text === '' ? undefined : JSON.parse(response.text)
    return { status: response.status, type: response.type, body: held as { data?: unknown; errors?: unknown } }
  }
}

const written = {
  type: 'articles',
  attributes: { title: 'JSON:API', pages: 3 },
  relationships: { author: { data: { type: 'people', id: '9' } } },
}

async function createArticle(send: ReturnType<typeof createArticles>) {
  const { status, type, body } = await send('post', '/articles', { data: written })
  expect({ status, type }).toEqual({ status: 201, type: JSON_API })
  return body.data as Json & { id: string; attributes: Json }
}

test('a resource object is created, read and listed with its attributes and relationships', async () => {
  const send = createArticles()
  const article = await createArticle(send)
  expect(article).toMatchObject(written)
  expect((await send('get', `/articles/${article.id}`)).body).toEqual({ data: article })
  expect((await send('get', '/articles')).body.data).toContainEqual(article)
})

test('a patch changes the attributes that it has, and no others', async () => {
  const send = createArticles()
  const { id } = await createArticle(send)
  const change = { data: { type: 'articles', id, attributes: { title: 'Merged' } } }
  const { status, body } = await send('patch', `/articles/${id}`, change)
  expect(status).toBe(200)
  const attributes = { title: 'Merged', pages: 3 }
  expect(body.data).toMatchObject({ ...written, id, attributes })
  expect((await send('get', `/articles/${id}`)).body.data).toMatchObject({ ...written, id, attributes })
})

test('a deleted resource object is neither read nor listed', async () => {
  const send = createArticles()
  const { id } = await createArticle(send)
  expect((await send('delete', `/articles/${id}`)).status).toBe(204)
  const { status, type, body } = await send('get', `/articles/${id}`)
  expect({ status, type }).toEqual({ status: 404, type: JSON_API })
  expect(body.errors).toBeInstanceOf(Array)
  expect((await send('get', '/articles')).body.data).not.toContainEqual(expect.objectContaining({ id }))
})
