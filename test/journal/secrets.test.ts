import { expect, onTestFinished, test } from 'vitest'
import { replay } from '../../src/app/replay/replay.ts'
import { parseJson, stringifyJson } from '../../src/base/formats/json.ts'
import type { StandinOptions } from '../../src/index.ts'
import { createDirectory } from '../support/command.ts'
import { serve } from '../support/serve.ts'
import { createControlledTester } from '../support/control.ts'
import { KEY_HEADER, SCHEDULES, SEARCH, startComplaintsOf, createTester, weekly } from '../support/tester.ts'

const FROZEN = { clock: '2026-03-05T14:30:00Z' }
const ALICE = 'alice-7f3c9e-secret'
const BOB = 'bob/2+"secret"key'
const LISTED = { ...FROZEN, keys: [{ key: ALICE }, { key: BOB, userId: 2 }] }
/** How a key may be written. */
const forms = (key: string) => [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]

function expectWithoutKeys(text: string): void {
  for (const form of [ALICE, BOB].flatMap(forms)) expect(text).not.toContain(form)
}

/** A run whose requests have keys, their own and others', in every part. */
async function createLeakyRun(options: StandinOptions = LISTED) {
  const tester = createControlledTester(options)
  const { search, create, update, request } = tester
  const as = { [KEY_HEADER]: ALICE }
  await create(weekly({ title: `for ${BOB}, from ${ALICE}` }), as)
  await update(7, { title: ALICE }, as)
  await create(weekly({ pageId: BOB, title: ALICE }), as)
  await create({ [ALICE]: 1 }, as)
  const body = { filters: [{ field: BOB, operator: 'LIKE', value: [ALICE] }] }
  await search({ set: 'demo', query: `limit=${encodeURIComponent(BOB)}`, body, headers: as })
  await search({
    set: 'demo',
    query: { limit: 1 },
    body: { filters: [{ field: 'name', operator: 'LIKE', value: [ALICE] }] },
    headers: as,
  })
  // Long values are cut in messages.
  await search({
    set: 'demo',
    query: { directoryPath: '\0', limit: `${'x'.repeat(40)}${ALICE}${'y'.repeat(40)}` },
    headers: as,
  })
  await request()
    .get(`/nowhere/${ALICE}/${encodeURIComponent(BOB)}`)
    .set(as)
  await request()
    .post(SCHEDULES)
    .set({ ...as, 'Content-Type': `text/${ALICE}`, Referer: `http://localhost/?key=${BOB}` })
  return tester
}

test('listed keys are in no journal, archive or replay, no matter who sends them or how they are written', async () => {
  const { control } = await createLeakyRun()
  expectWithoutKeys(stringifyJson(await control.listExchanges()))
  expectWithoutKeys(stringifyJson(await control.exportHar()))
  expectWithoutKeys(stringifyJson(await control.getReplay()))
})

test('a run with keys in its bodies is done again, byte for byte, without the keys', async () => {
  const { control } = await createLeakyRun({ ...FROZEN, keys: [{ key: ALICE }] })
  const document = await control.getReplay()
  const text = stringifyJson(document)
  expect(text).not.toContain(ALICE)
  expect(await replay({ file: 'run.json', value: parseJson(text), lineOf: () => 1 })).toMatchObject({
    exchanges: document.exchanges.length,
    skipped: [],
    difference: undefined,
  })
})

test.for(['0123456789abcdef', 'production', 'correct-horse-battery-staple', 'key'])(
  'so is one where any key will do: %s',
  async (key) => {
    const { control, create, update } = createControlledTester(FROZEN)
    const headers = { [KEY_HEADER]: key }
    await create(weekly({ title: `of ${key}` }), headers)
    await create(weekly({ pageId: key }), headers)
    await update(7, { title: key, viewId: key }, headers)
    const text = stringifyJson(await control.getReplay())
    if (key.length >= 8) expect(text).not.toContain(key)
    expect(await replay({ file: 'run.json', value: parseJson(text), lineOf: () => 1 })).toMatchObject({
      exchanges: 3,
      difference: undefined,
    })
  },
)

test('no part of a key is left where a header is read up to its equals sign', async () => {
  const key = 'c2VjcmV0LWtleTE=x'
  const { control, create } = createControlledTester(FROZEN)
  await create(weekly(), { [KEY_HEADER]: key, Prefer: `code=${key}` })
  const document = await control.getReplay()
  const texts = [await control.listExchanges(), await control.exportHar(), document].map((one) => stringifyJson(one))
  for (const text of texts) expect(text).not.toContain('c2VjcmV0LWtleTE')
  expect(await replay({ file: 'run.json', value: parseJson(texts[2] ?? ''), lineOf: () => 1 })).toMatchObject({
    exchanges: 1,
    difference: undefined,
  })
})

