import request from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { createDirectory, runCommand } from '../../support/command.ts'
import { createStandin } from '../../../src/index.ts'

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
  ['x-faker', 'DE{{string.numeric(20)}}', { type: 'string' }, /^DE\d{20}$/],
  ['x-faker', '{{number.int({"min":1,"max":9})}} items', { type: 'string' }, /^\d items$/],
  ['x-faker', { pattern: '(AB|CD)-[0-9]{4}' }, { type: 'string' }, /^(?:AB|CD)-\d{4}$/],
  ['faker', { fake: '{{commerce.product}} made in {{address.country}}' }, { type: 'string' }, /^\S.* made in \S/],
  ['chance', 'guid', { type: 'string' }, /^[\da-f-]{36}$/],
  ['chance', { integer: { min: 40, max: 49 } }, { type: 'integer' }, /^4\d$/],
  ['chance', { bool: { likelihood: 100 } }, { type: 'boolean' }, /^true$/],
  ['chance', { pickone: [['banana', 'apple']] }, { type: 'string' }, /^(?:banana|apple)$/],
  ['x-chance', { string: { length: 3, pool: 'ab' } }, { type: 'string' }, /^[ab]{3}$/],
  ['chance', 'email', { type: 'string' }, /^\S+@example\.(?:com|net|org)$/],
  ['x-faker', { oneOf: [1, 2, null] }, { type: ['integer', 'null'] }, /^(?:1|2|null)$/],
])('%s: %j', async (keyword, asked, schema, form) => {
  const standin = createStandin({ contract: contractOf({ what: { ...schema, [keyword]: asked } }) })
  const { body } = (await request(standin.app).get('/people')) as { body: { what: unknown }[] }
  expect(body).toHaveLength(10)
  for (const { what } of body) expect(String(what)).toMatch(form)
  const again = createStandin({ contract: contractOf({ what: { ...schema, [keyword]: asked } }) })
  expect((await request(again.app).get('/people')).body).toEqual(body)
})

test('addresses are those reserved for examples, and a default is not shown before what is asked for', async () => {
  const contract = contractOf({
    email: { type: 'string', 'x-faker': 'internet.email' },
    site: { type: 'string', format: 'uri', 'x-faker': 'internet.url' },
    text: { type: 'string', default: 'D', 'x-faker': '{{internet.email}} and {{internet.domainName}}' },
  })
  const { app } = createStandin({ contract })
  const { body } = (await request(app).get('/people')) as { body: Record<string, string>[] }
  for (const { email, site, text } of body) {
    expect(email).toMatch(/@example\.(?:com|net|org)$/)
    expect(site).toMatch(/^https:\/\/\w+\.example\.com\/$/)
    expect(text).toMatch(/@example\.(?:com|net|org) and \w+\.example\.com$/)
  }
})

test('OpenAPI 3.0 does not call keywords of json-schema-faker unknown', () => {
  const properties = {
    a: { type: 'string', faker: 'internet.email' },
    b: { type: 'string', chance: 'guid' },
    c: { type: 'integer', autoIncrement: true },
  }
  expect(createStandin({ contract: { ...contractOf(properties), openapi: '3.0.3' } }).notes).toEqual([])
})

test('a new item gets what is asked for in members that the server writes', async () => {
  const contract = {
    ...contractOf({}),
    paths: {
      '/people': {
        ...contractOf({ code: { type: 'string', chance: 'guid' } }).paths['/people'],
        post: {
          requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { nick: {} } } } } },
          responses: {
            201: {
              description: 'It.',
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: {
                      id: { type: 'integer' },
                      nick: { type: 'string', 'x-faker': 'person.firstName' },
                      code: { type: 'string', 'x-faker': 'string.uuid' },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  }
  const made = await request(createStandin({ contract }).app).post('/people').send({ nick: 'Al' })
  expect(made.body).toMatchObject({ nick: 'Al', code: expect.stringMatching(/^[\da-f-]{36}$/) as string })
})

test('what is asked for stays as it was made in all documents of a large collection', async () => {
  const plan = { type: 'string', 'x-faker': { 'helpers.arrayElement': [['plan-2024', 'plan-2025']] } }
  const { app } = createStandin({ contract: contractOf({ plan }), documents: 200 })
  const { body } = (await request(app).get('/people')) as { body: { plan: string }[] }
  expect(body).toHaveLength(200)
  expect(new Set(body.map((one) => one.plan))).toEqual(new Set(['plan-2024', 'plan-2025']))
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
    short: { type: 'string', maxLength: 5, 'x-faker': 'lorem.paragraph' },
    code: { type: 'string', pattern: '^[A-Z]{3}$', 'x-faker': 'person.firstName' },
    uuid: { type: 'string', format: 'uuid', 'x-faker': 'internet.email' },
    five: { type: 'string', 'x-faker': 5 },
    template: { type: 'string', 'x-faker': '{{number.int({min:1})}} items' },
  })
  const standin = createStandin({ contract })
  expect((await request(standin.app).get('/people')).body).toHaveLength(10)
  const { path, remove } = createDirectory({ 'openapi.json': JSON.stringify(contract, undefined, 1) })
  onTestFinished(remove)
  const check = runCommand(['check', '--contract', 'openapi.json'], { cwd: path })
  await check.ended
  const text = check.stdout() + check.stderr()
  expect(text).toMatch(
    /openapi\.json:\d+: x-faker: `internet\.emial` is no method of Faker that makes a value here, so it is ignored\. Did you mean `internet\.email`\?/,
  )
  for (const name of ['helpers.multiple', 'constructor.constructor'])
    expect(text).toContain(`x-faker: \`${name}\` is no method of Faker`)
  for (const name of ['lorem.paragraphs', 'string.alpha', 'finance.accountNumber', 'finance.pin'])
    expect(text).toContain(`x-faker: \`${name}\` is asked for more than 10,000 characters or elements`)
  for (const name of ['internet.email', 'lorem.paragraph', 'person.firstName'])
    expect(text).toContain(`x-faker: \`${name}\` makes nothing that fits the schema beside it`)
  expect(text).toContain('x-faker: expected a method of Faker')
  expect(text).toContain('x-faker: the arguments of `{{number.int({min:1})}}` are not JSON, so it is ignored.')
})
