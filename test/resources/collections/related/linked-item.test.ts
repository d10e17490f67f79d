import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const Label = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text, color: text } }
const labels = shows({ type: 'array', items: ref('Label') })
const LabelSet = { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } }

test('a PUT without a body adds an item of another collection, by its id or its name, and a DELETE takes it off', async () => {
  const named = { type: 'object', required: ['name'], properties: { name: text, color: text } }
  const setId = inPath('setId', 'string')
  const shown = { 200: shows(ref('Label')), 404: nothing }
  const { standin } = createContractTester(
    {
      '/labels': {
        get: { responses: { 200: labels } },
        post: { requestBody: takes(named), responses: { 201: shows(ref('Label')) } },
      },
      '/labels/{id}': { parameters: [inPath('id', 'string')], get: { responses: shown } },
      '/sets': {
        get: { responses: { 200: shows({ type: 'array', items: ref('LabelSet') }) } },
        post: { requestBody: takes(named), responses: { 201: shows(ref('LabelSet')) } },
      },
      '/sets/{setId}': { parameters: [setId], get: { responses: { 200: shows(ref('LabelSet')), 404: nothing } } },
      '/sets/{setId}/labels': { parameters: [setId], get: { responses: { 200: labels } } },
      '/sets/{setId}/labels/{labelId}': {
        parameters: [setId, inPath('labelId', 'string')],
        put: { responses: shown },
        delete: { responses: { 204: nothing, 404: nothing } },
      },
    },
    { Label, LabelSet },
    { documents: 0 },
  )
  const send = (method: 'get' | 'put' | 'post' | 'delete', path: string, body?: object) =>
    request(standin.app)[method](path).set(OWN_KEY).send(body)
  const label = (await send('post', '/labels', { name: 'golden', color: 'yellow' })).body as { readonly id: string }
  const { id } = (await send('post', '/sets', { name: 'capitals' })).body as { readonly id: string }
  expect((await send('put', `/sets/${id}/labels/${label.id}`)).body).toEqual(label)
  expect((await send('get', `/sets/${id}/labels`)).body).toEqual([label])
  expect((await send('delete', `/sets/${id}/labels/${label.id}`)).status).toBe(204)
  expect((await send('get', `/sets/${id}/labels`)).body).toEqual([])
  expect((await send('get', `/labels/${label.id}`)).body).toEqual(label)
  expect((await send('put', `/sets/${id}/labels/golden`)).body).toEqual(label)
  expect((await send('put', `/sets/${id}/labels/unknown`)).status).toBe(404)
})
