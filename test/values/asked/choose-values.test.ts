import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import request from 'supertest'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { createDirectory, runCommand } from '../../support/command.ts'
import { createStandin, type StandinOptions } from '../../../src/index.ts'

const CONTRACT = `
openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /customers:
    get:
      responses:
        '200':
          description: All
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Customer' } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Customer' } } } }
      responses:
        '201': { description: Created, content: { application/json: { schema: { $ref: '#/components/schemas/Customer' } } } }
  /quotes/{id}:
    get:
      x-standin: generated
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: OK, content: { application/json: { schema: { $ref: '#/components/schemas/Supplier' } } } }
components:
  schemas:
    Party:
      type: object
      required: [id, iban]
      properties:
        id: { type: integer, readOnly: true }
        iban: { $ref: '#/components/schemas/Iban' }
        tier: { type: string, enum: [gold, silver, bronze] }
        since: { type: integer }
    Iban: { type: string, example: NL91ABNA0417164300 }
    Customer:
      allOf:
        - $ref: '#/components/schemas/Party'
        - required: [number]
          properties:
            number: { type: string, readOnly: true }
            firstName: { type: string }
            fullName: { type: string }
            mood: { type: string, x-faker: moods }
            address: { type: object, properties: { code: { type: string } } }
            code: { type: string }
    Supplier:
      allOf: [{ $ref: '#/components/schemas/Party' }]
`
const VALUES = {
  iban: 'DE{{string.numeric(20)}}',
  number: { pattern: '[A-Z]{3}-[0-9]{4}' },
  'address.code': 'number',
  moods: { oneOf: ['calm', 'glad'] },
  'Customer.tier': { oneOf: ['gold', 'silver'] },
  firstName: { oneOf: ['Zoë'] },
  since: { 'number.int': { min: 2001, max: 2009 } },
}

type Customer = Record<'iban' | 'number' | 'mood' | 'tier' | 'firstName' | 'fullName' | 'code', string> & {
  since: number
  address: { code: string }
}

async function customersOf(options: StandinOptions) {
  const { app } = createStandin({ contract: CONTRACT, ...options })
  return (await request(app).get('/customers')).body as Customer[]
}

test('members get what the settings say, in place of examples and of what their names suggest', async () => {
  const customers = await customersOf({ values: VALUES, documents: 100 })
  expect(customers).toHaveLength(100)
  for (const { iban, number, mood, tier, firstName, fullName, since, address, code } of customers) {
    expect(iban).toMatch(/^DE\d{20}$/)
    expect(number).toMatch(/^[A-Z]{3}-[0-9]{4}$/)
    expect(address.code).toMatch(/^[A-Z]{3}-[0-9]{4}$/)
    expect(code).not.toMatch(/^[A-Z]{3}-[0-9]{4}$/)
    expect(['calm', 'glad']).toContain(mood)
    expect(['gold', 'silver']).toContain(tier)
    expect(firstName).toBe('Zoë')
    expect(fullName).toMatch(/^Zoë ./)
    expect(since).toBeGreaterThan(2000)
    expect(since).toBeLessThan(2010)
  }
  expect(new Set(customers.map(({ iban }) => iban)).size).toBe(100)
  expect(new Set(customers.map(({ tier }) => tier)).size).toBe(2)
  expect(await customersOf({ values: VALUES, documents: 100 })).toEqual(customers)
})

test('what one schema has of another is chosen for it alone', async () => {
  const values = { since: { oneOf: [2001] }, 'Supplier.since': { oneOf: [1999] } }
  const { app } = createStandin({ contract: CONTRACT, values })
  expect((await request(app).get('/quotes/1')).body).toMatchObject({ since: 1999 })
  const { body } = (await request(app).get('/customers')) as { body: Customer[] }
  expect(body.map(({ since }) => since)).toEqual(Array(10).fill(2001))
})

test('what a new item gets of the server, and a generated response, are made so, too', async () => {
  const { app } = createStandin({ contract: CONTRACT, values: VALUES })
  const { body, status } = (await request(app).post('/customers').send({ iban: 'FR76' })) as {
    body: unknown
    status: number
  }
  expect([status, body]).toEqual([
    201,
    expect.objectContaining({ iban: 'FR76', number: expect.stringMatching(/^[A-Z]{3}-[0-9]{4}$/) as string }),
  ])
  expect((await request(app).get('/quotes/1')).body).toMatchObject({
    iban: expect.stringMatching(/^DE\d{20}$/) as string,
  })
})

test('stand-ins with the same contract have their own', async () => {
  const plain = await customersOf({})
  const chosen = await customersOf({ values: { iban: 'DE{{string.numeric(20)}}' } })
  expect(chosen[1]?.iban).toMatch(/^DE\d{20}$/)
  expect(plain[1]?.iban).not.toBe(chosen[1]?.iban)
  expect(await customersOf({})).toEqual(plain)
})

test('a replay has them', async () => {
  const standin = createStandin({ contract: CONTRACT, values: VALUES })
  const { settings } = await standin.control.getReplay()
  const again = createStandin({ contract: (settings as { contract: object }).contract })
  const [first, replayed] = [await request(standin.app).get('/customers'), await request(again.app).get('/customers')]
  expect(replayed.body).toEqual(first.body)
})

