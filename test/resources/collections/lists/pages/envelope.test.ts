import { expect, test } from 'vitest'
import { createEnvelope } from '../../../../../src/resources/collections/lists/pages/envelope.ts'
import type { PageFacts, Rel } from '../../../../../src/resources/collections/lists/pages/page-facts.ts'

const TEXT = { type: 'string' }
const WHOLE = { type: 'integer' }
const FLAG = { type: 'boolean' }
const LIST = { type: 'array', items: { type: 'object' } }

/** A page of two of five items, such as the second one. */
function pageAt(offset: number): PageFacts {
  const total = 5
  const count = Math.min(2, total - offset)
  const pages: Record<Rel, number | undefined> = {
    self: offset / 2,
    first: 0,
    prev: offset > 0 ? offset / 2 - 1 : undefined,
    next: offset + count < total ? offset / 2 + 1 : undefined,
    last: 2,
  }
  return {
    ...{ total, count, offset, end: offset + count, size: 2, firstPage: 1 },
    ...{ firstId: String(offset + 1), lastId: String(offset + count) },
    token: (rel) => (pages[rel] === undefined ? undefined : `to-${rel}`),
    link: (rel) => (pages[rel] === undefined ? undefined : `/orders?page=${pages[rel] + 1}`),
    startToken: () => undefined,
    sent: () => undefined,
    origin: 'http://shop.test',
  }
}

const ITEMS = [{ id: 1 }]

/** What most envelopes here are made from, besides their schema. */
const PARTS = { document: {}, pointer: '/data', key: 1, usesTokens: false, asked: new Map(), check: () => [] }

interface Options {
  readonly pointer?: string
  readonly usesTokens?: boolean
  readonly required?: readonly string[]
}

/** The body of a page by a schema with these members. */
function bodyAt(
  offset: number,
  properties: object,
  { pointer = '/data', usesTokens = false, required = [] }: Options = {},
) {
  const schema = { type: 'object', properties, required }
  const envelope = createEnvelope({ ...PARTS, schema, pointer, usesTokens })
  const [before, after] = envelope.render(pageAt(offset))
  return JSON.parse(before + JSON.stringify(ITEMS).slice(1, -1) + after) as unknown
}

const FIRST = 0
const SECOND = 2
const LAST = 4

test('a list without an envelope is sent as it is', () => {
  expect(createEnvelope({ ...PARTS, schema: LIST, pointer: '' }).render(pageAt(FIRST))).toEqual(['[', ']'])
})

test.each<[string, object, unknown, unknown]>([
  ['total', WHOLE, 5, 5],
  ['totalCount', WHOLE, 5, 5],
  ['total_results', WHOLE, 5, 5],
  ['count', WHOLE, 5, 5],
  ['page', WHOLE, 2, 3],
  ['current_page', WHOLE, 2, 3],
  ['per_page', WHOLE, 2, 2],
  ['limit', WHOLE, 2, 2],
  ['totalPages', WHOLE, 3, 3],
  ['last_page', WHOLE, 3, 3],
  ['offset', WHOLE, 2, 4],
  ['from', WHOLE, 3, 5],
  ['to', WHOLE, 4, 5],
  ['remainingItemCount', WHOLE, 1, 0],
  ['next_page', WHOLE, 3, undefined],
  ['next_page', { type: ['integer', 'null'] }, 3, null],
  ['prev', WHOLE, 1, 2],
  ['total', TEXT, '5', '5'],
  ['has_more', FLAG, true, false],
  ['hasNextPage', FLAG, true, false],
  ['truncated', FLAG, true, false],
  ['hasPreviousPage', FLAG, true, true],
  ['last', FLAG, false, true],
  ['done', FLAG, false, true],
  ['next', TEXT, 'http://shop.test/orders?page=3', undefined],
  ['next', { type: ['string', 'null'], format: 'uri' }, 'http://shop.test/orders?page=3', null],
  ['next', { anyOf: [TEXT, { type: 'null' }] }, 'http://shop.test/orders?page=3', null],
  ['next', { ...TEXT, format: 'uri-reference' }, '/orders?page=3', undefined],
  ['next_page_url', TEXT, 'http://shop.test/orders?page=3', undefined],
  ['previous', { ...TEXT, format: 'uri' }, 'http://shop.test/orders?page=1', 'http://shop.test/orders?page=2'],
  ['next_cursor', TEXT, 'to-next', undefined],
  ['nextPageToken', { ...TEXT, description: 'The token of the next page.' }, 'to-next', undefined],
  ['continue', TEXT, 'to-next', undefined],
  ['endCursor', TEXT, 'to-next', undefined],
  ['object', { ...TEXT, enum: ['list'] }, 'list', 'list'],
  ['url', { ...TEXT, pattern: '^/orders' }, '/orders', '/orders'],
  ['first_id', TEXT, '3', '5'],
  ['last_id', TEXT, '4', '5'],
  ['mood', TEXT, undefined, undefined],
])('the member %s with the schema %j', (name, schema, onSecond, onLast) => {
  const properties = { data: LIST, [name]: schema }
  const expected = (value: unknown) => ({ data: ITEMS, ...(value === undefined ? {} : { [name]: value }) })
  expect(bodyAt(SECOND, properties)).toEqual(expected(onSecond))
  expect(bodyAt(LAST, properties)).toEqual(expected(onLast))
})

