import { expect, test } from 'vitest'
import { createContractTester, OWN_KEY } from '../../support/contracts/small-contract.ts'
import { answerOf, contractFile } from '../../support/contracts/own-contract.ts'
import { createTester, weekly } from '../../support/tester.ts'

const text = { type: 'string' }
const texts = { type: 'array', items: text }
const SAID = '/title: expected a string, got 7.'

function required(properties: Record<string, unknown>) {
  return { type: 'object', required: Object.keys(properties), properties }
}

test.each([
  [
    required({ code: text, message: text, details: texts }),
    { code: 'request-invalid', message: SAID, details: [SAID] },
  ],
  [required({ oops: text }), { oops: SAID }],
  [{ type: 'object', properties: { oops: text }, additionalProperties: false }, { oops: SAID }],
  [
    required({ severity: { enum: ['LOW'] }, code: { type: 'integer' }, what: text, more: text }),
    { severity: 'LOW', code: 400, what: SAID, more: '' },
  ],
  [required({ error: required({ oops: text }) }), { error: { oops: SAID } }],
  [
    required({ errors: { type: 'array', items: required({ where: text, field: text }) }, message: text }),
    { errors: [{ where: SAID, field: 'title' }], message: SAID },
  ],
  [texts, [SAID]],
  [{ type: 'array', items: required({ oops: text }) }, [{ oops: SAID }]],
  [text, SAID],
  [
    required({ message: text, trace: { ...text, pattern: '^[0-9a-f]{32}$' } }),
    { message: SAID, trace: expect.stringMatching(/^[0-9a-f]{32}$/) as string },
  ],
])('a refusal says why in %j', async (schema, body) => {
  const contract = contractFile(({ answers }) => {
    answers('create')['400'] = answerOf(schema)
    answers('update')['404'] = answerOf(texts)
  })
  const { create, update } = createTester({ contract })
  expect((await create(weekly({ title: 7 }))).body).toEqual(body)
  expect((await update(99, {})).body).toEqual([expect.stringContaining('99')])
})

const integer = { type: 'integer' }
const object = (properties: Record<string, unknown>, more: object = {}) => ({ type: 'object', properties, ...more })
const list = (items: unknown) => ({ type: 'array', items })
const NAME = '/name: expected a string, got 1.'

/** Error schemas as services have them: most require nothing. The response to a request with a wrong `name`, and to one of an unknown id. */
const DOCUMENTED = {
  'a pet shop': [
    object({ code: integer, type: text, message: text }),
    { code: 400, type: 'request-invalid', message: NAME },
    { code: 404, type: 'not-found', message: 'Not Found.' },
  ],
  'an error in an envelope': [
    object({ error: object({ code: integer, message: text, status: text, details: list(object({})) }) }),
    { error: { code: 400, message: NAME, status: 'INVALID_ARGUMENT', details: [{}] } },
    { error: { code: 404, message: 'Not Found.', status: 'NOT_FOUND' } },
  ],
  'JSON:API': [
    object({
      errors: list(
        object({ status: text, title: text, detail: text, source: object({ pointer: text, parameter: text }) }),
      ),
    }),
    { errors: [{ status: '400', title: 'The request is not valid', detail: NAME, source: { pointer: '/name' } }] },
    { errors: [{ status: '404', title: 'Not Found', detail: 'Not Found.' }] },
  ],
  'messages by field': [
    object({ message: text, errors: { type: 'object', additionalProperties: list(text) } }),
    { message: NAME, errors: { name: [NAME] } },
    { message: 'Not Found.' },
  ],
  'a status in words': [
    object({ status: { enum: ['success', 'error'] }, error: { type: 'boolean' }, reason: text, field: text }),
    { status: 'error', error: true, reason: NAME, field: 'name' },
    { status: 'error', error: true, reason: 'Not Found.' },
  ],
  'what says nothing of the error': [
    object({
      data: { type: ['object', 'null'] },
      error: object({ status: integer, message: text, details: { type: 'object' } }),
    }),
    { data: null, error: { status: 400, message: NAME, details: {} } },
    { data: null, error: { status: 404, message: 'Not Found.', details: {} } },
  ],
  'codes that begin with one for none': [
    object({ code: { enum: ['no_not_found_error', 'invalid_request', 'item_not_found'] }, message: text }),
    { code: 'invalid_request', message: NAME },
    { code: 'item_not_found', message: 'Not Found.' },
  ],
} as const

