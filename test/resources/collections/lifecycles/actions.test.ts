import request from 'supertest'
import { describe, expect, test } from 'vitest'
import { defineOperation, events, type StandinOptions } from '../../../../src/index.ts'
import { createPetShop, inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { OWN_KEY } from '../../../support/contracts/small-contract.ts'

type Json = Readonly<Record<string, unknown>>

const PROBLEM = {
  description: 'refused',
  content: {
    'application/problem+json': { schema: { type: 'object', properties: { detail: { type: 'string' } } } },
  },
}

const STATUSES = ['draft', 'published', 'Cancelled', 'PAID', 'archived', 'in_progress']

const POST = {
  type: 'object',
  required: ['id', 'title', 'status'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string' },
    kind: { type: 'string', enum: ['news', 'cancelling'] },
    status: { type: 'string', enum: STATUSES, default: 'draft' },
    closed_by: { type: ['string', 'null'] },
    updated_at: { type: 'string', format: 'date-time', readOnly: true },
  },
}

const onPost = (operation: Json) => ({ parameters: [inPath('postId')], post: operation })
const acts = (more: Json = {}) => onPost({ responses: { 200: shows(ref('Post')), 409: PROBLEM }, ...more })

/** Posts, with other paths below each. */
function createBlog(
  paths: Json,
  { hint = {}, post = POST, ...options }: StandinOptions & { readonly hint?: Json; readonly post?: Json } = {},
) {
  const posts = {
    '/posts': {
      ...hint,
      get: { responses: { 200: shows({ type: 'array', items: ref('Post') }) } },
      post: { requestBody: takes(ref('Post')), responses: { 201: shows(ref('Post')) } },
    },
    '/posts/{postId}': {
      parameters: [inPath('postId')],
      get: { responses: { 200: shows(ref('Post')) } },
      put: { requestBody: takes(ref('Post')), responses: { 200: shows(ref('Post')), 409: PROBLEM } },
      patch: { requestBody: takes(ref('Changes')), responses: { 200: shows(ref('Post')), 409: PROBLEM } },
    },
  }
  const changes = { type: 'object', properties: POST.properties }
  const shop = createPetShop({ selfCheck: true, ...options }, { ...posts, ...paths }, { Post: post, Changes: changes })
  const send = async (method: 'get' | 'post' | 'put' | 'patch', path: string, body?: object) => {
    const response = await request(shop.standin.app)[method](path).set(OWN_KEY).send(body)
    return { status: response.status, body: response.body as Json }
  }
  const draft = () => send('post', '/posts', { title: 'One', status: 'draft' })
  const reasonOf = (path: string) => shop.standin.operations.find((line) => line.includes(` ${path} `)) ?? ''
  return { ...shop, send, draft, reasonOf }
}

describe('an action whose path ends with a word', () => {
  test.each([
    ['cancel', 'Cancelled'],
    ['publish', 'published'],
    ['archive', 'archived'],
    ['pay', 'PAID'],
    ['mark-as-paid', 'PAID'],
    ['start', 'in_progress'],
  ])('sets the status that the word means: /%s', async (word, status) => {
    const { send, draft, reasonOf } = createBlog({ [`/posts/{postId}/${word}`]: acts() })
    const { body } = await draft()
    const acted = await send('post', `/posts/11/${word}`)
    expect(acted).toEqual({ status: 200, body: { ...body, status } })
    expect((await send('get', '/posts/11')).body).toEqual(acted.body)
    expect(reasonOf(`/posts/{postId}/${word}`)).toContain(`sets status to ${status}, because of the word in its path`)
  })

  test('begins with what waits for a member of the item, before what waits for anything else', async () => {
    const status = { type: 'string', enum: ['canceled', 'requires_action', 'requires_payment_method', 'succeeded'] }
    const { default: _default, ...plain } = POST.properties.status as Json
    const properties = {
      ...POST.properties,
      status: { ...plain, ...status },
      payment_method: { type: ['string', 'null'] },
    }
    const { send } = createBlog({}, { post: { ...POST, required: ['id', 'title'], properties } })
    expect((await send('post', '/posts', { title: 'One' })).body).toMatchObject({ status: 'requires_payment_method' })
  })

  test('shows the item as it is when no status has such a name', async () => {
    const { send, draft, reasonOf } = createBlog({ '/posts/{postId}/print': acts() })
    const { body } = await draft()
    expect(await send('post', '/posts/11/print')).toEqual({ status: 200, body })
    expect(reasonOf('/posts/{postId}/print')).toContain(
      'sets nothing, since neither the word in its path nor its body means a member',
    )
  })

  test('moves what the service keeps of changes, by the clock of the sandbox', async () => {
    const { send, draft, control } = createBlog({ '/posts/{postId}/publish': acts() })
    await draft()
    await control.advanceClock({ by: 'PT1H' })
    expect((await send('post', '/posts/11/publish')).body).toMatchObject({ updated_at: '2026-03-05T15:30:00.000Z' })
  })

  test('is about something else where the ids of its response have another pattern', async () => {
    const sid = (prefix: string) => ({ type: 'string', pattern: `^${prefix}[0-9a-f]{8}$` })
    const members = { to: { type: 'string' }, from: { type: 'string' } }
    const call = { type: 'object', properties: { sid: sid('CA'), ...members } }
    const message = { type: 'object', properties: { sid: sid('KX'), ...members } }
    const { send } = createBlog({
      '/calls': { get: { responses: { 200: shows({ type: 'array', items: call }) } } },
      '/calls/{sid}': { parameters: [inPath('sid', 'string')], get: { responses: { 200: shows(call) } } },
      '/calls/{sid}/messages': {
        parameters: [inPath('sid', 'string')],
        post: { responses: { 201: shows(message) } },
      },
    })
    const [{ sid: id }] = (await send('get', '/calls')).body as unknown as [{ sid: string }]
    const { status, body } = await send('post', `/calls/${id}/messages`)
    expect({ status, body }).toMatchObject({ status: 201, body: { sid: expect.stringMatching(/^KX/) as string } })
  })

  test('is 404 for an item that does not exist', async () => {
    const { send } = createBlog({ '/posts/{postId}/publish': acts() })
    expect((await send('post', '/posts/99/publish')).status).toBe(404)
  })

  test('may respond without a body', async () => {
    const { send, draft } = createBlog({ '/posts/{postId}/publish': onPost({ responses: { 204: nothing } }) })
    await draft()
    expect((await send('post', '/posts/11/publish')).status).toBe(204)
    expect((await send('get', '/posts/11')).body).toMatchObject({ status: 'published' })
  })
})

const NOTE = {
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string' },
    archived: { type: 'boolean', default: false },
    archivedAt: { type: ['string', 'null'], format: 'date-time' },
    starred: { type: 'boolean', default: false },
    done: { type: 'boolean', default: false },
    isRead: { type: 'boolean', default: false },
    assignee: { type: 'string' },
    ownerId: { type: 'integer' },
    amount: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    reason: { type: 'string' },
  },
}

