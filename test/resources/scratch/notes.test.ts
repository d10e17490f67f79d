import request from 'supertest'
import { afterAll, expect, test } from 'vitest'
import { createConfig } from '../../../src/config/create-config.ts'
import { createReloadableStandin } from '../../../src/app/setup/create-standin.ts'
import { RESOURCES } from '../../../src/app/resources.ts'
import { createDirectory } from '../../support/command.ts'
import { writeContract } from '../../support/contracts/small-contract.ts'
import { createNotes } from './notes.ts'

/** A contract with an operation that creates a note and one that reads it. */
function noteContract(): string {
  const note = {
    type: 'object',
    required: ['id', 'text'],
    properties: { id: { type: 'integer' }, text: { type: 'string' } },
  }
  const ok = (status: number) => ({
    [status]: { description: 'The note', content: { 'application/json': { schema: note } } },
    404: { description: 'There is no such note' },
  })
  const body = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }
  const noteId = { name: 'noteId', in: 'path', required: true, schema: { type: 'integer' } }
  return writeContract({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes': {
        post: {
          operationId: 'createNote',
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: ok(201),
        },
      },
      '/notes/{noteId}': { get: { operationId: 'getNote', parameters: [noteId], responses: ok(200) } },
    },
  })
}

const data = createDirectory({})
afterAll(() => data.remove())

function serveNotes(settings: object = {}) {
  const values = { contract: noteContract(), clock: '2026-03-05T00:00:00Z', log: 'silent', port: 0, ...settings }
  const config = createConfig([{ nameOf: (setting) => setting, values }], () => [])
  // A folder, and this one line.
  const standin = createReloadableStandin(config, { resources: [...RESOURCES, createNotes] })
  const send = (method: 'get' | 'post' | 'put', path: string, body?: object, sandbox = 'default') =>
    request(standin.app)[method](path).set('X-Mock-Sandbox', sandbox).send(body)
  return { standin, send }
}

test('an operation of an added resource creates a thing, and another reads it', async () => {
  const { send } = serveNotes()
  expect((await send('post', '/notes', { text: 'Call back' })).body).toEqual({ id: 1, text: 'Call back' })
  expect((await send('get', '/notes/1')).body).toEqual({ id: 1, text: 'Call back' })
  expect((await send('get', '/notes/2')).status).toBe(404)
})

test('a reset removes it, and a fork keeps its own', async () => {
  const { send } = serveNotes()
  await send('post', '/notes', { text: 'Call back' })
  await send('post', '/__mock/sandboxes', { name: 'fork', from: 'default' })
  await send('post', '/notes', { text: 'Only here' }, 'fork')
  expect((await send('get', '/notes/2')).status).toBe(404)
  await send('post', '/__mock/reset')
  expect((await send('get', '/notes/1')).status).toBe(404)
  expect((await send('get', '/notes/2', undefined, 'fork')).body).toMatchObject({ text: 'Only here' })
})

test('a checkpoint restores it, and an exported state has it', async () => {
  const { send } = serveNotes()
  await send('post', '/notes', { text: 'Call back' })
  await send('post', '/__mock/checkpoints', { name: 'noted' })
  await send('post', '/__mock/reset')
  await send('post', '/__mock/checkpoints/noted/restore')
  expect((await send('get', '/notes/1')).body).toEqual({ id: 1, text: 'Call back' })
  expect((await send('get', '/__mock/state')).body).toMatchObject({ notes: [{ id: 1, text: 'Call back' }] })
})

test('an imported state has it too, and other members are refused', async () => {
  const { send } = serveNotes()
  await send('post', '/notes', { text: 'Call back' })
  const state = (await send('get', '/__mock/state')).body as object
  expect((await send('put', '/__mock/state', state, 'other')).status).toBe(200)
  expect((await send('get', '/notes/1', undefined, 'other')).body).toEqual({ id: 1, text: 'Call back' })
  const refused = await send('put', '/__mock/state', { ...state, notess: [] })
  expect([refused.status, (refused.body as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining('/notess'),
  ])
})

test('it is there again after a restart on the same data directory', async () => {
  const first = serveNotes({ data: data.path })
  await first.send('post', '/notes', { text: 'Call back' })
  await first.standin.stop()
  const second = serveNotes({ data: data.path })
  expect((await second.send('get', '/notes/1')).body).toEqual({ id: 1, text: 'Call back' })
  await second.standin.stop()
})

test('an exported state can be imported', async () => {
  const { send } = serveNotes()
  await send('post', '/notes', { text: 'Call back' })
  const state = (await send('get', '/__mock/state')).body as object
  expect((await send('put', '/__mock/state', state, 'copy')).body).toMatchObject({ notes: 1 })
  expect((await send('get', '/notes/1', undefined, 'copy')).body).toEqual({ id: 1, text: 'Call back' })
})

test('fixtures bring notes, and one that is wrong refuses the start with its remedy', async () => {
  const { send } = serveNotes({ fixtures: [{ notes: ['Call back', 'Buy milk'] }] })
  expect((await send('get', '/notes/2')).body).toEqual({ id: 2, text: 'Buy milk' })
  expect(() => serveNotes({ fixtures: [{ notes: [7] }] })).toThrow('A note is a text; 7 is not one.')
})

test('the control API lists them', async () => {
  const { send } = serveNotes({ fixtures: [{ notes: ['Call back'] }] })
  expect((await send('get', '/__mock/notes')).body).toEqual({ notes: [{ id: 1, text: 'Call back' }] })
  expect((await send('get', '/__mock/sandboxes/default')).body).toMatchObject({ notes: 1 })
})

test('a behaviour of its own is set as any other, and named on the responses that depend on it', async () => {
  const { send } = serveNotes()
  const created = await send('post', '/notes', { text: '' })
  expect(created.status).toBe(201)
  expect(created.headers['x-mock-behaviours']).toContain('notes.empty')
  const strict = serveNotes({ behaviours: { 'notes.empty': 'error' } })
  expect((await strict.send('post', '/notes', { text: '' })).status).toBe(400)
})

test('a fault may remove a note just before it is read; one that no operation can meet is refused', async () => {
  const { send } = serveNotes({ fixtures: [{ notes: ['Call back'] }] })
  const fault = { kind: 'conflicting-edit', edit: 'remove', match: { operationId: 'getNote' } }
  expect((await send('post', '/__mock/faults', fault)).status).toBe(201)
  expect((await send('get', '/notes/1')).status).toBe(404)
  const impossible = { kind: 'conflicting-edit', edit: 'remove', match: { operationId: 'createNote' } }
  expect((await send('post', '/__mock/faults', impossible)).status).toBe(400)
})
