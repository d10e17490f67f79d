import { expect, test } from 'vitest'
import { bundleSchema } from '../../../src/contract/schemas/bundle-schema.ts'

const documentOf = (schemas: object) => ({ components: { schemas } })

test('schemas that contain themselves are bundled once', () => {
  const document = documentOf({
    Folder: { properties: { folders: { type: 'array', items: { $ref: '#/components/schemas/Folder' } } } },
  })
  expect(bundleSchema(document, { $ref: '#/components/schemas/Folder' })).toEqual({
    schema: {
      $ref: '#/$defs/Folder',
      $defs: { Folder: { properties: { folders: { type: 'array', items: { $ref: '#/$defs/Folder' } } } } },
    },
    isShortened: false,
  })
})

test('equal last names of references are told apart', () => {
  const document = { a: { id: { type: 'string' } }, b: { id: { type: 'integer' } } }
  const { schema } = bundleSchema(document, { properties: { one: { $ref: '#/a/id' }, other: { $ref: '#/b/id' } } })
  expect(schema).toEqual({
    properties: { one: { $ref: '#/$defs/id' }, other: { $ref: '#/$defs/id_2' } },
    $defs: { id: { type: 'string' }, id_2: { type: 'integer' } },
  })
})

test('a member that is called $ref is no reference, and examples are copied as they are', () => {
  const schema = { properties: { $ref: { type: 'string' } }, example: { $ref: '#/nowhere' } }
  expect(bundleSchema({}, schema)).toEqual({ schema, isShortened: false })
})

test('of schemas that reach a whole contract, the nearest are kept', () => {
  const far = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `S${index}`,
      { description: 'x'.repeat(4096), properties: { next: { $ref: `#/components/schemas/S${index + 1}` } } },
    ]),
  )
  const { schema, isShortened } = bundleSchema(documentOf(far), { $ref: '#/components/schemas/S0' })
  const $defs = schema.$defs as Record<string, object>
  expect(isShortened).toBe(true)
  expect($defs.S0).toMatchObject({ properties: { next: { $ref: '#/$defs/S1' } } })
  expect(JSON.stringify(schema).length).toBeLessThan(260 * 1024)
  const last = Object.keys($defs).at(-1) ?? ''
  expect($defs[last]).toEqual({})
})
