import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: object, ...required: string[]) => ({ type: 'object', properties, required })
const Key = object({ id: { type: 'integer', readOnly: true }, name: text, owner: ref('Owner') }, 'id', 'name')
const Owner = object({ id: { type: 'integer' }, url: text }, 'id', 'url')
const schemas = { Key, Owner, NewKey: object({ name: text, owner: { type: 'integer' } }, 'name') }

interface Paths {
  readonly body?: object
  readonly created?: object
  readonly deleted?: object
}

/** A service of keys below accounts, whose operations list their parameters in the reverse order of the path. */
function createKeys({ body = takes(ref('NewKey')), created = shows(ref('Key')), deleted = nothing }: Paths = {}) {
  const parameters = [inPath('keyId'), inPath('accountId', 'string')]
  const list = shows(object({ ssh_keys: { type: 'array', items: ref('Key') }, meta: object({ total: text }) }))
  const read = shows(object({ ssh_key: ref('Key') }))
  const { standin } = createContractTester(
    {
      '/accounts': {
        get: { responses: { 200: shows({ type: 'array', items: object({ id: text }) }) } },
        post: { requestBody: takes(object({ id: text })), responses: { 201: shows(object({ id: text })) } },
      },
      '/accounts/{accountId}/keys': {
        parameters: [inPath('accountId', 'string')],
        get: { responses: { 200: list } },
        post: { requestBody: body, responses: { 201: created } },
      },
      '/accounts/{accountId}/keys/{keyId}': {
        parameters,
        get: { responses: { 200: read, 404: nothing } },
        delete: { responses: { 200: deleted } },
      },
    },
    schemas,
  )
  const keys = '/accounts/a/keys'
  return {
    post: (path = keys) => request(standin.app).post(path).set(OWN_KEY),
    get: (path = '') =>
      request(standin.app)
        .get(keys + path)
        .set(OWN_KEY),
    delete: (path = '') =>
      request(standin.app)
        .delete(keys + path)
        .set(OWN_KEY),
    /** With the account that the keys are below. */
    async begun() {
      await this.post('/accounts').send({ id: 'a' }).expect(201)
      return this
    },
  }
}

test('an envelope may be called after more than the last word of the path', async () => {
  const keys = await createKeys().begun()
  await keys.post().send({ name: 'laptop' }).expect(201)
  expect((await keys.get('/1')).body).toMatchObject({ ssh_key: { id: 1, name: 'laptop' } })
  expect((await keys.get()).body).toMatchObject({
    ssh_keys: expect.arrayContaining([expect.objectContaining({ id: 1 })]) as unknown,
  })
})

test('an item is found in a member of the body that looks like it, whatever stands beside it', async () => {
  const body = takes(object({ idempotency_key: text, source: text, key: ref('NewKey') }))
  const created = shows(object({ key: ref('Key'), request: object({ id: text }), links: object({}) }))
  const keys = await createKeys({ body, created }).begun()
  const made = await keys.post().send({ idempotency_key: 'x', key: { name: 'laptop' } })
  expect(made.body).toMatchObject({ key: { id: 1, name: 'laptop' } })
  expect((await keys.get('/1')).body).toMatchObject({ ssh_key: { name: 'laptop' } })
})

test('the only object of a body is a member of the item where the item has it, not the item', async () => {
  const body = takes(object({ owner: object({ url: text }), count: { type: 'integer' } }))
  const keys = await createKeys({ body }).begun()
  const made = await keys.post().send({ owner: { url: 'https://a.example' } })
  expect(made.body).toMatchObject({ id: 1, owner: { url: 'https://a.example' } })
})

test('a body may have members of the item beside the object that looks like it', async () => {
  const body = takes(object({ idempotency_key: text, name: text, key: object({ owner: { type: 'integer' } }) }))
  const keys = await createKeys({ body }).begun()
  const made = await keys.post().send({ name: 'laptop', key: { owner: 3 } })
  expect(made.body).toMatchObject({ id: 1, name: 'laptop', owner: { id: 3 } })
})