test.each(Object.entries(DOCUMENTED))(
  'a refusal fills the members that %s documents, required or not, of 400 and of default',
  async (_, [schema, refused, missing]) => {
    for (const status of ['400', 'default']) {
      const { request } = createContractTester({
        '/pets': {
          post: {
            requestBody: { required: true, content: { 'application/json': { schema: object({ name: text }) } } },
            responses: { 200: { description: 'Done.' }, [status]: answerOf(schema), 404: answerOf(schema) },
          },
        },
      })
      const post = () => request().post('/pets').set(OWN_KEY)
      const response = await post().send({ name: 1 })
      expect([response.status, response.body]).toEqual([400, refused])
      expect((await post().set('Prefer', 'code=404').send({})).body).toEqual(missing)
    }
  },
)

test('a documented problem document has the members that the contract names, as they usually are, and no others', async () => {
  const problem = object({ type: text, title: text, status: integer, detail: text, code: text })
  const contract = contractFile(({ answers }) => {
    answers('create')['400'] = answerOf(problem, 'application/problem+json')
  })
  const { create } = createTester({ contract })
  expect((await create(weekly({ title: 7 }))).body).toEqual({
    status: 400,
    type: '/problems/request-invalid',
    title: 'The request is not valid',
    detail: SAID,
    code: 'request-invalid',
  })
})

const shows = (schema: unknown, more: object = {}) => ({
  description: 'So.',
  content: { 'application/json': { schema, ...more } },
})
const validation = object({ detail: list(object({ loc: list({ anyOf: [text, integer] }), msg: text, type: text })) })
const takesName = {
  requestBody: {
    required: true,
    content: { 'application/json': { schema: object({ name: text }, { required: ['name'] }) } },
  },
}

/** Of documents that do not describe the error: what they have for others, and what is sent for an unknown path and another method. */
test.each([
  [
    'a list of what is wrong with a request is for that alone',
    { 200: shows(text), 422: shows(validation) },
    {},
    [
      { detail: expect.stringMatching(/^There is no path/) as string },
      { detail: expect.stringMatching(/^DELETE/) as string },
    ],
    { detail: [{ type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: {} }] },
  ],
  [
    'the usual errors of the document',
    { 200: shows(text), 409: shows(object({ code: integer, error: text, message: text, details: {} })) },
    {},
    [
      { code: 404, error: 'Not Found', message: expect.any(String) as string },
      { code: 405, error: 'Method Not Allowed', message: expect.any(String) as string },
    ],
    { code: 400, error: 'Bad Request', message: '/name: expected a string, got nothing.' },
  ],
  [
    'a component, and not the result that a conflict shows',
    { 200: shows(object({ merged: text })), 409: shows(object({ merged: text })) },
    { components: { schemas: { ApiError: object({ message: text }) } } },
    [{ message: expect.any(String) as string }, { message: expect.any(String) as string }],
    { message: '/name: expected a string, got nothing.' },
  ],
  [
    'a component that is named like one',
    { 200: shows(text), 400: { description: 'Bad.' } },
    { components: { schemas: { ApiError: object({ message: text }) } } },
    [{ message: expect.any(String) as string }, { message: expect.any(String) as string }],
    { message: '/name: expected a string, got nothing.' },
  ],
  [
    'Spring, which names its server so',
    { 200: shows(text) },
    { servers: [{ url: 'http://localhost', description: 'Generated server url' }] },
    [404, 405].map((status) => ({
      timestamp: expect.any(String) as string,
      status,
      error: status === 404 ? 'Not Found' : 'Method Not Allowed',
      path: status === 404 ? '/nothing' : '/pets',
    })),
    { timestamp: expect.any(String) as string, status: 400, error: 'Bad Request', path: '/pets' },
  ],
])(
  'an error that nobody documents is in the dialect of %s',
  async (_, responses, extra, [unknown, method], invalid) => {
    const { components = {}, ...more } = extra as { components?: { schemas?: object } }
    const { request } = createContractTester(
      { '/pets': { post: { ...takesName, responses } } },
      { ...components.schemas },
      { extra: more },
    )
    const missing = await request().get('/nothing').set(OWN_KEY)
    expect([missing.status, missing.body]).toEqual([404, unknown])
    expect(missing.headers['x-mock-problem']).toMatch(/^path-unknown: There is no path \/nothing\./)
    expect((await request().delete('/pets').set(OWN_KEY)).body).toEqual(method)
    expect((await request().post('/pets').set(OWN_KEY).send({})).body).toEqual(invalid)
  },
)

