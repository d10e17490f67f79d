import { expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'
import type { StandinOptions } from '../../../../src/index.ts'

const text = { type: 'string' }
const object = (properties: Json, required = Object.keys(properties)) => ({ type: 'object', required, properties })
const User = object({ login: text, name: text, email: text })
const Repo = object({ id: { type: 'integer' }, name: text, full_name: text, owner: ref('User'), description: text })
const NewRepo = object({ name: text, description: text }, ['name'])
const Note = object({ id: { type: 'integer' }, title: text })
const many = (name: string) => ({ type: 'array', items: ref(name) })
const path = (...names: string[]) => ({ parameters: names.map((name) => inPath(name, 'string')) })
const creates = (operationId: string) => ({
  operationId,
  requestBody: takes(ref('NewRepo')),
  responses: { 201: shows(ref('Repo')), 409: nothing },
})

/** Repositories that users and organisations own, as services for code have them. */
function createForge(options: StandinOptions = {}, more: Json = {}) {
  const { request } = createContractTester(
    {
      '/users': { get: { responses: { 200: shows(many('User')) } } },
      '/users/{login}': { ...path('login'), get: { responses: { 200: shows(ref('User')), 404: nothing } } },
      '/user': { get: { responses: { 200: shows(ref('User')) } } },
      '/user/repos': { get: { responses: { 200: shows(many('Repo')) } }, post: creates('createOwn') },
      '/orgs/{org}/repos': {
        ...path('org'),
        get: { responses: { 200: shows(many('Repo')) } },
        post: creates('createOfOrg'),
      },
      '/repos/{owner}/{repo}': {
        ...path('owner', 'repo'),
        get: { responses: { 200: shows(ref('Repo')), 404: nothing } },
        patch: { requestBody: takes(object(NewRepo.properties, [])), responses: { 200: shows(ref('Repo')) } },
        delete: { responses: { 204: nothing } },
      },
      '/repos/{owner}/{repo}/notes': {
        ...path('owner', 'repo'),
        get: { responses: { 200: shows(many('Note')) } },
        post: { requestBody: takes(object({ title: text })), responses: { 201: shows(ref('Note')) } },
      },
      '/repos/{owner}/{repo}/generate': { ...path('owner', 'repo'), post: creates('generate') },
      '/repos/{owner}/{repo}/notes/{id}/marks': {
        ...path('owner', 'repo', 'id'),
        get: { responses: { 200: shows(many('Note')) } },
        post: { requestBody: takes(object({ title: text })), responses: { 201: shows(ref('Note')) } },
      },
      '/repos/{owner}/{repo}/marks/{mark}': {
        ...path('owner', 'repo', 'mark'),
        get: { responses: { 200: shows(ref('Note')), 404: nothing } },
      },
      ...more,
    },
    { User, Repo, NewRepo, Note },
    { selfCheck: true, documents: 0, ...options },
  )
  return async (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, as?: string) => {
    const sending = request()[method](path).set(OWN_KEY)
    const response = await (as === undefined ? sending : sending.auth(as, 'secret')).send(body)
    expect(response.headers).not.toHaveProperty('x-mock-generated')
    return {
      status: response.status,
      body: response.body as Json & readonly Json[],
      location: response.get('Location'),
    }
  }
}

test('what is created for an organisation is found by its name and its own', async () => {
  const send = createForge()
  const { status, body, location } = await send('post', '/orgs/acme/repos', { name: 'shop' })
  expect([status, location]).toEqual([201, '/repos/acme/shop'])
  expect(body).toMatchObject({ name: 'shop', full_name: 'acme/shop', owner: { login: 'acme' } })
  expect((await send('get', '/repos/acme/shop')).body).toEqual(body)
  expect((await send('get', '/orgs/acme/repos')).body).toEqual([body])
  expect((await send('get', '/orgs/other/repos')).body).toEqual([])
  expect((await send('get', '/repos/other/shop')).status).toBe(404)
  expect((await send('post', '/orgs/acme/repos', { name: 'shop' })).status).toBe(409)
})

test("the caller's own path creates for the caller, who is the first user or whom HTTP Basic names", async () => {
  const send = createForge({ documents: 3 })
  const { login } = (await send('get', '/user')).body
  await send('post', '/user/repos', { name: 'blog' })
  const blog = (await send('get', `/repos/${String(login)}/blog`)).body
  expect(blog).toMatchObject({ full_name: `${String(login)}/blog`, owner: { login } })
  expect((await send('get', '/user/repos')).body).toContainEqual(blog)

  await send('post', '/user/repos', { name: 'blog' }, 'ada')
  expect((await send('get', '/repos/ada/blog')).body).toMatchObject({ full_name: 'ada/blog' })
  expect((await send('get', '/user/repos', undefined, 'ada')).body).toContainEqual(
    (await send('get', '/repos/ada/blog')).body,
  )
})

test('the caller is called by a login, also where accounts are found by numbers, and me where there are none', async () => {
  const Numbered = object({ id: { type: 'integer' }, login: text })
  const owned = (more: Json) => createForge({ documents: 3 }, more)
  const byNumber = owned({
    '/users': { get: { responses: { 200: shows({ type: 'array', items: Numbered }) } } },
    '/users/{login}': undefined,
    '/user': undefined,
  })
  const [{ login } = {}] = (await byNumber('get', '/users')).body
  expect((await byNumber('post', '/user/repos', { name: 'blog' })).body).toMatchObject({ owner: { login } })
  expect(login).toMatch(/[a-z]/)
  const alone = owned({ '/users': undefined, '/users/{login}': undefined, '/user': undefined })
  expect((await alone('post', '/user/repos', { name: 'blog' })).body).toMatchObject({ full_name: 'me/blog' })
})

test('what lies below an item begins empty, needs it, and goes along with its new name', async () => {
  const send = createForge()
  const { id } = (await send('post', '/orgs/acme/repos', { name: 'shop' })).body
  expect((await send('get', '/repos/acme/unknown/notes')).status).toBe(404)
  expect((await send('get', '/repos/acme/shop/notes')).body).toEqual([])
  const note = (await send('post', '/repos/acme/shop/notes', { title: 'First' })).body
  const mark = (await send('post', '/repos/acme/shop/notes/1/marks', { title: 'Read' })).body
  const renamed = await send('patch', '/repos/acme/shop', { name: 'store' })
  expect(renamed.body).toMatchObject({ id, name: 'store', full_name: 'acme/store' })
  expect((await send('get', '/repos/acme/store/notes')).body).toEqual([note])
  expect((await send('get', '/repos/acme/shop/notes')).status).toBe(404)
  expect((await send('get', '/repos/acme/store/notes/1/marks')).body).toEqual([mark])
  expect((await send('get', '/repos/acme/store/marks/1')).body).toEqual(mark)
  expect((await send('delete', '/repos/acme/store')).status).toBe(204)
  expect((await send('get', '/orgs/acme/repos')).body).toEqual([])
})

test('a 201 for the name of a new item makes another one of the first', async () => {
  const send = createForge()
  await send('post', '/orgs/acme/repos', { name: 'template', description: 'To start from' })
  const { status, body } = await send('post', '/repos/acme/template/generate', { name: 'site' })
  expect([status, body]).toMatchObject([201, { name: 'site', description: 'To start from' }])
  const names = (await send('get', '/orgs/acme/repos')).body.map(({ name }) => name)
  expect(names.toSorted()).toEqual(['site', 'template'])
})