/** Notes, an action of theirs, and a note that was made. */
async function createNotes(word: string, more: Json, method: 'post' | 'put' | 'patch' | 'delete' = 'post') {
  const { standin, control } = createPetShop(
    { selfCheck: true },
    {
      '/notes': {
        get: { responses: { 200: shows({ type: 'array', items: ref('Note') }) } },
        post: { requestBody: takes(ref('Note')), responses: { 201: shows(ref('Note')) } },
      },
      '/notes/{noteId}': { parameters: [inPath('noteId')], get: { responses: { 200: shows(ref('Note')) } } },
      [`/notes/{noteId}${word}`]: {
        parameters: [inPath('noteId')],
        [method]: { responses: { 200: shows(ref('Note')) }, ...more },
      },
    },
    { Note: NOTE },
  )
  const read = async () => (await request(standin.app).get('/notes/11').set(OWN_KEY)).body as Json
  const act = async (body?: object) => {
    const response = await request(standin.app)[method](`/notes/11${word}`).set(OWN_KEY).send(body)
    return { status: response.status, headers: response.headers, body: response.body as Json }
  }
  const note = { title: 'One', assignee: 'bob', ownerId: 1, amount: 9, tags: ['a', 'b'] }
  const made = await request(standin.app).post('/notes').set(OWN_KEY).send(note)
  expect(made.body).toMatchObject({ id: 11 })
  return { standin, control, act, read }
}

