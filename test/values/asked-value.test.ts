import request from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, runCommand } from '../support/command.ts'
import { createStandin } from '../../src/index.ts'

const contractOf = (properties: object) => ({
  openapi: '3.1.0',
  info: { title: 'People', version: '1' },
  paths: {
    '/people': {
      get: {
        responses: {
          200: {
            description: 'All',
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  items: {
                    type: 'object',
                    required: Object.keys(properties),
                    properties: { id: { type: 'integer' }, ...properties },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
})

test.each([
  ['x-faker', 'internet.email', { type: 'string' }, /^\S+@\S+$/],
  ['faker', 'name.findName', { type: 'string' }, /^\S+ .+/],
  ['x-fake', '{{person.firstName}} of {{location.city}}', { type: 'string' }, /^\S.* of \S/],
  ['x-faker', { 'helpers.arrayElement': [['red', 'blue']] }, { type: 'string' }, /^(?:red|blue)$/],
  ['x-faker', { 'number.int': { min: 40, max: 49 } }, { type: 'integer' }, /^4\d$/],
  ['x-faker', 'datatype.boolean', { type: 'boolean' }, /^(?:true|false)$/],
  ['x-faker', 'date.past', { type: 'string', format: 'date' }, /^\d{4}-\d\d-\d\d$/],
  ['x-faker', 'random.alphaNumeric', { type: 'string' }, /^[\da-z]$/i],
  ['x-faker', { 'finance.amount': { min: 1e6, max: 2e6 } }, { type: 'number' }, /^1\d{6}(?:\.\d+)?$/],
  ['faker', { 'string.numeric': 5 }, { type: 'string' }, /^\d{5}$/],
])('%s: %j', async (keyword, asked, schema, form) => {
  const standin = createStandin({ contract: contractOf({ what: { ...schema, [keyword]: asked } }) })
  const { body } = (await request(standin.app).get('/people')) as { body: { what: unknown }[] }
  expect(body).toHaveLength(10)
  for (const { what } of body) expect(String(what)).toMatch(form)
  const again = createStandin({ contract: contractOf({ what: { ...schema, [keyword]: asked } }) })
  expect((await request(again.app).get('/people')).body).toEqual(body)
})

test('what Faker does not make, and what would take long, is ignored and named by check', async () => {
  const contract = contractOf({
    first: { type: 'string', 'x-faker': 'internet.emial' },
    second: { type: 'string', 'x-faker': 'helpers.multiple' },
    third: { type: 'string', 'x-faker': { 'lorem.paragraphs': 1e9 } },
    fourth: { type: 'string', 'x-faker': { 'string.alpha': { length: 1e9 } } },
    account: { type: 'string', 'x-faker': { 'finance.accountNumber': { length: 1e9 } } },
    pin: { type: 'string', 'x-faker': { 'finance.pin': [1e9] } },
    fifth: { type: 'integer', 'x-faker': 'internet.email' },
    sixth: { type: 'string', 'x-faker': 'constructor.constructor' },
  })
  const standin = createStandin({ contract })
  expect((await request(standin.app).get('/people')).body).toHaveLength(10)
  const { path, remove } = createDirectory({ 'openapi.json': JSON.stringify(contract, undefined, 1) })
  onTestFinished(remove)
  const check = runCommand(['check', '--contract', 'openapi.json'], { cwd: path })
  await check.ended
  const text = check.stdout() + check.stderr()
  expect(text).toMatch(
    /openapi\.json:\d+: x-faker: Faker makes no `internet\.emial`, so it is ignored\. Did you mean `internet\.email`\?/,
  )
  for (const name of [
    'helpers.multiple',
    'lorem.paragraphs',
    'string.alpha',
    'finance.accountNumber',
    'finance.pin',
    'constructor.constructor',
  ])
    expect(text).toContain(`Faker makes no \`${name}\``)
})
