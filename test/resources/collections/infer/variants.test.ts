import { describe, expect, test } from 'vitest'
import { inPath, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter } from '../../../support/contracts/shelter.ts'

const text = { type: 'string' }
const id = { type: 'integer', readOnly: true }
const named = { id, name: text, kind: text }

type Schemas = Readonly<Record<string, object>>

const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', required, properties })
const heir = (base: string, properties: object) => ({ allOf: [ref(base), object(properties)] })
const discriminator = (mapping?: object) => ({ discriminator: { propertyName: 'kind', ...(mapping && { mapping }) } })
const either = { oneOf: [ref('Cat'), ref('Dog')] }
const separate = {
  Cat: object({ ...named, lives: text }, ['kind']),
  Dog: object({ ...named, bark: text }, ['kind']),
}
const base = object(named, ['kind'])
const inherited = { Cat: heir('Animal', { lives: text }), Dog: heir('Animal', { bark: text }) }
const byName = { cat: '#/components/schemas/Cat', dog: 'Dog' }

/** What tells a cat from a dog, and the values of `kind`. */
const VARIANTS: readonly (readonly [string, Schemas, string, string])[] = [
  ['the names of schemas', { Pet: { ...either, ...discriminator() }, ...separate }, 'Cat', 'Dog'],
  ['a mapping', { Pet: { ...either, ...discriminator(byName) }, ...separate }, 'cat', 'dog'],
  ['anyOf', { Pet: { anyOf: either.oneOf, ...discriminator() }, ...separate }, 'Cat', 'Dog'],
  ['allOf with a common part', { Pet: { ...either, ...discriminator() }, Animal: base, ...inherited }, 'Cat', 'Dog'],
  [
    'an enumeration of the common part',
    {
      Pet: { ...either, ...discriminator() },
      Animal: object({ ...named, kind: { ...text, enum: ['cat', 'dog'] } }, ['kind']),
      ...inherited,
    },
    'cat',
    'dog',
  ],
  [
    'the discriminator of the base',
    { Pet: either, Animal: { ...base, ...discriminator() }, ...inherited },
    'Cat',
    'Dog',
  ],
  [
    'a base that others inherit',
    { Pet: { ...base, ...discriminator() }, Cat: heir('Pet', { lives: text }), Dog: heir('Pet', { bark: text }) },
    'Cat',
    'Dog',
  ],
  [
    'a base with a mapping',
    { Pet: { ...base, ...discriminator(byName) }, Cat: heir('Pet', { lives: text }), Dog: heir('Pet', { bark: text }) },
    'cat',
    'dog',
  ],
  [
    'a discriminator beside the alternatives',
    { Pet: { allOf: [base, either], ...discriminator() }, Cat: object({ lives: text }), Dog: object({ bark: text }) },
    'Cat',
    'Dog',
  ],
]

const PAGE = { name: 'page', in: 'query', schema: { type: 'integer' } }

function createPets(schemas: Schemas, input = 'Pet') {
  return createShelter(
    {
      '/pets': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Pet') }) } },
        post: { requestBody: takes(ref(input)), responses: { 201: shows(ref('Pet')) } },
      },
      '/pets/{petId}': {
        parameters: [inPath('petId')],
        get: { responses: { 200: shows(ref('Pet')) } },
        put: { requestBody: takes(ref(input)), responses: { 200: shows(ref('Pet')) } },
      },
    },
    schemas,
  )
}

describe('a collection of several kinds of items, told apart by', () => {
  test.each(VARIANTS)('%s, begins with both and keeps both', async (_, schemas, cat, dog) => {
    const { send } = createPets(schemas)
    const { body } = await send(['get', '/pets'])
    const list = body as unknown as readonly Readonly<Record<string, unknown>>[]
    expect(new Set(list.map(({ kind }) => kind))).toEqual(new Set([cat, dog]))
    for (const { kind, ...rest } of list)
      expect([kind, 'lives' in rest, 'bark' in rest]).toEqual([kind, kind === cat, kind === dog])
    const tom = { kind: cat, name: 'Tom', lives: '7' }
    const rex = { kind: dog, name: 'Rex', bark: 'loud' }
    expect(await send(['post', '/pets'], tom)).toMatchObject({ status: 201, body: { id: 11, ...tom } })
    expect(await send(['post', '/pets'], rex)).toMatchObject({ status: 201, body: { id: 12, ...rex } })
    expect(await send(['put', '/pets/12'], { ...rex, bark: 'low' })).toMatchObject({ status: 200 })
    expect((await send(['get', '/pets/12'])).body).toEqual({ id: 12, ...rex, bark: 'low' })
    expect((await send(['post', '/pets'], { kind: cat, lives: 9 })).status).toBe(400)
  })
})

