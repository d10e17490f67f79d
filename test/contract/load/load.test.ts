import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Contract } from '../../../src/contract/contract.ts'
import { loadContract, type LoadOptions } from '../../../src/contract/load/load.ts'
import { inlineSourceFile, readSourceFile } from '../../../src/base/formats/source-file.ts'
import { createDirectory } from '../../support/command.ts'
import { startComplaintsOf } from '../../support/tester.ts'

const directory = createDirectory({})
afterAll(directory.remove)

let number = 0

/** Writes files into a folder of their own, and loads the first. */
function load(files: Readonly<Record<string, string | object>>, options: LoadOptions = {}): Contract {
  const folder = join(directory.path, String(++number))
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  const [first = ''] = Object.keys(files)
  const allowed = options.allowed?.map((one) => join(folder, one)) ?? []
  return loadContract(readSourceFile(join(folder, first)), { ...options, allowed })
}

/** A text that names files of a test by their names alone. */
function short(text = ''): string {
  return text.replaceAll(new RegExp(`${directory.path}/\\d+/`, 'g'), '')
}

/** A document of one path, or of the paths given. */
function document(paths: string, more = ''): string {
  return `openapi: 3.1.0\ninfo: { title: Things, version: '1' }\npaths:\n${indented(paths)}\n${more}`
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

function operationOf(contract: Contract, operationId: string) {
  const found = contract.operations.find((one) => one.operationId === operationId)
  if (!found)
    throw new Error(`there is no ${operationId}, but ${contract.operations.map((one) => one.operationId).join(', ')}`)
  return found
}

/** What a body is refused for: `/name type`. */
function refusedFor(contract: Contract, body: unknown, operationId = 'postThings'): string[] {
  return operationOf(contract, operationId)
    .checkBody(body)
    .map(({ pointer, code }) => `${pointer ?? ''} ${code}`)
}

/** A document whose one operation takes a body of a schema. */
function taking(schema: object, openapi = '3.1.0', schemas: object = {}): object {
  const content = { 'application/json': { schema } }
  const responses = { '200': { description: 'ok', content } }
  return {
    openapi,
    info: { title: 'Things', version: '1' },
    paths: { '/things': { post: { requestBody: { content }, responses } } },
    components: { schemas },
  }
}

describe('what cannot be understood stops the start when nothing can be served, with file, line, place and remedy', () => {
  const WRONG: Readonly<Record<string, { readonly files: Record<string, string>; readonly lines: readonly RegExp[] }>> =
    {
      'no YAML': { files: { 'a.yaml': 'openapi: [3' }, lines: [/^a\.yaml:\d+: it is not valid YAML: /] },
      'no JSON': {
        files: { 'a.json': '{"openapi": }' },
        lines: [/^a\.json:1: it is not valid JSON: value expected at column 13\.$/],
      },
      'an empty file': {
        files: { 'a.yaml': '' },
        lines: [/^a\.yaml:1: \/: This is not an OpenAPI document, but empty\. A contract is an OpenAPI document/],
      },
      'a list': {
        files: { 'a.yaml': '- 1\n' },
        lines: [/^a\.yaml:1: \/: This is not an OpenAPI document, but a list\. /],
      },
      'no version': {
        files: { 'a.yaml': 'info: {}\n' },
        lines: [/^a\.yaml:1: \/: This is not an OpenAPI document: it has no `openapi`\. /],
      },
      'Swagger 1.2': {
        files: { 'a.yaml': "info: {}\nswagger: '1.2'\n" },
        lines: [
          /^a\.yaml:2: \/swagger: expected the text '2\.0', got "1\.2"\. Bring older documents up to OpenAPI 3\.1\.$/,
        ],
      },
      'Swagger 2.0 without paths': {
        files: { 'a.yaml': "info: {}\nswagger: '2.0'\n" },
        lines: [/^a\.yaml:1: \/paths: The document has no `paths`\. /],
      },
      'a version of tomorrow': {
        files: { 'a.yaml': 'openapi: 3.9.0\n' },
        lines: [/^a\.yaml:1: \/openapi: OpenAPI 3\.9\.0 is not supported\. /],
      },
      'a version that is a number': {
        files: { 'a.yaml': 'openapi: 3.1\n' },
        lines: [/^a\.yaml:1: \/openapi: expected a text such as '3\.1\.0', got 3\.1\. Put it in quotes\.$/],
      },
      'no paths': {
        files: { 'a.yaml': 'openapi: 3.1.0\ninfo: {}\n' },
        lines: [/^a\.yaml:1: \/paths: The document has no `paths`\. Add them; /],
      },
      'no operations': {
        files: { 'a.yaml': document('/things: {}') },
        lines: [/^a\.yaml:3: \/paths: The document has no operations\. Add one\.$/],
      },
      'a path without a slash': {
        files: { 'a.yaml': document('things:\n  get: {}\n') },
        lines: [/^a\.yaml:4: \/paths\/things: the path "things" begins with no slash\. Put one first\.$/],
      },
      'a reference to another machine': {
        files: { 'a.yaml': document("/a:\n  $ref: 'https://example.com/paths.yaml#/a'\n") },
        lines: [
          /^a\.yaml:4: "https:\/\/example\.com\/paths\.yaml#\/a" refers to another machine, .* Fetch it once: standin lock a\.yaml\.$/,
        ],
      },
      'a reference to a file that is not there': {
        files: { 'a.yaml': document('/a:\n  $ref: paths/none.yaml\n') },
        lines: [/^a\.yaml:4: the file of this reference cannot be taken\. paths\/none\.yaml: there is no such file\./],
      },
    }

  test.each(Object.keys(WRONG))('%s', (what) => {
    const { files, lines } = WRONG[what]!
    expect(startComplaintsOf(() => load(files)).map(short)).toEqual(
      lines.map((line) => expect.stringMatching(line) as string),
    )
  })
})

describe('what cannot be understood is left out of a document that has operations to serve, with file, line, place and remedy', () => {
  const ONE = '/things:\n  get: { responses: {} }\n'
  const WRONG: Readonly<Record<string, { readonly files: Record<string, string>; readonly lines: readonly RegExp[] }>> =
    {
      'two paths of one shape': {
        files: { 'a.yaml': document('/a/{x}:\n  get: {}\n/a/{y}:\n  get: {}\n  post: {}\n') },
        lines: [
          /^a\.yaml:7: \/paths\/~1a~1\{y\}\/get: no request can tell \/a\/\{y\} from \/a\/\{x\}: only names of parameters differ\. Merge them\. It is left out\.$/,
        ],
      },
      'an operationId twice': {
        files: { 'a.yaml': document('/a:\n  get: { operationId: one }\n/b:\n  get:\n    operationId: one\n') },
        lines: [
          /^a\.yaml:8: \/paths\/~1b\/get\/operationId: "one" is the id of GET \/a already\. Ids must differ\. It is left out\.$/,
        ],
      },
      'a reference to nothing': {
        files: {
          'a.yaml': document(
            "/a:\n  post:\n    requestBody:\n      $ref: '#/components/requestBodies/Pett'\n",
            'components:\n  requestBodies:\n    Pet: { content: {} }\n',
          ),
        },
        lines: [
          /^a\.yaml:6: "#\/components\/requestBodies\/Pett" refers to something that is not there\. Did you mean "Pet"\? It is left out, so bodies of POST \/a are not checked\.$/,
        ],
      },
      'a reference to nothing in a body': {
        files: {
          'a.yaml': document(
            "/a:\n  post:\n    operationId: createA\n    requestBody:\n      content:\n        application/json:\n          schema: { $ref: '#/components/schemas/Newt' }\n",
            'components:\n  schemas:\n    New: { type: object }\n',
          ),
        },
        lines: [/Did you mean "New"\? It is left out, so bodies of createA are not checked\.$/],
      },
      'references to nothing, and whatever else is wrong': {
        files: {
          'a.yaml': document(
            "/a:\n  get:\n    parameters:\n      - { name: x, in: query, schema: { type: strng } }\n      - { $ref: 'https://example.com/x' }\n",
          ),
        },
        lines: [/^a\.yaml:8: .* refers to another machine/, /^a\.yaml:7: .*\/schema\/type: expected one of string, /],
      },
      'a fault in another file': {
        files: {
          'a.yaml': document('/a:\n  $ref: paths/a.yaml\n'),
          'paths/a.yaml': 'get:\n  parameters:\n    - { name: x, in: query, schema: { type: strng } }\n',
        },
        lines: [
          /^paths\/a\.yaml:3: \/paths\/~1a\/get\/parameters\/0\/schema\/type: expected one of string, .* got "strng"\. Did you mean "string"\? It is left out\.$/,
        ],
      },
      'references in a circle': {
        files: {
          'a.yaml': document(
            ONE,
            "components:\n  schemas:\n    A: { $ref: '#/components/schemas/B' }\n    B: { $ref: '#/components/schemas/A' }\n",
          ),
        },
        lines: [
          /^a\.yaml:9: .* leads back to itself\. Break the circle\. It is left out\.$/,
          /^a\.yaml:10: .* leads back to itself\. /,
        ],
      },
      'paths in a circle': {
        files: {
          'a.yaml': document(`${ONE}/a:\n  $ref: '#/paths/~1b'\n/b:\n  $ref: '#/paths/~1a'\n`),
        },
        lines: [
          /^a\.yaml:\d+: the reference .* leads back to itself\. /,
          /^a\.yaml:\d+: the reference .* leads back to itself\. /,
        ],
      },
      'parameters without name, place or schema': {
        files: {
          'a.yaml': document(
            '/a:\n  get:\n    parameters:\n      - { in: query, schema: {} }\n      - { name: b, in: body, schema: {} }\n      - { name: c, in: query }\n      - 7\n',
          ),
        },
        lines: [
          /^a\.yaml:7: \/paths\/~1a\/get\/parameters\/0: the parameter has no `name`\. Add one\. It is left out\.$/,
          /^a\.yaml:8: \/paths\/~1a\/get\/parameters\/1: expected `in` to be one of path, query, querystring, header, cookie, got "body"\. It is left out\.$/,
          /^a\.yaml:9: \/paths\/~1a\/get\/parameters\/2: the parameter "c" has neither `schema` nor `content`\. Add a schema\. Any text is accepted\.$/,
          /^a\.yaml:10: \/paths\/~1a\/get\/parameters\/3: expected an object, got 7\. It is left out\.$/,
        ],
      },
      'schemas that are none': {
        files: {
          'a.yaml': document(
            ONE,
            'components:\n  schemas:\n    A: { required: true }\n    B:\n      properties:\n        a: { pattern: "(" }\n        b: [1]\n    C: { minimum: one, allOf: [] }\n    D: { exclusiveMinimum: true }\n',
          ),
        },
        lines: [
          /^a\.yaml:9: .*\/A\/required: expected a list of names, got true\. List the required properties beside `properties`\. It is left out\.$/,
          /^a\.yaml:12: .*\/B\/properties\/a\/pattern: expected a regular expression of ECMAScript, got "\("\. It is left out\.$/,
          /^a\.yaml:13: .*\/B\/properties\/b: expected a schema, got \[1\]\. It is left out\.$/,
          /^a\.yaml:14: .*\/C\/minimum: expected a number, got "one"\. It is left out\.$/,
          /^a\.yaml:14: .*\/C\/allOf: expected a list of one schema or more, got \[\]\. It is left out\.$/,
          /^a\.yaml:15: .*\/D\/exclusiveMinimum: expected a number, got true\. Since OpenAPI 3\.1 it is the limit itself; put the number here\. It is left out\.$/,
        ],
      },
      'parameters that the path does not have': {
        files: {
          'a.yaml': document(
            '/libraries/{library}:\n  parameters: [{ name: libraryId, in: path, required: true, schema: {} }]\n  get:\n    responses: {}\n' +
              "/things:\n  get:\n    responses: {}\n    parameters: [{ $ref: '#/components/parameters/id' }]\n",
            'components:\n  parameters:\n    id: { name: id, in: path, required: true, schema: { type: integer } }\n',
          ),
        },
        lines: [
          /^a\.yaml:5: \/paths\/~1libraries~1\{library\}\/parameters\/0: the path \/libraries\/\{library\} has no \{libraryId\}\. Did you mean "library"\? It is left out\.$/,
          /^a\.yaml:11: .*\/get\/parameters\/0: the path \/things has no \{id\}\. Add \{id\} to the path, or take the parameter away\. It is left out\.$/,
        ],
      },
      'answers and security that are none': {
        files: {
          'a.yaml': document(
            '/a:\n  get:\n    responses:\n      2000: {}\n    security:\n      - tokn: []\n',
            'components:\n  securitySchemes:\n    token: { type: http, scheme: bearer }\n',
          ),
        },
        lines: [
          /^a\.yaml:7: .*\/responses\/2000: expected a status such as 200 or 4XX, or default, got "2000"\. It is left out\.$/,
          /^a\.yaml:9: .*\/security\/0: there is no security scheme "tokn"\. Did you mean "token"\? It is not enforced\.$/,
        ],
      },
    }

  test.each(Object.keys(WRONG))('%s', (what) => {
    const { files, lines } = WRONG[what]!
    const { leftOut, operations } = load(files)
    expect(leftOut.map(short)).toEqual(lines.map((line) => expect.stringMatching(line) as string))
    expect(operations.length).toBeGreaterThan(0)
  })

  test('a part of a path without a parameter is a string, with a note', () => {
    const contract = load({ 'a.yaml': document('/things/{id}:\n  get: { responses: {} }\n') })
    expect(contract.notes).toEqual(['GET /things/{id}: {id} is not among its parameters, and is taken for a text.'])
  })

  test('of a thousand errors all are kept, and a refusal lists fifty', () => {
    const schemas = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`S${index}`, { type: 'strng' }]))
    expect(load({ 'a.json': taking({}, '3.1.0', schemas) }).leftOut).toHaveLength(1000)
    const empty = { openapi: '3.1.0', info: { title: 'Things', version: '1' }, paths: {}, components: { schemas } }
    const refused = startComplaintsOf(() => load({ 'a.json': empty }))
    expect([refused.length, refused.at(-1)]).toEqual([51, '… and 951 more.'])
  })
})

