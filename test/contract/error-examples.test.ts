import request from 'supertest'
import { expect, test } from 'vitest'
import { isObject } from '../../src/base/formats/json.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import { createStandin, type StandinOptions } from '../../src/index.ts'
import { KEY_HEADER, nextOf, SCHEDULES, SEARCH, weekly } from '../support/tester.ts'

// The examples of errors in spec/openapi.yaml are what Standin responds.

interface Asked {
  readonly method?: 'post' | 'put' | 'get'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly hasNoKey?: true
  readonly options?: StandinOptions
  /** A request before this one. */
  readonly before?: Asked
}

const like = (value: unknown) => ({ filters: [{ field: 'name', operator: 'LIKE', value: [value], not: false }] })
const search = (query: string, body: unknown = {}, set = 'demo'): Asked => ({
  path: `${SEARCH}/${set}/files/search${query}`,
  body,
})
const create = (body: unknown = weekly()): Asked => ({ path: SCHEDULES, body })

const ASKED: Readonly<Record<string, Asked>> = {
  'limit-zero': search('?limit=0'),
  'wrong-type': search('', like(2026)),
  'token-of-another-search': { ...search('?limit=1&next=', like('plan')), before: search('?limit=1', like('budget')) },
  'two-faults': create(weekly({ title: undefined }, { hourOfDay: 24 })),
  'day-does-not-fit': create(weekly({}, { daysToRun: '15' })),
  'not-json': create('{\n  "title": "Weekly sales",\n  "pageId": 100\n  "viewId": 200\n}'),
  'no-key': { ...create(), hasNoKey: true },
  'no-right': { ...create(), options: { keys: [{ key: 'key', rights: ['searchFiles'] }] } },
  'unknown-file-set': search('', {}, '3f8a2c61-7d4e-4b19-9c05-e2b7a6d31f48'),
  'unknown-schedule': { method: 'put', path: `${SCHEDULES}/5001`, body: { title: 'Weekly sales' } },
  'same-title': { ...create(), options: { behaviours: { 'create.duplicate': 'conflict-on-title' } }, before: create() },
  'changed-meanwhile': {
    method: 'put',
    path: `${SCHEDULES}/1`,
    body: { title: 'Weekly sales' },
    headers: { 'If-Match': '"2"' },
    options: { behaviours: { 'update.concurrent': 'etag' } },
  },
  'too-large': create('x'.repeat(2 ** 20 + 1)),
  'plain-text': { ...create('Weekly sales'), headers: { 'Content-Type': 'text/plain' } },
  'slow-down': { ...search(''), options: { behaviours: { 'rate.limit': '1 per 30' } }, before: search('') },
  'other-method': { method: 'get', path: SCHEDULES },
  arranged: { ...create(), headers: { Prefer: 'code=503' } },
}

const shown = new Map([...examplesIn(readPackaged('spec/openapi.yaml').value)])

test('every example of an error is compared', () => {
  expect([...shown.keys()].sort()).toEqual(Object.keys(ASKED).sort())
})

test.each(Object.keys(ASKED))('the example %s is what Standin responds', async (name) => {
  const asked = ASKED[name]!
  const { app } = createStandin({ clock: '2026-03-05T14:30:00Z', ...asked.options })
  const before = asked.before && (await send(app, asked.before))
  const token = before?.status === 200 && asked.path.endsWith('next=') ? (nextOf(before) ?? '') : ''
  const response = await send(app, { ...asked, path: asked.path + token })
  expect(response.body).toEqual(shown.get(name))
})

function send(app: Parameters<typeof request>[0], { method = 'post', path, body, headers = {}, hasNoKey }: Asked) {
  const sending = request(app)
    [method](path)
    .set({ ...(hasNoKey ? {} : { [KEY_HEADER]: 'key' }), 'Content-Type': 'application/json', ...headers })
  return body === undefined ? sending : sending.send(typeof body === 'string' ? body : JSON.stringify(body))
}

/** The examples of problem documents, by name. */
function* examplesIn(value: unknown): Generator<[string, unknown]> {
  if (!isObject(value)) return
  for (const [name, inner] of Object.entries(value)) {
    const examples = name === 'application/problem+json' && isObject(inner) ? inner.examples : undefined
    for (const [example, one] of Object.entries(isObject(examples) ? examples : {}))
      yield [example, isObject(one) ? one.value : undefined]
    yield* examplesIn(inner)
  }
}
