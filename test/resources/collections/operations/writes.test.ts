import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { inPath, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter, refusals } from '../../../support/contracts/shelter.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }

const ADA = { name: 'Ada', phone: null }

test('a value that the body may have and no response may show leaves the member as it is', async () => {
  const { send } = createShelter()
  const { name } = (await send(['get', '/owners/1'])).body
  const written = await send(['patch', '/owners/1'], { name: '', city: 'Paris' })
  expect(written).toMatchObject({ status: 200, body: { name, city: 'Paris' } })
  expect((await send(['get', '/owners/1'])).body).toEqual(written.body)
})

test('an object is sent as JSON also where the document has bytes alone', async () => {
  const requestBody = { content: { 'application/octet-stream': { schema: ref('Owner') } } }
  const { send } = createShelter({
    '/owners': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } },
      post: { requestBody, responses: { 200: shows(ref('Owner')) } },
    },
  })
  expect(await send(['post', '/owners'], ADA)).toMatchObject({ status: 200, body: { name: ADA.name } })
})

describe('a body with other names than the item', () => {
  const text = { type: 'string' }
  const Label = { type: 'object', required: ['name'], properties: { name: text, full_title: text, account_sid: text } }
  const body = { type: 'object', properties: { Name: text, FullTitle: text, new_name: text } }
  const requestBody = takes(body)
  const begin = () =>
    createShelter(
      {
        '/accounts/{AccountSid}/labels': {
          parameters: [{ ...inPath('AccountSid'), schema: text }],
          get: { responses: { 200: shows({ type: 'array', items: ref('Label') }) } },
          post: { requestBody, responses: { 201: shows(ref('Label')) } },
        },
        '/accounts/{AccountSid}/labels/{name}': {
          parameters: [inPath('AccountSid'), inPath('name')].map((one) => ({ ...one, schema: text })),
          get: { responses: { 200: shows(ref('Label')), ...refusals(404) } },
          patch: { requestBody, responses: { 200: shows(ref('Label')), ...refusals(409) } },
        },
      },
      { Label },
    )

  test('writes the members that it means, and the item has what its path says', async () => {
    const made = await begin().send(['post', '/accounts/AC1/labels'], { Name: 'help', FullTitle: 'Help wanted' })
    expect(made.body).toMatchObject({ name: 'help', full_title: 'Help wanted', account_sid: 'AC1' })
  })

  test('gives a new name, under which the item is then found', async () => {
    const { send } = begin()
    await send(['post', '/accounts/AC1/labels'], { Name: 'help', FullTitle: 'Help' })
    await send(['post', '/accounts/AC1/labels'], { Name: 'bug' })
    const at = '/accounts/AC1/labels/help'
    expect((await send(['patch', at], { new_name: 'bug' })).status).toBe(409)
    expect((await send(['patch', at], { new_name: 'aid' })).body).toMatchObject({ name: 'aid', full_title: 'Help' })
    expect((await send(['get', '/accounts/AC1/labels/aid'])).body).toMatchObject({ full_title: 'Help' })
    expect((await send(['get', at])).status).toBe(404)
  })
})

test('a PUT whose description says that it keeps what is not sent merges', async () => {
  const shown = { 200: shows(ref('Owner')) }
  const put = { requestBody: takes(ref('OwnerPatch')), responses: shown }
  const paths = (description: string) => ({
    '/owners': { get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } } },
    '/owners/{ownerId}': { parameters: [inPath('ownerId')], get: { responses: shown }, put: { ...put, description } },
  })
  const keeping = createShelter(
    paths('Only the fields provided are updated; any unspecified fields will remain unchanged.'),
  )
  const { name } = (await keeping.send(['get', '/owners/1'])).body
  expect((await keeping.send(['put', '/owners/1'], { city: 'Paris' })).body).toMatchObject({ name, city: 'Paris' })
  const replacing = createShelter(paths('Replaces the owner.'))
  expect((await replacing.send(['put', '/owners/1'], { city: 'Paris' })).body).not.toMatchObject({ name })
})

test.for([
  ['Update an owner', 'OwnerPatch', 'Rome'],
  ['Replace an owner', 'OwnerPatch', null],
  ['Update an owner', 'Owner', null],
] as const)(
  'a PUT that requires nothing of what a creation requires merges, unless it says that it replaces: %s with %s',
  async ([summary, sent, city]) => {
    const shown = { 200: shows(ref('Owner')) }
    const post = { requestBody: takes(ref('Owner')), responses: { 201: shows(ref('Owner')) } }
    const { send } = createShelter({
      '/owners': { get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } }, post },
      '/owners/{ownerId}': {
        parameters: [inPath('ownerId')],
        get: { responses: shown },
        put: { summary, requestBody: takes(ref(sent)), responses: shown },
      },
    })
    const ann = { name: 'Ann', phone: '1' }
    const { id } = (await send(['post', '/owners'], { ...ann, city: 'Rome' })).body as unknown as { id: number }
    await send(['put', `/owners/${id}`], { ...ann, phone: '2' })
    expect((await send(['get', `/owners/${id}`])).body).toMatchObject({ name: 'Ann', phone: '2', city })
  },
)

