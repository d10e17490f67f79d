import request from 'supertest'
import { expect, test } from 'vitest'
import { nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties })
const list = (items: Json) => ({ type: 'array', items })

/** Projects that name their workspace by an object, whose id is called `id` or `gid`. */
function createProjects(id: string) {
  const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text })
  const WORKSPACE = object({ [id]: text, name: text })
  const PROJECT = object({ [id]: text, name: text, workspace: WORKSPACE })
  const create = { requestBody: takes(object({ name: text })), responses: { 201: shows(PROJECT) } }
  const { standin } = createContractTester({
    '/workspaces': {
      get: { responses: { 200: shows(list(WORKSPACE)) } },
      post: { requestBody: takes(object({ name: text })), responses: { 201: shows(WORKSPACE) } },
    },
    [`/workspaces/{workspace_${id}}`]: {
      parameters: [inPath(`workspace_${id}`)],
      get: { responses: { 200: shows(WORKSPACE), 404: nothing } },
    },
    [`/workspaces/{workspace_${id}}/projects`]: {
      parameters: [inPath(`workspace_${id}`)],
      get: { responses: { 200: shows(list(PROJECT)), 404: nothing } },
      post: create,
    },
    '/projects': { get: { responses: { 200: shows(list(PROJECT)) } }, post: create },
    [`/projects/{project_${id}}`]: {
      parameters: [inPath(`project_${id}`)],
      get: { responses: { 200: shows(PROJECT), 404: nothing } },
      delete: { responses: { 204: nothing, 404: nothing } },
    },
  })
  return async (method: 'get' | 'post' | 'delete', path: string, sent?: object) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY).send(sent)
    return { status: response.status, body: response.body as Json & Json[] }
  }
}

test.each(['id', 'gid'])('items that name their parent by an object with its %s are listed below it', async (id) => {
  const send = createProjects(id)
  const all = (await send('get', '/projects')).body
  const workspaces = (await send('get', '/workspaces')).body
  const held = (project: Json) => (project.workspace as Json)[id]
  for (const workspace of workspaces) {
    const below = (await send('get', `/workspaces/${String(workspace[id])}/projects`)).body
    expect(below).toEqual(all.filter((one) => held(one) === workspace[id]))
  }
  // Each names one that exists.
  const ids = workspaces.map((one) => one[id])
  expect(all.filter((one) => !ids.includes(held(one)))).toEqual([])
})

test.each(['id', 'gid'])('an item that is created below its parent is in both lists: %s', async (id) => {
  const send = createProjects(id)
  const workspace = (await send('post', '/workspaces', { name: 'Ours' })).body
  const at = `/workspaces/${String(workspace[id])}/projects`
  expect((await send('get', at)).body).toEqual([])
  const made = await send('post', at, { name: 'New' })
  expect(made).toMatchObject({ status: 201, body: { name: 'New', workspace } })
  expect((await send('get', at)).body).toEqual([made.body])
  const path = `/projects/${String(made.body[id])}`
  expect((await send('get', path)).body).toEqual(made.body)
  expect((await send('delete', path)).status).toBe(204)
  expect((await send('get', at)).body).toEqual([])
})
