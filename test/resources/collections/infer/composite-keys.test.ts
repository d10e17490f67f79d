import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties })
const OWNER = object({ id: { type: 'integer' }, login: text })
const REPO = object({
  id: { type: 'integer' },
  name: text,
  owner: OWNER,
  description: text,
  private: { type: 'boolean' },
})
const CHANGE = { type: 'object', properties: { description: text, private: { type: 'boolean' } } }
const path = (...names: string[]) => names.map((name) => inPath(name, 'string'))

function createForge() {
  const { standin } = createContractTester({
    '/repos/{owner}/{repo}': {
      parameters: path('owner', 'repo'),
      get: { responses: { 200: shows(REPO), 404: nothing } },
      patch: { requestBody: takes(CHANGE), responses: { 200: shows(REPO), 404: nothing } },
      delete: { responses: { 204: nothing, 404: nothing } },
    },
    '/repos/{owner}/{repo}/labels': {
      parameters: path('owner', 'repo'),
      get: { responses: { 200: shows({ type: 'array', items: object({ id: text }) }) } },
    },
    '/carts/{shop}/{number}': {
      parameters: [inPath('shop', 'string'), inPath('number')],
      get: {
        responses: { 200: shows(object({ shopId: text, number: { type: 'integer' }, note: text })), 404: nothing },
      },
      put: { requestBody: takes(object({ note: text })), responses: { 201: nothing, 204: nothing } },
      delete: { responses: { 204: nothing } },
    },
  })
  const send = async (method: 'get' | 'patch' | 'put' | 'delete', path: string, body?: object) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY).send(body)
    expect(response.headers).not.toHaveProperty('x-mock-generated')
    return { status: response.status, body: response.body as Json }
  }
  return { send }
}

test('a path with two keys reads what both name, and shows them', async () => {
  const { send } = createForge()
  const { status, body } = await send('get', '/repos/ann/site')
  expect([status, body]).toMatchObject([200, { name: 'site', owner: { login: 'ann' } }])
  expect((await send('get', '/repos/ann/site')).body).toEqual(body)
  expect((await send('get', '/repos/bob/site')).body).toMatchObject({ name: 'site', owner: { login: 'bob' } })
  expect((await send('get', '/carts/berlin/7')).body).toMatchObject({ shopId: 'berlin', number: 7 })
})

test('a change is kept for that pair alone', async () => {
  const { send } = createForge()
  const before = (await send('get', '/repos/ann/site')).body
  const other = (await send('get', '/repos/bob/site')).body
  const changed = await send('patch', '/repos/ann/site', { description: 'mine' })
  expect(changed.body).toEqual({ ...before, description: 'mine' })
  expect((await send('get', '/repos/ann/site')).body).toEqual(changed.body)
  expect((await send('get', '/repos/bob/site')).body).toEqual(other)
})

test('what is deleted is gone, and a PUT brings it back where it may create', async () => {
  const { send } = createForge()
  expect((await send('delete', '/repos/ann/site')).status).toBe(204)
  const { status, body } = await send('get', '/repos/ann/site')
  expect([status, body.detail]).toEqual([404, 'There is no repo ann/site.'])
  expect((await send('patch', '/repos/ann/site', { description: 'late' })).status).toBe(404)
  expect((await send('get', '/repos/ann/other')).status).toBe(200)
  expect((await send('delete', '/carts/berlin/7')).status).toBe(204)
  expect((await send('put', '/carts/berlin/7', { note: 'again' })).status).toBe(201)
  expect((await send('get', '/carts/berlin/7')).body).toEqual({ shopId: 'berlin', number: 7, note: 'again' })
})