const anything = { type: 'object' }
const done = { responses: { 200: shows({ type: 'object', properties: { success: { type: 'boolean' } } }) } }

describe('what an action says it did, it did', () => {
  test.each<[string, Json]>([
    ['/archive', { archived: true, archivedAt: '2026-03-05T14:30:00.000Z' }],
    [':archive', { archived: true, archivedAt: '2026-03-05T14:30:00.000Z' }],
    ['/star', { starred: true }],
    ['/complete', { done: true }],
    ['/mark-as-done', { done: true }],
    ['/markAsRead', { isRead: true }],
  ])('%s', async (word, changed) => {
    const { act, read } = await createNotes(word, {})
    const before = await read()
    expect(await act()).toMatchObject({ status: 200, body: { ...before, ...changed } })
    expect(await read()).toEqual({ ...before, ...changed })
  })

  test.each<[string, Json, Json]>([
    ['archive', { archived: true }, { archived: false, archivedAt: null }],
    ['unarchive', { archived: true }, { archived: false, archivedAt: null }],
    ['star', { starred: true }, { starred: false }],
  ])('is undone by DELETE, or by a word: %s', async (word, before, after) => {
    const isWord = word.startsWith('un')
    const { control, act, read } = await createNotes(
      `/${word}`,
      { responses: { 204: nothing } },
      isWord ? 'post' : 'delete',
    )
    await control.changeDocument('notes', '11', before)
    expect((await act()).status).toBe(204)
    expect(await read()).toMatchObject(after)
  })

  test.each<[string, Json, Json]>([
    ['/assign', { assignee: 'ann' }, { assignee: 'ann' }],
    ['/assign', { user: 'ann' }, { assignee: 'ann' }],
    ['/rename', { newTitle: 'Two' }, { title: 'Two' }],
    ['/transfer', { ownerId: 2 }, { ownerId: 2 }],
    ['/transfer', { newOwner: 2 }, { ownerId: 2 }],
    ['/tags', { tags: ['b', 'c'] }, { tags: ['a', 'b', 'c'] }],
    ['/addTags', { tags: ['c'] }, { tags: ['a', 'b', 'c'] }],
    ['/removeTags', { tags: ['a'] }, { tags: ['b'] }],
    ['/complete', { reason: 'It works' }, { done: true, reason: 'It works' }],
  ])('with what its body says of the item: %s %j', async (word, body, changed) => {
    for (const responses of [{ 200: shows(ref('Note')) }, done.responses]) {
      const properties = Object.fromEntries(Object.keys(body).map((name) => [name, {}]))
      const { act, read } = await createNotes(word, { requestBody: takes({ ...anything, properties }), responses })
      const before = await read()
      expect((await act(body)).status).toBe(200)
      expect(await read()).toEqual({ ...before, ...changed })
    }
  })

  test('an amount is how much is done, and not what the item gets; the response names what has no effect', async () => {
    const properties = { amount: { type: 'integer' }, comment: { type: 'string' } }
    const { act, read } = await createNotes('/capture', { requestBody: takes({ ...anything, properties }) })
    const { headers } = await act({ amount: 5, comment: 'x' })
    expect(headers['x-mock-ignored']).toBe('body /amount, body /comment')
    expect(headers['x-mock-behaviours']).toContain('collections.unknown-action')
    expect(await read()).toMatchObject({ amount: 9 })
  })

  test('/duplicate makes another item', async () => {
    const { standin, act, read } = await createNotes('/duplicate', { responses: { 201: shows(ref('Note')) } })
    const { status, headers, body } = await act()
    expect({ status, location: headers.location, body }).toMatchObject({ status: 201, location: '/notes/12' })
    expect(body).toEqual({ ...(await read()), id: 12 })
    expect((await request(standin.app).get('/notes/12').set(OWN_KEY)).body).toEqual(body)
  })

  test('/delete deletes', async () => {
    const { act, read } = await createNotes('/delete', { responses: { 204: nothing } })
    expect((await act()).status).toBe(204)
    expect(await read()).toMatchObject({ status: 404 })
  })
})

