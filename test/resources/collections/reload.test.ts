import { renameSync, writeFileSync } from 'node:fs'
import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { createReloadableStandin } from '../../../src/app/setup/create-standin.ts'
import { createConfig } from '../../../src/config/create-config.ts'
import { inPath, nothing, ref, shows, takes } from '../../support/contracts/pets.ts'
import { OWN_KEY, writeContract } from '../../support/contracts/small-contract.ts'

type Members = Readonly<Record<string, unknown>>

const PLAIN = { name: { type: 'string' }, tag: { type: 'string' } }

/** A contract of pets, and of what else `paths` has. */
const contractOf = (members: Members, paths: Members = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  security: [{ key: [] }],
  paths: {
    '/pets': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Pet') }) } },
      post: { requestBody: takes(ref('Pet')), responses: { 201: shows(ref('Pet')) } },
    },
    '/pets/{petId}': {
      parameters: [inPath('petId')],
      get: { responses: { 200: shows(ref('Pet')), 404: nothing } },
      delete: { responses: { 204: nothing } },
    },
    ...paths,
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer', readOnly: true }, ...members },
      },
    },
  },
})

/** A server of a contract that changes. */
function watch(first: object) {
  const contract = writeContract(first)
  const config = createConfig([{ nameOf: (name) => name, values: { contract, watch: true, log: 'silent', port: 0 } }])
  const standin = createReloadableStandin(config)
  return {
    control: standin.control,
    get: async (path: string, key = 'key') =>
      await request(standin.app)
        .get(path)
        .set({ ...OWN_KEY, 'X-Key': key }),
    post: async (path: string, body: object) => await request(standin.app).post(path).set(OWN_KEY).send(body),
    reload(next: object) {
      writeFileSync(`${contract}.new`, JSON.stringify(next))
      renameSync(`${contract}.new`, contract)
      return standin.reload(config)
    },
  }
}

const TOYS = {
  '/toys': {
    get: { responses: { 200: shows({ type: 'array', items: ref('Pet') }) } },
    post: { requestBody: takes(ref('Pet')), responses: { 201: shows(ref('Pet')) } },
  },
}

describe('a contract that is changed while the server runs', () => {
  test('keeps documents, also in forks and checkpoints', async () => {
    const { control, get, post, reload } = watch(contractOf(PLAIN))
    await post('/pets', { name: 'Rex' })
    await control.forkSandbox('default', { name: 'fork' })
    await control.createCheckpoint({ name: 'rex' })
    await control.deleteDocument('pets', '11')
    const { invalid } = reload(contractOf({ ...PLAIN, age: { type: 'integer' } }))
    expect(invalid).toEqual([])
    expect((await get('/pets/11')).status).toBe(404)
    expect((await get('/pets/11', 'key@fork')).body).toEqual({ id: 11, name: 'Rex' })
    await control.restoreCheckpoint('rex')
    expect((await get('/pets/11')).body).toEqual({ id: 11, name: 'Rex' })
  })

  test('decides what untouched collections begin with', async () => {
    const { control, get, reload } = watch(contractOf(PLAIN))
    await get('/pets')
    await control.createSandbox({ name: 'other' })
    await control.forkSandbox('default', { name: 'fork' })
    reload(contractOf({ ...PLAIN, name: { enum: ['Rex', 'Max'] } }, TOYS))
    for (const key of ['key', 'key@other', 'key@fork', 'key@new'])
      for (const path of ['/pets', '/toys']) {
        const { body } = (await get(path, key)) as { body: { name: string }[] }
        expect(new Set(body.map(({ name }) => name))).toEqual(new Set(['Rex', 'Max']))
      }
    expect((await control.listCollections()).collections.map(({ name }) => name)).toEqual(['pets', 'toys'])
  })

  test('is followed by states that are imported later', async () => {
    const { control, get, reload } = watch(contractOf(PLAIN))
    const state = await control.getState()
    reload(contractOf({ ...PLAIN, name: { enum: ['Rex'] } }))
    await control.putState(state)
    expect((await get('/pets/1')).body).toMatchObject({ name: 'Rex' })
  })

  test('names the documents that it makes invalid, a few of each collection', async () => {
    const { control, reload } = watch(contractOf(PLAIN))
    for (const name of ['Rex', 'Max', 'Ben', 'Pat', 'Kim']) await control.createDocument('pets', { name, tag: 'small' })
    const { invalid } = reload(contractOf({ ...PLAIN, tag: { enum: ['big'] } }))
    expect(invalid[0]).toContain('sandbox default, collection pets, document ')
    expect(invalid[0]).toContain('/tag: expected')
    expect(invalid).toHaveLength(4)
    expect(invalid[3]).toMatch(/^sandbox default, collection pets: \d+ more documents$/)
    expect((await control.listDocuments('pets')).total).toBe(15)
  })

  test('is the reason that a response gives for a document that it cannot show', async () => {
    const { control, get, reload } = watch(contractOf(PLAIN))
    await control.createDocument('pets', { name: 'Rex', tag: 'small' })
    reload(contractOf({ ...PLAIN, tag: { enum: ['big'] } }))
    for (const path of ['/pets/11', '/pets']) {
      const response = await get(path)
      expect(response).toMatchObject({ status: 500, body: { type: '/problems/document-invalid' } })
      expect(response.headers).not.toHaveProperty('x-mock-defect')
      expect(response.body).toHaveProperty('detail', expect.stringContaining('PATCH /__mock/collections/pets/{id}'))
    }
    await control.changeDocument('pets', '11', { tag: 'big' })
    expect((await get('/pets/11')).body).toEqual({ id: 11, name: 'Rex', tag: 'big' })
  })
})
