import { expect, test } from 'vitest'
import { describeBehaviour } from '../../support/describe-behaviour.ts'
import { inPath, nothing, ref, shows, takes } from '../../support/contracts/pets.ts'
import { refusals, send, shelterOptions } from '../../support/contracts/shelter.ts'
import { createTester, type Tester } from '../../support/tester.ts'

const ADA = { name: 'Ada', phone: null }

/** The behaviours that a response names. */
function named({ headers }: { readonly headers: Readonly<Record<string, string>> }): readonly string[] {
  return (headers['x-mock-behaviours'] ?? '').split(', ')
}

describeBehaviour(
  'collections.unknown-parent',
  {
    error: async (tester) => {
      const refused = await send(tester, ['get', '/owners/99/notes'])
      expect(refused).toMatchObject({ status: 404, body: { detail: 'There is no owner 99.' } })
      expect(named(refused)).toContain('collections.unknown-parent')
      expect(named(await send(tester, ['get', '/owners/1/notes']))).not.toContain('collections.unknown-parent')
    },
    accept: async (tester) => {
      const created = await send(tester, ['post', '/owners/99/notes'], { text: 'x' })
      expect(created.status).toBe(201)
      expect(named(created)).toContain('collections.unknown-parent')
      expect((await send(tester, ['get', '/owners/99/notes'])).body).toContainEqual(created.body)
    },
  },
  shelterOptions,
)

const put = {
  requestBody: takes(ref('Owner')),
  responses: { 200: shows(ref('Owner')), 201: shows(ref('Owner')), ...refusals(404) },
}
const own = (operations: object) => ({
  '/owners/{ownerId}': {
    parameters: [inPath('ownerId')],
    get: { responses: { 200: shows(ref('Owner')), ...refusals(404, 410) } },
    ...operations,
  },
})
const putUnknown = (tester: Tester) => send(tester, ['put', '/owners/99'], ADA)

describeBehaviour(
  'collections.put-unknown',
  {
    'as-documented': async (tester) => {
      const created = await putUnknown(tester)
      expect(created).toMatchObject({ status: 201, body: { id: 99, ...ADA } })
      expect(created.headers.location).toBe('/owners/99')
      expect(named(created)).toContain('collections.put-unknown')
      const again = await putUnknown(tester)
      expect(again.status).toBe(200)
      expect(named(again)).not.toContain('collections.put-unknown')
    },
    create: async (tester) => {
      expect((await putUnknown(tester)).status).toBe(201)
      expect((await send(tester, ['get', '/owners/99'])).body).toMatchObject(ADA)
    },
    error: async (tester) => {
      const refused = await putUnknown(tester)
      expect(refused.status).toBe(404)
      expect(named(refused)).toContain('collections.put-unknown')
    },
  },
  () => shelterOptions(own({ put })),
)

/** Of a body that lacks the `name` of an owner. */
const patchPart = (tester: Tester, body: object = { phone: '555' }) => send(tester, ['patch', '/owners/1'], body)
const patch = { requestBody: takes(ref('Owner')), responses: { 200: shows(ref('Owner')), ...refusals(400, 404) } }

describeBehaviour(
  'collections.patch-required',
  {
    ignore: async (tester) => {
      const { name } = (await send(tester, ['get', '/owners/1'])).body as Partial<typeof ADA>
      const changed = await patchPart(tester)
      expect(changed).toMatchObject({ status: 200, body: { name, phone: '555' } })
      expect(named(changed)).toContain('collections.patch-required')
      expect((await patchPart(tester, { phone: 5 })).status).toBe(400)
      expect(named(await patchPart(tester, ADA))).not.toContain('collections.patch-required')
    },
    error: async (tester) => {
      const refused = await patchPart(tester)
      expect(refused.status).toBe(400)
      expect(named(refused)).toContain('collections.patch-required')
    },
  },
  () => shelterOptions(own({ put, patch })),
)

test('a body of a PATCH with a schema of its own must have what that requires', async () => {
  const Change = {
    type: 'object',
    required: ['phone'],
    properties: { name: { type: 'string' }, phone: { type: 'string' } },
  }
  const ofItsOwn = { ...patch, requestBody: takes(Change) }
  const tester = createTester(shelterOptions(own({ put, patch: ofItsOwn })))
  expect((await patchPart(tester, { name: 'Ada' })).status).toBe(400)
})

