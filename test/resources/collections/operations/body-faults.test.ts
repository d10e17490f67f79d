import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: Json, required: string[] = []) => ({ type: 'object', required, properties })
const list = (items: Json) => shows({ type: 'array', items })

/** Projects with sections, whose schema is written for a path without the project. */
function createProjects(settings = {}) {
  const { standin } = createContractTester(
    {
      '/projects': {
        get: { responses: { 200: list(ref('Project')) } },
        post: { requestBody: takes(ref('Project')), responses: { 201: shows(ref('Project')), 400: nothing } },
      },
      '/projects/{project_id}': {
        parameters: [inPath('project_id')],
        get: { responses: { 200: shows(ref('Project')) } },
      },
      '/projects/{project_id}/sections': {
        parameters: [inPath('project_id')],
        get: { responses: { 200: list(ref('Section')) } },
        post: { requestBody: takes(ref('NewSection')), responses: { 201: shows(ref('Section')), 400: nothing } },
      },
    },
    {
      Project: object({
        id: { type: 'integer', readOnly: true },
        name: text,
        team: { ...object({ id: text, name: text }), readOnly: true },
      }),
      Section: object({ id: { type: 'integer' }, name: text }),
      NewSection: object({ name: text }, ['project', 'name']),
    },
    { behaviours: settings },
  )
  return (path: string, sent: object) => request(standin.app).post(path).set(OWN_KEY).send(sent)
}

test('a member that a body requires without describing it may be in the path instead', async () => {
  const post = createProjects()
  expect((await post('/projects/1/sections', { name: 'Next' })).body).toMatchObject({ name: 'Next' })
  expect((await post('/projects/1/sections', {})).status).toBe(400)
})

test('what clients send for a read-only member is ignored, also where it has another type', async () => {
  const made = await createProjects()('/projects', { name: 'Stuff', team: '7' })
  expect(made.body).toMatchObject({ name: 'Stuff' })
  expect(made.headers['x-mock-ignored']).toBe('body /team')
  const strict = createProjects({ 'collections.read-only': 'error' })
  expect((await strict('/projects', { name: 'Stuff', team: '7' })).status).toBe(400)
})