describe('`set` of x-standin', () => {
  test('says what an operation sets, as a merge patch', async () => {
    const hint = { 'x-standin': { set: { status: 'Cancelled', closed_by: 'staff' } } }
    const { send, draft, reasonOf } = createBlog({ '/posts/{postId}/print': acts(hint) })
    const { body } = await draft()
    const acted = await send('post', '/posts/11/print')
    expect(acted.body).toEqual({ ...body, status: 'Cancelled', closed_by: 'staff' })
    expect(reasonOf('/posts/{postId}/print')).toContain('sets status to Cancelled, closed_by to staff, by x-standin')
  })

  test('makes an action of an operation that shows no item', async () => {
    const print = onPost({ 'x-standin': { role: 'action', set: { status: 'archived' } }, responses: { 202: nothing } })
    const { send, draft } = createBlog({ '/posts/{postId}/print': print })
    await draft()
    expect((await send('post', '/posts/11/print')).status).toBe(202)
    expect((await send('get', '/posts/11')).body).toMatchObject({ status: 'archived' })
  })
})

const LIFECYCLE = {
  'x-standin': {
    transitions: {
      status: { draft: ['published'], published: ['archived'], in_progress: [{ to: 'PAID', after: 'PT5M' }] },
    },
  },
}

describe('a declared lifecycle', () => {
  const blog = () =>
    createBlog({ '/posts/{postId}/publish': acts(), '/posts/{postId}/archive': acts() }, { hint: LIFECYCLE })

  test('lets an action change a status that may follow', async () => {
    const { send, draft } = blog()
    await draft()
    expect((await send('post', '/posts/11/publish')).body).toMatchObject({ status: 'published' })
    expect((await send('post', '/posts/11/archive')).body).toMatchObject({ status: 'archived' })
  })

  test('refuses every other change with 409, of actions and writes alike, and stores nothing', async () => {
    const { send, draft } = blog()
    const { body } = await draft()
    const refused = [
      await send('post', '/posts/11/archive'),
      await send('patch', '/posts/11', { status: 'archived' }),
      await send('put', '/posts/11', { ...body, status: 'PAID' }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409])
    expect(refused[0]?.body).toMatchObject({
      detail: 'The status of the post is draft: it may only become published.',
    })
    expect(refused[1]?.body).toMatchObject({ detail: expect.stringContaining('only become published') as string })
    expect((await send('get', '/posts/11')).body).toEqual(body)
    await send('post', '/posts/11/publish')
    expect((await send('post', '/posts/11/publish')).status).toBe(409)
  })

  test('lets a write repeat the status that there is', async () => {
    const { send, draft } = blog()
    const { body } = await draft()
    expect((await send('put', '/posts/11', { ...body, title: 'Two' })).status).toBe(200)
    expect((await send('patch', '/posts/11', { status: 'draft' })).status).toBe(200)
  })

  test('lets an action set other members, whatever the status is', async () => {
    const feature = acts({ 'x-standin': { role: 'action', set: { closed_by: 'staff' } } })
    const { send, draft } = createBlog({ '/posts/{postId}/feature': feature }, { hint: LIFECYCLE })
    const { body } = await draft()
    expect(await send('post', '/posts/11/feature')).toEqual({ status: 200, body: { ...body, closed_by: 'staff' } })
  })

  test('says what the status is and what it may become', async () => {
    const { send, draft } = blog()
    await draft()
    const early = await send('post', '/posts/11/archive')
    expect(early.body).toMatchObject({ detail: expect.stringContaining('is draft') as string })
    await send('post', '/posts/11/publish')
    await send('post', '/posts/11/archive')
    const again = await send('post', '/posts/11/archive')
    expect(again.body).toMatchObject({ detail: expect.stringContaining('is archived') as string })
  })

  test('refuses with 422 where only that is documented', async () => {
    const archive = onPost({ responses: { 200: shows(ref('Post')), 400: PROBLEM, 422: PROBLEM } })
    const { send, draft } = createBlog({ '/posts/{postId}/archive': archive }, { hint: LIFECYCLE })
    await draft()
    expect((await send('post', '/posts/11/archive')).status).toBe(422)
  })

  test('gives new items its first status', async () => {
    const status = { type: 'string', enum: STATUSES, readOnly: true }
    const { send } = createBlog({}, { hint: LIFECYCLE, post: { ...POST, properties: { ...POST.properties, status } } })
    expect((await send('post', '/posts', { title: 'One' })).body).toMatchObject({ status: 'draft' })
  })
})

