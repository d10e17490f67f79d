import fc from 'fast-check'
import request from 'supertest'
import { expect, test } from 'vitest'
import { cases } from '../../../support/cases.ts'
import { inPath, shows, takes } from '../../../support/contracts/pets.ts'
import { createContractTester, type Json, OWN_KEY } from '../../../support/contracts/small-contract.ts'

/** A member that requests describe more widely than responses do. */
interface WideMember {
  readonly request: Json
  readonly response: Json
  /** What the request allows. */
  readonly value: unknown
}

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: Json, ...required: string[]) => ({ type: 'object', properties, required })
const narrow = (base: Json, keywords: Json, value: fc.Arbitrary<unknown>): fc.Arbitrary<WideMember> =>
  value.map((one) => ({ request: base, response: { ...base, ...keywords }, value: one }))

const words = fc.constantFrom('IN_PROGRESS', 'close', 'done', 'whatever', 'a', '', 'Zürich 9')
const enumerated = { type: 'string', enum: ['in-progress', 'closed', 'done'] }
const leaf = fc.oneof(
  narrow(text, enumerated, words),
  narrow(
    { ...text, enum: ['IN_PROGRESS', 'close', 'auto'] },
    enumerated,
    fc.constantFrom('IN_PROGRESS', 'close', 'auto'),
  ),
  narrow(text, { const: 'done' }, words),
  narrow(text, { maxLength: 3 }, words),
  narrow(text, { minLength: 3, pattern: '^[a-z]+$' }, words),
  narrow(text, { format: 'date' }, words),
  narrow(integer, { minimum: 3, maximum: 9, multipleOf: 3 }, fc.integer({ min: -20, max: 20 })),
  narrow({ type: 'boolean' }, { enum: [true] }, fc.boolean()),
  narrow({ type: ['string', 'null'] }, text, fc.option(words)),
)

const inObject = (a: WideMember, b: WideMember): WideMember => ({
  request: object({ a: a.request, b: b.request }),
  response: { ...object({ a: a.response, b: b.response }, 'a'), additionalProperties: false },
  value: { a: a.value, b: b.value },
})
const inList = (inner: WideMember): WideMember => ({
  request: { type: 'array', items: inner.request },
  response: { type: 'array', items: inner.response, minItems: 1, maxItems: 2, uniqueItems: true },
  value: [inner.value, inner.value, inner.value],
})
const inMap = (inner: WideMember): WideMember => ({
  request: { type: 'object', additionalProperties: inner.request },
  response: { type: 'object', additionalProperties: inner.response, maxProperties: 1 },
  value: { first: inner.value, second: inner.value },
})
const inVariant = (a: WideMember, b: WideMember): WideMember => {
  const kind = (name: string, member: Json) => object({ kind: { const: name }, [name]: member }, 'kind', name)
  return {
    request: { oneOf: [kind('a', a.request), kind('b', b.request), kind('c', a.request)] },
    response: { oneOf: [kind('a', a.response), kind('b', b.response)] },
    value: { kind: 'a', a: a.value },
  }
}
const { member } = fc.letrec<{ member: WideMember }>((tie) => ({
  member: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'member' },
    leaf,
    fc.tuple(tie('member'), tie('member')).map(([a, b]) => inObject(a, b)),
    tie('member').map(inList),
    tie('member').map(inMap),
    fc.tuple(tie('member'), tie('member')).map(([a, b]) => inVariant(a, b)),
  ),
}))

function createTasks({ request: sent, response }: WideMember, required: string[]) {
  const item = object({ id: { ...integer, readOnly: true }, title: text, member: response }, 'id', ...required)
  const input = takes(object({ title: text, member: sent }))
  const { standin } = createContractTester(
    {
      '/tasks': { post: { requestBody: input, responses: { 201: shows(item) } } },
      '/tasks/{id}': {
        parameters: [inPath('id')],
        get: { responses: { 200: shows(item) } },
        put: { requestBody: input, responses: { 200: shows(item) } },
        patch: { requestBody: input, responses: { 200: shows(item) } },
      },
    },
    {},
    { selfCheck: true },
  )
  const send = (method: 'get' | 'post' | 'put' | 'patch', path: string, body?: object) =>
    request(standin.app)[method](path).set(OWN_KEY).send(body)
  return { send, standin }
}

test('what the schema of the request allows is taken, whatever the response allows', async () => {
  await fc.assert(
    fc.asyncProperty(member, fc.subarray(['title', 'member']), async (wide, required) => {
      const { send, standin } = createTasks(wide, required)
      const made = await send('post', '/tasks', { title: 'new', member: wide.value })
      expect(made).toMatchObject({ status: 201, body: { title: 'new' } })
      const { id } = made.body as { id: number }
      for (const method of ['put', 'patch'] as const) {
        const changed = await send(method, `/tasks/${id}`, { title: method, member: wide.value })
        expect(changed).toMatchObject({ status: 200, body: { id, title: method } })
        expect((await send('get', `/tasks/${id}`)).body).toEqual(changed.body)
      }
      await standin.stop()
    }),
    { numRuns: cases(60, 6) },
  )
})
