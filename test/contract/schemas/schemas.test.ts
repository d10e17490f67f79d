import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Contract } from '../../../src/contract/contract.ts'
import { loadContract } from '../../../src/contract/load/load.ts'
import { readSourceFile } from '../../../src/base/formats/source-file.ts'
import { createDirectory } from '../../support/command.ts'

const directory = createDirectory({})
afterAll(directory.remove)

/** A contract with one operation, whose body and answer are of a schema. */
function contractOf(schema: object, openapi = '3.1.0', schemas: object = {}): Contract {
  const content = { 'application/json': { schema } }
  const responses = { '200': { description: 'ok', content } }
  const paths = { '/things': { post: { requestBody: { content }, responses } } }
  const file = join(directory.path, 'a.json')
  writeFileSync(
    file,
    JSON.stringify({ openapi, info: { title: 'Things', version: '1' }, paths, components: { schemas } }),
  )
  return loadContract(readSourceFile(file))
}

/** What bodies are refused for, one text each: `/name type`. */
function refusals(contract: Contract, ...bodies: unknown[]): string[] {
  const [operation] = contract.operations
  return bodies.map((body) =>
    (operation?.checkBody(body) ?? []).map(({ pointer, code }) => `${pointer ?? ''} ${code}`).join(', '),
  )
}

describe('OpenAPI 3.0 is brought up to 3.1', () => {
  const THREE: readonly (readonly [string, object, unknown, string])[] = [
    ['nullable lets null pass', { type: 'string', nullable: true }, null, ''],
    ['and nothing else', { type: 'string', nullable: true }, 7, ' type'],
    ['what is not nullable does not', { type: 'string' }, null, ' type'],
    ['a nullable enumeration needs null in its list', { type: 'string', nullable: true, enum: ['a'] }, null, ' enum'],
    ['nullable beside a reference', { nullable: true, $ref: '#/components/schemas/Name' }, null, ''],
    ['nullable beside allOf', { nullable: true, allOf: [{ $ref: '#/components/schemas/Name' }] }, null, ''],
    ['nullable alone says nothing', { nullable: true }, 7, ''],
    ['exclusiveMinimum is a flag', { type: 'number', minimum: 3, exclusiveMinimum: true }, 3, ' exclusiveMinimum'],
    ['which lets more pass', { type: 'number', minimum: 3, exclusiveMinimum: true }, 3.5, ''],
    ['and may be off', { type: 'number', minimum: 3, exclusiveMinimum: false }, 3, ''],
    ['exclusiveMaximum too', { type: 'number', maximum: 3, exclusiveMaximum: true }, 3, ' exclusiveMaximum'],
    ['beside a reference nothing else counts', { $ref: '#/components/schemas/Name', maxLength: 1 }, 'abc', ''],
    [
      'examples assert nothing',
      { type: 'object', properties: { example: { type: 'string', example: 7 } } },
      { example: 'a' },
      '',
    ],
    [
      'a property may be called nullable',
      { type: 'object', properties: { nullable: { type: 'string' } } },
      { nullable: 7 },
      '/nullable type',
    ],
    ['bytes are any text', { type: 'string', format: 'byte' }, 'YQ==', ''],
  ]

  test.each(THREE)('%s', (_what, schema, body, refused) => {
    expect(refusals(contractOf(schema, '3.0.3', { Name: { type: 'string' } }), body)).toEqual([refused])
  })

  test('and says so', () => {
    expect(contractOf({}, '3.0.3').document.openapi).toMatch(/^3\.1/)
  })
})