describe('several files', () => {
  const FILES = {
    'api/openapi.yaml': document(
      "/orders/{id}:\n  $ref: paths/order.yaml\n/pets:\n  post:\n    requestBody:\n      content:\n        application/json:\n          schema: { $ref: '../schemas/pet.yaml' }\n    responses: {}\n",
      "components:\n  schemas:\n    Pet: { type: string }\n    Order: { $ref: '../schemas/order.json#/definitions/Order' }\n",
    ),
    'api/paths/order.yaml':
      "parameters:\n  - { name: id, in: path, required: true, schema: { type: integer } }\nput:\n  requestBody:\n    content:\n      application/json:\n        schema:\n          $ref: '../openapi.yaml#/components/schemas/Order'\n  responses: { '204': { description: done } }\n",
    'schemas/pet.yaml':
      "type: object\nrequired: [name]\nproperties:\n  name: { type: string }\n  owner: { $ref: './person.yaml' }\n  order: { $ref: 'order.json#/definitions/Order' }\n",
    'schemas/person.yaml': "type: object\nproperties:\n  pets:\n    type: array\n    items: { $ref: 'pet.yaml' }\n",
    'schemas/order.json':
      '{"definitions": {"Order": {"type": "object",\n "properties": {"count": {"$ref": "#/definitions/Count"}}},\n "Count": {"type": "integer",\n  "minimum": 1}}}',
  }

  const OPTIONS = { allowed: ['schemas'] }

  test('are bundled into one document without references to others', () => {
    const { document: bundled, operations } = load(FILES, OPTIONS)
    expect(operations.map(({ operationId }) => operationId)).toEqual(['putOrdersById', 'postPets'])
    const references = JSON.stringify(bundled).match(/"\$ref":"[^"]*"/g) ?? []
    expect(references.length).toBeGreaterThan(4)
    expect(references.filter((one) => !one.startsWith('"$ref":"#/components/schemas/'))).toEqual([])
    expect(bundled.components).toMatchObject({
      schemas: { Pet: { type: 'string' }, pet: { required: ['name'] }, Count: { minimum: 1 } },
    })
  })

  test('refer to each other in circles, and a refusal names the line of the file that says so', () => {
    const contract = load(FILES, OPTIONS)
    const body = {
      name: 'a',
      owner: { pets: [{ name: 'b', owner: { pets: [{}, { name: 7 }] } }] },
      order: { count: 0 },
    }
    const violations = operationOf(contract, 'postPets').checkBody(body)
    expect(violations.map(({ pointer, source }) => [pointer, short(source)])).toEqual([
      ['/owner/pets/0/owner/pets/0/name', 'schemas/pet.yaml:2'],
      ['/owner/pets/0/owner/pets/1/name', 'schemas/pet.yaml:4'],
      ['/order/count', 'schemas/order.json:4'],
    ])
    const [wrong] = operationOf(contract, 'putOrdersById').checkBody({ count: 'x' })
    expect([wrong?.pointer, wrong?.code, short(wrong?.source)]).toEqual(['/count', 'type', 'schemas/order.json:3'])
  })

  test('a bundled document, loaded again, is the same', () => {
    const { document: bundled } = load(FILES, OPTIONS)
    expect(load({ 'a.json': bundled }).document).toEqual(bundled)
  })

  test.each([
    ['a folder above', '../secret.yaml'],
    ['a folder above, written otherwise', 'sub/%2e%2e/%2E./secret.yaml'],
    ['an absolute path', join(directory.path, 'outside.yaml')],
    ['a symbolic link to a file', 'linked.yaml'],
    ['a symbolic link to a folder', 'linked/secret.yaml'],
    ['a file beside, which refers on', 'beside.yaml'],
  ])('of other folders are refused, and read if their folder is allowed: %s', (_, reference) => {
    const folder = join(directory.path, String(number + 1))
    mkdirSync(join(folder, 'api'), { recursive: true })
    symlinkSync('../secret.yaml', join(folder, 'api/linked.yaml'))
    symlinkSync('..', join(folder, 'api/linked'))
    writeFileSync(join(directory.path, 'outside.yaml'), 'title: SECRET\n')
    const files = {
      'api/a.yaml': document(
        '/a:\n  get:\n    responses: { 200: { description: ok } }\n',
        'components:\n  schemas:\n    Own: {}\n',
      ),
      'api/beside.yaml': "properties: { a: { $ref: '../secret.yaml' } }\n",
      'api/sub/empty.yaml': '',
      'secret.yaml': 'title: SECRET\n',
    }
    const action = { target: '$.components.schemas.Own', update: { properties: { theirs: { $ref: reference } } } }
    const overlay = { overlay: '1.0.0', info: { title: 'O', version: '1' }, actions: [action] }
    const options = { overlays: [inlineSourceFile(overlay, 'overlay')] }
    const refused = load(files, options)
    expect(refused.leftOut.map(short)).toEqual([
      expect.stringMatching(
        / is not below the folder of the contract\. If it may be read and served, pass --allow-ref .* It is left out\.$/,
      ),
    ])
    expect(JSON.stringify(refused.document)).not.toContain('SECRET')
    number--
    const allowed = load(files, { ...options, allowed: ['..'] })
    expect([allowed.leftOut, JSON.stringify(allowed.document)]).toEqual([[], expect.stringContaining('SECRET')])
  })

  test('whole maps and operations may stand elsewhere, and names may be anything', () => {
    const contract = load({
      'a.yaml': 'openapi: 3.1.0\npaths: { $ref: paths.yaml }\ncomponents: { schemas: { $ref: schemas.yaml } }\n',
      'paths.yaml': "/a%b/{x}:\n  get: { $ref: 'operation.yaml' }\n",
      'operation.yaml':
        "operationId: read\nresponses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'a.yaml#/components/schemas/Some~1thing%20%23else' } } } } }\n",
      'schemas.yaml': "'Some/thing #else': { type: array, items: { $ref: '#/Some~1thing%20%23else' } }\n",
    })
    const { checkResponse } = operationOf(contract, 'read')
    expect(checkResponse(200, [[], [[]]])).toEqual([])
    const [wrong] = checkResponse(200, [[7]])
    expect([wrong?.pointer, short(wrong?.source)]).toEqual(['/0/0', 'schemas.yaml:1'])
  })

  test('anchors and ids lead to what they name', () => {
    const contract = load({
      'a.json': taking({ $ref: 'tree.yaml#node' }),
      'tree.yaml':
        '$id: https://example.com/tree\n$defs:\n  n:\n    $dynamicAnchor: node\n    type: object\n    properties: { children: { items: { $dynamicRef: "#node" } } }\n',
    })
    expect(refusedFor(contract, { children: [{ children: [{}] }] })).toEqual([])
    expect(refusedFor(contract, { children: [{ children: [7] }] })).toEqual(['/children/0/children/0 type'])
  })
})