const deleteTwice = async (tester: Tester) => {
  await send(tester, ['delete', '/owners/3'])
  return send(tester, ['delete', '/owners/3'])
}

describeBehaviour(
  'collections.delete-again',
  {
    error: async (tester) => {
      const refused = await deleteTwice(tester)
      expect(refused.status).toBe(404)
      expect(named(refused)).toContain('collections.delete-again')
      expect(named(await send(tester, ['delete', '/owners/99']))).not.toContain('collections.delete-again')
    },
    succeed: async (tester) => {
      const repeated = await deleteTwice(tester)
      expect(repeated.status).toBe(204)
      expect(named(repeated)).toContain('collections.delete-again')
      expect((await send(tester, ['delete', '/owners/99'])).status).toBe(404)
    },
  },
  () => shelterOptions(own({ delete: { responses: { 204: nothing, ...refusals(404) } } })),
)

const readDeleted = async (tester: Tester) => {
  await send(tester, ['delete', '/owners/3'])
  return send(tester, ['get', '/owners/3'])
}

describeBehaviour(
  'collections.deleted',
  {
    404: async (tester) => {
      const refused = await readDeleted(tester)
      expect(refused.status).toBe(404)
      expect(named(refused)).toContain('collections.deleted')
      expect(named(await send(tester, ['get', '/owners/99']))).not.toContain('collections.deleted')
    },
    410: async (tester) => {
      expect((await readDeleted(tester)).status).toBe(410)
      expect((await send(tester, ['get', '/owners/99'])).status).toBe(404)
    },
  },
  shelterOptions,
)

describeBehaviour(
  'collections.read-only',
  {
    ignore: async (tester) => {
      const created = await send(tester, ['post', '/owners'], { ...ADA, id: 99, version: 7 })
      expect(created.body).toMatchObject({ id: 11, version: 1 })
      expect(named(created)).toContain('collections.read-only')
      expect(named(await send(tester, ['post', '/owners'], ADA))).not.toContain('collections.read-only')
    },
    error: async (tester) => {
      const refused = await send(tester, ['post', '/owners'], { ...ADA, id: 99 })
      expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^\/id: /) as string } })
      expect(named(refused)).toContain('collections.read-only')
      const { body } = await send(tester, ['get', '/owners/1'])
      expect((await send(tester, ['put', '/owners/1'], { ...body, name: 'Eve' })).status).toBe(200)
    },
  },
  shelterOptions,
)

const text = { type: 'string' }
const TAG = { type: 'object', required: ['name', 'colour'], properties: { name: text, colour: text } }
const tag = { requestBody: takes(ref('Tag')), responses: { 200: shows(ref('Tag')), ...refusals(400, 404) } }
const TAGS = {
  '/tags': {
    get: { responses: { 200: shows({ type: 'array', items: ref('Tag') }) } },
    post: { requestBody: takes(ref('Tag')), responses: { 201: shows(ref('Tag')) } },
  },
  '/tags/{name}': {
    parameters: [{ ...inPath('name'), schema: text }],
    get: { responses: tag.responses },
    put: tag,
    patch: tag,
  },
}

describeBehaviour(
  'collections.other-id',
  {
    keep: async (tester) => {
      await send(tester, ['post', '/tags'], { name: 'new', colour: 'red' })
      for (const method of ['put', 'patch'] as const) {
        const changed = await send(tester, [method, '/tags/new'], { name: 'old', colour: method })
        expect(changed).toMatchObject({ status: 200, body: { name: 'new', colour: method } })
        expect(named(changed)).toContain('collections.other-id')
        expect(changed.headers['x-mock-ignored']).toBe('body /name')
      }
      expect(named(await send(tester, ['put', '/tags/new'], { name: 'new', colour: 'blue' }))).not.toContain(
        'collections.other-id',
      )
    },
    refuse: async (tester) => {
      await send(tester, ['post', '/tags'], { name: 'new', colour: 'red' })
      const refused = await send(tester, ['patch', '/tags/new'], { name: 'old', colour: 'blue' })
      const detail = '/name: expected new, the id in the path, got "old".'
      expect(refused).toMatchObject({ status: 400, body: { detail } })
      expect((await send(tester, ['get', '/tags/new'])).body).toEqual({ name: 'new', colour: 'red' })
    },
  },
  () => shelterOptions(TAGS, { Tag: TAG }),
)

