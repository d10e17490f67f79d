import { describe, expect, test } from 'vitest'
import { StartupError } from '../../../../src/base/errors/problem.ts'
import { createPetShop, inPath, ref, shows, takes } from '../../../support/contracts/pets.ts'

type Json = Readonly<Record<string, unknown>>

/** The complaints of a start with these hints, without the name of the file. */
function complaintsOf({ path, operation }: { readonly path?: unknown; readonly operation?: unknown }): string[] {
  const adopt = {
    responses: { 200: shows(ref('Pet')) },
    ...(operation === undefined ? {} : { 'x-standin': operation }),
  }
  const list = { get: { responses: { 200: shows({ type: 'array', items: ref('Pet') }) } } }
  const pets = { ...list, post: { responses: { 201: shows(ref('Pet')) } } }
  const paths = {
    '/pets': path === undefined ? pets : { 'x-standin': path, ...pets },
    '/pets/{petId}/adopt': { parameters: [inPath('petId')], post: adopt },
  }
  return complaintsAt(paths)
}

function complaintsAt(paths: Json): string[] {
  try {
    createPetShop({}, paths)
  } catch (error) {
    if (error instanceof StartupError) return error.complaints.map((one) => one.replace(/^\S+contract\.json:1: /, ''))
    throw error
  }
  return []
}

const lifecycle = (rules: Json): Json => ({ transitions: { status: rules } })
const AT = '/paths/~1pets/x-standin'

describe('x-standin of a path', () => {
  test('is accepted with what it may have', () => {
    const timed = lifecycle({ new: ['sold', { to: 'sold', after: 'P1DT12H' }] })
    expect(complaintsOf({ path: { collection: 'animals', id: 'name', parent: null, ...timed } })).toEqual([])
    expect(complaintsOf({ path: { ignore: true } })).toEqual([])
  })

  test.each<[string, unknown, string]>([
    [
      'no object',
      'list',
      `${AT}: it is "list". Of a path it is an object that may have collection, id, parent, ignore, transitions.`,
    ],
    [
      'an unknown member',
      { transition: {} },
      `${AT}/transition: \`transition\` is not known. It may have collection, id, parent, ignore, transitions. Did you mean transitions?`,
    ],
    [
      'a name that is none',
      { collection: 'a b' },
      `${AT}/collection: it is "a b". Name a collection by letters, digits and -._~.`,
    ],
    ['a flag that is none', { ignore: 'yes' }, `${AT}/ignore: it is "yes". Write true or false.`],
    [
      'an id that no item has',
      { id: 'nam' },
      `${AT}/id: a pet has no member "nam". It has id, name, tag, status, created_at. Did you mean name?`,
    ],
    [
      'an unknown parent',
      { parent: 'shops' },
      `${AT}/parent: there is no collection "shops". It may be one of pets, or null.`,
    ],
    [
      'a lifecycle of an unknown member',
      { transitions: { state: {} } },
      `${AT}/transitions/state: a pet has no member \`state\`. Did you mean status?`,
    ],
    [
      'an unknown status',
      lifecycle({ new: ['gone'] }),
      `${AT}/transitions/status/new/0: "gone" is not one of the statuses new, sold.`,
    ],
    [
      'an unknown status to begin with',
      lifecycle({ old: [] }),
      `${AT}/transitions/status/old: "old" is not one of the statuses new, sold. Did you mean sold?`,
    ],
    [
      'a bad duration',
      lifecycle({ new: [{ to: 'sold', after: '5 minutes' }] }),
      `${AT}/transitions/status/new/0/after: it is "5 minutes". Write a time as an ISO 8601 duration without years and months, such as PT5M or P1D.`,
    ],
    [
      'an unknown member of a transition',
      lifecycle({ new: [{ to: 'sold', after: 'PT1M', at: 1 }] }),
      `${AT}/transitions/status/new/0/at: \`at\` is not known. It may have \`to\` and \`after\`.`,
    ],
    [
      'a text for a list',
      lifecycle({ new: 'sold' }),
      `${AT}/transitions/status/new: it is "sold". Write the statuses that may follow each: transitions: { status: { placed: [cancelled] } }.`,
    ],
    [
      'a circle of time',
      lifecycle({ new: [{ to: 'sold', after: 'PT1M' }], sold: [{ to: 'new', after: 'PT1M' }] }),
      `${AT}/transitions/status: time would change new to sold to new, and so on without end. Remove one \`after\`.`,
    ],
  ])('is refused with %s', (_, path, complaint) => {
    expect(complaintsOf({ path })).toEqual([complaint])
  })
})

test('x-standin of a path below an item is refused for what it cannot change', () => {
  const adopt = { parameters: [inPath('petId')], post: { responses: { 200: shows(ref('Pet')) } } }
  const hint = { collection: 'animals', id: 'name', parent: null, ...lifecycle({ new: ['sold'] }) }
  const place = '/paths/~1pets~1{petId}~1adopt/x-standin'
  const complaint = 'it has no effect below an item. Put it on the path of the collection, or of its items.'
  expect(complaintsAt({ '/pets/{petId}/adopt': { 'x-standin': hint, ...adopt } })).toEqual(
    ['collection', 'id', 'parent'].map((name) => `${place}/${name}: ${complaint}`),
  )
})

