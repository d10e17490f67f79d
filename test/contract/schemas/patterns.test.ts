import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import request from 'supertest'
import { expect, test } from 'vitest'
import { leastLength, LONGEST, SHORTEST } from '../../../src/contract/schemas/patterns.ts'
import { createContractTester, type Json, OWN_KEY, writeContract } from '../../support/contracts/small-contract.ts'
import { longTest } from '../../support/cases.ts'

/** Backtracking takes 2^60 steps to find that it does not match. */
const CATASTROPHE = `${'a'.repeat(60)}!`

const media = (schema: Json) => ({ content: { 'application/json': { schema } } })
const answered = (schema: Json) => ({ responses: { '200': { description: 'ok', ...media(schema) } } })

test.each<[string, Json, unknown]>([
  ['a text', { type: 'string', pattern: '^(a+)+$' }, CATASTROPHE],
  ['a text that need not begin anywhere', { type: 'string', pattern: '(\\s|a|a)+b' }, CATASTROPHE],
  [
    'names of members',
    { type: 'object', patternProperties: { '^(a|a)*$': true }, additionalProperties: false },
    { [CATASTROPHE]: 1 },
  ],
  ['a text of megabytes', { type: 'string', pattern: '[a-z]+\\d' }, 'a'.repeat(500_000)],
])('%s is matched against a pattern in linear time', async (_what, schema, body) => {
  const { standin } = createContractTester({ '/things': { post: { requestBody: media(schema), ...answered({}) } } })
  const { status } = await request(standin.app).post('/things').set(OWN_KEY).type('json').send(JSON.stringify(body))
  expect(status).toBe(400)
})

test('parameters are matched against patterns in linear time', async () => {
  const parameter = { name: 'q', in: 'query', schema: { type: 'string', pattern: '^(a+)+$' } }
  const { standin } = createContractTester({ '/things': { get: { parameters: [parameter], ...answered({}) } } })
  const ask = (q: string) => request(standin.app).get('/things').query({ q }).set(OWN_KEY)
  expect((await ask(CATASTROPHE)).status).toBe(400)
  expect((await ask('aaa')).status).toBe(200)
})

test.each([
  ['\\A[a-z]+\\Z', 'shop', ['Shop', 'shop\n', 'AshopZ']],
  ['\\A[a-z]+\\.[a-z]{2}\\z', 'shop.io', ['shop.io.', 'Ashop.ioz']],
])('%s, as other languages write anchors, is matched against a whole text', async (pattern, good, bad) => {
  const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string', pattern } } }
  const { standin } = createContractTester({ '/things': { post: { requestBody: media(schema), ...answered(schema) } } })
  const send = (name: string) => request(standin.app).post('/things').set(OWN_KEY).send({ name })
  const made = await send(good)
  expect(made.status).toBe(200)
  for (const name of bad) expect((await send(name)).status).toBe(400)
  expect((await send((made.body as { name: string }).name)).status).toBe(200)
})

test('the start names patterns that cannot be run in linear time, and they work', async () => {
  const schema = {
    type: 'object',
    properties: {
      ahead: { type: 'string', pattern: '^(?!x).*$' },
      back: { type: 'string', pattern: '^(a|b)\\1$' },
      often: { type: 'string', pattern: '^(ab){2000}$' },
      fine: { type: 'string', pattern: '^[a-z]+(-[a-z]+)*$' },
    },
  }
  const { standin } = createContractTester({ '/things': { post: { requestBody: media(schema), ...answered({}) } } })
  const slow = standin.notes.filter((note) => note.includes('the pattern'))
  expect(slow.map((note) => /the pattern (".*") of .* because (.*?)\./.exec(note)?.slice(1))).toEqual([
    ['"^(?!x).*$"', 'it looks ahead or back'],
    ['"^(a|b)\\\\1$"', 'it refers back to a group'],
    ['"^(ab){2000}$"', 'it repeats too often'],
  ])
  const body = { ahead: 'x', back: 'ab', often: 'ab', fine: 'a--b' }
  const refused = await request(standin.app).post('/things').set(OWN_KEY).send(body)
  const { errors } = refused.body as { readonly errors: readonly { readonly pointer: string }[] }
  expect(errors.map(({ pointer }) => pointer)).toEqual(['/ahead', '/back', '/often', '/fine'])
})

test.each([
  ['^((a{500}){500}){500}$', 125_000_000],
  ['^(?:[ab]{1000,}){1000}$', 1_000_000],
])('a response whose text must match %s is refused with the reason', async (pattern, least) => {
  const { standin } = createContractTester({ '/things': { get: answered({ type: 'string', pattern }) } })
  const answer = await request(standin.app).get('/things').set(OWN_KEY)
  expect(answer.status).toBe(501)
  expect((answer.body as { readonly detail: string }).detail).toContain(`it must have at least ${least} characters`)
})

test('a member that would be too long is left out', async () => {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, long: { type: 'string', pattern: '((a{500}){500}){500}' } },
  }
  const { standin } = createContractTester({ '/things': { get: answered(schema) } })
  const answer = await request(standin.app).get('/things').set(OWN_KEY)
  expect([answer.status, Object.keys(answer.body as object)]).toEqual([200, ['id']])
})

test('the least length of a pattern is that of the shortest text, or of the longest of its alternatives', () => {
  const both = (pattern: string) => [leastLength(pattern, SHORTEST), leastLength(pattern, LONGEST)]
  expect(both('^[a-z]\\d{4}$')).toEqual([5, 5])
  expect(both('^(a|b{7}|cd)+x?$')).toEqual([1, 7])
  expect(both('(?<name>\\u{1F600}{2}\\b)*(?=abc)\\p{L}{3,}?')).toEqual([3, 3])
  expect(both('[^\\]]{2}(?:(?:ab){3}){2}|')).toEqual([0, 14])
})

longTest('the engine is loaded for contracts alone that have such patterns', () => {
  const loadedBy = (...contracts: readonly (string | undefined)[]) => {
    const library = fileURLToPath(new URL('../../../src/index.ts', import.meta.url))
    const script = `
      import { createRequire } from 'node:module'
      import { createStandin } from ${JSON.stringify(library)}
      const { cache } = createRequire(${JSON.stringify(library)})
      for (const options of ${JSON.stringify(contracts.map((contract) => ({ contract })))}) {
        createStandin(options)
        console.log(Object.keys(cache).some((path) => path.includes('re2js')))
      }`
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    return (stdout || stderr).trim().split('\n')
  }
  const contractOf = (pattern: string) =>
    writeContract({
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      paths: { '/things': { get: answered({ type: 'string', pattern }) } },
    })
  const loaded = loadedBy(undefined, contractOf('^[A-Z]{2}-\\d{4}$'), contractOf('^([A-Z]+ ?)+$'))
  expect(loaded).toEqual(['false', 'false', 'true'])
})
