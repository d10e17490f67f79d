/** An operation before and after, and what `standin diff` says of it: each change as `level: place words`. */
export interface Case {
  readonly name: string
  readonly old: object
  readonly now: object
  readonly says: readonly string[]
}

const OK = { 200: { description: 'ok' } }

export function takes(schema: unknown, body: object = {}) {
  return { requestBody: { ...body, content: { 'application/json': { schema } } }, responses: OK }
}

export function returns(schema: unknown) {
  return { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } }
}

function accepts(...parameters: readonly object[]) {
  return { parameters, responses: OK }
}

const LIMIT = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } }
const STATUS = { type: 'string', enum: ['open', 'paid'] }
const ORDER = {
  type: 'object',
  required: ['id', 'status'],
  properties: { id: { type: 'integer' }, status: STATUS, note: { type: 'string', maxLength: 100 } },
}
const CARD = { type: 'object', required: ['kind'], properties: { kind: { const: 'card' }, last4: { type: 'string' } } }
const CASH = { type: 'object', required: ['kind'], properties: { kind: { const: 'cash' } } }

function order(properties: object, more: object = {}) {
  return { ...ORDER, ...more, properties: { ...ORDER.properties, ...properties } }
}

const { note: _note, ...WITHOUT_NOTE } = ORDER.properties

const PARAMETERS: readonly Case[] = [
  {
    name: 'an optional parameter is added',
    old: accepts(),
    now: accepts(LIMIT),
    says: ['compatible: query parameter limit is new and optional'],
  },
  {
    name: 'a required parameter is added',
    old: accepts(),
    now: accepts({ ...LIMIT, required: true }),
    says: ['breaking: query parameter limit is new and required'],
  },
  {
    name: 'a parameter is removed',
    old: accepts(LIMIT),
    now: accepts(),
    says: ['breaking: query parameter limit is no longer documented'],
  },
  {
    name: 'a parameter becomes required',
    old: accepts(LIMIT),
    now: accepts({ ...LIMIT, required: true }),
    says: ['breaking: query parameter limit is required now'],
  },
  {
    name: 'a maximum is lowered',
    old: accepts(LIMIT),
    now: accepts({ ...LIMIT, schema: { ...LIMIT.schema, maximum: 50 } }),
    says: ['breaking: query parameter limit has `maximum` 50 instead of 100'],
  },
  {
    name: 'a maximum is raised',
    old: accepts(LIMIT),
    now: accepts({ ...LIMIT, schema: { ...LIMIT.schema, maximum: 500 } }),
    says: ['compatible: query parameter limit has `maximum` 500 instead of 100'],
  },
  {
    name: 'an integer becomes a text, which any value is when it is sent',
    old: accepts({ name: 'id', in: 'query', schema: { type: 'integer' } }),
    now: accepts({ name: 'id', in: 'query', schema: { type: 'string' } }),
    says: ['compatible: query parameter id is a string instead of an integer'],
  },
  {
    name: 'a text becomes an integer',
    old: accepts({ name: 'id', in: 'query', schema: { type: 'string' } }),
    now: accepts({ name: 'id', in: 'query', schema: { type: 'integer' } }),
    says: ['breaking: query parameter id is an integer instead of a string'],
  },
  {
    name: 'a list is serialised in another way',
    old: accepts({ name: 'ids', in: 'query', schema: { type: 'array', items: { type: 'string' } } }),
    now: accepts({ name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } }),
    says: ['breaking: query parameter ids is serialised in another way'],
  },
  {
    name: 'a header is written in another case',
    old: accepts({ name: 'X-Trace', in: 'header', schema: { type: 'string' } }),
    now: accepts({ name: 'x-trace', in: 'header', schema: { type: 'string' } }),
    says: [],
  },
  {
    name: 'parameters and values of an enumeration change places',
    old: accepts(LIMIT, { name: 'status', in: 'query', schema: STATUS }),
    now: accepts({ name: 'status', in: 'query', schema: { type: 'string', enum: ['paid', 'open'] } }, LIMIT),
    says: [],
  },
  {
    name: 'a default changes',
    old: accepts({ name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } }),
    now: accepts({ name: 'limit', in: 'query', schema: { type: 'integer', default: 50 } }),
    says: ['warning: query parameter limit has `default` 50 instead of 20'],
  },
]

