import request from 'supertest'
import { expect, test } from 'vitest'
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
