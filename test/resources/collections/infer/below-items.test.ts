import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const object = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties })
const TASK = object({ id: { type: 'integer', readOnly: true }, name: { type: 'string' } })
const JOB = object({ job: { type: 'string' }, progress: { type: 'number' } })

function createTasks(behaviours = {}, hint: Json = {}) {
  const { standin } = createContractTester(
    {
      '/tasks': {
        get: { responses: { 200: shows({ type: 'array', items: TASK }) } },
        post: { requestBody: takes(object({ name: { type: 'string' } })), responses: { 201: shows(TASK) } },
      },
      '/tasks/{id}': {
        parameters: [inPath('id')],
        get: { responses: { 200: shows(TASK), 404: nothing } },
        delete: { responses: { 204: nothing } },
      },
      '/tasks/{id}/render': {
        parameters: [inPath('id')],
        post: { ...hint, requestBody: takes(object({ dpi: { type: 'integer' } })), responses: { 202: shows(JOB) } },
      },
    },
    {},
    { behaviours },
  )
  const statusOf = async (method: 'post' | 'delete', path: string, sent?: object) =>
    (await request(standin.app)[method](path).set(OWN_KEY).send(sent)).status
  return { statusOf, render: (id: string) => statusOf('post', `/tasks/${id}/render`, { dpi: 300 }) }
}

test('an operation that is generated needs the item that its path goes through', async () => {
  const { statusOf, render } = createTasks()
  expect([await render('1'), await render('99')]).toEqual([202, 404])
  expect(await statusOf('post', '/tasks', { name: 'new' })).toBe(201)
  expect(await render('11')).toBe(202)
  await statusOf('delete', '/tasks/11')
  expect(await render('11')).toBe(404)
})

test('it needs none where that is accepted, or where x-standin asks for what is generated', async () => {
  expect(await createTasks({ 'collections.unknown-parent': 'accept' }).render('99')).toBe(202)
  expect(await createTasks({}, { 'x-standin': 'generated' }).render('99')).toBe(202)
})