test('`next` is a token where pages are asked for by tokens, and empty at the end where it is required', () => {
  const properties = { data: LIST, next: TEXT }
  const options = { usesTokens: true, required: ['next'] }
  expect(bodyAt(FIRST, properties, options)).toEqual({ data: ITEMS, next: 'to-next' })
  expect(bodyAt(LAST, properties, options)).toEqual({ data: ITEMS, next: '' })
})

test('`count` is that of the page where another member tells the total', () => {
  expect(bodyAt(LAST, { data: LIST, count: WHOLE, total: WHOLE })).toEqual({ data: ITEMS, count: 1, total: 5 })
})

test('links of HAL, around embedded items', () => {
  const link = { type: 'object', properties: { href: TEXT } }
  const properties = {
    _embedded: { type: 'object', properties: { orders: LIST } },
    _links: { type: 'object', properties: { self: link, first: link, prev: link, next: link, last: link } },
    page: { type: 'object', properties: { size: WHOLE, totalElements: WHOLE, totalPages: WHOLE, number: WHOLE } },
  }
  expect(bodyAt(FIRST, properties, { pointer: '/_embedded/orders' })).toEqual({
    _embedded: { orders: ITEMS },
    _links: {
      self: { href: 'http://shop.test/orders?page=1' },
      first: { href: 'http://shop.test/orders?page=1' },
      next: { href: 'http://shop.test/orders?page=2' },
      last: { href: 'http://shop.test/orders?page=3' },
    },
    page: { size: 2, totalElements: 5, totalPages: 3, number: 1 },
  })
})

test('links of JSON:API, and a cursor in objects of its own', () => {
  const properties = {
    data: LIST,
    links: { type: 'object', properties: { self: TEXT, next: { type: ['string', 'null'] } } },
    meta: { type: 'object', properties: { total: WHOLE, mood: TEXT } },
    paging: {
      type: 'object',
      properties: { next: { type: 'object', required: ['after'], properties: { after: TEXT, link: TEXT } } },
    },
  }
  expect(bodyAt(SECOND, properties)).toEqual({
    data: ITEMS,
    links: { self: 'http://shop.test/orders?page=2', next: 'http://shop.test/orders?page=3' },
    meta: { total: 5 },
    paging: { next: { after: 'to-next', link: 'http://shop.test/orders?page=3' } },
  })
  expect(bodyAt(LAST, properties)).toEqual({
    data: ITEMS,
    links: { self: 'http://shop.test/orders?page=3', next: null },
    meta: { total: 5 },
  })
})

test('members that are not understood are made up where they are required', () => {
  const properties = {
    data: LIST,
    status: { ...TEXT, enum: ['fine'] },
    meta: {
      type: 'object',
      required: ['total', 'took'],
      properties: { total: WHOLE, took: { ...WHOLE, minimum: 3, maximum: 3 } },
    },
  }
  expect(bodyAt(FIRST, properties, { required: ['status', 'meta'] })).toEqual({
    data: ITEMS,
    status: 'fine',
    meta: { total: 5, took: 3 },
  })
})

