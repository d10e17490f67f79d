import { expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter, refusals } from '../../../support/contracts/shelter.ts'
import type { Json } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const flag = { type: 'boolean', default: true }
const maybe = (schema: Json) => ({ anyOf: [schema, { type: 'null' }] })
const list = (schema: Json) => ({ type: 'array', items: schema })
const object = (required: readonly string[], properties: Json) => ({ type: 'object', required, properties })

const user = { id: integer, email: { ...text, format: 'email' }, full_name: maybe(text), is_active: flag }
const project = { id: integer, name: text, owner: ref('User'), owner_id: integer, task_count: integer }
const task = {
  ...{ id: integer, title: text, project_id: integer, assignee: maybe(ref('User')), labels: list(text) },
  ...{ comments_count: integer, updated_by: ref('UserRef'), watchers: list(ref('User')) },
}

const SCHEMAS = {
  User: object(['id', 'email'], user),
  UserRef: object(['id'], { id: integer, email: user.email }),
  NewUser: object(['email'], { email: user.email, full_name: user.full_name }),
  Project: object(['id', 'name', 'owner', 'owner_id', 'task_count'], project),
  ProjectDetail: {
    allOf: [ref('Project'), { type: 'object', properties: { tasks: list(ref('Task')), numberOfTasks: integer } }],
  },
  NewProject: object(['name'], { name: text }),
  Task: object(['id', 'title', 'project_id'], task),
  NewTask: object(['title'], { title: text, assignee_id: maybe(integer), watchers: list(integer) }),
  Comment: object(['id', 'body', 'author'], { id: integer, body: text, author: ref('User') }),
}

/** Projects with tasks, and the users that both belong to. */
const PATHS = {
  '/users': {
    get: { responses: { 200: shows(list(ref('User'))) } },
    post: { requestBody: takes(ref('NewUser')), responses: { 201: shows(ref('User')) } },
  },
  '/users/me': {
    get: { responses: { 200: shows(ref('User')) } },
    patch: { requestBody: takes(ref('NewUser')), responses: { 200: shows(ref('User')) } },
  },
  '/users/{userId}': { parameters: [inPath('userId')], get: { responses: { 200: shows(ref('User')) } } },
  '/projects': {
    get: { responses: { 200: shows(list(ref('Project'))) } },
    post: { requestBody: takes(ref('NewProject')), responses: { 201: shows(ref('Project')) } },
  },
  '/projects/{project_id}': {
    parameters: [inPath('project_id')],
    get: { responses: { 200: shows(ref('ProjectDetail')) } },
  },
  '/projects/{project_id}/tasks': {
    parameters: [inPath('project_id')],
    get: { responses: { 200: shows(list(ref('Task'))) } },
    post: { requestBody: takes(ref('NewTask')), responses: { 201: shows(ref('Task')), ...refusals(422) } },
  },
  '/tasks/{task_id}': {
    parameters: [inPath('task_id')],
    get: { responses: { 200: shows(ref('Task')) } },
    patch: { requestBody: takes(ref('NewTask')), responses: { 200: shows(ref('Task')) } },
    delete: { responses: { 204: nothing } },
  },
  '/tasks/{task_id}/assign': {
    parameters: [inPath('task_id')],
    put: {
      requestBody: takes(object(['user_id'], { user_id: integer })),
      responses: { 200: shows(ref('Task')), ...refusals(422) },
    },
  },
  '/tasks/{task_id}/comments': {
    parameters: [inPath('task_id')],
    get: { responses: { 200: shows(list(ref('Comment'))) } },
    post: { requestBody: takes(object(['body'], { body: text })), responses: { 201: shows(ref('Comment')) } },
  },
}

function createBoard() {
  const { send } = createShelter(PATHS, SCHEMAS)
  return { send, listed: async (path: string) => (await send(['get', path])).body as unknown as readonly Json[] }
}

const idOf = (item: Json | undefined) => String(item?.id)

