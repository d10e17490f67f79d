import request from 'supertest'
import { expect, test } from 'vitest'
import { nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

interface Answers {
  readonly create?: Json
  readonly replace?: Json
  readonly remove?: Json
}

/** A service of jobs whose writes do not show a job. */
function createJobs({ create = {}, replace = {}, remove = {} }: Answers, id: Json = { type: 'integer' }) {
  const Job = { type: 'object', required: ['id'], properties: { id, name: { type: 'string' } } }
  const input = { type: 'object', properties: { name: { type: 'string' } } }
  const { standin } = createContractTester({
    '/jobs': {
      get: { responses: { 200: shows({ type: 'array', items: Job }) } },
      post: { requestBody: takes(input), responses: { 200: shows(create) } },
    },
    '/jobs/{id}': {
      parameters: [{ in: 'path', name: 'id', required: true, schema: id }],
      get: { responses: { 200: shows(Job), 404: nothing } },
      put: { requestBody: takes(input), responses: { 200: shows(replace) } },
      delete: { responses: { 200: shows(remove) } },
    },
  })
  return async (method: 'get' | 'post' | 'put' | 'delete', path: string, sent?: object) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY).send(sent)
    return { status: response.status, body: response.body as unknown }
  }
}

test('a creation whose response is a number answers with the id', async () => {
  const send = createJobs({ create: { type: 'integer' } })
  expect(await send('post', '/jobs', { name: 'print' })).toEqual({ status: 200, body: 11 })
  expect((await send('get', '/jobs/11')).body).toEqual({ id: 11, name: 'print' })
})

test('a creation whose response is a UUID answers with the id', async () => {
  const uuid = { type: 'string', format: 'uuid' }
  const send = createJobs({ create: uuid }, uuid)
  const { body } = await send('post', '/jobs', { name: 'print' })
  expect((await send('get', `/jobs/${String(body)}`)).body).toEqual({ id: body, name: 'print' })
})

test('a deletion shows the id of the item, also in an object of its own', async () => {
  const data = { type: 'object', required: ['id'], properties: { id: { type: 'string', example: '12345' } } }
  const remove = { type: 'object', required: ['status', 'data'], properties: { status: { type: 'string' }, data } }
  const send = createJobs({ remove })
  expect((await send('delete', '/jobs/3')).body).toMatchObject({ data: { id: '3' } })
  expect((await send('get', '/jobs/3')).status).toBe(404)
})

test('writes whose response is a boolean answer with true', async () => {
  const send = createJobs({ replace: { type: 'boolean' }, remove: { type: 'boolean' } })
  expect(await send('put', '/jobs/1', { name: 'scan' })).toEqual({ status: 200, body: true })
  expect((await send('get', '/jobs/1')).body).toEqual({ id: 1, name: 'scan' })
  expect(await send('delete', '/jobs/1')).toEqual({ status: 200, body: true })
  expect((await send('get', '/jobs/1')).status).toBe(404)
})

test('a deletion whose response is a text answers with one that its schema allows', async () => {
  const send = createJobs({ remove: { type: 'string', enum: ['gone'] } })
  expect(await send('delete', '/jobs/1')).toEqual({ status: 200, body: 'gone' })
})

test('an acknowledgement says what the contract gives as an example', async () => {
  const message = { type: 'string', example: 'Success' }
  const create = { type: 'object', required: ['id', 'message', 'ok'], properties: { id: { type: 'integer' }, message } }
  const ok = { type: 'boolean', example: false }
  const send = createJobs({ create: { ...create, properties: { ...create.properties, ok } } })
  expect((await send('post', '/jobs', { name: 'print' })).body).toEqual({ id: 11, message: 'Success', ok: true })
})

test.each<[string, Json]>([
  ['a timestamp', { type: 'string', format: 'date-time', example: '2026-01-01 10:00' }],
  ['an e-mail address', { type: 'string', format: 'email', example: 'nobody' }],
  ['a number', { type: 'integer', maximum: 5, example: 9 }],
  ['a list of days', { type: 'array', items: { type: 'string', format: 'date' }, example: ['1/1/2026'] }],
])('an acknowledgement does not repeat an example that breaks its schema: %s', async (_, done) => {
  const acknowledgement = { type: 'object', required: ['ok', 'done'], properties: { ok: { type: 'boolean' }, done } }
  const send = createJobs({ replace: acknowledgement, remove: done })
  expect(await send('put', '/jobs/1', { name: 'scan' })).toMatchObject({ status: 200, body: { ok: true } })
  expect((await send('delete', '/jobs/1')).status).toBe(200)
})