test('a member that the contract has for something else is not filled', () => {
  const schema = {
    type: 'object',
    required: ['data'],
    properties: { data: LIST, next: { ...TEXT, maxLength: 3 }, page: WHOLE },
  }
  const check = (body: unknown) =>
    ((body as { next?: string }).next?.length ?? 0) > 3
      ? [{ pointer: '/next', code: 'maxLength', message: 'too long', expected: '3', received: 'more' }]
      : []
  const envelope = createEnvelope({ ...PARTS, schema, check })
  expect(envelope.render(pageAt(FIRST)).join('')).toBe('{"data":[],"page":1}')
})

test('an optional object beside the list has all that it requires, if any of it tells of the page', () => {
  const links = { type: 'array', items: TEXT }
  const pagination = { type: 'object', required: ['page', 'links'], properties: { page: WHOLE, links } }
  const licence = { type: 'object', required: ['terms'], properties: { terms: TEXT } }
  expect(bodyAt(SECOND, { data: LIST, pagination, licence })).toEqual({
    data: ITEMS,
    pagination: { page: 2, links: expect.any(Array) as unknown },
  })
})

test('an example that breaks the contract is not shown', () => {
  const example = { page: 3, links: { first: '/' }, mood: 5 }
  const links = { type: 'array', items: TEXT }
  const properties = { page: WHOLE, links, mood: TEXT }
  const pagination = { type: 'object', required: ['page', 'links'], properties, example }
  const schema = { type: 'object', required: ['data', 'pagination'], properties: { data: LIST, pagination } }
  const check = (body: unknown) => {
    const shown = (body as { pagination: { links: unknown; mood?: unknown } }).pagination
    const wrong = { links: !Array.isArray(shown.links), mood: shown.mood !== undefined }
    const names = Object.entries(wrong).flatMap(([name, isWrong]) => (isWrong ? [name] : []))
    return names.map((name) => ({ pointer: `/pagination/${name}`, code: 'type', message: '', expected: '' }))
  }
  const envelope = createEnvelope({ ...PARTS, schema, check })
  expect(JSON.parse(envelope.render(pageAt(SECOND)).join(''))).toEqual({
    data: [],
    pagination: { page: 2, links: expect.any(Array) as unknown },
  })
})

test('an object of what may be null is there on each page, unless it may be null itself', () => {
  const cursor = { type: ['string', 'null'] }
  const cursors = { type: 'object', properties: { next: cursor, previous: cursor } }
  const meta = { type: 'object', properties: { cursors, items_on_page: WHOLE } }
  const only = { type: 'object', properties: { next: cursor } }
  const links = { anyOf: [only, { type: 'null' }] }
  const properties = { data: LIST, meta, links }
  expect(bodyAt(LAST, properties)).toMatchObject({
    meta: { cursors: { next: null, previous: 'to-prev' }, items_on_page: 1 },
    links: null,
  })
  expect(bodyAt(LAST, { data: LIST, paging: only })).toMatchObject({ paging: { next: null } })
})

test('what is called as a parameter is what was sent, or what the service takes', () => {
  const schema = { type: 'object', properties: { data: LIST, sort: TEXT, q: TEXT, order: WHOLE } }
  const asked = new Map([
    ['sort', (facts: PageFacts) => facts.sent('sort') ?? 'id'],
    ['q', (facts: PageFacts) => facts.sent('q')],
    ['order', () => 'asc'],
  ])
  const envelope = createEnvelope({ ...PARTS, schema, asked })
  const bodyOf = (sent: Readonly<Record<string, string>>) =>
    JSON.parse(envelope.render({ ...pageAt(FIRST), sent: (name) => sent[name] }).join('')) as unknown
  expect(bodyOf({ sort: 'name', q: 'ball' })).toEqual({ data: [], sort: 'name', q: 'ball' })
  expect(bodyOf({})).toEqual({ data: [], sort: 'id' })
})