const BODIES: readonly Case[] = [
  {
    name: 'a body becomes required',
    old: takes(ORDER),
    now: takes(ORDER, { required: true }),
    says: ['breaking: request body is required now'],
  },
  {
    name: 'a media type of a body is removed',
    old: { requestBody: { content: { 'application/json': {}, 'text/csv': {} } }, responses: OK },
    now: { requestBody: { content: { 'application/json': {} } }, responses: OK },
    says: ['breaking: request body (text/csv) is no longer accepted'],
  },
  {
    name: 'an optional member is added to a body',
    old: takes(ORDER),
    now: takes(order({ gift: { type: 'boolean' } })),
    says: ['compatible: request body /gift is new and optional'],
  },
  {
    name: 'a required member is added to a body',
    old: takes(ORDER),
    now: takes(order({ gift: { type: 'boolean' } }, { required: ['id', 'status', 'gift'] })),
    says: ['breaking: request body /gift is new and required'],
  },
  {
    name: 'a member of a body becomes required',
    old: takes(ORDER),
    now: takes({ ...ORDER, required: ['id', 'status', 'note'] }),
    says: ['breaking: request body /note is required now'],
  },
  {
    name: 'a member of a body is removed',
    old: takes(ORDER),
    now: takes({ ...ORDER, properties: WITHOUT_NOTE }),
    says: ['breaking: request body /note is no longer documented'],
  },
  {
    name: 'a value of a body is no longer accepted',
    old: takes(ORDER),
    now: takes(order({ status: { type: 'string', enum: ['open'] } })),
    says: ['breaking: request body /status no longer accepts "paid"'],
  },
  {
    name: 'a value of a body is also accepted',
    old: takes(ORDER),
    now: takes(order({ status: { type: 'string', enum: ['open', 'paid', 'lost'] } })),
    says: ['compatible: request body /status also accepts "lost"'],
  },
  {
    name: 'a body accepts null too',
    old: takes(ORDER),
    now: takes(order({ note: { type: ['string', 'null'], maxLength: 100 } })),
    says: ['compatible: request body /note also accepts null'],
  },
  {
    name: 'a body accepts any number, no longer integers only',
    old: takes(ORDER),
    now: takes(order({ id: { type: 'number' } })),
    says: ['compatible: request body /id also accepts a number'],
  },
  {
    name: 'a body allows no other members any more',
    old: takes(ORDER),
    now: takes({ ...ORDER, additionalProperties: false }),
    says: ['breaking: request body allows no other members now'],
  },
  {
    name: 'a member that only responses have becomes required',
    old: takes(order({ at: { type: 'string', readOnly: true } })),
    now: takes(order({ at: { type: 'string', readOnly: true } }, { required: ['id', 'status', 'at'] })),
    says: [],
  },
  {
    name: 'a body is composed of parts that say the same',
    old: takes(ORDER),
    now: takes({ allOf: [{ ...ORDER, required: ['id'] }, { required: ['status'] }] }),
    says: [],
  },
  {
    name: 'a body accepts an alternative more',
    old: takes({ oneOf: [CARD] }),
    now: takes({ oneOf: [CASH, CARD] }),
    says: ['compatible: request body also accepts kind="cash"'],
  },
  {
    name: 'a body accepts an alternative less',
    old: takes({ oneOf: [CARD, CASH] }),
    now: takes({ oneOf: [CARD] }),
    says: ['breaking: request body no longer accepts kind="cash"'],
  },
  {
    name: 'an alternative of a body changes inside',
    old: takes({ oneOf: [CARD, CASH] }),
    now: takes({ oneOf: [CASH, { ...CARD, required: ['kind', 'last4'] }] }),
    says: ['breaking: request body /last4 is required now'],
  },
  {
    name: 'a pattern changes',
    old: takes(order({ note: { type: 'string', pattern: '^a' } })),
    now: takes(order({ note: { type: 'string', pattern: '^b' } })),
    says: ['warning: request body /note has `pattern` "^b" instead of "^a", which cannot be compared'],
  },
]

