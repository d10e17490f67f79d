import request from 'supertest'
import { describe, expect, test } from 'vitest'
import type { FaultRequest } from '../../../src/index.ts'
import { refusalOf } from '../../support/control.ts'
import { createPetShop, ref, shows, takes } from '../../support/contracts/pets.ts'
import { OWN_KEY } from '../../support/contracts/small-contract.ts'

/** A pet shop with faults. @param parameters of the list */
async function createShop(fault: FaultRequest, ...parameters: readonly string[]) {
  const list = {
    operationId: 'listPets',
    parameters: parameters.map((name) => ({
      name,
      in: 'query',
      schema: { type: name === 'cursor' ? 'string' : 'integer' },
    })),
    responses: {
      200: shows({
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'array', items: ref('Pet') }, next_cursor: { type: ['string', 'null'] } },
      }),
    },
  }
  const create = { operationId: 'createPet', requestBody: takes(ref('NewPet')), responses: { 201: shows(ref('Pet')) } }
  const { standin, control } = createPetShop({}, { '/pets': { get: list, post: create } })
  const send = async (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) =>
    await request(standin.app)[method](path).set(OWN_KEY).send(body)
  await control.armFaults(fault)
  return { control, send }
}

describe('a lost answer', () => {
  test('has stored the item, so a client that repeats the request creates two', async () => {
    const { control, send } = await createShop({ kind: 'lost-answer', by: 'gateway-timeout', times: 1 })
    expect((await send('post', '/pets', { name: 'Rex' })).status).toBe(504)
    expect((await send('get', '/pets/11')).body).toMatchObject({ name: 'Rex' })
    expect((await send('post', '/pets', { name: 'Rex' })).body).toMatchObject({ id: 12 })
    const [result] = (await control.verifyJournal({ expectations: [{ neverSentSameCreateTwice: true }] })).results
    expect(result).toMatchObject({ passed: false })
  })

  test('has deleted the item', async () => {
    const { send } = await createShop({ kind: 'lost-answer', by: 'gateway-timeout', times: 1 })
    expect((await send('get', '/pets/3')).status).toBe(200)
    expect((await send('delete', '/pets/3')).status).toBe(504)
    expect((await send('get', '/pets/3')).status).toBe(404)
  })
})

describe('a conflicting edit', () => {
  test('changes the item just before the request', async () => {
    const { send } = await createShop({ kind: 'conflicting-edit', times: 1 })
    const { name } = (await send('get', '/pets/3')).body as { name: string }
    const edited = await send('patch', '/pets/3', { tag: 'dog' })
    expect(edited.body).toMatchObject({ name: `${name} (edited)`, tag: 'dog' })
  })

  test('removes it', async () => {
    const { send } = await createShop({ kind: 'conflicting-edit', edit: 'remove', times: 1 })
    expect((await send('patch', '/pets/3', { tag: 'dog' })).status).toBe(404)
    expect((await send('patch', '/pets/4', { tag: 'dog' })).status).toBe(200)
  })

  test('cannot be armed for reads', async () => {
    const { control } = await createShop({ kind: 'lost-answer' })
    const armed = control.armFaults({ kind: 'conflicting-edit', match: { operationId: 'readPet' } })
    expect(await refusalOf(armed)).toContain('400 ')
  })
})

describe('a fault of a page', () => {
  test.each([
    ['page', ['page', 'per_page'], '?page=2&per_page=4'],
    ['offset', ['offset', 'limit'], '?offset=4&limit=4'],
  ])('strikes that page only, by %s', async (_, parameters, second) => {
    const { send } = await createShop(
      { kind: 'status', status: 503, match: { operationId: 'listPets', page: 2 } },
      ...parameters,
    )
    expect((await send('get', `/pets${second}`)).status).toBe(503)
    expect((await send('get', `/pets${second.replace('=2&', '=3&').replace('=4&', '=8&')}`)).status).toBe(200)
    expect((await send('get', '/pets')).status).toBe(200)
  })
})

test('a token of a list can expire during a walk', async () => {
  const { control, send } = await createShop({ kind: 'cursor-expired', times: 1 }, 'cursor', 'limit')
  const first = (await send('get', '/pets?limit=4')).body as { data: unknown[]; next_cursor: string }
  expect(first.data).toHaveLength(4)
  const next = `/pets?limit=4&cursor=${encodeURIComponent(first.next_cursor)}`
  expect(await send('get', next)).toMatchObject({ status: 400, body: { type: '/problems/cursor-invalid' } })
  expect((await send('get', next)).status).toBe(200)
  const [result] = (await control.verifyJournal({ expectations: [{ walkedEveryPageOnce: true }] })).results
  expect(result).toMatchObject({ passed: false })
})