describe('JSON Schema 2020-12', () => {
  const NEW: readonly (readonly [string, object, unknown, unknown, string])[] = [
    ['const', { const: [1] }, [1], [2], ' const'],
    ['prefixItems', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 1], ['a', 'b'], '/1 type'],
    ['contains', { contains: { const: 7 }, minContains: 2 }, [7, 7], [7], ' contains'],
    [
      'if, then, else',
      { if: { type: 'string' }, then: { minLength: 2 }, else: { minimum: 5 } },
      5,
      'a',
      ' minLength,  if',
    ],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }, ' dependentRequired'],
    ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, { b: 1 }, { a: 1 }, '/b required'],
    [
      'patternProperties',
      { patternProperties: { '^x-': { type: 'string' } } },
      { 'x-a': 'a' },
      { 'x-a': 1 },
      '/x-a type',
    ],
    ['propertyNames', { propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }, ' maxLength,  propertyNames'],
    [
      'unevaluatedProperties',
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { a: 1 },
      { b: 1 },
      '/b unevaluatedProperties',
    ],
    ['not', { not: { type: 'string' } }, 1, 'a', ' not'],
    ['true and false', { properties: { a: true, b: false } }, { a: 1 }, { b: 1 }, '/b false schema'],
    ['a list of types', { type: ['string', 'null'] }, null, 1, ' type'],
    ['$defs', { $defs: { n: { type: 'number' } }, $ref: '#/components/schemas/Deep/$defs/n' }, 1, 'a', ' type'],
    ['a pattern that is no Unicode pattern', { pattern: String.raw`^[\w\-\_]+$` }, 'a-b_', 'a b', ' pattern'],
    ['an integer of 64 bits', { type: 'integer', format: 'int64' }, 2 ** 53, 0.5, ' type'],
    ['a format', { type: 'string', format: 'date-time' }, '2026-03-05T14:30:00Z', 'soon', ' format'],
  ]

  test.each(NEW)('%s', (_what, schema, good, bad, refused) => {
    const deep = { Deep: { $defs: { n: { type: 'number' } } } }
    expect(refusals(contractOf(schema, '3.1.0', deep), good, bad)).toEqual(['', refused])
  })

  test('unknown formats, keywords and extensions are annotations', () => {
    const schema = {
      type: 'string',
      format: 'postcode',
      'x-order': 1,
      colour: 'red',
      discriminator: { propertyName: 'a' },
    }
    expect(refusals(contractOf(schema), 'a', 7)).toEqual(['', ' type'])
  })

  test('numbers beyond 2^53 in a document do no harm', () => {
    expect(refusals(contractOf({ type: 'integer', maximum: 2 ** 63, example: 2 ** 62 }), 7, 2 ** 64)).toEqual([
      '',
      ' maximum',
    ])
  })

  test('a schema may hold itself, and a refusal names the line that refuses', () => {
    const tree = {
      type: 'object',
      properties: { next: { $ref: '#/components/schemas/Tree' }, size: { type: 'integer' } },
    }
    const contract = contractOf({ $ref: '#/components/schemas/Tree' }, '3.1.0', { Tree: tree })
    expect(refusals(contract, { next: { next: { size: 1 } } }, { next: { next: { size: 'a' } } })).toEqual([
      '',
      '/next/next/size type',
    ])
    const [operation] = contract.operations
    expect(operation?.unknownMembers({ next: { next: { sise: 1 } } })).toEqual(['/next/next/sise'])
    expect(operation?.knownMembers('/next/next')).toEqual(['next', 'size'])
  })

  test('members are known through references and allOf; alternatives and further members leave a schema open', () => {
    const part = { properties: { b: {} } }
    const [closed] = contractOf({ allOf: [{ $ref: '#/components/schemas/Part' }], properties: { a: {} } }, '3.1.0', {
      Part: part,
    }).operations
    expect(closed?.unknownMembers({ a: 1, b: 1, c: 1 })).toEqual(['/c'])
    const [open] = contractOf({ properties: { a: {} }, additionalProperties: { type: 'string' } }).operations
    expect(open?.unknownMembers({ c: 1 })).toEqual([])
    const [either] = contractOf({ properties: { a: {} }, oneOf: [{ required: ['a'] }] }).operations
    expect(either?.unknownMembers({ c: 1 })).toEqual([])
  })

  test('what is read only is not asked of a request, nor what is write only of an answer', () => {
    const schema = {
      type: 'object',
      required: ['id', 'secret'],
      properties: { id: { $ref: '#/components/schemas/Id' }, secret: { type: 'string', writeOnly: true } },
    }
    const contract = contractOf(schema, '3.0.3', { Id: { type: 'integer', readOnly: true } })
    expect(refusals(contract, { secret: 'a' }, { id: 1 })).toEqual(['', '/secret required'])
    const [operation] = contract.operations
    expect(operation?.checkResponse(200, { id: 1 })).toEqual([])
    expect(operation?.checkResponse(200, { secret: 'a' })).toMatchObject([{ pointer: '/id', code: 'required' }])
  })
})

test('what is missing is reported with the values that it may have', () => {
  const status = { type: 'string', enum: ['placed', 'shipped'] }
  const properties = {
    status,
    kind: { $ref: '#/components/schemas/Kind' },
    version: { const: 2 },
    name: { type: 'string' },
    'a/b': status,
  }
  const [operation] = contractOf({ type: 'object', required: Object.keys(properties), properties }, '3.1.0', {
    Kind: { enum: ['order', null] },
  }).operations
  expect(operation?.checkBody({}).map(({ message }) => message)).toEqual([
    '/status: expected one of placed, shipped, got nothing.',
    '/kind: expected one of order, null, got nothing.',
    '/version: expected 2, got nothing.',
    '/name: expected a string, got nothing.',
    '/a~1b: expected one of placed, shipped, got nothing.',
  ])
})
