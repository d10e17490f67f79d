import { expect, test } from 'vitest'
import { answerOf, contractFile } from '../support/own-contract.ts'
import { createTester, weekly } from '../support/tester.ts'

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