const NOTE = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer', readOnly: true }, title: text, name: text, body: text },
}
const note = { requestBody: takes(ref('Note')), responses: { 200: shows(ref('Note')), ...refusals(400, 404) } }
const NOTES = {
  '/notes': {
    get: { responses: { 200: shows({ type: 'array', items: ref('Note') }) } },
    post: { requestBody: takes(ref('Note')), responses: { 201: shows(ref('Note')) } },
  },
  '/notes/{id}': { parameters: [inPath('id')], get: { responses: note.responses }, put: note, patch: note },
}

describeBehaviour(
  'collections.empty-name',
  {
    refuse: async (tester) => {
      for (const request of [
        ['post', '/notes'],
        ['put', '/notes/1'],
        ['patch', '/notes/1'],
      ] as const) {
        const refused = await send(tester, request, { title: '' })
        const detail = '/title: expected a text that is not empty, got "".'
        expect(refused, request.join(' ')).toMatchObject({ status: 400, body: { detail } })
        expect(named(refused)).toContain('collections.empty-name')
      }
      // The name of a new item need not be sent, and other texts may be empty.
      expect(await send(tester, ['post', '/notes'], { title: 'A', name: '' })).toMatchObject({ status: 400 })
      const created = await send(tester, ['post', '/notes'], { title: 'A', body: '' })
      expect(created).toMatchObject({ status: 201, body: { title: 'A', body: '' } })
      expect(named(created)).not.toContain('collections.empty-name')
      expect(await send(tester, ['patch', '/notes/1'], { name: '' })).toMatchObject({ status: 200 })
    },
    accept: async (tester) => {
      const created = await send(tester, ['post', '/notes'], { title: '', name: '' })
      expect(created).toMatchObject({ status: 201, body: { title: '', name: '' } })
    },
  },
  () => shelterOptions(NOTES, { Note: NOTE }),
)

const patchCity = (tester: Tester) => send(tester, ['patch', '/owners/1'], { city: null })

describeBehaviour(
  'collections.merge-null',
  {
    remove: async (tester) => {
      await send(tester, ['patch', '/owners/1'], { city: 'Paris' })
      const changed = await patchCity(tester)
      expect(changed.body).not.toHaveProperty('city')
      expect(named(changed)).toContain('collections.merge-null')
      const phone = await send(tester, ['patch', '/owners/1'], { phone: null })
      expect(phone.body).toMatchObject({ phone: null })
      expect(named(phone)).not.toContain('collections.merge-null')
      const { name } = phone.body
      expect(await send(tester, ['patch', '/owners/1'], { name: null })).toMatchObject({ status: 200, body: { name } })
    },
    store: async (tester) => {
      expect((await patchCity(tester)).body).toMatchObject({ city: null })
    },
  },
  shelterOptions,
)

const visit = (tester: Tester) => send(tester, ['post', '/visits'], { reason: 'fever', owner_id: 99 })

describeBehaviour(
  'collections.reference',
  {
    error: async (tester) => {
      const refused = await visit(tester)
      expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringMatching(/^\/owner_id: /) as string } })
      expect(named(refused)).toContain('collections.reference')
      const created = await send(tester, ['post', '/visits'], { reason: 'fever', owner_id: 1 })
      expect(created.status).toBe(201)
      expect(named(created)).not.toContain('collections.reference')
    },
    accept: async (tester) => {
      const created = await visit(tester)
      expect(created.status).toBe(201)
      expect(named(created)).toContain('collections.reference')
    },
  },
  shelterOptions,
)

/** The owners, and an action on one. */
const acting = (word: string) => () =>
  shelterOptions({
    [`/owners/{ownerId}/${word}`]: {
      parameters: [inPath('ownerId')],
      post: { responses: { 200: shows(ref('Owner')), ...refusals(404) } },
    },
  })
const remind = async (tester: Tester) => {
  const { body: owner } = await send(tester, ['get', '/owners/1'])
  return { owner, reminded: await send(tester, ['post', '/owners/1/remind']) }
}

