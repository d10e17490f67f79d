import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createPetShop, inPath, ref } from '../../support/contracts/pets.ts'
import { OWN_KEY } from '../../support/contracts/small-contract.ts'

const cat = { value: { id: 7, name: 'Kit' } }
const paths = {
  '/pets/{petId}': {
    parameters: [inPath('petId')],
    get: {
      responses: {
        200: {
          description: 'a pet',
          content: {
            'application/json': { schema: ref('Pet'), examples: { cat } },
            'application/xml': { schema: ref('Pet') },
          },
        },
        404: { description: 'none', content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
  },
}
const read = (headers: Record<string, string>) =>
  request(createPetShop({}, paths).standin.app).get('/pets/1').set(OWN_KEY).set(headers)

describe('the response of a collection', () => {
  test('is JSON, or another documented type that the client likes better', async () => {
    expect((await read({})).type).toBe('application/json')
    expect((await read({ Accept: '*/*' })).type).toBe('application/json')
    expect((await read({ Accept: 'application/xml;q=0.1, application/json' })).type).toBe('application/json')
    const { type, text } = await read({ Accept: 'application/xml' })
    const { name } = (await read({})).body as { name: string }
    expect([type, text]).toEqual(['application/xml', expect.stringContaining(`<name>${name}</name>`)])
  })

  test('is the documented example, or another documented response, where the request prefers that', async () => {
    expect((await read({ Prefer: 'example=cat' })).body).toEqual(cat.value)
    const refused = await read({ Prefer: 'code=404' })
    expect([refused.status, refused.headers['x-mock-generated']]).toEqual([404, 'true'])
  })
})

describe('a response that cannot show the items of its collection as the contract has it', () => {
  test('is generated, so that it is valid', async () => {
    const list = { type: 'array', items: ref('Pet') }
    const either = { type: 'object', required: ['pets'], properties: { pets: list } }
    const more = { ...either, properties: { pets: list, note: { type: 'string' } } }
    const schema = {
      oneOf: [either, more, { type: 'object', required: ['none'], properties: { none: { const: true } } }],
    }
    const { standin } = createPetShop(
      {},
      {
        '/pets': {
          get: { responses: { 200: { description: 'pets', content: { 'application/json': { schema } } } } },
          post: {
            responses: { 201: { description: 'a pet', content: { 'application/json': { schema: ref('Pet') } } } },
          },
        },
      },
    )
    const { status, headers } = await request(standin.app).get('/pets').set(OWN_KEY)
    expect([status, headers['x-mock-generated']]).toEqual([200, 'true'])
  })
})