test('of several objects in a response, the item is the one with most of its members', async () => {
  const account = object({ id: { type: 'integer' }, name: text }, 'id', 'name')
  const keys = await createKeys({ created: shows(object({ account, key: ref('Key') })) }).begun()
  const made = await keys.post().send({ name: 'laptop' })
  expect(made.body).toMatchObject({ key: { id: 1, name: 'laptop' } })
})

test('a body that has the name of the path parameter chooses the id', async () => {
  const keys = await createKeys({ body: takes(object({ key_id: { type: 'integer' }, name: text })) }).begun()
  await keys.post().send({ key_id: 77, name: 'laptop' }).expect(201)
  expect((await keys.get('/77')).body).toMatchObject({ ssh_key: { id: 77, name: 'laptop' } })
  await keys.post().send({ key_id: 77, name: 'phone' }).expect(409)
})

test('an acknowledgement says what the request said, and one that is no object is the id', async () => {
  const created = shows(object({ name: text, tags: { type: 'array', items: text } }, 'name', 'tags'))
  const keys = await createKeys({ created, body: takes(object({ name: text, tags: {} })) }).begun()
  expect((await keys.post().send({ name: 'laptop', tags: ['a'] })).body).toEqual({ name: 'laptop', tags: ['a'] })
  const counted = await createKeys({ created: shows({ type: 'integer' }) }).begun()
  expect((await counted.post().send({ name: 'laptop' })).body).toBe(1)
  expect((await counted.get('/1')).body).toMatchObject({ ssh_key: { name: 'laptop' } })
})

test('a form, or a body of any media type, creates an item', async () => {
  const schema = ref('NewKey')
  const form = await createKeys({ body: { content: { 'application/x-www-form-urlencoded': { schema } } } }).begun()
  await form.post().type('form').send({ name: 'laptop' }).expect(201)
  expect((await form.get('/1')).body).toMatchObject({ ssh_key: { name: 'laptop' } })
  const any = await createKeys({ body: { content: { '*/*': { schema } } } }).begun()
  await any.post().send({ name: 'phone' }).expect(201)
  expect((await any.get('/1')).body).toMatchObject({ ssh_key: { name: 'phone' } })
})

test('a receipt of a deletion is no item, and neither is an acknowledgement of a creation', async () => {
  const deleted = shows(object({ id: { type: 'integer' }, deleted: { type: 'boolean' } }, 'id', 'deleted'))
  const created = shows(object({ success: { type: 'boolean' } }, 'success'))
  const keys = await createKeys({ deleted, created }).begun()
  expect((await keys.post().send({ name: 'laptop' })).body).toEqual({ success: true })
  expect((await keys.delete('/1')).body).toEqual({ id: 1, deleted: true })
  await keys.get('/1').expect(404)
})

test('an id in a body becomes the thing that it names in a response', async () => {
  const keys = await createKeys().begun()
  const made = await keys.post().send({ name: 'laptop', owner: 3 })
  expect(made.body).toMatchObject({ id: 1, owner: { id: 3, url: expect.any(String) as string } })
  expect((await keys.get('/1')).body).toEqual({ ssh_key: made.body as object })
})

test('where the contract mentions no body, any object writes what the item has members for, and none changes nothing', async () => {
  const Hook = object({ id: { type: 'integer', readOnly: true }, url: text, active: { type: 'boolean' } }, 'id', 'url')
  const responses = { 200: shows(ref('Hook')), 404: nothing }
  const { standin } = createContractTester(
    {
      '/hooks': { post: { responses: { 201: shows(ref('Hook')) } } },
      '/hooks/{hookId}': {
        parameters: [inPath('hookId')],
        ...{ get: { responses }, put: { responses }, patch: { responses } },
        post: { responses: { 202: nothing } },
      },
    },
    { Hook },
  )
  const send = async (method: 'get' | 'post' | 'put' | 'patch', path: string, body?: object) =>
    (await request(standin.app)[method](path).set(OWN_KEY).send(body)).body as unknown
  const created = { id: 11, url: 'https://a.example', active: true }
  expect(await send('post', '/hooks', { url: created.url, active: true, unknown: 1 })).toEqual(created)
  expect(await send('put', '/hooks/11')).toEqual(created)
  expect(await send('put', '/hooks/11', { url: 'https://b.example' })).toEqual({ id: 11, url: 'https://b.example' })
  expect(await send('patch', '/hooks/11', { active: false })).toMatchObject({ url: 'https://b.example', active: false })
  expect(await send('patch', '/hooks/11', { url: null })).toMatchObject({ status: 400 })
  expect(await send('get', '/hooks/11')).toEqual({ id: 11, url: 'https://b.example', active: false })
  const operations = standin.operations.filter((one) => one.includes('POST') && one.includes('/hooks/'))
  expect(operations).toEqual([expect.stringContaining('generated')])
})