test('a loaded document loads as itself, so that a replay has the contract of its run', () => {
  const { document } = loadContract(
    inlineSourceFile(
      {
        openapi: '3.1.0',
        info: { title: 'Shapes', version: '1' },
        paths: {
          '/shapes': {
            post: {
              requestBody: {
                content: {
                  'application/json': {
                    schema: {
                      oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
                      discriminator: { propertyName: 'k', mapping: { a: '#/components/schemas/A', b: 'B' } },
                    },
                  },
                },
              },
              responses: { 204: { description: 'Taken' } },
            },
          },
        },
        components: {
          schemas: {
            A: { type: 'object', required: ['k'], properties: { k: { const: 'a' } } },
            B: { type: 'object', required: ['k'], properties: { k: { const: 'b' } } },
          },
        },
      },
      'shapes',
    ),
  )
  const again = loadContract(inlineSourceFile(JSON.parse(JSON.stringify(document)) as object, 'shapes')).document
  expect(JSON.stringify(again)).toBe(JSON.stringify(document))
})

test('a discriminator whose values nothing but its mapping describes tells alternatives apart', () => {
  const named = (description: string) => ({
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', description } },
  })
  const { operations } = loadContract(
    inlineSourceFile(
      {
        openapi: '3.0.3',
        info: { title: 'references', version: '1' },
        paths: {
          '/references': {
            post: {
              requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Reference' } } } },
              responses: { 204: { description: 'Taken' } },
            },
          },
        },
        components: {
          schemas: {
            Branch: named('of a branch'),
            Tag: named('of a tag'),
            Reference: {
              oneOf: [{ $ref: '#/components/schemas/Branch' }, { $ref: '#/components/schemas/Tag' }],
              discriminator: {
                propertyName: 'type',
                mapping: { BRANCH: '#/components/schemas/Branch', TAG: '#/components/schemas/Tag' },
              },
            },
          },
        },
      },
      'references',
    ),
  )
  const check = (body: object) => operations[0]?.checkBody(body).length
  const [{ message } = { message: '' }] = operations[0]?.checkBody({ type: 'FORK', name: 'main' }) ?? []
  expect(message).toBe('/type: expected one of BRANCH, TAG, got "FORK".')
  expect(check({ type: 'BRANCH', name: 'main' })).toBe(0)
  expect(check({ type: 'TAG', name: 'v1' })).toBe(0)
  expect(check({ type: 'BRANCH' })).toBe(1)
  expect(check({ type: 'FORK', name: 'main' })).not.toBe(0)
  expect(check({ name: 'main' })).not.toBe(0)
})