describe('a transition by time', () => {
  const begin = async () => {
    const tester = createBlog({}, { hint: LIFECYCLE })
    await tester.send('post', '/posts', { title: 'One', status: 'in_progress' })
    const statusOf = async () => (await tester.send('get', '/posts/11')).body
    return { ...tester, statusOf }
  }

  test('happens when the clock of the sandbox says so', async () => {
    const { control, statusOf } = await begin()
    expect((await control.advanceClock({ by: 'PT4M59S' })).transitions).toBeUndefined()
    expect(await statusOf()).toMatchObject({ status: 'in_progress', updated_at: '2026-03-05T14:30:00.000Z' })
    const { transitions } = await control.advanceClock({ by: 'PT1H' })
    const happened = { at: '2026-03-05T14:35:00.000Z', collection: 'posts', id: '11' }
    expect(transitions).toEqual([{ ...happened, member: '/status', from: 'in_progress', to: 'PAID' }])
    expect(await statusOf()).toMatchObject({ status: 'PAID', updated_at: '2026-03-05T14:35:00.000Z' })
  })

  test('is counted from when the status was set last', async () => {
    const { send, control, statusOf } = await begin()
    await control.advanceClock({ by: 'PT3M' })
    await send('patch', '/posts/11', { title: 'Two' })
    await control.advanceClock({ by: 'PT2M' })
    expect(await statusOf()).toMatchObject({ title: 'Two', status: 'PAID' })
  })

  test('happens while nobody asks, when the clock runs', async () => {
    const { control, statusOf, moveTo } = await begin()
    moveTo('2026-03-05T15:00:00Z')
    await control.putClock({ mode: 'running', now: '2026-03-05T14:30:00Z' })
    moveTo('2026-03-05T15:04:59Z')
    expect(await statusOf()).toMatchObject({ status: 'in_progress' })
    moveTo('2026-03-05T15:30:00Z')
    expect(await statusOf()).toMatchObject({ status: 'PAID', updated_at: '2026-03-05T14:35:00.000Z' })
  })

  test('happens to documents that the control API and handlers write', async () => {
    const handlers = [
      defineOperation('importPost', (_, call) => ({
        status: 204,
        events: [events.create('posts', 70, { ...(call.body as object), id: 70 })],
      })),
    ]
    const importPost = { operationId: 'importPost', requestBody: takes(ref('Post')), responses: { 204: nothing } }
    const { send, control } = createBlog({ '/imports': { post: importPost } }, { hint: LIFECYCLE, handlers })
    const { id } = await control.createDocument('posts', { title: 'One', status: 'in_progress' })
    await control.putDocument('posts', '60', { title: 'Two', status: 'draft' })
    await send('post', '/imports', { title: 'Three', status: 'in_progress' })
    await control.advanceClock({ by: 'PT4M' })
    await control.changeDocument('posts', '60', { status: 'in_progress' })
    await control.changeDocument('posts', id, { title: 'Four' })
    const { transitions } = await control.advanceClock({ by: 'PT4M' })
    expect(transitions?.map((one) => 'id' in one && one.id)).toEqual([id, '70'])
    await control.advanceClock({ by: 'PT4M' })
    expect((await send('get', '/posts/60')).body).toMatchObject({ status: 'PAID' })
  })

  test('survives a checkpoint, and is forgotten by a reset', async () => {
    const { control, statusOf, send } = await begin()
    await control.createCheckpoint({ name: 'before' })
    await control.advanceClock({ by: 'PT5M' })
    expect(await statusOf()).toMatchObject({ status: 'PAID' })
    await control.restoreCheckpoint('before')
    expect(await statusOf()).toMatchObject({ status: 'in_progress' })
    await control.advanceClock({ by: 'PT5M' })
    expect(await statusOf()).toMatchObject({ status: 'PAID' })
    await control.reset()
    expect((await send('get', '/posts/11')).status).toBe(404)
    expect((await control.advanceClock({ by: 'PT5M' })).transitions).toBeUndefined()
  })
})