describeBehaviour(
  'collections.unknown-action',
  {
    respond: async (tester) => {
      const { owner, reminded } = await remind(tester)
      expect(reminded).toMatchObject({ status: 200, body: owner })
      expect(named(reminded)).toContain('collections.unknown-action')
    },
    refuse: async (tester) => {
      const { owner, reminded } = await remind(tester)
      expect(reminded).toMatchObject({ status: 501, body: { detail: expect.stringContaining('an owner') as string } })
      expect(named(reminded)).toContain('collections.unknown-action')
      expect((await send(tester, ['get', '/owners/1'])).body).toEqual(owner)
    },
  },
  acting('remind'),
)

/** Lists with tasks, which belong to users. */
const boardOptions = () => {
  const id = { type: 'integer', readOnly: true }
  const schemas = {
    User: { type: 'object', required: ['id', 'email'], properties: { id, email: { type: 'string', format: 'email' } } },
    Board: {
      type: 'object',
      required: ['id', 'name', 'owner', 'note_count'],
      properties: { id, name: { type: 'string' }, owner: ref('User'), note_count: { type: 'integer', readOnly: true } },
    },
  }
  const list = (one: string) => ({ responses: { 200: shows({ type: 'array', items: ref(one) }) } })
  const newBoard = takes({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } })
  return shelterOptions(
    {
      '/users': { get: list('User') },
      '/users/me': { get: { responses: { 200: shows(ref('User')) } } },
      '/boards': { get: list('Board'), post: { requestBody: newBoard, responses: { 201: shows(ref('Board')) } } },
      '/boards/{boardId}': { parameters: [inPath('boardId')], get: { responses: { 200: shows(ref('Board')) } } },
      '/boards/{boardId}/notes': {
        parameters: [inPath('boardId')],
        get: list('Note'),
        post: { requestBody: takes(ref('Note')), responses: { 201: shows(ref('Note')) } },
      },
    },
    schemas,
  )
}
const newBoard = async (tester: Tester) => send(tester, ['post', '/boards'], { name: 'Launch' })

describeBehaviour(
  'collections.caller',
  {
    first: async (tester) => {
      const made = await newBoard(tester)
      expect(made.body.owner).toEqual((await send(tester, ['get', '/users/me'])).body)
      expect(named(made)).toContain('collections.caller')
    },
    generated: async (tester) => {
      const { id } = (await newBoard(tester)).body.owner as { readonly id: number }
      const users = (await send(tester, ['get', '/users'])).body as unknown as readonly { readonly id: number }[]
      expect(users.map((one) => one.id)).not.toContain(id)
    },
  },
  boardOptions,
)

const readBoard = async (tester: Tester) => {
  const path = `/boards/${String((await newBoard(tester)).body.id)}`
  await send(tester, ['post', `${path}/notes`], { text: 'x' })
  return send(tester, ['get', path])
}

describeBehaviour(
  'collections.derived',
  {
    state: async (tester) => {
      const read = await readBoard(tester)
      expect(read.body).toMatchObject({ note_count: 1 })
      expect(named(read)).toContain('collections.derived')
    },
    stored: async (tester) => {
      expect((await readBoard(tester)).body).toMatchObject({ note_count: 0 })
    },
  },
  boardOptions,
)

/** An owner who is archived twice. */
const archiveTwice = async (tester: Tester) => {
  const { body } = await send(tester, ['post', '/owners'], { archived: false })
  const archive = () => send(tester, ['post', `/owners/${String(body.id)}/archive`])
  expect((await archive()).body).toMatchObject({ archived: true })
  return archive()
}

describeBehaviour(
  'collections.repeated-action',
  {
    'as-documented': async (tester) => {
      const refused = await archiveTwice(tester)
      expect(refused.status).toBe(409)
      expect(named(refused)).toContain('collections.repeated-action')
    },
    refuse: async (tester) => {
      expect((await archiveTwice(tester)).status).toBe(409)
    },
    accept: async (tester) => {
      expect(await archiveTwice(tester)).toMatchObject({ status: 200, body: { archived: true } })
    },
  },
  () => {
    const owner = {
      type: 'object',
      required: ['id', 'archived'],
      properties: { id: { type: 'integer', readOnly: true }, archived: { type: 'boolean' } },
    }
    return shelterOptions(
      {
        '/owners/{ownerId}/archive': {
          parameters: [inPath('ownerId')],
          post: { responses: { 200: shows(ref('Owner')), ...refusals(409) } },
        },
      },
      { Owner: owner },
    )
  },
)

