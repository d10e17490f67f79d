import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: Json, required: string[] = []) => ({ type: 'object', required, properties })
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: text })
const list = (items: Json) => ({ type: 'array', items })
const status = { name: 'status', in: 'query', schema: { enum: ['pending', 'approved', 'denied'], default: 'approved' } }
const type = { name: 'type', in: 'query', schema: { enum: ['live', 'upcoming'], default: 'live' } }

/** Its status is any text; the list says which there are. */
const REGISTRANT = object({ id: text, email: text, status: text }, ['id', 'email'])
const USER = object({ id: text, email: { ...text, format: 'email' }, status: { enum: ['active', 'inactive'] } }, [
  'id',
  'email',
  'status',
])
const MEETING = object({ id: { type: 'integer' }, topic: text, type: { type: 'integer', enum: [1, 2] } }, [
  'id',
  'type',
])
const DONE = { 204: nothing, 404: nothing }

/** Meetings as Zoom has them: a PUT whose body says what is done. */
function createMeetings() {
  const { standin } = createContractTester({
    '/users': { get: { responses: { 200: shows(list(USER)) } } },
    '/users/{userId}': { parameters: [inPath('userId')], get: { responses: { 200: shows(USER), 404: nothing } } },
    '/users/{userId}/status': {
      parameters: [inPath('userId')],
      put: { requestBody: takes(object({ action: { enum: ['activate', 'deactivate'] } })), responses: DONE },
    },
    '/users/{userId}/meetings': {
      parameters: [inPath('userId')],
      get: { parameters: [type], responses: { 200: shows(list(MEETING)), 404: nothing } },
    },
    '/meetings': {
      get: { responses: { 200: shows(list(MEETING)) } },
      post: { requestBody: takes(object({ topic: text })), responses: { 201: shows(MEETING) } },
    },
    '/meetings/{meetingId}': { parameters: [inPath('meetingId')], get: { responses: { 200: shows(MEETING) } } },
    '/meetings/{meetingId}/registrants': {
      parameters: [inPath('meetingId')],
      get: { parameters: [status], responses: { 200: shows(object({ registrants: list(REGISTRANT) })) } },
      post: { requestBody: takes(object({ email: text }, ['email'])), responses: { 201: shows(REGISTRANT) } },
    },
    '/meetings/{meetingId}/registrants/status': {
      parameters: [inPath('meetingId')],
      put: {
        requestBody: takes(
          object({ action: { enum: ['approve', 'deny'] }, registrants: list(object({ id: text, email: text })) }),
        ),
        responses: DONE,
      },
    },
  })
  return async (method: 'get' | 'post' | 'put', path: string, sent?: object) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY).send(sent)
    return { status: response.status, body: response.body as Json & Json[] }
  }
}

describe('a body that says what is done', () => {
  test('does it with each item that it names, and creates none', async () => {
    const send = createMeetings()
    const { id } = (await send('post', '/meetings/1/registrants', { email: 'r@example.org' })).body
    const change = (action: string, named: unknown) =>
      send('put', '/meetings/1/registrants/status', { action, registrants: [{ id: named, email: 'r@example.org' }] })
    const namedBy = async (wanted: string) => {
      const { body } = await send('get', `/meetings/1/registrants?status=${wanted}`)
      return (body.registrants as Json[]).filter(({ email }) => email === 'r@example.org').map((one) => one.id)
    }
    expect((await change('deny', id)).status).toBe(204)
    expect([await namedBy('denied'), await namedBy('approved')]).toEqual([[id], []])
    expect((await change('approve', id)).status).toBe(204)
    expect([await namedBy('denied'), await namedBy('approved')]).toEqual([[], [id]])
    expect((await change('deny', 'nobody')).status).toBe(404)
    expect([await namedBy('denied'), await namedBy('approved')]).toEqual([[], [id]])
  })

  test('does it with the item of the path', async () => {
    const send = createMeetings()
    const { id } = (await send('get', '/users')).body[0]!
    for (const [action, set] of [
      ['deactivate', 'inactive'],
      ['activate', 'active'],
    ]) {
      expect((await send('put', `/users/${String(id)}/status`, { action })).status).toBe(204)
      expect((await send('get', `/users/${String(id)}`)).body).toMatchObject({ status: set })
    }
  })
})

test('a user is also named by an e-mail address, and the first by "me"', async () => {
  const send = createMeetings()
  const users = (await send('get', '/users')).body
  expect((await send('get', '/users/me')).body).toEqual(users[0])
  expect((await send('get', `/users/${encodeURIComponent(String(users[3]?.email))}`)).body).toEqual(users[3])
  expect((await send('get', '/users/me/meetings')).status).toBe(200)
  expect((await send('get', '/users/nobody@example.org')).status).toBe(404)
})

test('a parameter of words does not filter by a member of numbers', async () => {
  const send = createMeetings()
  expect((await send('get', '/users/me/meetings?type=upcoming')).body.length).toBeGreaterThan(0)
})
