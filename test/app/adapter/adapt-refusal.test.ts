import { expect, test } from 'vitest'
import { createContractTester, OWN_KEY } from '../../support/contracts/small-contract.ts'
import { answerOf, contractFile } from '../../support/contracts/own-contract.ts'
import { createTester, weekly } from '../../support/tester.ts'

const text = { type: 'string' }
const texts = { type: 'array', items: text }
const SAID = '/title: expected a string, got 7.'

function required(properties: Record<string, unknown>) {
  return { type: 'object', required: Object.keys(properties), properties }
}

test.each([
  [
    required({ code: text, message: text, details: texts }),
    { code: 'request-invalid', message: SAID, details: [SAID] },
  ],
  [required({ oops: text }), { oops: SAID }],
  [{ type: 'object', properties: { oops: text }, additionalProperties: false }, { oops: SAID }],
  [
    required({ severity: { enum: ['LOW'] }, code: { type: 'integer' }, what: text, more: text }),
    { severity: 'LOW', code: 400, what: SAID, more: '' },
  ],
  [required({ error: required({ oops: text }) }), { error: { oops: SAID } }],
  [
    required({ errors: { type: 'array', items: required({ where: text, field: text }) }, message: text }),
    { errors: [{ where: SAID, field: '/title' }], message: SAID },
  ],
  [texts, [SAID]],
  [{ type: 'array', items: required({ oops: text }) }, [{ oops: SAID }]],
  [text, SAID],
  [
    required({ message: text, trace: { ...text, pattern: '^[0-9a-f]{32}$' } }),
    { message: SAID, trace: expect.stringMatching(/^[0-9a-f]{32}$/) as string },
  ],
])('a refusal says why in %j', async (schema, body) => {
  const contract = contractFile(({ answers }) => {
    answers('create')['400'] = answerOf(schema)
    answers('update')['404'] = answerOf(texts)
  })
  const { create, update } = createTester({ contract })
  expect((await create(weekly({ title: 7 }))).body).toEqual(body)
  expect((await update(99, {})).body).toEqual([expect.stringContaining('99')])
})

const integer = { type: 'integer' }
const object = (properties: Record<string, unknown>, more: object = {}) => ({ type: 'object', properties, ...more })
const list = (items: unknown) => ({ type: 'array', items })
const NAME = '/name: expected a string, got 1.'

/** Error schemas as services have them: most require nothing. The response to a request with a wrong `name`, and to one of an unknown id. */
const DOCUMENTED = {
  'a pet shop': [
    object({ code: integer, type: text, message: text }),
    { code: 400, type: 'request-invalid', message: NAME },
    { code: 404, type: 'not-found', message: 'Not Found.' },
  ],
  'an error in an envelope': [
    object({ error: object({ code: integer, message: text, status: text, details: list(object({})) }) }),
    { error: { code: 400, message: NAME, status: '400', details: [{}] } },
    { error: { code: 404, message: 'Not Found.', status: '404' } },
  ],
  'JSON:API': [
    object({
      errors: list(object({ status: text, detail: text, source: object({ pointer: text, parameter: text }) })),
    }),
    { errors: [{ status: '400', detail: NAME, source: { pointer: '/name' } }] },
    { errors: [{ status: '404', detail: 'Not Found.' }] },
  ],
  'messages by field': [
    object({ message: text, errors: { type: 'object', additionalProperties: list(text) } }),
    { message: NAME, errors: { '/name': [NAME] } },
    { message: 'Not Found.' },
  ],
  'a status in words': [
    object({ status: { enum: ['success', 'error'] }, error: { type: 'boolean' }, reason: text, field: text }),
    { status: 'error', error: true, reason: NAME, field: '/name' },
    { status: 'error', error: true, reason: 'Not Found.' },
  ],
} as const

test.each(Object.entries(DOCUMENTED))(
  'a refusal fills the members that %s documents, required or not, of 400 and of default',
  async (_, [schema, refused, missing]) => {
    for (const status of ['400', 'default']) {
      const { request } = createContractTester({
        '/pets': {
          post: {
            requestBody: { required: true, content: { 'application/json': { schema: object({ name: text }) } } },
            responses: { 200: { description: 'Done.' }, [status]: answerOf(schema), 404: answerOf(schema) },
          },
        },
      })
      const post = () => request().post('/pets').set(OWN_KEY)
      const response = await post().send({ name: 1 })
      expect([response.status, response.body]).toEqual([400, refused])
      expect((await post().set('Prefer', 'code=404').send({})).body).toEqual(missing)
    }
  },
)

test('a documented problem document keeps its members, and has those that the contract adds', async () => {
  const problem = object({ type: text, title: text, status: integer, detail: text, code: text })
  const contract = contractFile(({ answers }) => {
    answers('create')['400'] = answerOf(problem, 'application/problem+json')
  })
  const { create } = createTester({ contract })
  expect((await create(weekly({ title: 7 }))).body).toMatchObject({
    type: '/problems/request-invalid',
    title: 'The request is not valid',
    detail: SAID,
    code: 'request-invalid',
    errors: [{ pointer: '/title' }],
  })
})
