import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import request from 'supertest'
import { createStandin, type Standin, type StandinOptions } from '../../../src/index.ts'
import { createDirectory } from '../../support/command.ts'
import { KEY_HEADER, NOW, SCHEDULES, SEARCH, startComplaintsOf, weekly } from '../../support/tester.ts'
import { longTest } from '../../support/cases.ts'

const PETS = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: secret, in: query, required: true, schema: { type: string } }
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Pet' } }
      x-standin: generated
  /pets/{id}:
    $ref: pet.yaml
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: { type: string }
        kind: { type: string, enum: [cat, dog] }
`

const PET = `get:
  operationId: getPet
  x-standin: generated
  parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
  responses:
    '200':
      description: ok
      content: { application/json: { schema: { $ref: 'pets.yaml#/components/schemas/Pet' } } }
`

const ITEM = { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } }

function showing(operationId: string, schema: object) {
  return { operationId, responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } }
}

/** An overlay of these actions. */
function overlayOf(...actions: readonly object[]) {
  return { overlay: '1.0.0', info: { title: 'Fixes', version: '1' }, actions }
}

interface Started {
  readonly standin: Standin
  readonly get: (path: string) => Promise<{ readonly status: number; readonly body: unknown }>
}

/** A server for pets.yaml and overlays of it. */
function start(overlay: StandinOptions['overlay'], contract = PETS): Started {
  const { path } = folderOf({ 'pets.yaml': contract })
  const standin = createStandin({ contract: join(path, 'pets.yaml'), ...(overlay ? { overlay } : {}), clock: NOW })
  const get = async (url: string) => {
    const response = await request(standin.app).get(url)
    return { status: response.status, body: response.body as unknown }
  }
  return { standin, get }
}

function folderOf(files: Readonly<Record<string, string>>) {
  const directory = createDirectory({ 'pet.yaml': PET, ...files })
  onTestFinished(directory.remove)
  return directory
}

/** Messages without the folder of the test. */
function short(messages: readonly string[]): string[] {
  return messages.map((one) => one.replaceAll(/\/\S*\/standin-\w+\//g, ''))
}

const REX = { name: 'Rex', kind: 'dog' }
const EXAMPLE = {
  target: "$.paths['/pets'].get.responses['200'].content['application/json']",
  update: { example: [REX] },
}
const NO_SECRET = { target: "$.paths.*.get.parameters[?@.name == 'secret']", remove: true }

test('an overlay adds an example and removes a parameter, and the contract is served as if it were written so', async () => {
  const without = await start(undefined).get('/pets')
  expect(without.status).toBe(400)
  const { get, standin } = start(overlayOf(EXAMPLE, NO_SECRET))
  expect(await get('/pets')).toMatchObject({ status: 200, body: [REX] })
  expect(standin.notes).toEqual([])
  expect(standin.summary).toMatch(/^2 operations.*, contract \S+pets\.yaml, overlay 1, seed /)
})

test('it carries x-standin, and overrules what an operation would have been', () => {
  const target = `$.paths['${SEARCH}/{fileSetId}/files/search'].post`
  const standin = createStandin({ overlay: overlayOf({ target, update: { 'x-standin': 'generated' } }) })
  expect(standin.operations[0]).toMatch(/searchFiles +generated \(by x-standin\)$/)
})

test('it carries the hints of a path item, which inference follows', () => {
  const contract = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    paths: { '/pets': { get: showing('listPets', { type: 'array', items: ITEM }), post: showing('addPet', ITEM) } },
  })
  const hinted = (hint: object) => {
    const { standin } = start(overlayOf({ target: "$.paths['/pets']", update: { 'x-standin': hint } }), contract)
    return standin.operations.map((line) => line.replaceAll(/ +/g, ' '))
  }
  expect(hinted({ collection: 'animals' })).toEqual([
    'GET /pets listPets stateful as list animals (GET of a list)',
    'POST /pets addPet stateful as create animals (POST to the path of the collection)',
  ])
  expect(hinted({ ignore: true })).toEqual([
    'GET /pets listPets generated (x-standin ignores its path)',
    'POST /pets addPet generated (x-standin ignores its path)',
  ])
})

test('a mistake in what it says by x-standin is at its own line, and one of the contract at that of the contract', () => {
  const pets = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets:
    get: &get
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: &pet { type: object, properties: { id: { type: integer } } } } } } } }
    post:
      responses: { '201': { description: ok, content: { application/json: { schema: *pet } } } }
  /words:
    x-standin: words
    get: *get
`
  const { path } = folderOf({
    'pets.yaml': pets,
    'fix.yaml': `overlay: 1.0.0
info: { title: Hints, version: '1' }
actions:
  - target: $.paths['/pets']
    update:
      x-standin:
        transition: {}
`,
    'role.yaml': `overlay: 1.0.0
info: { title: Roles, version: '1' }
actions:
  - target: $.paths['/pets'].get
    update: { x-standin: lists }
`,
  })
  const complaintsWith = (overlay: string) =>
    short(
      startComplaintsOf(() =>
        createStandin({ contract: join(path, 'pets.yaml'), overlay: join(path, overlay), clock: NOW }),
      ),
    )
  expect(complaintsWith('fix.yaml')).toEqual([
    expect.stringMatching(/^fix\.yaml:7: \/paths\/~1pets\/x-standin\/transition: .* Did you mean transitions\?$/),
    expect.stringMatching(/^pets\.yaml:10: \/paths\/~1words\/x-standin: it is "words"\. /),
  ])
  expect(complaintsWith('role.yaml')).toEqual([
    expect.stringMatching(/^role\.yaml:5: GET \/pets: x-standin is "lists"\. .* Did you mean `list`\?$/),
  ])
})

