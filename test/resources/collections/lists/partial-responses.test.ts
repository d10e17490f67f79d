import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: Json) => ({ type: 'object', properties })
const fields = { name: 'fields', in: 'query', schema: text }
const size = { name: 'pageSize', in: 'query', schema: { type: 'integer' } }

/** Files, whose responses show the members that a selector names. */
function createFiles() {
  const { standin } = createContractTester(
    {
      '/files': {
        get: {
          parameters: [fields, size],
          responses: { 200: shows(object({ files: { type: 'array', items: ref('File') }, nextPageToken: text })) },
        },
        post: { requestBody: takes(ref('File')), responses: { 201: shows(ref('File')) } },
      },
      '/files/{id}': {
        parameters: [inPath('id'), fields],
        get: { responses: { 200: shows(ref('File')), 404: nothing } },
      },
    },
    { File: object({ id: { type: 'integer' }, name: text, size: { type: 'integer' }, owner: object({ name: text }) }) },
  )
  return async (path: string) => {
    const response = await request(standin.app).get(path).set(OWN_KEY)
    return { body: response.body as Json, ignored: response.headers['x-mock-ignored'] }
  }
}

const namesIn = (value: unknown) => Object.keys(value as object)

test('a read shows the members that are asked for', async () => {
  const get = createFiles()
  expect(namesIn((await get('/files/1?fields=id,%20name')).body)).toEqual(['id', 'name'])
  expect(namesIn((await get('/files/1?fields=owner(name)')).body)).toEqual(['owner'])
  expect(namesIn((await get('/files/1?fields=*')).body)).toEqual(['id', 'name', 'size', 'owner'])
})

test('names of what the item does not have select nothing of a read', async () => {
  const { body, ignored } = await createFiles()('/files/1?fields=id,colour')
  expect(namesIn(body)).toEqual(['id', 'name', 'size', 'owner'])
  expect(ignored).toBe('query fields')
})

test.each(['files(id,name),nextPageToken', 'files/id,files/name', 'id,name'])(
  'a list shows the members of its items that %s asks for',
  async (selector) => {
    const { body } = await createFiles()(`/files?pageSize=1&fields=${selector}`)
    expect((body.files as object[]).map(namesIn)).toEqual([['id', 'name']])
  },
)

test.each(['files', '*'])('a list shows whole items where %s is asked for', async (selector) => {
  const { body } = await createFiles()(`/files?pageSize=1&fields=${selector}`)
  expect((body.files as object[]).map(namesIn)).toEqual([['id', 'name', 'size', 'owner']])
})