const RESPONSES: readonly Case[] = [
  {
    name: 'a member of a response is removed',
    old: returns(ORDER),
    now: returns({ ...ORDER, properties: WITHOUT_NOTE }),
    says: ['breaking: response 200 /note is no longer returned'],
  },
  {
    name: 'a member of a response is added',
    old: returns(ORDER),
    now: returns(order({ gift: { type: 'boolean' } })),
    says: ['compatible: response 200 /gift is new'],
  },
  {
    name: 'a member of a response may be missing',
    old: returns({ type: 'array', items: ORDER }),
    now: returns({ type: 'array', items: { ...ORDER, required: ['id'] } }),
    says: ['breaking: response 200 /*/status may now be missing'],
  },
  {
    name: 'a member of a response is always there',
    old: returns(ORDER),
    now: returns({ ...ORDER, required: ['id', 'status', 'note'] }),
    says: ['compatible: response 200 /note is always returned now'],
  },
  {
    name: 'a response may have a value that is new',
    old: returns(ORDER),
    now: returns(order({ status: { type: 'string', enum: ['open', 'paid', 'lost'] } })),
    says: ['breaking: response 200 /status may now be "lost"'],
  },
  {
    name: 'a response may be null',
    old: returns(ORDER),
    now: returns(order({ note: { anyOf: [{ type: 'string', maxLength: 100 }, { type: 'null' }] } })),
    says: ['breaking: response 200 /note may now be null'],
  },
  {
    name: 'a response has a text in place of an integer',
    old: returns(ORDER),
    now: returns(order({ id: { type: 'string' } })),
    says: ['breaking: response 200 /id is a string instead of an integer'],
  },
  {
    name: 'a response has integers only',
    old: returns(order({ id: { type: 'number' } })),
    now: returns(ORDER),
    says: ['compatible: response 200 /id is always an integer'],
  },
  {
    name: 'a response may be longer',
    old: returns(ORDER),
    now: returns(order({ note: { type: 'string', maxLength: 1000 } })),
    says: ['breaking: response 200 /note has `maxLength` 1000 instead of 100'],
  },
  {
    name: 'a list becomes an object with a list',
    old: returns({ type: 'array', items: ORDER }),
    now: returns({ type: 'object', properties: { items: { type: 'array', items: ORDER } } }),
    says: ['breaking: response 200 is an object instead of an array'],
  },
  {
    name: 'a response may be an alternative that is new',
    old: returns({ oneOf: [CARD] }),
    now: returns({ oneOf: [CARD, CASH] }),
    says: ['breaking: response 200 may now be kind="cash"'],
  },
  {
    name: 'a member that only requests have is removed',
    old: returns(order({ secret: { type: 'string', writeOnly: true } })),
    now: returns(ORDER),
    says: [],
  },
  {
    name: 'a success has another status',
    old: { responses: { 201: { description: 'made' } } },
    now: { responses: OK },
    says: ['breaking: response 201 is no longer documented', 'breaking: response 200 is new'],
  },
  {
    name: 'an error is documented',
    old: { responses: OK },
    now: { responses: { ...OK, 429: { description: 'slow down' } } },
    says: ['compatible: response 429 is new'],
  },
  {
    name: 'a media type of a response is replaced',
    old: returns(ORDER),
    now: { responses: { 200: { description: 'ok', content: { 'text/csv': {} } } } },
    says: ['breaking: response 200 is no longer sent', 'compatible: response 200 (text/csv) may be sent'],
  },
  {
    name: 'a header of a response is removed',
    old: { responses: { 200: { description: 'ok', headers: { 'X-Total': { schema: { type: 'integer' } } } } } },
    now: { responses: OK },
    says: ['breaking: response 200 header X-Total is no longer sent'],
  },
  {
    name: 'an operation is deprecated, and described in other words',
    old: { responses: OK },
    now: { responses: { 200: { description: 'All is well.' } }, deprecated: true, summary: 'Old' },
    says: ['warning: is deprecated now'],
  },
]

export const CASES: readonly Case[] = [...PARAMETERS, ...BODIES, ...RESPONSES]

/** One document with an operation for each case: `POST /0`, `POST /1`. */
export function documentOf(operations: readonly object[], version = '3.1.0') {
  const paths = operations.map((operation, at) => [`/${at}`, { post: { operationId: `case${at}`, ...operation } }])
  return { openapi: version, info: { title: 'Cases', version: '1' }, paths: Object.fromEntries(paths) as object }
}