/** What is wrong with a member of a body or a parameter, as Pydantic 2 tells it. */
test.each<[schema: object, sent: unknown, told: object]>([
  [
    integer,
    'many',
    { type: 'int_parsing', msg: 'Input should be a valid integer, unable to parse string as an integer' },
  ],
  [integer, true, { type: 'int_type', msg: 'Input should be a valid integer' }],
  [
    integer,
    2.5,
    { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' },
  ],
  [
    { type: 'boolean' },
    'perhaps',
    { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' },
  ],
  [text, 7, { type: 'string_type', msg: 'Input should be a valid string' }],
  [list(text), 'all', { type: 'list_type', msg: 'Input should be a valid list' }],
  [
    { type: 'string', enum: ['low', 'high', 'none'] },
    'odd',
    { type: 'enum', msg: "Input should be 'low', 'high' or 'none'", ctx: { expected: "'low', 'high' or 'none'" } },
  ],
  [
    { type: 'string', pattern: '^[a-z]+$' },
    'A b',
    { type: 'string_pattern_mismatch', msg: "String should match pattern '^[a-z]+$'", ctx: { pattern: '^[a-z]+$' } },
  ],
  [
    { type: 'string', minLength: 3 },
    'ab',
    { type: 'string_too_short', msg: 'String should have at least 3 characters', ctx: { min_length: 3 } },
  ],
  [
    { type: 'integer', minimum: 0 },
    -1,
    { type: 'greater_than_equal', msg: 'Input should be greater than or equal to 0', ctx: { ge: 0 } },
  ],
  [
    { type: 'array', minItems: 1 },
    [],
    {
      type: 'too_short',
      msg: 'List should have at least 1 item after validation, not 0',
      ctx: { field_type: 'List', min_length: 1, actual_length: 0 },
    },
  ],
])('%j with %j is wrong as FastAPI says', async (schema, sent, told) => {
  const body = { ...object({ size: schema }), required: ['size'] }
  const operation = {
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { 200: shows(text), 422: shows(validation) },
  }
  const { request } = createContractTester({ '/pets': { post: operation } }, { HTTPValidationError: validation })
  const post = (given: object | string) =>
    request().post('/pets').set(OWN_KEY).set('Content-Type', 'application/json').send(given)
  expect((await post({ size: sent })).body).toEqual({ detail: [{ ...told, loc: ['body', 'size'], input: sent }] })
  const missing = { type: 'missing', loc: ['body', 'size'], msg: 'Field required', input: {} }
  expect((await post({})).body).toEqual({ detail: [missing] })
  expect((await post('{ "size": ')).body).toEqual({
    detail: [
      {
        type: 'json_invalid',
        loc: ['body', 10],
        msg: 'JSON decode error',
        input: {},
        ctx: { error: 'Expecting value' },
      },
    ],
  })
})

test('what is wrong with a request is 422 where that status lists it, also beside a documented 400', async () => {
  const responses = { 200: shows(text), 400: shows(object({ detail: text })), 422: shows(validation) }
  const { request } = createContractTester(
    { '/pets': { patch: { ...takesName, responses } } },
    { HTTPValidationError: validation },
  )
  const sent = await request().patch('/pets').set(OWN_KEY).send([1])
  const msg = 'Input should be a valid dictionary or object to extract fields from'
  expect([sent.status, sent.body]).toEqual([
    422,
    { detail: [{ type: 'model_attributes_type', loc: ['body'], msg, input: expect.anything() as unknown }] },
  ])
})

test('what is wrong with a request is 422 where its description alone speaks of validation', async () => {
  const said = (description: string) => ({ ...shows(object({ message: text })), description })
  const statusOf = async (words: Readonly<Record<400 | 422, string>>) => {
    const responses = { 200: shows(text), 400: said(words[400]), 422: said(words[422]) }
    const { request } = createContractTester({ '/pets': { patch: { ...takesName, responses } } })
    return (await request().patch('/pets').set(OWN_KEY).send({})).status
  }
  expect(await statusOf({ 400: 'Bad Request', 422: 'Validation failed' })).toBe(422)
  expect(await statusOf({ 400: 'Validation error', 422: 'Validation failed' })).toBe(400)
  expect(await statusOf({ 400: 'Bad Request', 422: 'The schema that the pet carries is not valid' })).toBe(400)
})

test('what is documented as a text is one, and what FastAPI finds wrong it lists beside it', async () => {
  const plain = { description: 'Sorry.', content: { 'text/plain': { schema: text } } }
  const pet = object({ id: text, name: text })
  const { request } = createContractTester(
    {
      '/pets': { post: { ...takesName, responses: { 201: shows(pet), 422: plain } } },
      '/pets/{petId}': {
        parameters: [{ name: 'petId', in: 'path', required: true, schema: text }],
        get: { responses: { 200: shows(pet), 404: plain } },
      },
      '/vets': { post: { ...takesName, responses: { 201: shows(pet), 422: shows(validation) } } },
    },
    { HTTPValidationError: validation },
  )
  const unknown = await request().get('/pets/unknown').set(OWN_KEY)
  expect([unknown.status, unknown.type, unknown.text]).toEqual([404, 'text/plain', 'There is no pet unknown.'])
  const invalid = await request().post('/pets').set(OWN_KEY).send({})
  expect([invalid.status, invalid.body]).toMatchObject([422, { detail: [{ type: 'missing', loc: ['body', 'name'] }] }])
})

/** What frameworks say by themselves, in documents from which it follows which framework it was. */
test.each<[framework: string, operation: object, schemas: object, unknown: object, method: object, key: object]>([
  [
    'FastAPI',
    { responses: { 200: shows(text), 422: shows(validation) } },
    { HTTPValidationError: validation },
    { detail: 'Not Found' },
    { detail: 'Method Not Allowed' },
    { detail: 'Not authenticated' },
  ],
  [
    'Django REST framework, beside an error that is a text and one of which nothing is said',
    {
      operationId: 'pets_partial_update',
      responses: { 200: shows(text), 500: shows(text), 404: shows({ type: 'object', additionalProperties: {} }) },
    },
    {},
    { detail: expect.stringMatching(/^There is no path/) as string },
    { detail: 'Method "DELETE" not allowed.' },
    { detail: 'Authentication credentials were not provided.' },
  ],
  [
    'Nest',
    { operationId: 'PetsController_change', responses: { 200: shows(text) } },
    {},
    { message: 'Cannot GET /nothing', error: 'Not Found', statusCode: 404 },
    { message: 'Cannot DELETE /pets', error: 'Method Not Allowed', statusCode: 405 },
    { message: expect.stringMatching(/key/) as string, error: 'Unauthorized', statusCode: 401 },
  ],
])('an error is said as %s says it', async (_, operation, schemas, unknown, method, key) => {
  const { request } = createContractTester({ '/pets': { patch: { ...takesName, ...operation } } }, { ...schemas })
  const missing = await request().get('/nothing').set(OWN_KEY)
  expect([missing.status, missing.body]).toEqual([404, unknown])
  expect(missing.headers['x-mock-problem']).toMatch(/^path-unknown: There is no path \/nothing\./)
  expect((await request().delete('/pets').set(OWN_KEY)).body).toEqual(method)
  expect((await request().patch('/pets').send({ name: 'Minka' })).body).toEqual(key)
})

test('an error has the optional members that its example shows, and the sentence', async () => {
  const schema = object({ type: text, title: text, status: integer, detail: text, instance: text, name: text })
  const example = { status: 500, name: 'NullPointerException', title: 'An error.' }
  for (const shown of [
    shows({ ...schema, example }),
    shows(schema, { example }),
    shows(schema, { examples: { one: { value: example } } }),
  ]) {
    const { request } = createContractTester({
      '/pets': { post: { ...takesName, responses: { 200: shows(text), 400: shown } } },
    })
    const { body } = (await request().post('/pets').set(OWN_KEY).send({})) as { body: object }
    expect(Object.keys(body).sort()).toEqual(['detail', 'name', 'status', 'title'])
  }
})

test('the id of an error is a code where its example is one, and that of the request elsewhere', async () => {
  const error = (example: string) => object({ id: { ...text, example }, message: text })
  const { request } = createContractTester({
    '/droplets': { post: { ...takesName, responses: { 200: shows(text), 400: shows(error('not_found')) } } },
    '/images': { post: { ...takesName, responses: { 200: shows(text), 400: shows(error('7f3a90d1')) } } },
  })
  const idOf = async (path: string) => {
    const response = await request().post(path).set(OWN_KEY).send({})
    return (response.body as { id: string }).id
  }
  expect(await idOf('/droplets')).toBe('request_invalid')
  expect(await idOf('/images')).toMatch(/^[\da-f]{8}-/)
})

test.each<[statuses: readonly number[], status: number]>([
  [[404], 404],
  [[404, 400], 400],
  [[404, 422], 422],
  [[], 400],
])('an id that the path cannot have, where %j are documented, is %i', async (statuses, status) => {
  const { request } = createContractTester({
    '/pets/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
        responses: {
          200: shows(object({ id: integer })),
          ...Object.fromEntries(statuses.map((one) => [one, shows(object({ code: text, message: text }))])),
        },
      },
    },
  })
  const response = await request().get('/pets/abc').set(OWN_KEY)
  const { code, message, detail } = response.body as Record<string, unknown>
  expect([response.status, message ?? detail]).toEqual([status, 'id: expected a plain decimal integer, got "abc".'])
  if (status === 404) expect(code).toBe('item-not-found')
})
