import request from 'supertest'
import { expect, test } from 'vitest'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'
import { inPath, shows, takes } from '../../../support/contracts/pets.ts'

const text = { type: 'string' }
const whole = { type: 'integer' }
const object = (properties: Json, ...required: string[]) => ({ type: 'object', properties, required })

interface Schemas {
  /** What a read shows. */
  readonly read: Json
  /** What a list shows of each. */
  readonly list: Json
}

/** A service of jobs whose operations describe a job differently. */
function createJobs({ read, list }: Schemas) {
  const { standin } = createContractTester({
    '/jobs': {
      get: { responses: { 200: shows({ type: 'array', items: list }) } },
      post: { requestBody: takes({ type: 'object' }), responses: { 201: shows(read) } },
    },
    '/jobs/{jobId}': { parameters: [inPath('jobId')], get: { responses: { 200: shows(read) } } },
  })
  return async (method: 'get' | 'post', path: string, body?: object) => {
    const response = await request(standin.app)[method](path).set(OWN_KEY).send(body)
    expect(response.headers).not.toHaveProperty('x-mock-generated')
    return response as { status: number; body: unknown }
  }
}

type Job = Readonly<Record<string, unknown>>

const lastOf = async (send: ReturnType<typeof createJobs>): Promise<Job | undefined> => {
  const { status, body } = await send('get', '/jobs')
  expect(status).toBe(200)
  return (body as readonly Job[]).at(-1)
}

test('a member whose value only the read allows is not in the list', async () => {
  const send = createJobs({
    read: object({ id: whole, name: text, kind: { enum: ['small', 'large'] } }, 'id'),
    list: object({ id: whole, name: text, kind: { enum: ['small'] } }, 'id'),
  })
  await send('post', '/jobs', { name: 'print', kind: 'large' })
  expect(await lastOf(send)).toEqual({ id: 11, name: 'print' })
  expect((await send('get', '/jobs/11')).body).toEqual({ id: 11, name: 'print', kind: 'large' })
})

test('a member that the list requires with another value has one that it allows', async () => {
  const send = createJobs({
    read: object({ id: whole, kind: { enum: ['small', 'large'] } }, 'id', 'kind'),
    list: object({ id: whole, kind: { enum: ['tiny'] } }, 'id', 'kind'),
  })
  await send('post', '/jobs', { kind: 'large' })
  expect(await lastOf(send)).toEqual({ id: 11, kind: 'tiny' })
  expect(await lastOf(send)).toEqual({ id: 11, kind: 'tiny' })
  expect((await send('get', '/jobs/11')).body).toEqual({ id: 11, kind: 'large' })
})

test('a person whom the list shows by name, and the read as an object, is the same', async () => {
  const owner = object({ name: text, age: whole }, 'name')
  const send = createJobs({
    read: object({ id: whole, owner }, 'id', 'owner'),
    list: object({ id: whole, owner: text }, 'id', 'owner'),
  })
  await send('post', '/jobs', { owner: { name: 'Ada', age: 36 } })
  expect(await lastOf(send)).toEqual({ id: 11, owner: 'Ada' })
})

test('only what is wrong inside a member is left out of it', async () => {
  const settings = (size: Json) => object({ size, colour: text })
  const send = createJobs({
    read: object({ id: whole, settings: settings({ type: 'integer' }) }, 'id'),
    list: object({ id: whole, settings: settings({ type: 'integer', maximum: 5 }) }, 'id'),
  })
  await send('post', '/jobs', { settings: { size: 7, colour: 'red' } })
  expect(await lastOf(send)).toEqual({ id: 11, settings: { colour: 'red' } })
})

test('elements that the list does not allow are not in its arrays', async () => {
  const send = createJobs({
    read: object({ id: whole, tags: { type: 'array', items: text } }, 'id'),
    list: object({ id: whole, tags: { type: 'array', items: { ...text, maxLength: 3 } } }, 'id'),
  })
  await send('post', '/jobs', { tags: ['big', 'small', 'new'] })
  expect(await lastOf(send)).toEqual({ id: 11, tags: ['big', 'new'] })
})