test('overlays are files or objects, one or several, and a later one changes the result of those before', async () => {
  const { path } = folderOf({
    'pets.yaml': PETS,
    'first.json': JSON.stringify(overlayOf(EXAMPLE, NO_SECRET)),
    'second.yaml': `overlay: 1.1.0
info: { title: Another pet, version: '1' }
actions:
  - target: $..example
    update: { name: Tom, kind: cat }
`,
  })
  const [contract, first, second] = ['pets.yaml', 'first.json', 'second.yaml'].map((name) => join(path, name)) as [
    string,
    string,
    string,
  ]
  const body = async (overlay: NonNullable<StandinOptions['overlay']>) =>
    (await request(createStandin({ contract, overlay }).app).get('/pets?secret=s')).body as unknown
  expect(await body([first, second])).toEqual([REX, { name: 'Tom', kind: 'cat' }])
  expect(await body([first, overlayOf({ target: '$..example[0].name', update: 'Max' })])).toEqual([
    { ...REX, name: 'Max' },
  ])
  // Before the first there is no example that the second could add to.
  expect(await body([second, first])).toEqual([REX])
  expect(createStandin({ contract, overlay: [second, first] }).notes).toEqual([
    `${second}:4: /actions/0/target: $..example selects nothing in ${contract}. The action is ignored.`,
  ])
})

test('the contract of the package with an overlay is a contract of the user', async () => {
  const options = { clock: NOW, files: 20, control: false }
  const overlay = overlayOf({
    target: '$.components.schemas.ReportScheduleInfo.properties.title',
    update: { maxLength: 60 },
  })
  const standin = createStandin({ ...options, overlay })
  const create = (title: string) => request(standin.app).post(SCHEDULES).set(KEY_HEADER, 'key').send(weekly({ title }))
  expect((await create('A'.repeat(60))).status).toBe(200)
  expect((await create('A'.repeat(61))).body).toMatchObject({ errors: [{ pointer: '/title', source: 'overlay[0]:1' }] })
  expect(standin.summary).toMatch(/^3 operations.*, overlay 1, seed /)
  expect(standin.notes).toEqual([])
})

