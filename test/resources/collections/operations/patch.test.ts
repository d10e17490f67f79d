import { describe, expect, test } from 'vitest'
import { inPath, ref, shows } from '../../../support/contracts/pets.ts'
import { createShelter, refusals } from '../../../support/contracts/shelter.ts'
import { type Json } from '../../../support/contracts/small-contract.ts'

const ADA = { name: 'Ada', phone: null }

test('a JSON Patch changes an item step by step, or not at all', async () => {
  const patch = {
    'application/json-patch+json': { schema: { type: 'array', items: { type: 'object', required: ['op'] } } },
  }
  const merge = { 'application/merge-patch+json': { schema: ref('OwnerPatch') } }
  const operation = {
    requestBody: { required: true, content: { ...merge, ...patch } },
    responses: { 200: shows(ref('Owner')), ...refusals(400, 409) },
  }
  const { send } = createShelter({ '/owners/{ownerId}': { ...ownerPaths(), patch: operation } })
  const type = { 'Content-Type': 'application/json-patch+json' }
  await send(['post', '/owners'], { ...ADA, city: 'Paris' })
  const steps = [
    { op: 'test', path: '/name', value: 'Ada' },
    { op: 'replace', path: '/name', value: 'Eve' },
    { op: 'remove', path: '/city' },
    { op: 'add', path: '/address', value: { street: 'Rue' } },
  ]
  const changed = await send(['patch', '/owners/11'], steps, type)
  expect(changed).toMatchObject({ status: 200, body: { id: 11, name: 'Eve', address: { street: 'Rue' } } })
  expect(changed.body).not.toHaveProperty('city')
  expect((await send(['patch', '/owners/11'], steps, type)).status).toBe(409)
  const capital = await send(['patch', '/owners/1'], [{ op: 'Replace', path: '/name', value: 'Eve' }], type)
  expect(capital).toMatchObject({ status: 200, body: { id: 1, name: 'Eve' } })
  const wrong = await send(['patch', '/owners/11'], [{ op: 'remove', path: '/none' }], type)
  expect(wrong).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^\/0: /) as string } })
  expect((await send(['patch', '/owners/11'], [{ path: '/name' }], type)).status).toBe(400)
  expect((await send(['patch', '/owners/11'], [{ op: 'replace', path: '/id', value: 5 }], type)).body).toEqual({
    ...changed.body,
    version: 3,
  })
  expect((await send(['get', '/owners/11'])).body).toMatchObject({ id: 11, name: 'Eve' })
  const mergeType = { 'Content-Type': 'application/merge-patch+json' }
  expect((await send(['patch', '/owners/11'], { city: 'Rome' }, mergeType)).body).toMatchObject({ city: 'Rome' })
})

function ownerPaths() {
  return {
    parameters: [inPath('ownerId')],
    get: { responses: { 200: shows(ref('Owner')), ...refusals(404) } },
  }
}

describe('a JSON Patch', () => {
  const content = { 'application/json-patch+json': { schema: { type: 'array', items: { type: 'object' } } } }
  const patch = { requestBody: { content }, responses: { 200: shows(ref('Owner')), ...refusals(400, 409) } }
  const begin = async (item: Json) => {
    const { send } = createShelter({ '/owners/{ownerId}': { ...ownerPaths(), patch } })
    await send(['post', '/owners'], item)
    return (...steps: readonly Json[]) =>
      send(['patch', '/owners/11'], steps, { 'Content-Type': 'application/json-patch+json' })
  }

  test('copies and moves values, and what is copied is a value of its own', async () => {
    const apply = await begin(ADA)
    const { status, body } = await apply(
      { op: 'add', path: '/address', value: { street: 'Rue', tags: ['a', 'c'] } },
      { op: 'copy', from: '/address', path: '/second' },
      { op: 'replace', path: '/second/street', value: 'Quai' },
      { op: 'add', path: '/address/tags/1', value: 'b' },
      { op: 'add', path: '/address/tags/-', value: 'd' },
      { op: 'move', from: '/address/tags', path: '/tags' },
      { op: 'remove', path: '/tags/0' },
      { op: 'test', path: '/tags', value: ['b', 'c', 'd'] },
      { op: 'test', path: '/second', value: { tags: ['a', 'c'], street: 'Quai' } },
    )
    expect({ status, body }).toMatchObject({ status: 200, body: { address: { street: 'Rue' } } })
  })

  test('replaces the item as a whole', async () => {
    const apply = await begin({ ...ADA, city: 'Paris' })
    const { status, body } = await apply({ op: 'replace', path: '', value: { ...ADA, name: 'Eve' } })
    expect({ status, body }).toMatchObject({ status: 200, body: { id: 11, name: 'Eve' } })
    expect(body).not.toHaveProperty('city')
  })

  test.each<[string, Json]>([
    ['removes the item', { op: 'remove', path: '' }],
    ['replaces the item by a list', { op: 'replace', path: '', value: [] }],
    ['has no value', { op: 'add', path: '/city' }],
    ['has no path', { op: 'remove' }],
    ['copies from nowhere', { op: 'copy', from: '/none', path: '/city' }],
    ['moves a value into itself', { op: 'move', from: '/address', path: '/address/inner' }],
    ['adds below what is not there', { op: 'add', path: '/none/inner', value: 1 }],
    ['adds below a text', { op: 'add', path: '/name/inner', value: 1 }],
    ['adds beyond the end of a list', { op: 'add', path: '/tags/5', value: 'x' }],
    ['adds at what is no index', { op: 'add', path: '/tags/x', value: 'x' }],
    ['is of no known kind', { op: 'clear', path: '/city' }],
    ['reaches for the prototype', { op: 'add', path: '/__proto__/x', value: 1 }],
  ])('that %s is refused', async (_, step) => {
    const apply = await begin(ADA)
    const { status, body } = await apply(
      { op: 'add', path: '/address', value: {} },
      { op: 'add', path: '/tags', value: ['a'] },
      step,
    )
    expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.any(String) as string })
    expect(JSON.stringify(body)).not.toContain('/item')
  })
})

test('a JSON Patch is taken also where the document calls it an object', async () => {
  const content = { 'application/json-patch+json': { schema: { type: 'object' } } }
  const patch = { requestBody: { content }, responses: { 200: shows(ref('Owner')) } }
  const paths = {
    '/owners': { get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } } },
    '/owners/{ownerId}': { parameters: [inPath('ownerId')], get: { responses: { 200: shows(ref('Owner')) } }, patch },
  }
  const { send } = createShelter(paths)
  const type = { 'Content-Type': 'application/json-patch+json' }
  const changed = await send(['patch', '/owners/1'], [{ op: 'replace', path: '/city', value: 'Paris' }], type)
  expect(changed).toMatchObject({ status: 200, body: { city: 'Paris' } })
})