const checked = async (settings: string, args: readonly string[] = []) => {
  const { path, remove } = createDirectory({ 'openapi.yaml': CONTRACT, 'standin.yaml': settings })
  onTestFinished(remove)
  const check = runCommand(['check', '--config', 'standin.yaml', ...args], { cwd: path })
  const status = await check.ended
  return { status, text: check.stdout() + check.stderr() }
}

test('everything wrong in them is refused, each with its line', async () => {
  const { status, text } = await checked(`contract: openapi.yaml
values:
  a: internet.emial
  b: 'X{{string.numeric 20}}'
  c: 'X{{string.numeric(x)}}'
  d: { pattern: '(' }
  e: { pattern: '^(?=a)b' }
  f: { pattern: '[a-z]{900}[a-z]{900}[a-z]{900}' }
  g: { oneOf: [] }
  h: calm
  i: 7
  j: k
  k: j
  l: { string.alpha: 100000 }
  m: { string.alpha: 5, string.numeric: 5 }
  n: '{{helpers.multiple}}'
  o: { pattern: '${'a?'.repeat(300)}' }
  p: '{{string.numeric(9999999)}}'
`)
  expect(status).not.toBe(0)
  const lines = text.split('\n')
  const said = (line: number) => lines.find((one) => one.includes(`standin.yaml:${line}: values: `)) ?? ''
  expect(said(3)).toContain(
    'a: `internet.emial` is no method of Faker that makes a value here. Did you mean `internet.email`?',
  )
  expect(said(4)).toContain('b: "X{{string.numeric 20}}" has a place that is none: expected one such as')
  expect(said(5)).toContain('c: the arguments of `{{string.numeric(x)}}` are not JSON')
  expect(said(6)).toContain('d: the pattern "(" is no regular expression')
  expect(said(7)).toContain('e: the pattern "^(?=a)b" may take very long, because it looks ahead or back')
  expect(said(8)).toContain('f: the pattern "[a-z]{900}[a-z]{900}[a-z]{900}" asks for more than 2,000 characters')
  expect(said(9)).toContain('g: expected a list of 1 to 10,000 values as `oneOf`; got []')
  expect(said(10)).toContain('For this text alone, write `{ oneOf: [calm] }`.')
  expect(said(11)).toContain('i: expected a method of Faker')
  expect(said(12)).toContain('j: it leads back to itself, by way of other entries.')
  expect(said(14)).toContain('l: `string.alpha` is asked for more than 10,000 characters or elements.')
  expect(said(15)).toContain('m: expected a method of Faker')
  expect(said(16)).toContain('n: `helpers.multiple` is no method of Faker')
  expect(said(17)).toContain('has more than 500 characters')
  expect(said(18)).toContain('p: `string.numeric` is asked for more than 10,000 characters')
})

test('what no schema has, and what does not fit the schema, is named by check', async () => {
  const { status, text } = await checked(`contract: openapi.yaml
values:
  ibn: DE{{string.numeric(20)}}
  Custmer.iban: ibn
  Customer.tier: { oneOf: [platinum] }
  moods: { oneOf: [calm] }
`)
  expect(status).toBe(0)
  expect(text).toContain(
    'standin.yaml:4: values: Custmer.iban: no schema has such a member, and no x-faker names it, so it is ignored. Did you mean Party.iban?',
  )
  expect(text).toMatch(
    /openapi\.yaml:\d+: values: Customer\.tier: `oneOf` makes nothing that fits the schema beside it, so it is ignored\./,
  )
  expect(text).not.toMatch(/moods: /)
})

test('they are given by flags, too', async () => {
  const ask = (...values: string[]) =>
    checked(
      'contract: openapi.yaml\nvalues: { iban: internet.email }\n',
      values.flatMap((one) => ['--value', one]),
    )
  expect(
    (await ask('iban=DE{{string.numeric(20)}}', 'number={ pattern: "[A-Z]{3}" }', 'mood={{word.noun}}')).text,
  ).toContain('all is well')
  expect((await ask('iban')).text).toBe('standin: --value: Expected `member=generator`; got "iban".\n')
  expect((await ask('number={ pattern: "(" }')).text).toContain(
    '--value: number: the pattern "(" is no regular expression.',
  )
})

test('the example of the docs is accepted', () => {
  const page = readFileSync(new URL('../../../docs/own-contract.md', import.meta.url), 'utf8')
  const [, text = ''] = /```yaml\n(# standin\.yaml\n.*?)```/s.exec(page) ?? []
  const { values } = parse(text) as { values: Record<string, unknown> }
  expect(Object.keys(values)).toContain('Order.status')
  const schema = JSON.parse(
    readFileSync(new URL('../../../spec/schemas/standin.schema.json', import.meta.url), 'utf8'),
  ) as object
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  expect([
    validate({ values }),
    validate({ values: { sku: { pattern: 7 } } }),
    validate({ values: { sku: 7 } }),
  ]).toEqual([true, false, false])
  expect(() => createStandin({ contract: CONTRACT, values })).not.toThrow()
})

test('the contract of the package has no values to choose', () => {
  expect(() => createStandin({ values: { name: 'person.firstName' } })).toThrow(
    'options.values: they are for a contract of your own.',
  )
})
