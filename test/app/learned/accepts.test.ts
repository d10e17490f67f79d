import { join } from 'node:path'
import request from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { createDirectory } from '../../support/command.ts'
import { shows, takes } from '../../support/contracts/pets.ts'
import { createContractTester, OWN_KEY } from '../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const reference = { type: 'object', properties: { id: text, url: { ...text, format: 'uri' } } }

test('what a service takes in the place of a schema it takes wherever the document has the same schema', async () => {
  const post = (operationId: string, properties: object) => {
    const schema = { type: 'object', properties: { id: { type: 'integer' }, ...properties } }
    return {
      get: { responses: { 200: shows({ type: 'array', items: schema }) } },
      post: { operationId, requestBody: takes({ type: 'object', properties }), responses: { 201: shows(schema) } },
    }
  }
  const { path, remove } = createDirectory({ 'profile.yaml': 'learned: { accepts: { createBook: [type /author] } }' })
  onTestFinished(remove)
  const { standin } = createContractTester(
    {
      '/books': post('createBook', { author: reference, title: text }),
      '/songs': post('createSong', { singer: reference, title: text, label: { ...reference, minProperties: 1 } }),
    },
    {},
    { profile: join(path, 'profile.yaml') },
  )
  const statusOf = async (at: string, body: object) =>
    (await request(standin.app).post(at).set(OWN_KEY).send(body)).status
  expect(await statusOf('/books', { author: 'ann' })).toBe(201)
  const song = await request(standin.app).post('/songs').set(OWN_KEY).send({ singer: 'ann' })
  expect(song).toMatchObject({ status: 201, body: { singer: { id: 'ann' } } })
  expect(await statusOf('/songs', { label: 'ann' })).toBe(400)
  expect(await statusOf('/songs', { title: 7 })).toBe(400)
})
