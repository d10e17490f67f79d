import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const center = { type: 'object', properties: { lat: { type: 'number' }, lng: { type: 'number' } } }
const fence = { type: 'object', required: ['type', 'center'], properties: { type: text, center, name: text } }
const item = {
  type: 'object',
  required: ['id', 'fence'],
  properties: { id: { ...text, format: 'uuid' }, fence, created_at: { ...text, format: 'date-time' } },
}

/** A service of fences: what is read is the id beside what was written. */
function createFences() {
  const { standin } = createContractTester({
    '/fences': {
      get: { responses: { 200: shows({ type: 'array', items: item }) } },
      post: { requestBody: takes(fence), responses: { 201: shows({ type: 'object', properties: { id: text } }) } },
    },
    '/fences/{fenceId}': {
      parameters: [inPath('fenceId', 'string')],
      get: { responses: { 200: shows(item), 404: nothing } },
      put: { requestBody: takes(fence), responses: { 200: shows(item) } },
      patch: { requestBody: takes(fence), responses: { 200: shows(item) } },
    },
  })
  return async (method: 'get' | 'post' | 'put' | 'patch', path: string, body?: object) =>
    (await request(standin.app)[method](path).set(OWN_KEY).send(body)).body as Record<string, unknown>
}

test('a body that describes a member of the item is stored as that member', async () => {
  const send = createFences()
  const written = { type: 'circle', center: { lat: -90, lng: 0 }, name: 'Pole' }
  const { id } = await send('post', '/fences', written)
  const path = `/fences/${String(id)}`
  expect(await send('get', path)).toMatchObject({ id, fence: written })
  const moved = { type: 'circle', center: { lat: 0, lng: 0 } }
  expect((await send('put', path, moved)).fence).toEqual(moved)
  expect((await send('patch', path, { ...moved, name: 'Null' })).fence).toEqual({ ...moved, name: 'Null' })
  expect(await send('get', path)).toMatchObject({ id, fence: { ...moved, name: 'Null' } })
})