describe('where the owner lists what it has', () => {
  const SLUG = object({ id: { type: 'integer' }, name: text, workspace: object({ slug: text }), language: text })
  const input = { type: 'object', properties: { language: text } }

  function createHost(create: Json = {}) {
    const { standin } = createContractTester({
      '/repositories/{workspace}': {
        parameters: path('workspace'),
        get: { responses: { 200: shows(object({ values: { type: 'array', items: SLUG } })) } },
      },
      '/repositories/{workspace}/{repo_slug}': {
        parameters: path('workspace', 'repo_slug'),
        get: { responses: { 200: shows(SLUG), 404: nothing } },
        put: { requestBody: takes(input), responses: { 200: shows(SLUG), 201: shows(SLUG) } },
        patch: { requestBody: takes(input), responses: { 200: shows(SLUG), 404: nothing } },
        delete: { responses: { 204: nothing, 404: nothing } },
        ...create,
      },
      '/repositories/{workspace}/{repo_slug}/issues': {
        parameters: path('workspace', 'repo_slug'),
        get: { responses: { 200: shows({ type: 'array', items: object({ id: { type: 'integer' }, title: text }) }) } },
        post: {
          requestBody: takes(object({ title: text })),
          responses: { 201: shows(object({ id: { type: 'integer' }, title: text })) },
        },
      },
      '/repositories/{workspace}/{repo_slug}/issues/{id}': {
        parameters: [...path('workspace', 'repo_slug'), inPath('id')],
        get: { responses: { 200: shows(object({ id: { type: 'integer' }, title: text })), 404: nothing } },
      },
    })
    const send = async (method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, body?: object) => {
      const response = await request(standin.app)[method](path).set(OWN_KEY).send(body)
      expect(response.headers).not.toHaveProperty('x-mock-generated')
      return { status: response.status, body: response.body as Json }
    }
    const list = async (owner: string) => (await send('get', `/repositories/${owner}`)).body.values as Json[]
    return { send, list }
  }

  test('a list, a read, a change and a deletion are about the same items of one owner', async () => {
    const { send, list } = createHost()
    const [first, second] = await list('ann')
    const at = `/repositories/ann/${encodeURIComponent(String(first?.name))}`
    expect(first).toMatchObject({ workspace: { slug: 'ann' } })
    expect((await send('get', at)).body).toEqual(first)
    const others = await list('bob')
    expect((await send('patch', at, { language: 'c' })).body).toEqual({ ...first, language: 'c' })
    expect((await list('ann'))[0]).toEqual({ ...first, language: 'c' })
    expect((await send('delete', at)).status).toBe(204)
    expect((await send('get', at)).status).toBe(404)
    expect((await list('ann'))[0]).toEqual(second)
    expect(await list('bob')).toEqual(others)
  })

  test.each([
    ['put', {}, 201],
    ['post', { post: { requestBody: takes(input), responses: { 200: shows(SLUG), 409: nothing } } }, 200],
  ] as const)('%s of a path that names nothing yet creates it', async (method, create, status) => {
    const { send, list } = createHost(create)
    const size = (await list('ann')).length
    expect((await send('get', '/repositories/ann/site')).status).toBe(404)
    const made = await send(method, '/repositories/ann/site', { language: 'go' })
    expect(made).toMatchObject({ status, body: { name: 'site', language: 'go', workspace: { slug: 'ann' } } })
    expect((await send('get', '/repositories/ann/site')).body).toEqual(made.body)
    expect((await list('ann')).slice(size)).toEqual([made.body])
    expect((await send('get', '/repositories/bob/site')).status).toBe(404)
    expect((await send('get', '/repositories/ann/site/issues')).body).toEqual([])
    expect((await send('post', '/repositories/ann/site/issues', { title: 'Bug' })).status).toBe(201)
    expect((await send('get', '/repositories/ann/site/issues')).body).toMatchObject([{ title: 'Bug' }])
    expect((await send('get', '/repositories/ann/none/issues')).status).toBe(404)
    const again = await send(method, '/repositories/ann/site', { language: 'c' })
    expect(again.status).toBe(method === 'put' ? 200 : 409)
  })
})