const ADOPT = '/paths/~1pets~1{petId}~1adopt/post/x-standin'

describe('x-standin of an operation', () => {
  test.each<[string, unknown, string]>([
    [
      'an unknown member',
      { sets: {} },
      `${ADOPT}/sets: \`sets\` is not known. It may have id, role, set, stubs, unique, validation. Did you mean set?`,
    ],
    [
      'a text to set',
      { set: 'sold' },
      `${ADOPT}/set: it is "sold". Write the members that it sets: set: { status: cancelled }.`,
    ],
    [
      'an unknown member to set',
      { set: { state: 'sold' } },
      `${ADOPT}/set/state: a pet has no member \`state\`. Did you mean status?`,
    ],
    [
      'an unknown status to set',
      { set: { status: 'adopted' } },
      `${ADOPT}/set/status: "adopted" is not one of new, sold.`,
    ],
    [
      'unique members of what creates nothing',
      { unique: ['name'] },
      `${ADOPT}/unique: it has no effect here. Put it on the operation that creates the items of a collection.`,
    ],
    [
      'unique members that are no names',
      { unique: 'name' },
      `${ADOPT}/unique: it is "name". Write members that tell items apart: unique: [code, [owner, title]].`,
    ],
    [
      'an id of what creates nothing',
      { id: '{name}.' },
      `${ADOPT}/id: it has no effect here. Put it on the operation that creates the items of a collection.`,
    ],
    [
      'an id that is made of nothing',
      { id: 'name' },
      `${ADOPT}/id: it is "name". Write what new ids are made of, with members in braces: id: '{name}'.`,
    ],
  ])('is refused with %s', (_, operation, complaint) => {
    expect(complaintsOf({ operation })).toEqual([complaint])
  })
})

describe('x-standin that cannot be meant', () => {
  const list = { 200: shows({ type: 'array', items: ref('Pet') }) }
  const toys = { '/toys': { get: { responses: list }, post: { responses: { 201: shows(ref('Pet')) } } } }
  const onPet = (more: Json) => ({
    '/pets/{petId}': { parameters: [inPath('petId')], get: { responses: { 200: shows(ref('Pet')) }, ...more } },
  })
  const hinted = (hint: Json) => ({ '/toys': { 'x-standin': hint, ...toys['/toys'] } })

  test.each<[string, Json, string]>([
    [
      'a list that shows one item',
      onPet({ 'x-standin': 'list' }),
      '/paths/~1pets~1{petId}/get/x-standin: GET /pets/{petId} cannot be list: its response has no list of items like a pet.',
    ],
    [
      'a GET that deletes',
      onPet({ 'x-standin': { role: 'delete' } }),
      '/paths/~1pets~1{petId}/get/x-standin: GET /pets/{petId} cannot be delete: a GET may be list, search, read, exists.',
    ],
    [
      'a role where no collection is',
      { '/words': { get: { 'x-standin': 'read', responses: { 200: shows({ type: 'string' }) } } } },
      '/paths/~1words/get/x-standin: GET /words cannot be read: its response is neither an object nor a list of objects.',
    ],
    [
      'unique members that no item has',
      {
        '/toys': {
          get: { responses: list },
          post: { 'x-standin': { unique: [['nam', 'tag']] }, ...toys['/toys'].post, requestBody: takes(ref('NewPet')) },
        },
      },
      '/paths/~1toys/post/x-standin/unique: a toy has no member `nam`. Did you mean name?',
    ],
    [
      'an id that is made of what no body has',
      {
        '/toys': {
          get: { responses: list },
          post: { 'x-standin': { id: '{nam}.' }, ...toys['/toys'].post, requestBody: takes(ref('NewPet')) },
        },
      },
      '/paths/~1toys/post/x-standin/id: the body of postToys has no member `nam`. Did you mean name?',
    ],
    [
      'a name where no collection is',
      { '/words': { 'x-standin': { collection: 'words' }, get: { responses: { 200: shows({ type: 'string' }) } } } },
      '/paths/~1words/x-standin: no collection was found at /words. Put it on the path of a collection, or of its items.',
    ],
    [
      'the name of another collection',
      hinted({ collection: 'pets' }),
      '/paths/~1toys/x-standin/collection: the collection of /pets is called pets too. Choose another name.',
    ],
    [
      'a parent of a collection at the top',
      hinted({ parent: 'pets' }),
      '/paths/~1toys/x-standin/parent: the path of its collection has no id of a pet. Remove it, or write null.',
    ],
  ])('is refused: %s', (_, paths, complaint) => {
    expect(complaintsAt({ ...toys, ...paths })).toEqual([complaint])
  })
})

test('everything that is wrong is said at once', () => {
  expect(complaintsOf({ path: { id: 'nam' }, operation: { set: { state: 'sold' } } })).toHaveLength(2)
})
