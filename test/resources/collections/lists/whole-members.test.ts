import request from 'supertest'
import { expect, test } from 'vitest'
import { shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties })
const query = (name: string, schema: Json = text) => ({ name, in: 'query', schema })

const COMPACT = object({ gid: text, name: text })
const WHOLE = object({
  gid: text,
  name: text,
  status: { enum: ['open', 'done'] },
  priority: { type: 'integer', minimum: 0, maximum: 9 },
  project: object({ gid: text, name: text }),
})

/** A list that shows the gid and the name of tasks, which have more. */
function createTasks(status: Json = text) {
  const parameters = [query('status', status), query('project'), query('sort')]
  const { standin } = createContractTester({
    '/tasks': {
      get: { parameters, responses: { 200: shows({ type: 'array', items: COMPACT }) } },
      post: { requestBody: takes(object({ name: text })), responses: { 201: shows(WHOLE) } },
    },
    '/tasks/{task_gid}': {
      parameters: [{ name: 'task_gid', in: 'path', required: true, schema: text }],
      get: { responses: { 200: shows(WHOLE), 404: { description: 'Unknown.' } } },
    },
  })
  const get = async (path: string) => {
    const response = await request(standin.app).get(path).set(OWN_KEY).expect(200)
    expect(response.headers['x-mock-ignored']).toBeUndefined()
    return response.body as unknown
  }
  const list = async (search = '') => (await get(`/tasks${search}`)) as { gid: string; name: string }[]
  const whole = async () =>
    Promise.all(
      (await list()).map(async ({ gid }) => (await get(`/tasks/${gid}`)) as Json & { gid: string; priority: number }),
    )
  const create = async (name: string) => {
    const response = await request(standin.app).post('/tasks').set(OWN_KEY).send({ name }).expect(201)
    return response.body as Json
  }
  return { list, whole, create }
}

const gidsOf = (items: readonly { gid?: unknown }[]) => items.map(({ gid }) => gid)

test('a list is filtered by members that only the whole item has, and still shows what it shows', async () => {
  const { list, whole } = createTasks()
  const open = await list('?status=open')
  expect(gidsOf(open)).toEqual(gidsOf((await whole()).filter(({ status }) => status === 'open')))
  expect(open.length).toBeGreaterThan(0)
  expect(Object.keys(open[0] ?? {})).toEqual(['gid', 'name'])
})

test('an object is named by its id', async () => {
  const { list, whole } = createTasks()
  const { gid, project } = (await whole())[3]!
  expect(gidsOf(await list(`?project=${(project as { gid: string }).gid}`))).toContain(gid)
  expect(await list('?project=nothing')).toEqual([])
})

test('a list is sorted by them too', async () => {
  const { list, whole } = createTasks()
  const priorities = new Map((await whole()).map(({ gid, priority }) => [gid, priority]))
  const sorted = (await list('?sort=-priority')).map(({ gid }) => priorities.get(gid) ?? 0)
  expect(sorted).toEqual(sorted.toSorted((one, other) => other - one))
})

test('a new item has what such a list asks for by default, and so is in it', async () => {
  const { list, create } = createTasks({ enum: ['open', 'done'], default: 'done' })
  const { gid, status } = await create('New')
  expect(status).toBe('done')
  expect(gidsOf(await list())).toContain(gid)
})
