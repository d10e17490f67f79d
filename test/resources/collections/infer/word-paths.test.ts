import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { inPath, nothing, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }

describe('paths of services that are called by words', () => {
  const task = { type: 'object', required: ['id'], properties: { id: text, name: text, assignee: text } }
  const parameters = ['name', 'assignee', 'maxResults'].map((name) => ({ name, in: 'query', schema: text }))
  const query = takes({
    type: 'object',
    properties: { name: text, assignee: text, nameIn: { type: 'array', items: text } },
  })
  const open = (creation: string, made: Json) =>
    createContractTester(
      {
        '/task': {
          get: { parameters, responses: { 200: shows({ type: 'array', items: task }) } },
          post: { requestBody: query, responses: { 200: shows({ type: 'array', items: task }) } },
        },
        [creation]: { post: { requestBody: takes({ ...task, required: ['name'] }), responses: made } },
        '/task/{id}': {
          parameters: [inPath('id', 'string')],
          get: { responses: { 200: shows(task), 404: nothing } },
          delete: { responses: { 204: nothing } },
        },
      },
      {},
      { documents: 0 },
    ).standin

  test.each([
    ['/task/create', { 200: shows(task) }],
    ['/task/new', { 201: shows(task) }],
    ['/task/add', { 204: nothing }],
  ])('a POST to %s creates an item', async (creation, made) => {
    const standin = open(creation, made)
    const send = (name: string) =>
      request(standin.app).post(creation).set(OWN_KEY).send({ id: name, name, assignee: 'ann' })
    expect((await send('dishes')).status).toBe(Number(Object.keys(made)[0]))
    expect((await request(standin.app).get('/task/dishes').set(OWN_KEY)).body).toEqual({
      id: 'dishes',
      name: 'dishes',
      assignee: 'ann',
    })
    expect((await request(standin.app).delete('/task/dishes').set(OWN_KEY)).status).toBe(204)
    expect((await request(standin.app).get('/task/dishes').set(OWN_KEY)).status).toBe(404)
  })

  test('a POST whose body has the filters of the list searches, also where it has a list of names', async () => {
    const standin = open('/task/create', { 200: shows(task) })
    for (const [id, assignee] of [
      ['dishes', 'ann'],
      ['bins', 'bob'],
    ])
      await request(standin.app).post('/task/create').set(OWN_KEY).send({ id, name: id, assignee })
    const found = await request(standin.app).post('/task').set(OWN_KEY).send({ assignee: 'bob' })
    expect(found.body).toEqual([{ id: 'bins', name: 'bins', assignee: 'bob' }])
    expect((await request(standin.app).get('/task').set(OWN_KEY)).body).toHaveLength(2)
  })

  test('a POST to /upload creates an item, where only its response says so, whatever else it brings', async () => {
    const set = { type: 'object', required: ['id'], properties: { id: text, name: text, size: { type: 'integer' } } }
    const rows = { type: 'array', items: { type: 'object' } }
    const upload = { action: { enum: ['create', 'append'] }, name: text, rows, row_ids: { type: 'array', items: text } }
    const told = { type: 'object', required: ['set_id'], properties: { set_id: text, rows: { type: 'integer' } } }
    const body = { type: 'object', required: ['data'], properties: { data: told } }
    const { standin } = createContractTester(
      {
        '/sets': { get: { responses: { 200: shows({ type: 'array', items: set }) } } },
        '/sets/upload': {
          post: {
            requestBody: takes({ type: 'object', required: ['name', 'rows'], properties: upload }),
            responses: { 200: shows(body) },
          },
        },
        '/sets/{id}': { parameters: [inPath('id', 'string')], get: { responses: { 200: shows(set), 404: nothing } } },
      },
      {},
      { documents: 0 },
    )
    const sent = { action: 'create', name: 'capitals', rows: [{ country: 'Peru' }] }
    const made = await request(standin.app).post('/sets/upload').set(OWN_KEY).send(sent)
    const { set_id: id } = (made.body as { data: { set_id: string } }).data
    expect((await request(standin.app).get(`/sets/${id}`).set(OWN_KEY)).body).toMatchObject({ id, name: 'capitals' })
    expect((await request(standin.app).get('/sets/unknown').set(OWN_KEY)).status).toBe(404)
  })

  test('a POST to /create creates what is in a member of its body, and a path below the item shows it', async () => {
    const profile = { type: 'object', required: ['id'], properties: { id: text, firstName: text, email: text } }
    const credentials = { type: 'object', properties: { password: text } }
    const body = takes({ type: 'object', properties: { profile, credentials } })
    const { standin } = createContractTester(
      {
        '/user': { get: { responses: { 200: shows({ type: 'array', items: profile }) } } },
        '/user/create': { post: { requestBody: body, responses: { 204: nothing } } },
        '/user/{id}': { parameters: [inPath('id', 'string')], delete: { responses: { 204: nothing } } },
        '/user/{id}/profile': {
          parameters: [inPath('id', 'string')],
          get: { responses: { 200: shows(profile), 404: nothing } },
          put: { requestBody: takes(profile), responses: { 204: nothing } },
        },
      },
      {},
      { documents: 0 },
    )
    const send = (method: 'get' | 'post' | 'put' | 'delete', path: string, sent?: object) =>
      request(standin.app)[method](path).set(OWN_KEY).send(sent)
    const mary = { id: 'mary', firstName: 'Mary', email: 'mary@example.org' }
    await send('post', '/user/create', { profile: mary, credentials: { password: 's3cret' } })
    expect((await send('get', '/user')).body).toEqual([mary])
    await send('put', '/user/mary/profile', { ...mary, firstName: 'Mary Ann' })
    expect((await send('get', '/user/mary/profile')).body).toEqual({ ...mary, firstName: 'Mary Ann' })
    expect((await send('get', '/user')).body).toEqual([{ ...mary, firstName: 'Mary Ann' }])
    await send('delete', '/user/mary')
    expect((await send('get', '/user/mary/profile')).status).toBe(404)
  })

  test('a POST to /create without a response creates an item that has the members of its body', async () => {
    const profile = { type: 'object', properties: { name: text } }
    const robot = { type: 'object', required: ['id'], properties: { id: text, profile, serial: text } }
    const body = takes({ type: 'object', properties: { profile, credentials: { type: 'object' } } })
    const { standin } = createContractTester(
      {
        '/robots': { get: { responses: { 200: shows({ type: 'array', items: robot }) } } },
        '/robots/create': { post: { requestBody: body, responses: { 204: nothing } } },
        '/robots/{id}': {
          parameters: [inPath('id', 'string')],
          get: { responses: { 200: shows(robot), 404: nothing } },
        },
      },
      {},
      { documents: 0 },
    )
    const sent = { profile: { name: 'Rosie' }, credentials: { pin: '1234' } }
    const { status } = await request(standin.app).post('/robots/create').set(OWN_KEY).send(sent)
    expect(status).toBe(204)
    expect((await request(standin.app).get('/robots').set(OWN_KEY)).body).toMatchObject([
      { profile: { name: 'Rosie' } },
    ])
  })

  test('a POST to /create creates what its response shows, whatever it is sent', async () => {
    const deployment = { type: 'object', required: ['id'], properties: { id: text, name: text, time: text } }
    const content = { 'multipart/form-data': { schema: { type: 'object', properties: { file: text, source: text } } } }
    const { standin } = createContractTester(
      {
        '/deployment': { get: { responses: { 200: shows({ type: 'array', items: deployment }) } } },
        '/deployment/create': { post: { requestBody: { content }, responses: { 200: shows(deployment) } } },
        '/deployment/{id}': {
          parameters: [inPath('id', 'string')],
          get: { responses: { 200: shows(deployment), 404: nothing } },
        },
      },
      {},
      { documents: 0 },
    )
    const made = await request(standin.app).post('/deployment/create').set(OWN_KEY).field('source', 'modeler')
    const { id } = made.body as { id: string }
    expect((await request(standin.app).get(`/deployment/${id}`).set(OWN_KEY)).body).toEqual(made.body)
  })

  test('a POST makes an item of a collection that makes none itself, if it shows one', async () => {
    const run = { $ref: '#/components/schemas/Run' }
    const flow = { type: 'object', required: ['id'], properties: { id: text, title: text, owner: text } }
    const start = {
      post: { requestBody: takes({ type: 'object', properties: { tag: text } }), responses: { 200: shows(run) } },
    }
    const below = { parameters: [inPath('id', 'string')] }
    const { standin } = createContractTester(
      {
        '/runs': { get: { responses: { 200: shows({ type: 'array', items: run }) } } },
        '/runs/{id}': { ...below, get: { responses: { 200: shows(run), 404: nothing } } },
        '/flows': {
          get: { responses: { 200: shows({ type: 'array', items: flow }) } },
          post: { requestBody: takes(flow), responses: { 201: shows(flow) } },
        },
        '/flows/{flow_id}': {
          parameters: [inPath('flow_id', 'string')],
          get: { responses: { 200: shows(flow), 404: nothing } },
        },
        '/runs/{id}/stop': { ...below, post: { responses: { 200: shows(run) } } },
        '/flows/{flow_id}/start': { parameters: [inPath('flow_id', 'string')], ...start },
        '/start': start,
      },
      {
        Run: { type: 'object', required: ['id'], properties: { id: text, tag: text, flow_id: text, state: text } },
        Other: { type: 'object', properties: { id: text, tag: text, flow_id: text, state: text } },
      },
      { documents: 0 },
    )
    const post = (path: string) => request(standin.app).post(path).set(OWN_KEY).send({ tag: 'daily' })
    await request(standin.app).post('/flows').set(OWN_KEY).send({ id: 'f1' })
    expect((await post('/flows/f2/start')).status).toBe(404)
    const first = (await post('/flows/f1/start')).body as Json
    const second = (await post('/start')).body as Json
    expect(first).toMatchObject({ tag: 'daily', flow_id: 'f1' })
    expect(
      (
        await request(standin.app)
          .get(`/runs/${String(first.id)}`)
          .set(OWN_KEY)
      ).body,
    ).toEqual(first)
    expect((await request(standin.app).get('/runs').set(OWN_KEY)).body).toEqual([first, second])
    // What acts on a run makes none.
    await post(`/runs/${String(first.id)}/stop`)
    expect((await request(standin.app).get('/runs').set(OWN_KEY)).body).toHaveLength(2)
  })
})