test('where the contract says nothing of the members of a body, its item may be in an envelope', async () => {
  const { post } = createKeys({ body: takes({ type: 'object' }) })
  await post('/accounts').send({ id: 'a' }).expect(201)
  expect(
    (
      await post()
        .send({ data: { name: 'Ann' } })
        .expect(201)
    ).body,
  ).toMatchObject({ name: 'Ann' })
  expect((await post().send({ name: 'Bob' }).expect(201)).body).toMatchObject({ name: 'Bob' })
})

test('an object of which only a required member is known keeps the others', async () => {
  const owner = { type: 'object', required: ['url'] }
  const keys = await createKeys({
    body: takes(object({ name: text, owner }, 'name')),
    created: shows({ allOf: [ref('Key'), object({ owner })] }),
  }).begun()
  const made = await keys.post().send({ name: 'laptop', owner: { url: 'https://a.example', id: 3 } })
  expect(made.body).toMatchObject({ owner: { url: 'https://a.example', id: 3 } })
})

test.each([
  ['3.0.3', { type: 'string', format: 'binary' }],
  ['3.1.0', { type: 'string', format: 'binary' }],
  ['3.1.0', { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' }],
])('a member of bytes is a text in JSON (OpenAPI %s, %j)', async (openapi, bytes) => {
  const Attachment = object({ id: { type: 'integer', readOnly: true }, name: text, content: bytes }, 'id', 'content')
  const { standin } = createContractTester(
    {
      '/attachments': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Attachment') }) } },
        post: { requestBody: takes(ref('Attachment')), responses: { 201: shows(ref('Attachment')), 400: nothing } },
      },
      '/attachments/{attachmentId}': {
        parameters: [inPath('attachmentId')],
        get: { responses: { 200: shows(ref('Attachment')), 404: nothing } },
      },
    },
    { Attachment },
    { extra: { openapi } },
  )
  const create = async (body: object) => await request(standin.app).post('/attachments').set(OWN_KEY).send(body)
  const written = { name: 'Logo', content: 'iVBORw0KGgo=' }
  const created = await create(written)
  expect(created).toMatchObject({ status: 201, body: { id: 11, ...written } })
  expect((await request(standin.app).get('/attachments/11').set(OWN_KEY)).body).toEqual({ id: 11, ...written })
  const listed = (await request(standin.app).get('/attachments').set(OWN_KEY)).body as { readonly content: unknown }[]
  expect(listed.every(({ content }) => typeof content === 'string')).toBe(true)
  expect((await create({ ...written, content: 7 })).status).toBe(400)
})

test('a body may have values that only its own schema documents: the item gets what its response has for them', async () => {
  const state = (...values: string[]) => ({ type: 'string', enum: values })
  const job = {
    type: 'object',
    required: ['id', 'state'],
    properties: { id: { type: 'integer' }, state: state('running', 'held') },
  }
  const input = { type: 'object', properties: { state: state('start', 'hold', 'auto') } }
  const { standin } = createContractTester({
    '/jobs': { post: { requestBody: takes(input), responses: { 201: shows(job) } } },
    '/jobs/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: shows(job) } },
      patch: { requestBody: takes(input), responses: { 200: shows(job) } },
    },
  })
  const send = (method: 'post' | 'patch', path: string, state: string) =>
    request(standin.app)[method](path).set(OWN_KEY).send({ state })
  const made = await send('post', '/jobs', 'hold')
  const { id } = made.body as { id: number }
  expect(made).toMatchObject({ status: 201, body: { id, state: 'held' } })
  expect((await send('patch', `/jobs/${id}`, 'start')).body).toEqual({ id, state: 'running' })
  expect((await send('patch', `/jobs/${id}`, 'auto')).body).toEqual({ id, state: 'running' })
  expect((await send('patch', `/jobs/${id}`, 'other')).status).toBe(400)
})

