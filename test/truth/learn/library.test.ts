import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { createDirectory, runCommand } from '../../support/command.ts'
import { type Exchanged, get, harOf, seen, type Sent } from './session.ts'

const open = { type: 'object' }
const shows = (description: string, schema?: object) => ({
  description,
  ...(schema && { content: { 'application/json': { schema } } }),
})
const inPath = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })

/** Shelves and cards of a library. The document says of both only that there is something in `data`. */
function pathsOf(noun: string, parameter: string, responses: object) {
  const envelope = { type: 'object', properties: { data: open, permissions: open } }
  const input = {
    content: { 'application/json': { schema: { type: 'object', properties: { data: open, permissions: open } } } },
  }
  const list = { type: 'object', properties: { data: { type: 'array', items: open } } }
  const name = noun.charAt(0).toUpperCase() + noun.slice(1).replace(/_(.)/, (_, letter: string) => letter.toUpperCase())
  return {
    [`/${noun}s`]: {
      get: { operationId: `list${name}s`, responses: { 200: shows('All.', list) } },
      post: { operationId: `create${name}`, requestBody: input, responses: { 201: shows('Made.', envelope) } },
    },
    [`/${noun}s/{${parameter}}`]: {
      parameters: [inPath(parameter)],
      get: { operationId: `get${name}`, responses: { 200: shows('One.', envelope), ...responses } },
      put: { operationId: `put${name}`, requestBody: input, responses: { 200: shows('Changed.', envelope) } },
      delete: { operationId: `delete${name}`, responses: { 200: shows('Gone.', open), ...responses } },
    },
  }
}

function desk() {
  return { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } }
}

const missing = { 404: shows('There is none.', open) }
const LIBRARY = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1' },
  paths: {
    ...pathsOf('shelf', 'id', missing),
    ...pathsOf('card', 'id', missing),
    ...pathsOf('reading_room', 'id', missing),
    '/desks': {
      get: { operationId: 'listDesks', responses: { 200: shows('All.', { type: 'array', items: desk() }) } },
      post: {
        operationId: 'createDesk',
        requestBody: { content: shows('', desk()).content },
        responses: { 201: shows('Made.', desk()) },
      },
    },
    '/desks/{id}': {
      parameters: [inPath('id')],
      get: { operationId: 'getDesk', responses: { 200: shows('One.', desk()), ...missing } },
    },
    '/desks/name/{name}': {
      parameters: [inPath('name')],
      get: { operationId: 'getDeskByName', responses: { 200: shows('One.', desk()), ...missing } },
    },
  },
}

const permissions = { write: ['account:4f1d2a77c09be3b5a6d8e9f0'] }
const post = (path: string, body: object): Sent => ({ method: 'POST', path, body })
const remove = (path: string): Sent => ({ method: 'DELETE', path })