test('the path of the caller shows the first user, and changes it', async () => {
  const { send, listed } = createBoard()
  const [first] = await listed('/users')
  expect((await send(['get', '/users/me'])).body).toEqual(first)
  await send(['patch', '/users/me'], { email: 'me@example.com' })
  expect((await send(['get', `/users/${idOf(first)}`])).body).toEqual({ ...first, email: 'me@example.com' })
})

test('a new item belongs to the caller', async () => {
  const { send } = createBoard()
  const me = (await send(['get', '/users/me'])).body
  const made = (await send(['post', '/projects'], { name: 'Launch' })).body
  expect(made).toMatchObject({ owner: me, owner_id: me.id })
  const task = (await send(['post', `/projects/${idOf(made)}/tasks`], { title: 'Write' })).body
  expect(task).toMatchObject({ assignee: null, updated_by: { id: me.id, email: me.email } })
  const comment = (await send(['post', `/tasks/${idOf(task)}/comments`], { body: 'hello' })).body
  expect(comment.author).toEqual(me)
})

test('what an item shows of another one is that one whole', async () => {
  const { send, listed } = createBoard()
  const [, second] = await listed('/users')
  const [project] = await listed('/projects')
  const at = `/projects/${idOf(project)}/tasks`
  const task = (await send(['post', at], { title: 'Write', assignee_id: second?.id })).body
  expect(task.assignee).toEqual(second)
  expect((await send(['get', `/tasks/${idOf(task)}`])).body).toEqual(task)
  expect((await send(['patch', `/tasks/${idOf(task)}`], { assignee_id: null })).body.assignee ?? null).toBeNull()
  const assigned = await send(['put', `/tasks/${idOf(task)}/assign`], { user_id: second?.id })
  expect(assigned.body.assignee).toEqual(second)
  expect((await send(['put', `/tasks/${idOf(task)}/assign`], { user_id: 999 })).status).toBe(422)
  expect((await send(['post', at], { title: 'Lost', assignee_id: 999 })).status).toBe(422)
})

test('an item counts and shows what lies below it, as it is now', async () => {
  const { send, listed } = createBoard()
  for (const one of await listed('/projects')) {
    const tasks = await listed(`/projects/${idOf(one)}/tasks`)
    expect(one.task_count).toBe(tasks.length)
    expect((await send(['get', `/projects/${idOf(one)}`])).body).toMatchObject({ tasks, numberOfTasks: tasks.length })
    for (const task of tasks) expect(task.comments_count).toBe((await listed(`/tasks/${idOf(task)}/comments`)).length)
  }
  const made = (await send(['post', '/projects'], { name: 'Launch' })).body
  expect(made.task_count).toBe(0)
  const [one, other] = [
    (await send(['post', `/projects/${idOf(made)}/tasks`], { title: 'Write' })).body,
    (await send(['post', `/projects/${idOf(made)}/tasks`], { title: 'Read' })).body,
  ]
  await send(['post', `/tasks/${idOf(one)}/comments`], { body: 'hello' })
  expect((await listed('/projects')).at(-1)).toMatchObject({ id: made.id, task_count: 2 })
  await send(['delete', `/tasks/${idOf(other)}`])
  const shown = (await send(['get', `/projects/${idOf(made)}`])).body
  expect(shown).toMatchObject({ task_count: 1, numberOfTasks: 1, tasks: [{ id: one.id, comments_count: 1 }] })
})

test('what an item shows of another one follows its changes', async () => {
  const { send, listed } = createBoard()
  const users = await listed('/users')
  for (const { owner } of await listed('/projects'))
    expect(owner).toEqual(users.find(({ id }) => id === (owner as Json).id))
  await send(['post', '/projects'], { name: 'Launch' })
  await send(['patch', '/users/me'], { email: 'me@example.com' })
  expect((await listed('/projects')).at(-1)).toMatchObject({ owner: { email: 'me@example.com' } })
})

test('a list of ids shows the items that they name', async () => {
  const { send, listed } = createBoard()
  const [first, second] = await listed('/users')
  const { body } = await send(['post', '/projects/1/tasks'], { title: 'Two', watchers: [second?.id, first?.id] })
  expect(body.watchers).toEqual([second, first])
  expect((await send(['get', `/tasks/${idOf(body)}`])).body.watchers).toEqual([second, first])
})
