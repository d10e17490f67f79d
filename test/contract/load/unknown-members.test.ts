import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createStandin } from '../../../src/index.ts'
import { createDirectory, runCommand } from '../../support/command.ts'

const OK = 'responses: { 200: { description: ok } }'
const head = (version: string) => `${version}\ninfo: { title: Shop, version: '1' }\n`

/** Writes a contract as `shop.yaml`, and answers its notes without their directory. */
function notesOf(text: string, version = 'openapi: 3.1.0'): string[] {
  const directory = createDirectory({ 'shop.yaml': head(version) + text })
  onTestFinished(directory.remove)
  const contract = join(directory.path, 'shop.yaml')
  return createStandin({ contract, files: 0 }).notes.map((note) => note.replaceAll(`${directory.path}/`, ''))
}

/** The notes on a schema in a contract that is fine otherwise. */
function notesOnSchema(schema: string, version?: string): string[] {
  return notesOf(`paths: { /a: { get: { ${OK} } } }\ncomponents: { schemas: { A: ${schema} } }\n`, version)
}

test('`check` names a misspelt member with file, line, pointer, what was found and what was meant', async () => {
  const directory = createDirectory({})
  onTestFinished(directory.remove)
  writeFileSync(
    join(directory.path, 'shop.yaml'),
    `${head('openapi: 3.1.0')}paths:
  /items:
    get:
      operationID: listItems
      ${OK}
    pst:
      ${OK}
  /carts:
    get:
      respnses: { 200: { description: ok } }
`,
  )
  const command = runCommand(['check', '--contract', 'shop.yaml'], { cwd: directory.path })
  expect(await command.ended).toBe(0)
  const notes = command
    .stdout()
    .split('\n')
    .filter((line) => line.includes('It is ignored.'))
  expect(notes).toEqual([
    'note: shop.yaml:8: /paths/~1items/pst: a path has no member `pst`. Did you mean `post`? It is ignored.',
    'note: shop.yaml:6: /paths/~1items/get/operationID: an operation has no member `operationID`. Did you mean `operationId`? It is ignored.',
    'note: shop.yaml:12: /paths/~1carts/get/respnses: an operation has no member `respnses`. Did you mean `responses`? It is ignored.',
  ])
})

test('a member that looks like none of the known ones is noted too, anywhere in OpenAPI', () => {
  const text = `externalDoc: { url: /docs }
servers: [{ url: /v1, varables: {} }]
tags: [{ name: a, colour: red }]
paths:
  /a:
    get: { ${OK}, rateLimit: 5, parameters: [{ name: q, in: query, schema: {}, requird: true }] }
components:
  schema: {}
  securitySchemes: { key: { type: oauth2, flows: { implicit: { scope: {} } } } }
`
  expect(notesOf(text).filter((note) => note.includes('has no member'))).toEqual(
    [
      'shop.yaml:3: /externalDoc: a document has no member `externalDoc`. Did you mean `externalDocs`?',
      'shop.yaml:4: /servers/0/varables: a server has no member `varables`. Did you mean `variables`?',
      'shop.yaml:5: /tags/0/colour: a tag has no member `colour`. Remove it, or begin its name with `x-`.',
      'shop.yaml:8: /paths/~1a/get/rateLimit: an operation has no member `rateLimit`. Remove it, or begin its name with `x-`.',
      'shop.yaml:8: /paths/~1a/get/parameters/0/requird: a parameter has no member `requird`. Did you mean `required`?',
      'shop.yaml:10: /components/schema: `components` has no member `schema`. Did you mean `schemas`?',
      'shop.yaml:11: /components/securitySchemes/key/flows/implicit/scope: a flow has no member `scope`. Did you mean `scopes`?',
    ].map((note) => `${note} It is ignored.`),
  )
})

test.each([
  ['{ type: string, maxLengt: 3 }', 'maxLengt', 'maxLength'],
  ['{ type: object, aditionalProperties: false }', 'aditionalProperties', 'additionalProperties'],
  ['{ type: array, item: { type: string } }', 'item', 'items'],
  ['{ anyof: [{ type: string }] }', 'anyof', 'anyOf'],
  ['{ titel: Items }', 'titel', 'title'],
])('a keyword of a schema that looks like a known one is noted: %s', (schema, written, meant) => {
  expect(notesOnSchema(schema)).toEqual([
    `shop.yaml:4: /components/schemas/A/${written}: a schema has no member \`${written}\`. Did you mean \`${meant}\`? It is ignored.`,
  ])
})

test('names of the author, extensions and annotations are no misspelt keywords', () => {
  expect(notesOnSchema('{ type: object, properties: { typ: {}, maxLengt: {} }, x-maxLengt: 1 }')).toEqual([])
  expect(notesOnSchema('{ note: a, goType: b, label: c, markdownDescription: d, enumNames: [e], form: f }')).toEqual([])
  expect(notesOnSchema('{ $ref: "#/components/schemas/B", description: more }, B: { type: string }')).toEqual([])
  expect(notesOnSchema('{ default: { maxLengt: 1 }, example: { tpye: 2 }, enum: [{ titel: 3 }] }')).toEqual([])
})

test('an unknown keyword is an annotation since OpenAPI 3.1; before it had to begin with x-', () => {
  const schema = '{ type: string, markdownDescription: a }'
  expect(notesOnSchema(schema)).toEqual([])
  expect(notesOnSchema(schema, 'openapi: 3.0.3')).toEqual([
    'shop.yaml:4: /components/schemas/A/markdownDescription: a schema has no member `markdownDescription`. Remove it, or begin its name with `x-`. It is ignored.',
  ])
})

test('a Swagger 2.0 document is noted at its own lines, and what it may have is not', () => {
  const text = `schemes: [https]
paths:
  /a:
    get: { schemes: [https], produces: [text/plain], respnses: {}, ${OK} }
definitions:
  A: { type: string, maxLengt: 3 }
`
  expect(notesOf(text, "swagger: '2.0'")).toEqual([
    expect.stringMatching(/^shop\.yaml:6: \/paths\/~1a\/get\/respnses: .* Did you mean `responses`\? It is ignored\.$/),
    expect.stringMatching(/^shop\.yaml:8: .*\/A\/maxLengt: .* Did you mean `maxLength`\? It is ignored\.$/),
  ])
})

test('a member that is unknown in many places is named once, with their number', () => {
  const properties = Array.from({ length: 40 }, (_, index) => `p${index}: { maxLengt: 3 }`).join(', ')
  expect(notesOnSchema(`{ properties: { ${properties} } }`)).toEqual([
    'shop.yaml:4: /components/schemas/A/properties/p0/maxLengt: a schema has no member `maxLengt`. Did you mean `maxLength`? It is ignored, here and in 39 other places.',
  ])
})

test('a contract without operations because of a misspelt method says so', () => {
  expect(() => notesOf(`paths: { /a: { gte: { ${OK} } } }`)).toThrow(
    /\/paths\/~1a\/gte: a path has no member `gte`\. Did you mean `get`\?/,
  )
})