/** An owner with a visit and a note, who is deleted. */
const deleteOwner = async (tester: Tester) => {
  const { body: owner } = await send(tester, ['post', '/owners'], ADA)
  const { body } = await send(tester, ['post', '/visits'], { reason: 'fever', owner_id: owner.id })
  await send(tester, ['post', `/owners/${String(owner.id)}/notes`], { text: 'x' })
  return { deleted: await send(tester, ['delete', `/owners/${String(owner.id)}`]), visit: `/visits/${String(body.id)}` }
}

describeBehaviour(
  'collections.cascade',
  {
    'as-documented': async (tester) => {
      const { body: owner } = await send(tester, ['post', '/owners'], ADA)
      const path = `/owners/${String(owner.id)}`
      const { body: visit } = await send(tester, ['post', '/visits'], { reason: 'fever', owner_id: owner.id })
      const refused = await send(tester, ['delete', path])
      expect(refused.status).toBe(409)
      expect(named(refused)).toContain('collections.cascade')
      await send(tester, ['delete', `/visits/${String(visit.id)}`])
      expect((await send(tester, ['delete', path])).status).toBe(204)
    },
    delete: async (tester) => {
      const { deleted, visit: path } = await deleteOwner(tester)
      expect(deleted.status).toBe(204)
      expect(named(deleted)).toContain('collections.cascade')
      expect((await send(tester, ['get', path])).status).toBe(404)
    },
    refuse: async (tester) => {
      const { deleted, visit: path } = await deleteOwner(tester)
      expect(deleted.status).toBe(409)
      expect(named(deleted)).toContain('collections.cascade')
      expect((await send(tester, ['get', path])).status).toBe(200)
    },
    keep: async (tester) => {
      const { deleted, visit: path } = await deleteOwner(tester)
      expect(deleted.status).toBe(204)
      expect((await send(tester, ['get', path])).status).toBe(200)
    },
  },
  () =>
    shelterOptions({
      ...own({ delete: { responses: { 204: nothing, 409: { description: 'The owner still has visits.' } } } }),
      '/visits/{visitId}': {
        parameters: [inPath('visitId')],
        get: { responses: { 200: shows(ref('Visit')), ...refusals(404) } },
        delete: { responses: { 204: nothing } },
      },
    }),
)

/** Documents what FastAPI does: 200 and 422 alone. */
const unlisted = () => {
  const oops = { type: 'object', properties: { oops: { type: 'string' } } }
  return shelterOptions(own({ get: { responses: { 200: shows(ref('Owner')), 422: shows(oops) } } }))
}

describeBehaviour(
  'error.undocumented',
  {
    usual: async (tester) => {
      const refused = await send(tester, ['get', '/owners/99'])
      expect(refused).toMatchObject({
        status: 404,
        headers: { 'x-mock-problem': expect.stringMatching(/owner 99/) as string },
      })
      expect(named(refused)).toContain('error.undocumented')
    },
    documented: async (tester) => {
      const refused = await send(tester, ['get', '/owners/99'])
      expect(refused).toMatchObject({ status: 422, body: { oops: 'There is no owner 99.' } })
      expect(named(refused)).toContain('error.undocumented')
    },
  },
  unlisted,
)

/** A document that marks null somewhere, and an item with a member of each kind. */
const unsentOptions = (): ReturnType<typeof shelterOptions> => {
  const members = { nick: { type: ['string', 'null'] }, tags: { type: 'array', items: { type: 'string' } } }
  const chip = {
    type: 'object',
    properties: { code: { type: 'string' }, isActive: { type: 'boolean', default: true } },
  }
  const NewDog = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, ...members, chip } }
  const properties = { ...NewDog.properties, id: { type: 'integer' }, walks: { type: 'integer' } }
  const Dog = { type: 'object', required: ['name', 'id'], properties }
  const paths = {
    '/dogs': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Dog') }) } },
      post: { requestBody: takes(ref('NewDog')), responses: { 201: shows(ref('Dog')), ...refusals(400) } },
    },
    '/dogs/{dogId}': {
      parameters: [inPath('dogId')],
      get: { responses: { 200: shows(ref('Dog')), ...refusals(404) } },
      put: { requestBody: takes(ref('NewDog')), responses: { 200: shows(ref('Dog')), ...refusals(404) } },
    },
  }
  return shelterOptions(paths, { Dog, NewDog })
}
const newDog = async (tester: Tester) => send(tester, ['post', '/dogs'], { name: 'Rex' })
const shown = { id: 11, name: 'Rex', nick: null, walks: 0 }