test('a change of a status or a flag sets the moment that is called after it, and back clears it', async () => {
  const moment = { type: ['string', 'null'], format: 'date-time' }
  const status = { type: 'string', enum: ['todo', 'in_progress', 'done', 'cancelled'] }
  const own = { started_at: moment, completed_at: moment, cancelled_at: moment, archived_at: moment }
  const properties = {
    ...POST.properties,
    status,
    is_archived: { type: 'boolean' },
    ...own,
  }
  const post = {
    type: 'object',
    required: ['id', 'title'],
    properties: { ...properties, cancellation_reason: { type: ['string', 'null'] } },
  }
  const changes = { type: 'object', properties: { status, is_archived: properties.is_archived } }
  const reason = { type: 'object', properties: { reason: { type: 'string' } } }
  const blog = createBlog(
    {
      '/posts/{postId}': {
        parameters: [inPath('postId')],
        get: { responses: { 200: shows(ref('Post')) } },
        patch: { requestBody: takes(changes), responses: { 200: shows(ref('Post')) } },
      },
      '/posts/{postId}/cancel': acts({ requestBody: takes(reason) }),
      '/posts/{postId}/restart': acts(),
    },
    { post, clock: '2026-03-05T14:30:00Z' },
  )
  const now = '2026-03-05T14:30:00.000Z'
  const { body } = await blog.send('post', '/posts', { title: 'One', status: 'todo' })
  const at = `/posts/${String(body.id)}`
  const begun = await blog.send('patch', at, { status: 'in_progress' })
  expect(begun.body).toMatchObject({ started_at: now, completed_at: null })
  const done = await blog.send('patch', at, { status: 'done', is_archived: true })
  expect(done.body).toMatchObject({ started_at: now, completed_at: now, archived_at: now, cancelled_at: null })
  const back = await blog.send('patch', at, { status: 'in_progress', is_archived: false })
  expect(back.body).toMatchObject({ started_at: now, completed_at: null, archived_at: null })
  const cancelled = await blog.send('post', `${at}/cancel`, { reason: 'ill' })
  expect(cancelled.body).toMatchObject({ status: 'cancelled', cancelled_at: now, cancellation_reason: 'ill' })
  const again = await blog.send('post', `${at}/restart`)
  expect(again.body).toMatchObject({ status: 'in_progress', cancelled_at: null, cancellation_reason: null })
})

const ALONG = ['draft', 'confirmed', 'published', 'shipped', 'delivered', 'cancelled', 'refunded', 'archived'] as const

test.each<[action: string, refusedFrom: readonly (typeof ALONG)[number][]]>([
  ['confirm', ['confirmed', 'shipped', 'delivered', 'cancelled', 'refunded']],
  ['publish', ['published', 'cancelled', 'refunded']],
  ['cancel', ['delivered', 'cancelled', 'refunded']],
  ['refund', ['refunded']],
  ['archive', ['archived']],
])('where a 409 is documented, %s is too late for what is %s', async (action, refused) => {
  const status = { type: 'string', enum: ALONG }
  const post = { type: 'object', required: ['id', 'title'], properties: { ...POST.properties, status } }
  const documented = createBlog({ [`/posts/{postId}/${action}`]: acts() }, { post })
  const responses = { 200: shows(ref('Post')) }
  const undocumented = createBlog({ [`/posts/{postId}/${action}`]: onPost({ responses }) }, { post })
  for (const from of ALONG) {
    const answers = [documented, undocumented].map(async ({ send }) => {
      const { body } = await send('post', '/posts', { title: 'One', status: from })
      return (await send('post', `/posts/${String(body.id)}/${action}`)).status
    })
    expect([from, ...(await Promise.all(answers))]).toEqual([from, refused.includes(from) ? 409 : 200, 200])
  }
})
