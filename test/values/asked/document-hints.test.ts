import request from 'supertest'
import { expect, test } from 'vitest'
import { createStandin, type StandinOptions } from '../../../src/index.ts'

const person = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' }, age: { type: 'integer' } },
}

function contractOf(example: unknown, more: object = {}) {
  return {
    openapi: '3.1.0',
    info: { title: 'People', version: '1' },
    ...more,
    paths: {
      '/person': {
        get: {
          'x-standin': 'generated',
          responses: { 200: { description: 'One.', content: { 'application/json': { schema: person, example } } } },
        },
      },
    },
  }
}

async function read(contract: object, options: StandinOptions = {}) {
  const standin = createStandin({ contract, ...options })
  return { body: (await request(standin.app).get('/person')).body as Record<string, unknown>, notes: standin.notes }
}

test('templates of Mockoon in examples are filled, by the seed', async () => {
  const contract = contractOf({
    id: '{{int 40 49}}',
    name: "{{faker 'person.firstName'}} {{lastName}}",
    age: "{{faker 'number.int' min=90 max=99}}",
    email: '{{email}}',
    colour: "{{oneOf (array 'red' 'blue')}}",
  })
  const { body, notes } = await read(contract)
  expect(notes).toEqual([])
  expect(body).toEqual({
    id: expect.any(Number) as number,
    name: expect.stringMatching(/^\p{Lu}\S* \p{Lu}/u) as string,
    age: expect.any(Number) as number,
    email: expect.stringMatching(/^\S+@example\.\w+$/) as string,
    colour: expect.stringMatching(/^(?:red|blue)$/) as string,
  })
  expect([Number(body.id) >= 40, Number(body.id) <= 49, Number(body.age) >= 90]).toEqual([true, true, true])
  expect((await read(contract)).body).toEqual(body)
  expect((await read(contract, { seed: 7 })).body).not.toEqual(body)
})

test('a template that has no equal stays, and is named', async () => {
  const { body, notes } = await read(contractOf({ id: 1, name: "{{urlParam 'id'}}" }))
  expect(body.name).toBe("{{urlParam 'id'}}")
  expect(notes.join('\n')).toContain("the template {{urlParam 'id'}} has no equal. It is left as it is.")
})

test('x-json-schema-faker has a locale, which a setting overrides; its other options are named', async () => {
  const more = { 'x-json-schema-faker': { locale: 'ja', 'min-items': 3 } }
  const example = { id: 1, name: "{{faker 'person.lastName'}}" }
  const { body, notes } = await read(contractOf(example, more))
  expect(body.name).toMatch(/\p{Script=Han}/u)
  expect(notes).toEqual(['x-json-schema-faker: `min-items` is ignored. Only `locale` is read.'])
  const german = await read(contractOf(example, more), { locale: 'de' })
  expect(german.body.name).toMatch(/^\p{Script=Latin}/u)
  const wrong = await read(contractOf(example, { 'x-json-schema-faker': { locale: 'xx' } }))
  expect(wrong.notes.join()).toContain('x-json-schema-faker/locale: Faker has no locale `xx`.')
})
