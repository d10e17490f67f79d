import { expect, test } from 'vitest'
import { inlineSourceFile } from '../../../src/base/formats/source-file.ts'
import { loadContract } from '../../../src/contract/load/load.ts'
import { makePact } from '../../../src/truth/pact/make-pact.ts'

/** The rules for the response of one exchange, by JSONPath, and the example that they go with. */
function rulesFor(value: unknown, schema: object = {}, sent: unknown = {}) {
  const content = { 'application/json': { schema: { type: 'object', properties: { value: schema } } } }
  const post = { operationId: 'ask', requestBody: { content }, responses: { 200: { description: '', content } } }
  const document = { openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths: { '/things': { post } } }
  const contract = loadContract(inlineSourceFile(document, 'contract'))
  const headers = [{ name: 'Content-Type', value: 'application/json' }]
  const exchange = {
    source: 'exchange 1',
    at: 0,
    milliseconds: 1,
    request: { method: 'POST', url: '/things', headers, body: JSON.stringify(sent) },
    response: { status: 200, headers, body: JSON.stringify({ value }), isWhole: true },
  }
  const { pact } = makePact(contract, [exchange], { consumer: 'desk', version: '1', keepsRefused: true })
  const { response } = pact.interactions[0]!
  const rules = Object.entries(response.matchingRules?.body ?? {})
  return {
    rules: Object.fromEntries(rules.map(([path, { matchers }]) => [path, matchers[0]])),
    content: (response.body?.content as { readonly value?: unknown }).value,
  }
}

const TYPE = { match: 'type' }
const FORM = (regex: unknown) => ({ match: 'regex', regex })
const LIST = { match: 'type', min: 1 }
const WORDS = { enum: ['paid', 'sent (late)'] }

test.for<[what: string, value: unknown, schema: object, sent: unknown, rules: object]>([
  ['a text', 'blue', { type: 'string' }, {}, { '$.value': TYPE }],
  ['true', true, {}, {}, { '$.value': TYPE }],
  ['what the request sent', 'blue', {}, { value: 'blue' }, { '$.value': { match: 'equality' } }],
  ['what it sent elsewhere', 'blue', {}, { other: 'blue' }, { '$.value': TYPE }],
  ['an object it sent', { a: 1 }, {}, { value: { a: 1 } }, { '$.value.a': { match: 'equality' } }],
  ['what it sent in a list', ['a'], {}, { value: ['a'] }, { '$.value': LIST, '$.value[*]': TYPE }],
  ['an integer', 12, {}, {}, { '$.value': { match: 'integer' } }],
  ['an integer that may be a fraction', 12, { type: 'number' }, {}, { '$.value': { match: 'number' } }],
  ['a fraction', 1.5, {}, {}, { '$.value': { match: 'number' } }],
  ['a value of an enumeration', 'paid', WORDS, {}, { '$.value': FORM(String.raw`^(paid|sent \(late\))$`) }],
  ['another than its values', 'lost', WORDS, {}, { '$.value': TYPE }],
  ['a UUID', '3f0c2d4e-8a1b-4c5d-9e6f-7a8b9c0d1e2f', {}, {}, { '$.value': FORM(expect.stringContaining('{3}')) }],
  ['an instant', '2026-03-05T14:30:00.123+01:00', {}, {}, { '$.value': FORM(expect.stringContaining('T')) }],
  ['an instant that never was', '2026-13-05T14:30:00Z', {}, {}, { '$.value': TYPE }],
  ['a token', 'Zm9vYmFyMTIzNDU2Nzg5MDEy', {}, {}, { '$.value': FORM(String.raw`^\S+$`) }],
  ['a short word of such letters', 'Zm9vYmFy', {}, {}, { '$.value': TYPE }],
  ['a list', [1, 2], {}, {}, { '$.value': LIST, '$.value[*]': { match: 'integer' } }],
  ['an empty object', {}, {}, {}, { '$.value': TYPE }],
  ['an odd name', { 'a b': 'x' }, {}, {}, { "$.value['a b']": TYPE }],
])('%s is matched by its rule', ([, value, schema, sent, rules]) => {
  expect(rulesFor(value, schema, sent).rules).toEqual(rules)
})

test.for<[what: string, value: unknown, content: unknown]>([
  ['one element stands for a list', [1, 2, 3], [1]],
  ['it has the members that all elements have', [{ a: 1, b: 2 }, { a: 3 }], [{ a: 1 }]],
  ['members that were null are left out', { a: null, b: 'x' }, { b: 'x' }],
  [
    'so are those that are null in one element',
    [
      { a: 1, b: 2 },
      { a: 3, b: null },
    ],
    [{ a: 1 }],
  ],
  ['a list of nulls is empty', [null], []],
])('%s', ([, value, content]) => {
  expect(rulesFor(value).content).toEqual(content)
})