test('a new item has what its own kind requires, and the server makes', async () => {
  const mapping = (prefix: string) => ({
    cat: `#/components/schemas/${prefix}Cat`,
    dog: `#/components/schemas/${prefix}Dog`,
  })
  const made = (name: string) => ({ allOf: [ref('Animal'), object({ [name]: { ...text, readOnly: true } }, [name])] })
  const { send } = createPets(
    {
      NewPet: { oneOf: [ref('NewCat'), ref('NewDog')], ...discriminator(mapping('New')) },
      NewCat: object({ kind: text, name: text }, ['kind']),
      NewDog: object({ kind: text, name: text }, ['kind']),
      Pet: { oneOf: [ref('Cat'), ref('Dog')], ...discriminator(mapping('')) },
      Animal: object(named, ['id', 'kind']),
      Cat: made('passport'),
      Dog: made('licence'),
    },
    'NewPet',
  )
  const made201 = await send(['post', '/pets'], { kind: 'dog', name: 'Rex' })
  expect(made201).toMatchObject({
    status: 201,
    body: { id: 11, kind: 'dog', name: 'Rex', licence: expect.any(String) as unknown },
  })
  expect(made201.body).not.toHaveProperty('passport')
})

test('other values of a base are taken, and a path of one kind shows that kind', async () => {
  const { send } = createShelter(
    {
      '/pets': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Pet') }) } },
        post: { requestBody: takes(ref('Pet')), responses: { 201: shows(ref('Pet')) } },
      },
      '/cats': {
        get: { parameters: [PAGE], responses: { 200: shows({ type: 'array', items: ref('Cat') }) } },
      },
    },
    { Pet: { ...base, ...discriminator() }, Cat: heir('Pet', { lives: text }), Dog: heir('Pet', { bark: text }) },
  )
  expect(await send(['post', '/pets'], { kind: 'Turtle', name: 'Tim' })).toMatchObject({ body: { kind: 'Turtle' } })
  const { body } = await send(['get', '/cats'])
  expect(new Set((body as unknown as { kind: string }[]).map(({ kind }) => kind))).toEqual(new Set(['Cat']))
})

test('what is wrong with a variant is said of the one that its discriminator names', async () => {
  const made = (name: string) => heir('Craft', { [name]: { type: 'integer' } })
  const required = (name: string) => ({ allOf: [...made(name).allOf, { required: [name] }] })
  const schemas = {
    Craft: object(named, ['kind']),
    Canoe: required('paddles'),
    Ferry: required('cars'),
    Vessel: { oneOf: [ref('Canoe'), ref('Ferry')], ...discriminator() },
  }
  const paths = {
    '/vessels': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Vessel') }) } },
      post: { requestBody: takes(ref('Vessel')), responses: { 201: shows(ref('Vessel')) } },
    },
    '/vessels/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(ref('Vessel')) } } },
  }
  const { send } = createShelter(paths, schemas)
  const said = async (body: object) => (await send(['post', '/vessels'], body)).body.detail
  expect(await said({ kind: 'Ferry', paddles: 2 })).toBe('/cars: expected a value, got nothing.')
  expect(await said({ kind: 'Canoe' })).toBe('/paddles: expected a value, got nothing.')
  expect(await said({ kind: 'Canoe', paddles: 'two', cars: 'x' })).toBe('/paddles: expected an integer, got "two".')
  expect(await said({ kind: 'Raft', cars: 1 })).toBe('/kind: expected one of Canoe, Ferry, got "Raft".')
})

test('a new item without a kind is of the one that has what was sent', async () => {
  const closed = (properties: object, required: readonly string[]) => ({
    ...object({ id, ...properties }, ['id', ...required]),
    additionalProperties: false,
  })
  const { send } = createPets(
    {
      NewPet: object({ purr: text, bark: text }),
      Pet: { anyOf: [ref('Cat'), ref('Dog'), ref('Bird')] },
      Cat: closed({ name: text, lives: text, purr: text }, ['name', 'lives']),
      Dog: closed({ name: text, bark: text }, ['name']),
      Bird: closed({ wings: text }, []),
    },
    'NewPet',
  )
  const made = expect.any(String) as unknown
  expect((await send(['post', '/pets'], { purr: 'loud' })).body).toMatchObject({ purr: 'loud', lives: made })
  expect((await send(['post', '/pets'], { bark: 'low' })).body).toMatchObject({ bark: 'low', name: made })
})