test('credentials that can be recognised are in no journal and replay, and a replay without them is the same', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const pem = '-----BEGIN PRIVATE KEY-----\nTUlJQ3pRSUJBQUtC\n-----END PRIVATE KEY-----'
  const { control, create, update, request } = createControlledTester(FROZEN)
  const headers = { 'X-Original': 'Basic dXNlcjpwYXNzd29yZA==', 'X-Client-Secret': 'a-client-secret' }
  await create(weekly({ title: `with ${token}` }), headers)
  await update(7, { title: pem })
  await create(weekly({ pageId: token }))
  await create(weekly({ pageId: `ghp_${'z9Y8'.repeat(60)}` }))
  await request().get(`/nowhere/${token}?sig=a-signature-1`)
  const document = await control.getReplay()
  const texts = [await control.listExchanges(), await control.exportHar(), document].map((one) => stringifyJson(one))
  for (const text of texts)
    for (const secret of [token, 'ghp_', 'TUlJQ3pR', 'dXNlcjpw', 'a-client', 'a-signature'])
      expect(text).not.toContain(secret)
  expect(await replay({ file: 'run.json', value: parseJson(texts[2] ?? ''), lineOf: () => 1 })).toMatchObject({
    exchanges: 5,
    difference: undefined,
  })
})

test('a refusal does not repeat keys, of the service and of the control API', async () => {
  const { create, search, request } = createTester(LISTED)
  const headers = { [KEY_HEADER]: ALICE }
  const refusals = [
    await create(weekly({ pageId: ALICE, viewId: BOB }), headers),
    await create(weekly({}, { [ALICE]: 1, daysToRun: ALICE }), headers),
    await search({ set: 'demo', query: { limit: ALICE }, headers }),
    await search({ set: ALICE, headers }),
    await search({ set: 'demo', query: { limit: `${'x'.repeat(40)}${ALICE}${'y'.repeat(40)}` }, headers }),
    await request().get(`/nowhere/${ALICE}`).set(headers),
    await request().get(`/__mock/sandboxes/${ALICE}`).set(headers),
    await request().get(`/__mock/nowhere/${encodeURIComponent(BOB)}`),
    await request().put('/__mock/clock').send({ mode: ALICE }),
  ]
  for (const { status, text } of refusals) {
    expect(status).toBeGreaterThanOrEqual(400)
    expectWithoutKeys(text)
    expect(text).not.toContain(ALICE.slice(0, 12))
    expect(text).toContain('[redacted]')
  }
})

test('where any key will do, what was received stays readable, unless it is the key', async () => {
  const { create } = createTester(FROZEN)
  const received = async (key: string, pageId: string) =>
    ((await create(weekly({ pageId }), { [KEY_HEADER]: key })).body as { errors: { received: string }[] }).errors[0]
      ?.received
  expect(await received('key', 'key')).toBe('"key"')
  expect(await received('production', 'production')).toBe('"production"')
  expect(await received('4cc35e70b2', 'page 4cc35e70b2')).toBe('"page [redacted]"')
  expect(await received('a-long-key-without-digits', 'a-long-key-without-digits')).toBe('"[redacted]"')
})

test('the first lines and the log of a server show no listed key, and no token', async () => {
  const { path, remove } = createDirectory({ 'keys.json': JSON.stringify([{ key: ALICE }, { key: BOB }]) })
  onTestFinished(remove)
  const token = 'correct-horse-battery'
  for (const mode of ['pretty', 'json']) {
    const args = ['--keys', `${path}/keys.json`, '--control-token', token, '--log', mode]
    const { command, url } = await serve(args)
    await command.until(/YOUR-KEY/)
    const headers = { [KEY_HEADER]: ALICE, Authorization: `Bearer ${token}` }
    for (const target of [
      `${SEARCH}/${ALICE}/files/search?limit=${encodeURIComponent(BOB)}`,
      `/__mock/sandboxes/${ALICE}?key=${encodeURIComponent(BOB)}`,
      `/__mock/file-sets/${token}`,
      '/__mock/end',
    ])
      await fetch(url + target, { method: 'GET', headers })
    await command.until(/__mock\/end/)
    command.child.kill('SIGTERM')
    await command.ended
    expectWithoutKeys(command.stdout() + command.stderr())
    expect(command.stdout()).not.toContain(token)
  }
})

test('a file of keys that is refused shows none of them', () => {
  const keys = [{ key: ALICE }, { key: ALICE }, { key: 1_234_567_890 }]
  const complaints = startComplaintsOf(() => createTester({ keys: keys as never }))
  expect(complaints).toEqual([
    'options.keys: Key 2: Its key is there twice. Remove one.',
    'options.keys: Key 3: `key` must be a text that is not blank; it is a number.',
  ])
  expect(startComplaintsOf(() => createTester({ keys: { [ALICE]: {} } as never }))).toEqual([
    'options.keys: Expected a list of { key, userId, rights, directories }; got an object.',
  ])
})
