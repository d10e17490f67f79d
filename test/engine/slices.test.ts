import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTester, KEY_HEADER } from '../support/tester.ts'

/** A request that takes long gives other requests their turn: what was sent after it is answered before it. */

/** Beyond the size up to which texts are kept whole. */
const FILES = 60_000
const tester = createTester({ files: FILES, selfCheck: false })
let server: Server
let base: string

beforeAll(async () => {
  server = createServer(tester.standin.app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

/** Patterns of 60 wildcards, and the letters of file names between them. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'
const pattern = (number: number) =>
  Array.from({ length: 60 }, (_, at) => `${LETTERS[(number * 7 + at * at * 3 + at) % LETTERS.length]}%`).join('')
const manyPatterns = (count: number) => ({
  filters: [{ field: 'name', operator: 'LIKE', value: Array.from({ length: count }, (_, at) => pattern(at)) }],
})
const search = (body: unknown) => post('/api/files/v1/filesets/demo/files/search', body)

const post = (path: string, body: unknown) =>
  fetch(base + path, {
    method: 'POST',
    headers: { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Sends a slow request and, once it is being worked on, short ones until there is a response. @returns how many responses came first */
async function answeredBefore(slow: Promise<Response>): Promise<number> {
  const state = { isDone: false }
  const done = slow.finally(() => (state.isDone = true))
  let answered = 0
  for (;;) {
    await fetch(`${base}/__mock/health`)
    if (state.isDone) break
    answered++
  }
  expect((await done).status).toBe(200)
  return answered
}

test('a search with hundreds of patterns of 60 wildcards does not hold up other requests', async () => {
  expect(await answeredBefore(search(manyPatterns(200)))).toBeGreaterThan(1)
})

test('nor does its explanation', async () => {
  const explained = { search: { fileSetId: 'demo', body: manyPatterns(100) }, file: { path: 'none' } }
  expect(await answeredBefore(post('/__mock/explain', explained))).toBeGreaterThan(1)
})

test('a search that would take minutes is refused with what it may look for', async () => {
  const refused = await search(manyPatterns(1000))
  const { detail } = (await refused.json()) as { detail: string }
  expect([refused.status, detail]).toEqual([
    400,
    expect.stringMatching(
      /^\/filters\/0\/value: expected LIKE patterns of at most 1000000000 pieces times entries; this file set has \d+ entries, so at most \d+ pieces, got 61000 pieces\.$/,
    ),
  ])
})

/** Sends a slow request to another server. */
async function answeredByOther(behaviours: Readonly<Record<string, unknown>>, body: unknown): Promise<number> {
  const other = createTester({ files: FILES, selfCheck: false, behaviours })
  const own = createServer(other.standin.app).listen(0, '127.0.0.1')
  await once(own, 'listening')
  const first = base
  base = `http://127.0.0.1:${(own.address() as AddressInfo).port}`
  try {
    return await answeredBefore(search(body))
  } finally {
    base = first
    own.close()
  }
}

test('nor does an order that compares all paths without regard to case', async () => {
  const byPath = { fieldSort: [{ field: 'path', order: 'ASC' }] }
  expect(await answeredByOther({ 'sort.collation': 'case-insensitive' }, byPath)).toBeGreaterThan(1)
})

test('nor does a search of the files that the user of a key created', async () => {
  expect(await answeredByOther({ 'search.visible': 'own' }, {})).toBeGreaterThan(1)
})
