import request from 'supertest'
import { describe, expect, onTestFinished, test } from 'vitest'
import { replay } from '../../../src/app/replay/replay.ts'
import { parseJson, stringifyJson } from '../../../src/base/formats/json.ts'
import type { StandinOptions } from '../../../src/index.ts'
import { createDirectory } from '../../support/command.ts'
import { refusalOf } from '../../support/control.ts'
import { createPetShop, inPath, ref, shows, takes } from '../../support/contracts/pets.ts'
import { OWN_KEY } from '../../support/contracts/small-contract.ts'

const TOYS = {
  '/pets/{petId}/toys': {
    parameters: [inPath('petId')],
    get: { responses: { 200: shows({ type: 'array', items: ref('Toy') }) } },
    post: { requestBody: takes(ref('Toy')), responses: { 201: shows(ref('Toy')) } },
  },
}
const SCHEMAS = {
  Toy: { type: 'object', properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } } },
}

function createShop(options: StandinOptions = {}) {
  const { standin, control } = createPetShop(options, TOYS, SCHEMAS)
  const send = async (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object, key = 'key') =>
    await request(standin.app)
      [method](path)
      .set({ ...OWN_KEY, 'X-Key': key })
      .send(body)
  const read = async (path: string, key = 'key') => (await send('get', path, undefined, key)).body as unknown
  return { standin, control, send, read }
}

/** Everything that clients can see. */
async function lookAt({ read }: Pick<ReturnType<typeof createShop>, 'read'>, key = 'key') {
  return [await read('/pets', key), await read('/pets/2/toys', key), await read('/pets/3/toys', key)]
}

/** Creates, changes and deletes something. */
async function live({ send }: Pick<ReturnType<typeof createShop>, 'send'>, key = 'key') {
  await send('post', '/pets', { name: 'Rex' }, key)
  await send('patch', '/pets/2', { tag: 'dog' }, key)
  await send('delete', '/pets/1', undefined, key)
  await send('post', '/pets/2/toys', { name: 'Ball' }, key)
}

describe('a state document', () => {
  test('has changed instances only, and gives the same responses elsewhere', async () => {
    const shop = createShop()
    expect(await shop.control.getState()).not.toHaveProperty('collections')
    await live(shop)
    const state = await shop.control.getState()
    expect(state.collections?.map(({ name }) => name)).toEqual(['pets', 'pets/2/toys'])
    const other = createShop({ seed: 7 })
    await other.control.putState(parseJson(stringifyJson(state)) as typeof state)
    expect(await other.control.getState()).toEqual(state)
    expect(await lookAt(other)).toEqual(await lookAt(shop))
    // What is created next has the same id, and what was deleted is remembered.
    expect((await other.send('post', '/pets', { name: 'Max' })).body).toMatchObject({ id: 12 })
    expect(await refusalOf(other.control.getDocument('pets', '1'))).toContain('was deleted')
  })

  test('may have instances that no collection of the contract has', async () => {
    const { control, read } = createShop()
    const collections = [{ name: 'carts', made: 3, documents: [{ id: '3', document: { sum: 7 } }] }]
    await control.putState({ ...(await control.getState()), collections })
    expect((await control.getDocument('carts', '3')).document).toEqual({ sum: 7 })
    expect(await read('/pets')).toHaveLength(10)
    expect((await control.getState()).collections).toEqual(collections)
  })
})

describe('a document of a state document', () => {
  test.each([
    [
      'has a value that its schema does not allow',
      { id: 7, name: 'Rex', status: 'lost' },
      '/collections/0/documents/1/document/status',
      'one of new, sold',
      '"lost"',
    ],
    [
      'has another id than its own',
      { id: 8, name: 'Rex' },
      '/collections/0/documents/1/document/id',
      '7, as its id',
      '8',
    ],
  ])('is refused when it %s, and nothing of the state is taken', async (_, document, pointer, expected, received) => {
    const shop = createShop()
    await live(shop)
    const before = await lookAt(shop)
    const documents = [
      { id: '1', document: { id: 1, name: 'Max' } },
      { id: '7', document },
    ]
    const collections = [{ name: 'pets', made: 7, documents }]
    const response = await request(shop.standin.app)
      .put('/__mock/state')
      .send({ ...(await shop.control.getState()), collections })
    const message = expect.stringContaining('Change it, or remove it.') as unknown
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer, expected, received, message }] } })
    expect(await lookAt(shop)).toEqual(before)
  })

  test('gets what it lacks: its id, and what its schema requires', async () => {
    const { control, read } = createShop()
    const documents = [{ id: '7', document: { tag: 'dog' } }]
    await control.putState({ ...(await control.getState()), collections: [{ name: 'pets', made: 7, documents }] })
    const { document } = await control.getDocument('pets', '7')
    expect(document).toEqual({ id: 7, tag: 'dog', name: expect.any(String) as unknown })
    expect(await read('/pets/7')).toEqual(document)
  })
})