/** What the library does with items of one kind: each response has the permissions, and a deletion says what is gone. */
function useItems(path: string, noun: string, ids: readonly string[]): Exchanged[] {
  return [
    ...ids.map((id) =>
      seen(post(path, { data: { id, label: `No ${id}` } }), 201, { data: { id, label: `No ${id}` }, permissions }),
    ),
    ...ids.map((id) => seen(get(`${path}/${id}`), 200, { data: { id, label: `No ${id}` }, permissions })),
    ...ids.map((id) => seen(remove(`${path}/${id}`), 200, { data: { id, deleted: true } })),
    ...ids.map((id) => {
      const message = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${id} not found`
      return seen(get(`${path}/${id}`), 404, { error: { kind: noun, message } })
    }),
  ]
}

interface Learned {
  readonly hints?: Readonly<Record<string, object>>
  readonly forms: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly accepts: Readonly<Record<string, readonly string[]>>
}

async function learnFrom(exchanged: readonly Exchanged[], contract: object = LIBRARY) {
  const { path, remove: removeFiles } = createDirectory({
    'library.json': JSON.stringify(contract),
    'some.har': JSON.stringify(harOf(exchanged)),
  })
  onTestFinished(removeFiles)
  const [from = '', har = '', out = ''] = ['library.json', 'some.har', 'out.yaml'].map((file) => join(path, file))
  const command = runCommand(['learn', '--contract', from, '--har', har, '--out', out])
  expect([await command.ended, command.stderr().replaceAll(/^learn: .*\n/gm, '')]).toEqual([0, ''])
  const standin = createStandin({ contract: from, documents: 0, profile: out })
  onTestFinished(() => standin.stop())
  const send = async ({ method, path: where, body }: Sent) => {
    const response = await standin.fetch(where, {
      method,
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  return { send, learned: (parse(readFileSync(out, 'utf8')) as { readonly learned: Learned }).learned }
}

describe('what operations on several things have in common holds for others, which no recording shows', () => {
  const recorded = [
    ...useItems('/shelfs', 'shelf', ['north', 'south', 'attic']),
    ...useItems('/cards', 'card', ['c-1', 'c-2', 'c-3']),
  ]

  test('of items, of deletions, and of errors', async () => {
    const { send, learned } = await learnFrom(recorded)
    expect(learned.forms['all items']).toEqual({ '/permissions': { add: permissions } })
    const room = { id: 'quiet', label: 'No noise' }
    expect(await send(post('/reading_rooms', { data: room }))).toEqual({
      status: 201,
      body: { data: room, permissions },
    })
    expect(await send(get('/reading_rooms/quiet'))).toEqual({ status: 200, body: { data: room, permissions } })
    expect(await send(remove('/reading_rooms/quiet'))).toEqual({
      status: 200,
      body: { data: { id: 'quiet', deleted: true } },
    })
    expect(await send(get('/reading_rooms/quiet'))).toEqual({
      status: 404,
      body: { error: { kind: 'reading_room', message: 'Reading room quiet not found' } },
    })
    // By another member than its id, it is the same thing.
    expect(await send(get('/desks/name/loud'))).toEqual({
      status: 404,
      body: { error: { kind: 'desk', message: 'Desk loud not found' } },
    })
  })

  test('what is added to an object, also where a client sends a part of the object', async () => {
    const make = (path: string, id: string, sent: object) => {
      const body = { data: { id }, permissions: { ...sent, ...permissions } }
      return [seen(post(path, { data: { id }, permissions: sent }), 201, body), seen(get(`${path}/${id}`), 200, body)]
    }
    const { send } = await learnFrom(
      ['/shelfs', '/cards'].flatMap((path) => [
        ...make(path, 'a', { read: ['everyone'] }),
        ...make(path, 'b', { read: ['staff'] }),
        ...make(path, 'c', { read: ['staff', 'everyone'] }),
        ...make(path, 'd', {}),
      ]),
    )
    expect((await send(post('/cards', { data: { id: 'c-6' } }))).body).toEqual({ data: { id: 'c-6' }, permissions })
  })

  test('not what one alone shows', async () => {
    const { learned } = await learnFrom(useItems('/cards', 'card', ['c-1', 'c-2', 'c-3']))
    expect(learned.forms).not.toHaveProperty('all items')
    // It is known of the cards, also for the operations on them that no recording has.
    expect(learned.forms['items of /cards']).toEqual({ '/permissions': { add: permissions } })
  })
})

test('what a request described before it was shown was not there at first', async () => {
  const [loft, cellar] = [
    { id: 'loft', label: 'Up' },
    { id: 'cellar', label: 'Down' },
  ]
  const change = { actions: [{ action: 'create', entities: [loft] }] }
  const { send } = await learnFrom([
    seen({ method: 'PATCH', path: '/shelfs', body: change }, 200, { created: ['loft'] }),
    seen(get('/shelfs'), 200, { data: [cellar, loft] }),
  ])
  expect((await send(get('/shelfs'))).body).toEqual({ data: [cellar] })
})

test('items with other ids are not compared, although as many are listed', async () => {
  const desks = ['a', 'b'].map((id) => ({ id, name: `Desk ${id}` }))
  const others = ['c', 'd'].map((id) => ({ id, drawers: 2 }))
  const { send } = await learnFrom([
    ...desks.map((desk) => seen(post('/desks', desk), 201, desk)),
    seen({ method: 'PATCH', path: '/desks', body: { actions: [{ action: 'replace', entities: others }] } }, 200, {}),
    ...Array.from({ length: 5 }, () => seen(get('/desks'), 200, others)),
  ])
  await send(post('/desks', desks[0] ?? {}))
  expect((await send(get('/desks'))).body).toEqual([desks[0]])
})

test('an id by another name is the same one', async () => {
  const made = ['a', 'b'].map((id) => ({ id, name: `Desk ${id}`, uuid: id }))
  const { send } = await learnFrom([
    ...made.map(({ id, name }, at) => seen(post('/desks', { id, name }), 201, made[at])),
    ...made.map((desk) => seen(get(`/desks/${desk.id}`), 200, desk)),
  ])
  await send(post('/desks', { id: 'c', name: 'Mine' }))
  expect((await send(get('/desks/c'))).body).toEqual({ id: 'c', name: 'Mine', uuid: 'c' })
})

test('what responses of a schema have is not added to those of the one operation that never has it', async () => {
  const properties = { ...desk().properties, drawers: { type: 'array', items: { type: 'string' } } }
  const ref = { $ref: '#/components/schemas/Desk' }
  const named = JSON.parse(JSON.stringify(LIBRARY).replaceAll(JSON.stringify(desk()), JSON.stringify(ref))) as object
  const contract = { ...named, components: { schemas: { Desk: { type: 'object', properties } } } }
  const desks = ['a', 'b', 'c'].map((id) => ({ id, name: `Desk ${id}` }))
  const { send } = await learnFrom(
    [
      ...desks.map((one) => seen(post('/desks', one), 201, one)),
      ...[...desks, ...desks].map((one) => seen(get(`/desks/${one.id}`), 200, { ...one, drawers: [] })),
    ],
    contract,
  )
  const mine = { id: 'd', name: 'Mine' }
  expect((await send(post('/desks', mine))).body).toEqual(mine)
  expect((await send(get('/desks/d'))).body).toEqual({ ...mine, drawers: [] })
})

test('what breaks the contract below names that clients choose is taken below others, also by what is generated', async () => {
  const inputs = { type: 'object', additionalProperties: { type: 'object' } }
  const job = { type: 'object', properties: { input: inputs, urgent: { type: 'boolean' } } }
  const startJob = {
    operationId: 'startJob',
    requestBody: { content: shows('', job).content },
    responses: { 202: shows('Soon.', { type: 'object', properties: { queued: { type: 'boolean' } } }) },
  }
  const start = (body: object) => post('/jobs', body)
  const { send, learned } = await learnFrom(
    [seen(start({ input: { colour: 'red' } }), 202, { queued: true }), seen(start({ urgent: 'yes' }), 400, {})],
    { ...LIBRARY, paths: { ...LIBRARY.paths, '/jobs': { post: startJob } } },
  )
  expect(learned.accepts).toEqual({ startJob: ['type /input/*'] })
  expect((await send(start({ input: { 'size/length': 7 } }))).status).toBe(202)
  expect((await send(start({ input: 7 }))).status).toBe(400)
  expect((await send(start({ urgent: 'no' }))).status).toBe(400)
})

test('a service for which another method is another path', async () => {
  const unknown = (method: string, path: string) =>
    seen({ method, path, body: {} }, 404, { error: `Cannot ${method} ${path}` })
  const recorded = [...useItems('/cards', 'card', ['c-1']), unknown('PUT', '/cards'), unknown('PATCH', '/cards/c-1')]
  const { send } = await learnFrom(recorded)
  expect((await send({ method: 'PATCH', path: '/shelfs', body: {} })).status).toBe(404)
  const known = unknown('PUT', '/cards')
  const { send: other } = await learnFrom([...recorded, { ...known, received: { status: 405, body: {} } }])
  expect((await other({ method: 'PATCH', path: '/shelfs', body: {} })).status).toBe(405)
})

test('a service that asks for no key, whatever its document says', async () => {
  const security = [{ basic: [] }]
  const secured = {
    ...LIBRARY,
    security,
    components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
  }
  const { send } = await learnFrom(useItems('/cards', 'card', ['c-1', 'c-2']), secured)
  expect((await send(post('/cards', { data: { id: 'c-3' } }))).status).toBe(201)
  const { send: refused } = await learnFrom([seen(get('/cards'), 401, { error: 'Who are you?' })], secured)
  expect((await refused(get('/cards'))).status).toBe(401)
})

describe('ids that are made of what clients send', () => {
  const zones = {
    openapi: '3.1.0',
    info: { title: 'Names', version: '1' },
    paths: {
      '/zones': {
        get: { operationId: 'listZones', responses: { 200: shows('All.', { type: 'array', items: zone() }) } },
        post: {
          operationId: 'createZone',
          requestBody: { content: { 'application/json': { schema: zone() } } },
          responses: { 201: shows('Made.', zone()) },
        },
      },
      '/zones/{id}': {
        parameters: [inPath('id')],
        get: { operationId: 'getZone', responses: { 200: shows('One.', zone()), ...missing } },
      },
    },
  }
  function zone() {
    const text = { type: 'string' }
    const records = {
      type: 'array',
      items: { type: 'object', required: ['ttl'], properties: { ttl: { type: 'integer' } } },
    }
    return { type: 'object', properties: { id: { ...text, readOnly: true }, name: text, account: text, records } }
  }
  const made = (name: string, account: string, id: string) =>
    seen(post('/zones', { name, account }), 201, { id, name, account })

  test('are found, and new items have such', async () => {
    const { send, learned } = await learnFrom(
      [
        made('shop', 'ann', 'shop.'),
        made('club', 'ann', 'club.'),
        seen(get('/zones/club.'), 200, { id: 'club.', name: 'club', account: 'ann' }),
      ],
      zones,
    )
    expect(learned.hints?.createZone).toEqual({ id: '{name}.' })
    expect((await send(post('/zones', { name: 'bank', account: 'bob' }))).body).toEqual({
      id: 'bank.',
      name: 'bank',
      account: 'bob',
    })
    expect((await send(get('/zones/bank.'))).status).toBe(200)
    expect((await send(post('/zones', { name: 'bank', account: 'eve' }))).status).toBe(409)
    // Without what its id is made of, it has one of the usual.
    expect((await send(post('/zones', { account: 'eve' }))).body).toMatchObject({
      id: expect.stringMatching(/^[\da-zA-Z-]{8,}$/) as string,
    })
  })

  test('elements of a list that break the contract are taken alike, however many there are', async () => {
    const { send, learned } = await learnFrom(
      [seen(post('/zones', { name: 'shop', records: [{ ttl: 1 }, {}] }), 201, { id: 'shop', name: 'shop' })],
      zones,
    )
    expect(learned.accepts).toEqual({ createZone: ['required /records/*/ttl'] })
    expect((await send(post('/zones', { name: 'club', records: [{}, { ttl: 2 }, {}] }))).status).toBe(201)
  })

  test('are not concluded from one, nor from those of which one is otherwise', async () => {
    const { learned } = await learnFrom([made('shop', 'ann', 'shop')], zones)
    expect(learned.hints).toBeUndefined()
    const { learned: others } = await learnFrom(
      [made('shop', 'ann', 'shop'), made('club', 'ann', 'club'), made('bank', 'bob', 'bank-2')],
      zones,
    )
    expect(others.hints).toBeUndefined()
  })
})

test('an error that was seen once is said again, where others say nearly the same', async () => {
  const responses = { 422: shows('Wrong.', { type: 'object', properties: { detail: { type: 'string' } } }) }
  const paths = { ...pathsOf('shelf', 'id', responses), ...pathsOf('card', 'id', responses) }
  const lacking = (noun: string) =>
    ['north', 'south'].map((id) => seen(get(`/${noun.toLowerCase()}s/${id}`), 404, { detail: `${noun} not found` }))
  const { send, learned } = await learnFrom(
    [
      ...lacking('Shelf'),
      ...lacking('Card'),
      seen(remove('/shelfs/north'), 404, { detail: 'Shelf not found' }),
      seen(remove('/cards/north'), 404, { detail: 'No such card.' }),
    ],
    { ...LIBRARY, paths },
  )
  expect(learned.forms['deleteCard 404']).toEqual({ '': { set: { detail: 'No such card.' } } })
  expect(Object.keys(learned.forms)).not.toContain('getCard 404')
  expect((await send(remove('/cards/c-9'))).body).toEqual({ detail: 'No such card.' })
  expect((await send(remove('/shelfs/s-9'))).body).toEqual({ detail: 'Shelf not found' })
})
