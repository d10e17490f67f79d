import { describe, expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createShelter, refusals } from '../../../support/contracts/shelter.ts'

const ADA = { name: 'Ada', phone: null }

const DOCUMENTED_TAG = { headers: { ETag: { schema: { type: 'string' } } }, ...shows(ref('Note')) }

function createConditional(statuses: readonly number[] = [304, 412]) {
  const documented = { 200: DOCUMENTED_TAG, ...refusals(...statuses.filter((status) => status > 399)) }
  const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } })
  return createShelter({
    '/notes': { post: { requestBody: takes(ref('Note')), responses: { 201: shows(ref('Note')) } } },
    '/notes/{noteId}': {
      parameters: [inPath('noteId')],
      get: { responses: { ...documented, ...(statuses.includes(304) ? { 304: nothing } : {}) } },
      put: { parameters: [header('If-Match')], requestBody: takes(ref('Note')), responses: documented },
      head: { responses: { 200: nothing } },
      delete: { responses: { 204: nothing, ...refusals(412) } },
    },
  })
}

describe('where ETag is documented', () => {
  test('a write is refused with 412 when somebody else made one since', async () => {
    const { send } = createConditional()
    const { etag = '' } = (await send(['get', '/notes/1'])).headers
    const first = await send(['put', '/notes/1'], { text: 'mine' }, { 'If-Match': etag })
    expect(first.status).toBe(200)
    expect(first.headers.etag).not.toBe(etag)
    expect((await send(['put', '/notes/1'], { text: 'theirs' }, { 'If-Match': etag })).status).toBe(412)
    expect((await send(['delete', '/notes/1'], undefined, { 'If-Match': etag })).status).toBe(412)
    expect((await send(['get', '/notes/1'])).body).toMatchObject({ text: 'mine' })
    expect((await send(['put', '/notes/1'], { text: 'any' }, { 'If-Match': '*' })).status).toBe(200)
    expect((await send(['put', '/notes/1'], { text: 'new' }, { 'If-None-Match': '*' })).status).toBe(412)
  })

  test('a read of what the client has is 304', async () => {
    const { send } = createConditional()
    const { etag = '' } = (await send(['get', '/notes/1'])).headers
    expect(await send(['get', '/notes/1'], undefined, { 'If-None-Match': etag })).toMatchObject({
      status: 304,
      body: {},
    })
    expect((await send(['get', '/notes/1'], undefined, { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('a write without If-Match is 428 where that is documented', async () => {
    const { send } = createConditional([412, 428])
    expect((await send(['put', '/notes/1'], { text: 'mine' })).status).toBe(428)
  })

  test('tags are numbers where the patterns of the headers ask for that, and Last-Modified counts where it is documented', async () => {
    const Draft = {
      type: 'object',
      properties: { id: { type: 'string' }, text: { type: 'string' }, updated_at: { type: 'integer' } },
    }
    const header = (name: string) => ({ name, in: 'header', schema: { type: 'string', pattern: '^"[0-9]+"$|^\\*$' } })
    const plain = { schema: { type: 'string' } }
    const shown = { headers: { ETag: plain, 'Last-Modified': plain }, ...shows(Draft) }
    const { send } = createShelter({
      '/drafts/{draftId}': {
        parameters: [inPath('draftId', 'string'), header('If-Match'), header('If-None-Match')],
        get: { responses: { 200: shown, 304: nothing } },
        put: { requestBody: takes(Draft), responses: { 200: shown, 201: shown, ...refusals(412) } },
      },
      '/drafts': { get: { responses: { 200: shows({ type: 'array', items: Draft }) } } },
    })
    const { status, headers } = await send(['put', '/drafts/a'], { text: 'one' })
    const { etag = '', 'last-modified': modified = '' } = headers
    expect([status, modified]).toEqual([201, 'Thu, 05 Mar 2026 14:30:00 GMT'])
    expect(etag).toMatch(/^"\d+"$/)
    const read = async (since: Record<string, string>) => (await send(['get', '/drafts/a'], undefined, since)).status
    expect(await read({ 'If-None-Match': etag })).toBe(304)
    expect(await read({ 'If-Modified-Since': modified })).toBe(304)
    expect(await read({ 'If-Modified-Since': 'Thu, 05 Mar 2026 14:29:59 GMT' })).toBe(200)
    const write = async (text: string, own: Record<string, string>) =>
      (await send(['put', '/drafts/a'], { text }, own)).status
    expect(await write('two', { 'If-Unmodified-Since': 'Thu, 05 Mar 2026 14:29:59 GMT' })).toBe(412)
    expect(await write('two', { 'If-Unmodified-Since': modified, 'If-Match': etag })).toBe(200)
    expect(await write('three', { 'If-Match': etag })).toBe(412)
  })

  test('HEAD is as GET, without a body', async () => {
    const { send } = createConditional()
    expect((await send(['head', '/notes/1'])).status).toBe(200)
    expect((await send(['head', '/notes/99'])).status).toBe(404)
  })
})

describe('an idempotency key', () => {
  const parameters = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }]
  const post = {
    parameters,
    requestBody: takes(ref('Owner')),
    responses: { 201: shows(ref('Owner')), ...refusals(400, 422) },
  }
  const list = { responses: { 200: shows({ type: 'array', items: ref('Owner') }) } }
  const begin = () => createShelter({ '/owners': { get: list, post } })
  const KEY = { 'Idempotency-Key': 'abc' }

  test('gets the same response again, and creates nothing more', async () => {
    const { send } = begin()
    const first = await send(['post', '/owners'], ADA, KEY)
    const again = await send(['post', '/owners'], ADA, KEY)
    expect([again.status, again.body, again.headers.location]).toEqual([201, first.body, '/owners/11'])
    expect((await send(['get', '/owners'])).body).toHaveLength(11)
  })

  test('counts also where the operation does not name the header', async () => {
    const { send } = createShelter()
    const first = await send(['post', '/owners'], ADA, KEY)
    expect((await send(['post', '/owners'], ADA, KEY)).body).toEqual(first.body)
  })

  test('is refused with another body', async () => {
    const { send } = begin()
    await send(['post', '/owners'], ADA, KEY)
    expect((await send(['post', '/owners'], { ...ADA, name: 'Eve' }, KEY)).status).toBe(422)
    expect((await send(['post', '/owners'], ADA, { 'Idempotency-Key': 'def' })).body).toMatchObject({ id: 12 })
  })

  test('is a part of the state: a checkpoint has it, and a reset forgets it', async () => {
    const { send, control } = begin()
    const first = await send(['post', '/owners'], ADA, KEY)
    await control.createCheckpoint({ name: 'one' })
    await control.reset()
    expect((await send(['post', '/owners'], { ...ADA, name: 'Eve' }, KEY)).status).toBe(201)
    await control.restoreCheckpoint('one')
    expect((await send(['post', '/owners'], ADA, KEY)).body).toEqual(first.body)
  })
})