describe('documents', () => {
  test('are those of the start again after a reset', async () => {
    const shop = createShop()
    const before = await lookAt(shop)
    await live(shop)
    expect(await lookAt(shop)).not.toEqual(before)
    await shop.control.reset()
    expect(await lookAt(shop)).toEqual(before)
  })

  test('are apart in forks, which begin with what their parent has, also with another seed', async () => {
    const shop = createShop()
    await shop.send('post', '/pets/2/toys', { name: 'Ball' })
    await shop.control.forkSandbox('default', { name: 'fork' })
    await shop.control.forkSandbox('default', { name: 'other', seed: 7 })
    await shop.control.forkSandbox('other', { name: 'next', seed: 8 })
    const before = await lookAt(shop)
    await live(shop, 'key@fork')
    expect(await lookAt(shop)).toEqual(before)
    expect(await lookAt(shop, 'key@fork')).not.toEqual(before)
    expect(await lookAt(shop, 'key@other')).toEqual(before)
    expect(await lookAt(shop, 'key@next')).toEqual(before)
    await shop.control.createSandbox({ name: 'new', seed: 9 })
    expect((await lookAt(shop, 'key@new'))[0]).toEqual(before[0])
    // A state document of the fork has them too.
    const state = await shop.control.in('other').getState()
    const there = createShop({ seed: 11 })
    await there.control.putState(state)
    expect(await lookAt(there)).toEqual(before)
  })

  test('are those of a checkpoint again when it is restored', async () => {
    const shop = createShop()
    await live(shop)
    const then = await lookAt(shop)
    await shop.control.createCheckpoint({ name: 'then' })
    await shop.send('delete', '/pets/11')
    await shop.send('post', '/pets/3/toys', { name: 'Rope' })
    await shop.control.restoreCheckpoint('then')
    expect(await lookAt(shop)).toEqual(then)
  })

  test('are there again after a restart with the same data directory', async () => {
    const directory = createDirectory({})
    onTestFinished(directory.remove)
    const first = createShop({ data: directory.path })
    await live(first)
    const then = await lookAt(first)
    await first.standin.stop()
    // The name of the contract's file is not part of what the directory belongs to.
    const second = createShop({ data: directory.path })
    onTestFinished(() => second.standin.stop())
    expect(await lookAt(second)).toEqual(then)
    expect((await second.send('post', '/pets', { name: 'Max' })).body).toMatchObject({ id: 12 })
  })

  test('are counted in what a sandbox shows of itself', async () => {
    const shop = createShop()
    expect(await shop.control.getSandbox('default')).toMatchObject({ documents: 10 })
    await shop.send('post', '/pets', { name: 'Rex' })
    expect(await shop.control.getSandbox('default')).toMatchObject({ documents: 11 })
    expect(await shop.control.createCheckpoint({ name: 'rex' })).toMatchObject({ documents: 11 })
  })
})

test('a run can be replayed from one file', async () => {
  const shop = createShop()
  await live(shop)
  await shop.read('/pets')
  const value = parseJson(stringifyJson(await shop.control.getReplay()))
  const report = await replay({ file: 'run.json', value, lineOf: () => 1 })
  expect(report).toMatchObject({ exchanges: 5, events: 4, skipped: [], difference: undefined })
})

test('each change is an event of the history', async () => {
  const shop = createShop()
  await live(shop)
  const { events } = await shop.control.getHistory()
  expect(events.map(({ type, collection, id }) => [type, collection, id])).toEqual([
    ['document.created', 'pets', '11'],
    ['document.updated', 'pets', '2'],
    ['document.removed', 'pets', '1'],
    ['document.created', 'pets/2/toys', '11'],
  ])
})

describe('idempotency keys and timed transitions', () => {
  const timed = { 'x-standin': { transitions: { status: { new: [{ to: 'sold', after: 'PT5M' }] } } } }
  const parameters = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }]
  const paths = {
    '/pets': {
      ...timed,
      get: { responses: { 200: shows({ type: 'array', items: ref('Pet') }) } },
      post: { parameters, requestBody: takes(ref('NewPet')), responses: { 201: shows(ref('Pet')) } },
    },
  }
  const createTimedShop = (options: StandinOptions = {}) => {
    const { standin, control } = createPetShop(options, paths)
    const create = async () =>
      (await request(standin.app).post('/pets').set(OWN_KEY).set('Idempotency-Key', 'a').send({ name: 'Rex' }))
        .body as {
        readonly id: number
      }
    const statusOf = async (id: number) =>
      ((await request(standin.app).get(`/pets/${id}`).set(OWN_KEY)).body as { readonly status: string }).status
    return { standin, control, create, statusOf }
  }

  test('are there again after a restart with the same data directory', async () => {
    const directory = createDirectory({})
    onTestFinished(directory.remove)
    const first = createTimedShop({ data: directory.path })
    const rex = await first.create()
    await first.control.advanceClock({ by: 'PT3M' })
    await first.standin.stop()
    const second = createTimedShop({ data: directory.path })
    onTestFinished(() => second.standin.stop())
    expect(await second.create()).toEqual(rex)
    expect(await second.statusOf(rex.id)).toBe('new')
    await second.control.advanceClock({ by: 'PT2M' })
    expect(await second.statusOf(rex.id)).toBe('sold')
  })

  test('happen again in a replay', async () => {
    const shop = createTimedShop()
    const { id } = await shop.create()
    await shop.create()
    await shop.control.advanceClock({ by: 'PT5M' })
    expect(await shop.statusOf(id)).toBe('sold')
    const value = parseJson(stringifyJson(await shop.control.getReplay()))
    expect(await replay({ file: 'run.json', value, lineOf: () => 1 })).toMatchObject({
      exchanges: 3,
      difference: undefined,
    })
  })
})
