import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../support/contracts/small-contract.ts'
import { createControlledTester } from '../../support/control.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }
const list = (items: Json) => ({ type: 'array', items })
const object = (properties: Json, required: string[] = []) => ({ type: 'object', required, properties })

const INPUT = object(
  { title: text, size: { ...integer, minimum: 1 }, tags: list(integer), color: { enum: ['red', 'blue'] } },
  ['title'],
)
const PET = {
  allOf: [INPUT, object({ id: { ...integer, readOnly: true } }, ['id'])],
}

function createPets(validation: 'refuse' | 'warn' | undefined, hint: Json = {}) {
  const limit = { name: 'limit', in: 'query', schema: { ...integer, minimum: 1 } }
  const tester = createContractTester(
    {
      '/pets': {
        get: { parameters: [limit], responses: { 200: shows(list(PET)), 400: nothing } },
        post: { ...hint, requestBody: takes(INPUT), responses: { 201: shows(PET), 400: nothing } },
      },
      '/pets/{petId}': { parameters: [inPath('petId')], get: { responses: { 200: shows(PET), 404: nothing } } },
      '/noises': {
        post: { requestBody: takes(INPUT), responses: { 200: shows(object({ loud: { type: 'boolean' } }, ['loud'])) } },
      },
    },
    {},
    { ...(validation && { validation }), selfCheck: true },
  )
  const send = async (method: 'get' | 'post', path: string, body?: object) => {
    const response = await request(tester.standin.app)[method](path).set(OWN_KEY).send(body)
    const { 'x-mock-violations': header } = response.headers
    const violations = header === undefined ? undefined : (JSON.parse(header) as { message: string }[])
    return { status: response.status, body: response.body as Json, said: violations?.map(({ message }) => message) }
  }
  return { ...tester, send }
}

const WRONG = { title: 'Rex', size: 0, tags: [1, 'x', 3, 'y'], color: 'green' }

describe('--validation warn', () => {
  test('handles a request without what breaks the contract, and says what that is', async () => {
    const { send } = createPets('warn')
    const { status, body, said } = await send('post', '/pets', WRONG)
    expect([status, said]).toEqual([
      201,
      [
        '/size: expected at least 1, got 0.',
        '/tags/1: expected an integer, got "x".',
        '/tags/3: expected an integer, got "y".',
        '/color: expected one of red, blue, got "green".',
      ],
    ])
    expect(body).toMatchObject({ title: 'Rex', tags: [1, 3] })
    expect((await send('get', `/pets/${String(body.id)}`)).body).toEqual(body)
  })

  test('takes what is missing for what the service makes up', async () => {
    const { send } = createPets('warn')
    const { status, body, said } = await send('post', '/pets', { size: 4 })
    expect([status, said]).toEqual([201, ['/title: expected a string, got nothing.']])
    expect(body).toMatchObject({ size: 4, title: expect.any(String) as string })
  })

  test('leaves a parameter out, and what the path names stays unknown', async () => {
    const { send } = createPets('warn')
    const { status, body, said } = await send('get', '/pets?limit=0')
    expect([status, body.length, said]).toEqual([200, 10, ['limit: expected at least 1, got 0.']])
    expect((await send('get', '/pets/99')).status).toBe(404)
    const odd = await send('get', '/pets/a%20b')
    expect([odd.status, odd.said]).toEqual([404, ['petId: expected a plain decimal integer, got "a b".']])
    expect(JSON.stringify(odd.body)).toContain('There is no pet a b.')
  })

  test('generates the response of an operation without a memory', async () => {
    const { status, body, said } = await createPets('warn').send('post', '/noises', { title: 7 })
    expect([status, said]).toEqual([200, ['/title: expected a string, got 7.']])
    expect(body.loud).toEqual(expect.any(Boolean))
  })

  test('keeps the violations in the journal, beside a response that is no error', async () => {
    const { send, control } = createPets('warn')
    await send('post', '/pets', WRONG)
    await send('post', '/pets', { title: 'Tom' })
    const { exchanges } = await control.listExchanges()
    expect(exchanges.map(({ problem, issues }) => [problem, issues.length])).toEqual([
      [null, 4],
      [null, 0],
    ])
  })

  test('is off by default, and of one operation by x-standin', async () => {
    expect((await createPets(undefined).send('post', '/pets', WRONG)).status).toBe(400)
    const one = createPets('refuse', { 'x-standin': { validation: 'warn' } })
    expect((await one.send('post', '/pets', WRONG)).status).toBe(201)
    expect((await one.send('get', '/pets?limit=0')).status).toBe(400)
    const others = createPets('warn', { 'x-standin': { validation: 'refuse' } })
    expect((await others.send('post', '/pets', WRONG)).status).toBe(400)
    expect((await others.send('get', '/pets?limit=0')).status).toBe(200)
  })

  test('refuses what it cannot be, where it is said', () => {
    const started = () => createPets('warn', { 'x-standin': { validation: 'lenient' } })
    expect(started).toThrow(/x-standin\/validation.*it is "lenient"\. Write refuse or warn\./s)
    expect(() => createControlledTester({ validation: 'off' as 'warn' })).toThrow(/validation.*refuse or warn/s)
  })

  test('searches without the filter that breaks the contract, and refuses what has no meaning without it', async () => {
    const { search, create } = createControlledTester({ validation: 'warn' })
    const all = await search({ set: 'demo' })
    const filters = [{ field: 'name', operator: 'IS', value: ['a'] }]
    const found = await search({ set: 'demo', body: { filters } })
    expect([found.status, found.headers['x-mock-violations']]).toEqual([
      200,
      expect.stringContaining('/filters/0/operator'),
    ])
    expect(found.body).toEqual(all.body)
    expect((await create({})).status).toBe(400)
  })
})