test.each([
  ['in another spelling', 'IN_PROGRESS', 'in-progress'],
  ['as the verb of it', 'close', 'closed'],
  ['not at all', 'whatever', 'open'],
])('a text that a body leaves open may be %s among the values of the response', async (_, sent, shown) => {
  const task = {
    type: 'object',
    required: ['id', 'title', 'status'],
    properties: {
      ...{ id: { type: 'integer' }, title: { type: 'string' } },
      status: { type: 'string', enum: ['closed', 'open', 'in-progress'] },
    },
  }
  const input = { type: 'object', properties: { title: { type: 'string' }, status: { type: 'string' } } }
  const { standin } = createContractTester({
    '/tasks': { post: { requestBody: takes(input), responses: { 201: shows(task) } } },
    '/tasks/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: shows(task) } },
      put: { requestBody: takes(input), responses: { 200: shows(task) } },
    },
  })
  const made = await request(standin.app).post('/tasks').set(OWN_KEY).send({ title: 'Paint', status: sent })
  expect(made).toMatchObject({ status: 201, body: { title: 'Paint', status: shown } })
  const { id } = made.body as { id: number }
  expect((await request(standin.app).get(`/tasks/${id}`).set(OWN_KEY)).body).toEqual(made.body)
  const replaced = await request(standin.app).put(`/tasks/${id}`).set(OWN_KEY).send({ title: 'Sand', status: sent })
  expect(replaced).toMatchObject({ status: 200, body: { id, title: 'Sand', status: shown } })
})

test('values that only the request documents are taken at any depth', async () => {
  const step = (states: string[], note: object) =>
    object({ state: { type: 'string', enum: states }, note: { type: 'string', ...note } }, 'state')
  const kind = (name: string, more: object) => object({ kind: { const: name }, ...more }, 'kind', ...Object.keys(more))
  const members = (one: object) => ({
    ...{ first: one, steps: { type: 'array', items: one }, byName: { type: 'object', additionalProperties: one } },
    ...{ part: { oneOf: [kind('step', { step: one }), kind('size', { size: text })] }, inner: object({ deep: one }) },
  })
  const job = object({ id: { type: 'integer' }, ...members(step(['running', 'held'], { maxLength: 4 })) }, 'id')
  const input = takes(object(members(step(['start', 'HELD', 'auto'], {}))))
  const { standin } = createContractTester({
    '/jobs': { post: { requestBody: input, responses: { 201: shows(job) } } },
    '/jobs/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: shows(job) } },
      patch: { requestBody: input, responses: { 200: shows(job) } },
    },
  })
  const send = (method: 'post' | 'patch', path: string, body: object) =>
    request(standin.app)[method](path).set(OWN_KEY).send(body)
  const all = (state: string, note: string) => {
    const one = { state, note }
    return {
      first: one,
      steps: [one, one],
      byName: { a: one },
      part: { kind: 'step', step: one },
      inner: { deep: one },
    }
  }
  const made = await send('post', '/jobs', all('start', 'urgent'))
  const { id } = made.body as { id: number }
  expect([made.status, made.body]).toEqual([201, { id, ...all('running', 'urge') }])
  expect((await send('patch', `/jobs/${id}`, all('HELD', 'low'))).body).toEqual({ id, ...all('held', 'low') })
  const auto = await send('patch', `/jobs/${id}`, { first: { state: 'auto', note: 'new' }, steps: [] })
  expect([auto.status, auto.body]).toMatchObject([200, { first: { state: 'held', note: 'new' }, steps: [] }])
})

test('null in a member that must have a value leaves it as it is, where the body may have it', async () => {
  const item = object({ id: { type: 'integer' }, title: text }, 'id', 'title')
  const { standin } = createContractTester({
    '/notes': { get: { responses: { 200: shows({ type: 'array', items: item }) } } },
    '/notes/{id}': {
      parameters: [inPath('id')],
      get: { responses: { 200: shows(item) } },
      patch: { requestBody: takes(object({ title: { type: ['string', 'null'] } })), responses: { 200: shows(item) } },
    },
  })
  const before = (await request(standin.app).get('/notes/1').set(OWN_KEY)).body as object
  const response = await request(standin.app).patch('/notes/1').set(OWN_KEY).send({ title: null })
  expect([response.status, response.body]).toEqual([200, before])
})