test('members of alternatives keep what their own alternative has', async () => {
  const source = {
    anyOf: [
      object({ kind: { const: 'card' }, details: object({ number: text }, 'number') }, 'kind', 'details'),
      object({ kind: { const: 'bank' }, details: object({ code: text }, 'code') }, 'kind', 'details'),
    ],
  }
  const job = object({ id: whole, source: { anyOf: [text, source] } }, 'id', 'source')
  const send = createJobs({ read: job, list: job })
  const given = { source: { kind: 'card', details: { number: '4242' } } }
  await send('post', '/jobs', given)
  expect(await lastOf(send)).toEqual({ id: 11, ...given })
  expect((await send('get', '/jobs/11')).body).toEqual({ id: 11, ...given })
})

test('an item that fits two alternatives gets what tells them apart', async () => {
  const either = (name: string) => object({ id: whole, [name]: text }, 'id')
  const closed = (name: string) => ({ ...either(name), additionalProperties: false })
  const send = createJobs({
    read: object({ id: whole, left: text, right: text }, 'id'),
    list: { oneOf: [closed('left'), closed('right')] },
  })
  await send('post', '/jobs', {})
  const last = await lastOf(send)
  expect(last).toMatchObject({ id: 11 })
  expect(Object.keys(last ?? {})).toHaveLength(2)
})

test('a merge whose response is a list shows the item in it', async () => {
  const job = object({ id: whole, name: text }, 'id')
  const jobs = { type: 'array', items: job }
  const { standin } = createContractTester({
    '/jobs': {
      get: { responses: { 200: shows(jobs) } },
      post: { requestBody: takes(object({ name: text })), responses: { 201: shows({ type: 'integer' }) } },
    },
    '/jobs/{jobId}': {
      parameters: [inPath('jobId')],
      get: { responses: { 200: shows(job) } },
      patch: { requestBody: takes(object({ name: text })), responses: { 200: shows(jobs) } },
    },
  })
  const changed = await request(standin.app).patch('/jobs/3').set(OWN_KEY).send({ name: 'print' })
  expect(changed).toMatchObject({ status: 200, body: [{ id: 3, name: 'print' }] })
  const created = await request(standin.app).post('/jobs').set(OWN_KEY).send({ name: 'scan' })
  expect(created).toMatchObject({ status: 201, body: 11 })
})

test('a made-up value is one that all responses allow', async () => {
  const send = createJobs({
    read: object({ id: whole, role: { enum: ['owner', 'member'] }, score: {} }, 'id', 'role', 'score'),
    list: object({ id: whole, role: { enum: ['guest', 'member'] }, score: whole }, 'id', 'role', 'score'),
  })
  await send('post', '/jobs', {})
  const { body } = await send('get', '/jobs')
  expect(body).toHaveLength(11)
  for (const listed of body as readonly Job[]) {
    expect(listed.role).toBe('member')
    expect((await send('get', `/jobs/${String(listed.id)}`)).body).toEqual(listed)
  }
})

test('a member that only clients write is in no response, even if it is required', async () => {
  const job = object({ id: whole, name: text, secret: { ...text, writeOnly: true } }, 'id', 'name', 'secret')
  const send = createJobs({ read: job, list: job })
  expect((await send('post', '/jobs', { name: 'print', secret: 's' })).body).toEqual({ id: 11, name: 'print' })
  expect(await lastOf(send)).toEqual({ id: 11, name: 'print' })
})

test('an item that fits several alternatives is shown as the one that fits it alone', async () => {
  const few = object({ id: whole, name: text }, 'id', 'name')
  const all = object({ id: whole, name: text, plan: text }, 'id', 'name', 'plan')
  const { standin } = createContractTester({
    '/jobs': { post: { requestBody: takes({ type: 'object' }), responses: { 201: shows(all) } } },
    '/jobs/{jobId}': {
      parameters: [inPath('jobId')],
      get: { responses: { 200: shows({ oneOf: [all, few] }) } },
      put: { requestBody: takes(all), responses: { 200: shows(all) } },
    },
  })
  const made = await request(standin.app).post('/jobs').set(OWN_KEY).send({ name: 'print' })
  expect(made.body).toMatchObject({ name: 'print' })
  const { id } = made.body as Job
  const read = await request(standin.app)
    .get(`/jobs/${String(id)}`)
    .set(OWN_KEY)
  expect(read.status).toBe(200)
  expect(read.body).toEqual({ id, name: 'print' })
})
