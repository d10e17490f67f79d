import request from 'supertest'
import { expect, test } from 'vitest'
import { inPath, nothing, ref, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

const text = { type: 'string' }
const object = (properties: Json, more: Json = {}) => ({ type: 'object', properties, ...more })
const list = (items: Json) => ({ type: 'array', items })

function createSender(paths: Json, schemas: Json = {}) {
  const { standin } = createContractTester(paths, schemas)
  return async (method: 'get' | 'post' | 'patch' | 'delete', path: string, sent?: object) =>
    (await request(standin.app)[method](path).set(OWN_KEY).send(sent)).body as Json
}

/** Notes whose deletion responds with a schema. */
const createNotes = (deleted: Json) =>
  createSender(
    {
      '/notes': {
        get: {
          responses: {
            200: shows(object({ kind: { ...text, default: 'app#notes' }, notes: list(ref('Note')), hint: text })),
          },
        },
        post: { requestBody: takes(ref('Note')), responses: { 201: shows(ref('Note')) } },
      },
      '/notes/{id}': {
        parameters: [inPath('id')],
        delete: { responses: { 200: shows(deleted), 404: nothing } },
      },
    },
    { Note: object({ id: { type: 'integer', readOnly: true }, title: text, size: text, kind: text, author: text }) },
  )

test('a page says what it is, where its schema has a default or one value for that', async () => {
  const page = await createNotes(object({}))('get', '/notes')
  expect(page).toMatchObject({ kind: 'app#notes' })
  expect(page).not.toHaveProperty('hint')
})

test('the response to a deletion says what it is', async () => {
  const send = createNotes(object({ id: { type: 'integer' }, type: { const: 'note_deleted' }, hint: text }))
  expect(await send('delete', '/notes/1')).toEqual({ id: 1, type: 'note_deleted' })
})

test('the response to a deletion has an envelope that holds nothing', async () => {
  expect(await createNotes(object({ data: { type: 'object' } }))('delete', '/notes/1')).toEqual({ data: {} })
})

const KIND = 'x-kubernetes-group-version-kind'
const metadata = object({ name: text, uid: text, namespace: text, labels: object({}, { additionalProperties: text }) })
const head = { apiVersion: text, kind: text, metadata }

/** Widgets as a custom resource of a Kubernetes API server. */
function createWidgets() {
  const inName = { name: 'name', in: 'path', required: true, schema: text }
  return createSender(
    {
      '/apis/shop.test/v1/widgets': {
        get: { responses: { 200: shows(ref('WidgetList')) } },
        post: { requestBody: takes(ref('Widget')), responses: { 201: shows(ref('Widget')) } },
      },
      '/apis/shop.test/v1/widgets/{name}': {
        parameters: [inName],
        get: { responses: { 200: shows(ref('Widget')), 404: nothing } },
        delete: { responses: { 200: shows(object({ status: text })), 404: nothing } },
      },
      '/apis/shop.test/v1/widgets/{name}/scale': {
        parameters: [inName],
        patch: {
          requestBody: { content: { 'application/json-patch+json': { schema: {} } } },
          responses: { 200: shows(ref('Scale')), 404: nothing },
        },
      },
    },
    {
      Widget: object(
        { ...head, spec: object({ replicas: { type: 'integer' }, colour: text }) },
        { [KIND]: [{ group: 'shop.test', version: 'v1', kind: 'Widget' }] },
      ),
      Scale: object({ ...head, spec: object({ replicas: { type: 'integer' } }) }),
      WidgetList: object(
        { apiVersion: text, kind: text, items: list(ref('Widget')) },
        { [KIND]: [{ group: 'shop.test', version: 'v1', kind: 'WidgetList' }] },
      ),
    },
  )
}

const WIDGETS = '/apis/shop.test/v1/widgets'

test('an object and a list have the apiVersion and the kind of their schemas', async () => {
  const send = createWidgets()
  const made = await send('post', WIDGETS, { metadata: { name: 'a' } })
  expect(made).toMatchObject({ apiVersion: 'shop.test/v1', kind: 'Widget', metadata: { name: 'a' } })
  expect(await send('get', WIDGETS)).toMatchObject({ apiVersion: 'shop.test/v1', kind: 'WidgetList' })
})

test('what clients name has an id of its own beside the name, another one each time', async () => {
  const send = createWidgets()
  const uid = async () => ((await send('post', WIDGETS, { metadata: { name: 'a' } })).metadata as Json).uid
  const first = await uid()
  expect(first).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/)
  expect(await send('get', `${WIDGETS}/a`)).toMatchObject({ metadata: { uid: first } })
  await send('delete', `${WIDGETS}/a`)
  expect(await uid()).not.toBe(first)
})

test('a JSON Patch of a word below an item changes the members that it shows there', async () => {
  const send = createWidgets()
  await send('post', WIDGETS, { metadata: { name: 'a' }, spec: { replicas: 1, colour: 'red' } })
  const patch = [{ op: 'replace', path: '/spec/replicas', value: 3 }]
  expect(await send('patch', `${WIDGETS}/a/scale`, patch)).toMatchObject({ spec: { replicas: 3 } })
  expect(await send('get', `${WIDGETS}/a`)).toMatchObject({ spec: { replicas: 3, colour: 'red' } })
})