describeBehaviour(
  'collections.unsent',
  {
    'as-documented': async (tester) => {
      const created = await newDog(tester)
      expect(created.body).toEqual({ ...shown, tags: [], chip: { code: '', isActive: true } })
      expect(named(created)).toContain('collections.unsent')
      // A replacement leaves out as a creation does.
      await send(tester, ['put', '/dogs/11'], { name: 'Rex', nick: 'R', tags: ['old'] })
      const replaced = await send(tester, ['put', '/dogs/11'], { name: 'Rex' })
      expect(replaced.body).toEqual(created.body)
    },
    all: async (tester) => {
      expect((await newDog(tester)).body).toEqual({ ...shown, tags: [], chip: { code: '', isActive: true } })
    },
    nullable: async (tester) => {
      expect((await newDog(tester)).body).toEqual(shown)
    },
    omit: async (tester) => {
      expect((await newDog(tester)).body).toEqual({ id: 11, name: 'Rex' })
    },
  },
  unsentOptions,
)

/** Machines that are told to `start` or `stop`, and are `running` or `stopped`. */
const notShownOptions = () => {
  const text = { type: 'string' }
  const machine = (status: readonly string[]) => ({
    type: 'object',
    required: ['name'],
    properties: { id: { type: 'integer' }, name: text, status: { ...text, enum: status } },
  })
  const paths = {
    '/machines': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Machine') }) } },
      post: { requestBody: takes(ref('NewMachine')), responses: { 201: shows(ref('Machine')), ...refusals(400) } },
    },
    '/machines/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(ref('Machine')) } } },
  }
  return shelterOptions(paths, { Machine: machine(['running', 'stopped']), NewMachine: machine(['start', 'stop']) })
}

describeBehaviour(
  'collections.not-shown',
  {
    nearest: async (tester) => {
      const created = await send(tester, ['post', '/machines'], { name: 'a', status: 'start' })
      expect(created).toMatchObject({ status: 201, body: { status: 'running' } })
      expect(named(created)).toContain('collections.not-shown')
      expect(named(await send(tester, ['post', '/machines'], { name: 'b' }))).not.toContain('collections.not-shown')
    },
    refuse: async (tester) => {
      const refused = await send(tester, ['post', '/machines'], { name: 'a', status: 'start' })
      expect(refused.status).toBe(400)
      expect(named(refused)).toContain('collections.not-shown')
    },
  },
  notShownOptions,
)

/** Owners have a path by their name, and phones of which the document says that no two are the same. */
const uniqueOptions = () => {
  const byName = { parameters: [inPath('name', 'string')], get: { responses: { 200: shows(ref('Owner')) } } }
  return shelterOptions({ '/owners/name/{name}': byName })
}

describeBehaviour(
  'collections.unique',
  {
    'as-documented': async (tester) => {
      expect((await send(tester, ['post', '/owners'], { ...ADA, name: 'Bea' })).status).toBe(201)
      const refused = await send(tester, ['post', '/owners'], { ...ADA, name: 'Bea' })
      expect(refused.status).toBe(409)
      expect(named(refused)).toContain('collections.unique')
      expect((await send(tester, ['post', '/owners'], { ...ADA, name: 'Cid' })).status).toBe(201)
    },
    accept: async (tester) => {
      await send(tester, ['post', '/owners'], { ...ADA, name: 'Bea' })
      expect((await send(tester, ['post', '/owners'], { ...ADA, name: 'Bea' })).status).toBe(201)
    },
  },
  uniqueOptions,
)

test('a creation gives the item that there is, where its description says so', async () => {
  const description = 'Creates an owner. If an owner with the same name already exists, the existing owner is returned.'
  const post = {
    description,
    requestBody: takes(ref('Owner')),
    responses: { 200: shows(ref('Owner')), 201: shows(ref('Owner')) },
  }
  const tester = createTester(
    shelterOptions({ '/owners': { get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } }, post } }),
  )
  const { status, body } = await send(tester, ['post', '/owners'], { ...ADA, name: 'Bea' })
  expect(status).toBe(201)
  expect(await send(tester, ['post', '/owners'], { ...ADA, name: 'Bea', phone: '1' })).toMatchObject({
    status: 200,
    body,
  })
})
