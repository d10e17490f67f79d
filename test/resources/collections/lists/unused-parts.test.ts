import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const object = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties })
const NAME = { name: { type: 'string' } }
const NOTE = object({ id: { type: 'integer', readOnly: true }, ...NAME })
const raw = { name: 'raw', in: 'query', schema: { type: 'boolean', default: false } }

function createNotes() {
  const { standin } = createContractTester({
    '/notes': {
      get: { parameters: [raw], responses: { 200: shows(object({ data: { type: 'array', items: NOTE } })) } },
      post: {
        requestBody: takes({ type: 'object', properties: { data: object(NAME) } }),
        responses: { 201: shows(object({ data: NOTE })) },
      },
    },
    '/notes/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: shows(object({ data: NOTE })), 404: nothing } },
    },
  })
  return (method: 'get' | 'post', path: string, body?: object) =>
    request(standin.app)[method](path).set(OWN_KEY).send(body)
}

test('a default that a list cannot follow was not sent, and is not called ignored', async () => {
  const send = createNotes()
  expect((await send('get', '/notes')).headers['x-mock-ignored']).toBeUndefined()
  expect((await send('get', '/notes?raw=true')).headers['x-mock-ignored']).toBe('query raw')
})

test('members beside the object that the contract puts them in are stored, and not called ignored', async () => {
  const response = await createNotes()('post', '/notes', { name: 'bare', colour: 'red' })
  expect(response.body).toMatchObject({ data: { name: 'bare' } })
  expect(response.headers['x-mock-ignored']).toBe('body /colour')
})