test('it changes Swagger 2.0 as it is written, before it is converted', async () => {
  const swagger = JSON.stringify({
    swagger: '2.0',
    info: { title: 'Pets', version: '1' },
    produces: ['application/json'],
    paths: { '/pet': { get: { responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/Pet' } } } } } },
    definitions: { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  })
  const { get, standin } = start(
    overlayOf({ target: '$.definitions.Pet.properties.name', update: { enum: ['Rex'] } }),
    swagger,
  )
  expect(await get('/pet')).toMatchObject({ status: 200, body: { name: 'Rex' } })
  expect(standin.notes).toEqual([])
  const wrong = start(overlayOf({ target: '$.definitions.Pet.properties.name', update: { pattern: '(' } }), swagger)
  expect(wrong.standin.notes).toEqual([
    expect.stringMatching(/^overlay\[0\]:1: \/components\/schemas\/Pet\/properties\/name\/pattern: /),
  ])
})

describe('an action without effect is noted, with the first step of its target that leads nowhere', () => {
  const NOTES: readonly (readonly [string, object, string])[] = [
    ['a typing error', { target: "$.paths['/pet'].get", update: {} }, `$.paths has no "/pet". Did you mean "/pets"? `],
    ['nothing alike', { target: '$.servers', remove: true }, '$ has no "servers". '],
    [
      'a part of another file',
      { target: "$.paths['/pets/{id}'].get", update: {} },
      `$.paths['/pets/{id}'] refers to "pet.yaml", and a target does not follow references. Select the part where it is written; parts of other files must be bundled into the document first. `,
    ],
    [
      'several steps',
      { target: '$.components.schemas.Pet.properties.*.typ', update: {} },
      'none of the 2 values before it has "typ". Did you mean "type"? ',
    ],
  ]
  test.each(NOTES)('%s', (_what, action, reason) => {
    const { standin } = start(overlayOf(EXAMPLE, action))
    const { target } = action as { target: string }
    expect(short(standin.notes)).toEqual([
      `overlay[0]:1: /actions/1/target: ${target} selects nothing in pets.yaml: ${reason}The action is ignored.`,
    ])
  })
  test('a filter that nothing passes', () => {
    const { standin } = start(overlayOf({ target: '$.paths[?@.put]', remove: true }))
    expect(short(standin.notes)).toEqual([
      'overlay[0]:1: /actions/0/target: $.paths[?@.put] selects nothing in pets.yaml. The action is ignored.',
    ])
  })
  test('an action that says nothing to do', () => {
    const { standin } = start(overlayOf({ target: '$.info', description: 'later' }))
    expect(standin.notes).toEqual([
      'overlay[0]:1: /actions/0: it has none of `update`, `remove: true` and `copy`, so it changes nothing.',
    ])
  })
})

describe('an overlay that is invalid, or does not fit the contract, stops the start', () => {
  const HEAD = "overlay: 1.1.0\ninfo: { title: T, version: '1' }\n"
  const WRONG: Readonly<Record<string, readonly [string, readonly (string | RegExp)[]]>> = {
    'a list': [
      '- 1\n',
      ['1: /: expected an OpenAPI Overlay, got [1]. Name an OpenAPI Overlay, 1.0 or 1.1, with --overlay.'],
    ],
    'a contract': ['openapi: 3.1.0\n', ['1: /: This is an OpenAPI document, not an overlay. Name it with --contract.']],
    'no version': ['info: {}\n', [/^1: \/: This is not an OpenAPI Overlay: it has no `overlay`\. /]],
    'a version without quotes': [
      'info: {}\noverlay: 1.0\n',
      ["2: /overlay: expected the text '1.0.0' or '1.1.0', got 1. Correct the version."],
    ],
    'a version of tomorrow': [
      'overlay: 2.0.0\n',
      [/^1: \/overlay: expected the text '1\.0\.0' or '1\.1\.0', got "2\.0\.0"/],
    ],
    'no info and no actions': [
      'overlay: 1.0.0\n',
      [
        '1: /info: expected { title, version }, got nothing. Say what the overlay is for.',
        '1: /actions: expected a list of actions, got nothing. Add at least one.',
      ],
    ],
    'misspelt members': [
      'overlay: 1.0.0\ninfo: { titel: T, version: 1 }\nactions:\n  - target: $.info\n    updat: {}\n    x-why: because\nextend: pets.yaml\n',
      [
        '7: /extend: there is no such member. Did you mean "extends"?',
        '2: /info/titel: there is no such member. Did you mean "title"?',
        '2: /info/title: expected a text, got nothing. Add it.',
        '2: /info/version: expected a text, got 1. Put it in quotes.',
        '5: /actions/0/updat: there is no such member. Did you mean "update"?',
      ],
    ],
    'actions that are none': [
      `${HEAD}actions:\n  - $.info\n  - update: {}\n  - { target: info, remove: 'true' }\n`,
      [
        '4: /actions/0: expected { target, update } or { target, remove: true }, got "$.info".',
        "5: /actions/1/target: expected a JSONPath such as $.paths['/customers'].get, got nothing.",
        '6: /actions/2/remove: expected true or false, got "true". Put no quotes around it.',
        '6: /actions/2/target: expected a JSONPath such as $.paths[\'/customers\'].get, got "info".',
      ],
    ],
    'no JSONPath': [
      `${HEAD}actions:\n  - { target: '$.paths[', remove: true }\n  - { target: $.info, copy: '$.a[?(@.b == )]' }\n`,
      [
        '4: /actions/0/target: "$.paths[" is not a JSONPath as in RFC 9535: unclosed bracketed selection at character 9.',
        /^5: \/actions\/1\/copy: "\$\.a\[\?\(@\.b == \)\]" is not a JSONPath as in RFC 9535: unexpected '\)' at character \d+\.$/,
      ],
    ],
    'a script is no JSONPath': [
      `${HEAD}actions:\n  - { target: '$.paths[(@.length-1)]', remove: true }\n`,
      [/^4: \/actions\/0\/target: .* is not a JSONPath as in RFC 9535: /],
    ],
    'a copy before there were copies': [
      "overlay: 1.0.0\ninfo: { title: T, version: '1' }\nactions: [{ target: $.info, copy: $.paths }]\n",
      ['3: /actions/0/copy: Overlay 1.0 has no `copy`. Set `overlay: 1.1.0` at the top of the file.'],
    ],
    'an update and a copy': [
      `${HEAD}actions: [{ target: $.info, update: {}, copy: $.paths }]\n`,
      ['3: /actions/0: it has both `update` and `copy`. Make two actions of them.'],
    ],
    'a copy of several': [
      `${HEAD}actions: [{ target: $.info, copy: $.paths.* }]\n`,
      ['3: /actions/0/copy: $.paths.* selects 2 values, and a copy is of one. Change the path.'],
    ],
    'parts of other kinds': [
      `${HEAD}actions:\n  - target: $.info.title\n    update: { a: 1 }\n  - target: $.components.schemas\n    update:\n      Pet:\n        type: [object, 'null']\n        required: name\n`,
      [
        '5: /actions/0/update: expected a plain value, because pets.yaml:2 is one, got {"a":1}. To replace it, remove it with an action before this one.',
        '9: /actions/1/update/Pet/type: expected a plain value, because pets.yaml:22 is one, got ["object","null"]. To replace it, remove it with an action before this one.',
        '10: /actions/1/update/Pet/required: expected a list, because pets.yaml:23 is one, got "name". To replace it, remove it with an action before this one.',
      ],
    ],
    'the whole document': [
      `${HEAD}actions: [{ target: $, remove: true }]\n`,
      ['3: /actions/0/target: the whole document cannot be removed. Select parts of it.'],
    ],
    'no YAML': ['overlay: [1', [/^1: it is not valid YAML: /]],
  }
  test.each(Object.entries(WRONG))('%s', (_what, [text, expected]) => {
    const { path } = folderOf({ 'pets.yaml': PETS, 'fix.yaml': text })
    const options = { contract: join(path, 'pets.yaml'), overlay: join(path, 'fix.yaml') }
    const complaints = short(startComplaintsOf(() => createStandin(options)))
    expect(complaints.map((one) => one.replace(/^fix\.yaml:/, ''))).toEqual(
      expected.map((one): unknown => (typeof one === 'string' ? one : expect.stringMatching(one))),
    )
  })
  test('a file that is not there, and what is no overlay at all', () => {
    expect(startComplaintsOf(() => createStandin({ overlay: ['none.yaml', 7 as never] }))).toEqual([
      'options.overlay: none.yaml: there is no such file. Check the path; it is read from the current directory.',
    ])
    expect(startComplaintsOf(() => createStandin({ overlay: [overlayOf(EXAMPLE), 7 as never] }))).toEqual([
      'overlay[1]:1: /: expected an OpenAPI Overlay, got 7. Name an OpenAPI Overlay, 1.0 or 1.1, with --overlay.',
    ])
  })
})

test('an update replaces what was removed before it', async () => {
  const { get } = start(
    overlayOf(
      NO_SECRET,
      { target: '$.components.schemas.Pet.properties.kind.enum', remove: true },
      { target: '$.components.schemas.Pet.properties.kind', update: { enum: ['fish'] } },
      { target: '$.components.schemas.Pet', update: { required: ['kind'] } },
    ),
  )
  expect(await get('/pets/1')).toMatchObject({ status: 200, body: { kind: 'fish' } })
})

test('a copy takes a part as it is then, also into itself', async () => {
  const { get } = start({
    ...overlayOf(
      NO_SECRET,
      EXAMPLE,
      { target: '$.paths', update: { '/animals': {} } },
      { target: "$.paths['/animals']", copy: "$.paths['/pets']" },
      { target: "$.paths['/animals'].get.operationId", remove: true },
      { target: '$.info', update: { 'x-whole': {} } },
      { target: "$.info['x-whole']", copy: '$' },
    ),
    overlay: '1.1.0',
  })
  expect(await get('/animals')).toMatchObject({ status: 200, body: [REX] })
})

describe('messages name the file and line where a part is written', () => {
  const FIX = `overlay: 1.0.0
info: { title: T, version: '1' }
actions:
  - target: $.components.schemas.Pet.properties
    update:
      age:
        type: integer
        minLength: -1
      name:
        pattern: '('
  - target: $.paths['/pets'].get.parameters[0]
    remove: true
  - target: $.paths['/pets'].get.parameters
    update:
      - name: page
        in: qeury
        schema: { type: integer }
`
  test('in the overlay for what it adds, in the contract for everything else', () => {
    const contract = PETS.replace('required: true, schema: { type: string }', 'required: yes, schema: { type: strin }')
    const { path } = folderOf({ 'pets.yaml': contract, 'fix.yaml': FIX })
    const { notes } = createStandin({ contract: join(path, 'pets.yaml'), overlay: join(path, 'fix.yaml') })
    const lines = short(notes).map((note) => /^(\S+): (\S+):/.exec(note)?.slice(1).join(' '))
    expect(lines.toSorted()).toEqual([
      'fix.yaml:10 /components/schemas/Pet/properties/name/pattern',
      'fix.yaml:15 /paths/~1pets/get/parameters/1',
      'fix.yaml:8 /components/schemas/Pet/properties/age/minLength',
      // It was the second parameter, and is the first now.
      'pets.yaml:9 /paths/~1pets/get/parameters/0/schema/type',
    ])
  })
})

test('parts that share a YAML alias are changed one by one', async () => {
  const contract = PETS.replace('name: { type: string }', 'name: &text { type: string }').replace(
    'kind: { type: string, enum: [cat, dog] }',
    'kind: *text',
  )
  const { get } = start(
    overlayOf(
      { target: '$.components.schemas.Pet', update: { required: ['kind'] } },
      { target: '$.components.schemas.Pet.properties.kind', update: { const: 'cat' } },
    ),
    contract,
  )
  const { body } = await get('/pets/1')
  expect(body).toMatchObject({ kind: 'cat' })
  expect((body as typeof REX).name).not.toBe('cat')
})

test('an overlay cannot reach beyond the document', async () => {
  const overlay = JSON.parse(
    '{"overlay":"1.0.0","info":{"title":"T","version":"1"},"actions":[{"target":"$","update":{"__proto__":{"polluted":1},"x-constructor":{"prototype":{"polluted":1}}}},{"target":"$.constructor.prototype","update":{"polluted":1}}]}',
  ) as object
  const { standin, get } = start(overlay)
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
  expect(short(standin.notes)).toEqual([
    expect.stringContaining('$.constructor.prototype selects nothing in pets.yaml: $ has no "constructor"'),
    expect.stringContaining('__proto__'),
  ])
  expect((await get('/pets/1')).status).toBe(200)
})

describe('bounds', () => {
  test('of actions', () => {
    const actions = Array.from({ length: 10_001 }, () => EXAMPLE)
    expect(startComplaintsOf(() => start(overlayOf(...actions)))).toEqual([
      'overlay[0]:1: /actions: expected at most 10000 actions, got 10001. Merge some.',
    ])
  })
  longTest('of what copies add', () => {
    const twice = { target: '$.info', copy: '$.info' }
    const actions = [
      { target: '$.info', update: { 'x-list': [1, 2, 3, 4, 5, 6, 7, 8] } },
      ...Array.from({ length: 30 }, () => twice),
    ]
    expect(startComplaintsOf(() => start({ ...overlayOf(...actions), overlay: '1.1.0' }))).toEqual([
      expect.stringMatching(
        /^overlay\[0\]:1: \/actions\/\d+\/copy\S*: the overlays add more than 1000000 values\. Let the targets select less\.$/,
      ),
    ])
  })
  test('of nesting, so of an object that contains itself', () => {
    const update: Record<string, unknown> = {}
    update.self = update
    expect(startComplaintsOf(() => start(overlayOf({ target: '$.info', update: { 'x-a': update } })))).toEqual([
      expect.stringMatching(/ it nests more than 1000 levels deep, so no overlay can be applied\.$/),
    ])
  })
})

test('a data directory belongs to the contract with its overlays', async () => {
  const { path } = folderOf({ 'pets.yaml': PETS })
  const data = createDirectory({})
  onTestFinished(data.remove)
  const options = { contract: join(path, 'pets.yaml'), data: data.path, clock: NOW }
  await createStandin({ ...options, overlay: overlayOf(EXAMPLE) }).stop()
  await createStandin({ ...options, overlay: [overlayOf(EXAMPLE)] }).stop()
  for (const other of [{}, { overlay: overlayOf(NO_SECRET) }])
    expect(startComplaintsOf(() => createStandin({ ...options, ...other }))).toEqual([
      expect.stringMatching(/: it was created with the contract sha256:\w+, and this start has sha256:\w+\. /),
    ])
})