test('what is stored is not called ignored, though the schema of the body leaves it out', async () => {
  const shown = { 200: shows(ref('Owner')) }
  const input = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
  const { send } = createShelter({
    '/owners': {
      get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } },
      post: { requestBody: takes(input), responses: { 201: shows(ref('Owner')) } },
    },
    '/owners/{ownerId}': {
      parameters: [inPath('ownerId')],
      get: { responses: shown },
      patch: { requestBody: takes(input), responses: shown },
    },
  })
  const created = await send(['post', '/owners'], { name: 'Ann', city: 'Rome', version: 7, odd: 1 })
  expect(created.body).toMatchObject({ name: 'Ann', city: 'Rome' })
  expect(created.body).not.toHaveProperty('odd')
  // `version` is the service's own.
  expect(created.headers['x-mock-ignored']).toBe('body /version, body /odd')
  const { id } = created.body as unknown as { id: number }
  const changed = await send(['patch', `/owners/${id}`], { name: 'Ann', city: 'Paris' })
  expect(changed.headers).not.toHaveProperty('x-mock-ignored')
  expect(changed.body).toMatchObject({ city: 'Paris' })
})

test('an uploaded file gives the item its name, size and type', async () => {
  const text = { type: 'string' }
  const properties = { id: text, filename: text, bytes: { type: 'integer' }, mime_type: text }
  const schema = { type: 'object', required: ['file'], properties: { file: { ...text, format: 'binary' } } }
  const post = {
    requestBody: { content: { 'multipart/form-data': { schema } } },
    responses: { 201: shows(ref('File')) },
  }
  const { standin } = createShelter(
    {
      '/files': { get: { responses: { 200: shows({ type: 'array', items: ref('File') }) } }, post },
      '/files/{fileId}': {
        parameters: [{ ...inPath('fileId'), schema: text }],
        get: { responses: { 200: shows(ref('File')) } },
      },
    },
    { File: { type: 'object', required: Object.keys(properties), properties } },
  )
  const sending = request(standin.app).post('/files').set(OWN_KEY)
  const sent = await sending.attach('file', Buffer.from('{}\n'), { filename: 'input.jsonl', contentType: 'text/plain' })
  expect(sent.body).toMatchObject({ filename: 'input.jsonl', bytes: 3, mime_type: 'text/plain' })
})

test('a dry run is answered as if it were done, and changes nothing', async () => {
  const query = { name: 'dryRun', in: 'query', schema: { type: 'boolean' } }
  const owners = {
    get: { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } },
    post: { parameters: [query], requestBody: takes(ref('Owner')), responses: { 201: shows(ref('Owner')) } },
  }
  const { send } = createShelter({ '/owners': owners })
  const tried = await send(['post', '/owners?dryRun=true'], ADA)
  expect(tried).toMatchObject({ status: 201, body: ADA })
  expect((await send(['get', `/owners/${String((tried.body as { id: number }).id)}`])).status).toBe(404)
  const done = await send(['post', '/owners?dryRun=false'], ADA)
  expect((await send(['get', `/owners/${String((done.body as { id: number }).id)}`])).status).toBe(200)
})

test.each(['?updateMask=name', '?update_mask=name&update_mask=colour'])(
  '%s changes what it names alone',
  async (query) => {
    const [name = ''] = query.slice(1).split('=')
    const schema = name === 'updateMask' ? text : { type: 'array', items: text }
    const pet = {
      type: 'object',
      required: ['id', 'name', 'note'],
      properties: { id: { type: 'integer' }, name: text, note: text },
    }
    const change = {
      parameters: [{ name, in: 'query', schema }],
      requestBody: takes({ type: 'object', properties: { name: text, note: text } }),
      responses: { 200: shows(pet) },
    }
    const { send } = createShelter({
      '/pets': { get: { responses: { 200: shows({ type: 'array', items: pet }) } } },
      '/pets/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(pet) } }, patch: change },
    })
    const before = (await send(['get', '/pets/1'])).body as object
    const changed = await send(['patch', `/pets/1${query}`], { name: 'Minka', note: 'not now' })
    expect([changed.body, changed.headers['x-mock-ignored']]).toEqual([{ ...before, name: 'Minka' }, undefined])
    expect((await send(['patch', `/pets/1?${name}=`], { note: 'now' })).body).toEqual({
      ...before,
      name: 'Minka',
      note: 'now',
    })
  },
)