test('a create without the id that its body must have says how to leave it to the server', async () => {
  const product = object({ id: { type: 'integer' }, name: text }, 'id', 'name')
  const { standin } = createContractTester({
    '/products': { post: { requestBody: takes(product), responses: { 201: shows(product), 400: nothing } } },
    '/products/{id}': { parameters: [inPath('id')], get: { responses: { 200: shows(product) } } },
  })
  const refused = await request(standin.app).post('/products').set(OWN_KEY).send({ name: 'Lamp' })
  const errors = [{ pointer: '/id', message: expect.stringContaining('mark it readOnly in the contract.') as string }]
  expect([refused.status, refused.body]).toMatchObject([400, { errors }])
})

test('an object in a body that only refers to something is not the item', async () => {
  const text = { type: 'string' }
  const reference = (...types: string[]) => ({
    type: 'object',
    required: ['type', 'id'],
    properties: { type: { type: 'string', enum: types }, id: text },
  })
  const hold = {
    type: 'object',
    required: ['id', 'type'],
    properties: { ...reference('hold').properties, assign_to: {} },
  }
  const input = { type: 'object', properties: { policy_id: text, assign_to: reference('file', 'user') } }
  const { standin } = createContractTester({
    '/holds': { post: { requestBody: takes(input), responses: { 201: shows(hold) } } },
    '/holds/{holdId}': { parameters: [inPath('holdId', 'string')], get: { responses: { 200: shows(hold) } } },
  })
  const assign_to = { type: 'file', id: '9' }
  const made = await request(standin.app).post('/holds').set(OWN_KEY).send({ policy_id: '1', assign_to })
  expect(made).toMatchObject({ status: 201, body: { type: 'hold', assign_to } })
})

test('a PUT to the path of the collection replaces the item that its body names, also by an id that is read-only', async () => {
  const pet = {
    type: 'object',
    required: ['name'],
    properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
  }
  const { standin } = createContractTester({
    '/pet': {
      post: { requestBody: takes(pet), responses: { 405: nothing } },
      put: { requestBody: takes(pet), responses: { 400: nothing, 404: nothing } },
    },
    '/pet/{petId}': { parameters: [inPath('petId')], get: { responses: { 200: shows(pet), 404: nothing } } },
  })
  const put = await request(standin.app).put('/pet').set(OWN_KEY).send({ id: 1, name: 'Rex' })
  expect(put.status).toBe(200)
  expect((await request(standin.app).get('/pet/1').set(OWN_KEY)).body).toEqual({ id: 1, name: 'Rex' })
})

test('a body that is one item or a list of items creates as many, whose paths take numbers and texts', async () => {
  const Author = object({ code: text, name: text }, 'name')
  const authors = { type: 'array', items: ref('Author') }
  const parameters = [{ ...inPath('id'), schema: { oneOf: [{ type: 'integer' }, text] } }]
  const { standin } = createContractTester(
    {
      '/authors': {
        get: { responses: { 200: shows(authors) } },
        post: { requestBody: takes({ oneOf: [authors, ref('Author')] }), responses: { 201: shows(authors) } },
      },
      '/authors/{id}': { parameters, get: { responses: { 200: shows(ref('Author')), 404: nothing } } },
    },
    { Author },
    { documents: 0 },
  )
  const post = (sent: object) => request(standin.app).post('/authors').set(OWN_KEY).send(sent)
  expect((await post({ code: 'mary', name: 'Mary' })).body).toEqual([{ code: 'mary', name: 'Mary' }])
  expect((await post([{ code: 'jane', name: 'Jane' }, { name: 'Anne' }])).body).toHaveLength(2)
  expect((await request(standin.app).get('/authors').set(OWN_KEY)).body).toHaveLength(3)
  expect((await request(standin.app).get('/authors/jane').set(OWN_KEY)).body).toEqual({ code: 'jane', name: 'Jane' })
})
