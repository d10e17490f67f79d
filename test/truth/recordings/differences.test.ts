import { expect, test } from 'vitest'
import { alignItems } from '../../../src/truth/recordings/differences/align-items.ts'
import { findDifferences, readExchange } from '../../../src/truth/recordings/differences/find-differences.ts'
import {
  ANY_MATCH,
  createMatcher,
  type ComparedKind,
  kindOf,
} from '../../../src/truth/recordings/differences/values.ts'

const NOW = Date.parse('2026-03-05T14:30:00Z')

test.for<[name: string, value: unknown, kind: ComparedKind]>([
  ['id', 7, 'id'],
  ['_id', 'a1', 'id'],
  ['ID', 7, 'id'],
  ['customerId', 7, 'id'],
  ['customerID', 'c7', 'id'],
  ['customer_id', 7, 'id'],
  ['customer-id', 7, 'id'],
  ['orderUuid', 'x', 'id'],
  ['key', 'K-1', 'id'],
  ['etag', '"1"', 'id'],
  ['any', '0b3ce5a4-51ad-4d0b-8c4f-2b1de6f1a001', 'id'],
  ['paid', 1, 'plain'],
  ['paid', true, 'plain'],
  ['amountPaid', 500, 'plain'],
  ['amount_paid', 500, 'plain'],
  ['valid', 1, 'plain'],
  ['isValid', 'yes', 'plain'],
  ['bid', 12, 'plain'],
  ['highestBid', 12, 'plain'],
  ['grid', 4, 'plain'],
  ['android', '14', 'plain'],
  ['id', 1.5, 'plain'],
  ['primaryKey', 'name', 'plain'],
  ['next', 'abc', 'token'],
  ['nextPageToken', 'abc', 'token'],
  ['next_cursor', 'abc', 'token'],
  ['nexttoken', 'abc', 'token'],
  ['next', '', 'plain'],
  ['nextStep', 'pay', 'plain'],
  ['anything', '2026-03-05T14:30:00Z', 'instant'],
  ['createdAt', 1_772_721_000_000, 'instant'],
  ['created', 1_772_721_000, 'instant'],
  ['birthdate', 1_772_721_000, 'instant'],
  ['flat', 1_772_721_000, 'plain'],
  ['size', 1_772_721_000, 'plain'],
])('the kind of %s: %s is %s', ([name, value, kind]) => {
  expect(kindOf(name, value)).toBe(kind)
})

function exchangeOf(json: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) {
  const fields = { 'content-type': 'application/json', ...headers }
  return readExchange({
    request: { method: 'GET', url: '/', headers: [], body: undefined },
    response: {
      status,
      headers: Object.entries(fields).map(([name, value]) => ({ name, value })),
      body: JSON.stringify(json),
      isWhole: true,
    },
  })
}

/** As `kind where: standin, target`. */
function differences(standin: unknown, target: unknown, matcher = createMatcher()): string[] {
  const [ours, theirs] = [standin, target].map((json) => exchangeOf(json))
  return findDifferences(ours ?? exchangeOf(0), theirs ?? exchangeOf(0), { matcher, now: NOW }).map(
    (one) => `${one.kind} ${one.where}: ${one.standin}, ${one.target}`,
  )
}

const LATER = '2026-03-06T08:00:00Z'

test.for<[what: string, standin: unknown, target: unknown, found: readonly string[]]>([
  ['equal bodies', { a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, []],
  ['paid', { paid: true }, { paid: false }, ['value /paid: true, false']],
  ['valid', { valid: 1 }, { valid: 0 }, ['value /valid: 1, 0']],
  ['amountPaid', { amountPaid: 5 }, { amountPaid: 6 }, ['value /amountPaid: 5, 6']],
  ['bid', { bid: 7 }, { bid: 8 }, ['value /bid: 7, 8']],
  ['other ids', { id: 1 }, { id: 2 }, []],
  ['one id for two', { id: 1, ownerId: 1 }, { id: 2, ownerId: 3 }, ['identity /ownerId: 1, 3']],
  ['other tokens', { next: 'abc' }, { next: 'def' }, []],
  ['no next page', { next: 'abc' }, { next: null }, ['null /next: "abc", null']],
  ['a token that is absent', {}, { next: 'def' }, ['page /next: absent, "def"']],
  ['a member that is absent', { a: 1 }, {}, ['member /a: 1, absent']],
  ['a type', { a: 1 }, { a: '1' }, ['type /a: number (1), string ("1")']],
  ['other moments', { at: '2026-03-01T08:00:00Z' }, { at: '2026-03-02T08:00:00Z' }, []],
  [
    'a moment to come',
    { at: LATER },
    { at: '2026-03-06T09:00:00Z' },
    ['value /at: "2026-03-06T08:00:00Z", "2026-03-06T09:00:00Z"'],
  ],
  [
    'the form of a moment',
    { at: '2026-03-01T08:00:00Z' },
    { at: '2026-03-01T08:00:00.000Z' },
    ['form /at: a timestamp with 0 fraction digits and Z, a timestamp with 3 fraction digits and Z'],
  ],
  ['an order', [{ path: 'a' }, { path: 'b' }], [{ path: 'b' }, { path: 'a' }], ['order : "a", "b", "b", "a"']],
  ['an item', [{ path: 'a' }], [{ path: 'a' }, { path: 'b' }], ['items : 1, 2, among them "b"']],
  ['a member of items', [{ id: 1, a: 1 }], [{ id: 1, a: 2 }], ['value /*/a: 1, 2']],
])('finds %s', ([, standin, target, found]) => {
  expect(differences(standin, target)).toEqual(found)
})

test('where each side has its own ids and moments, only presence and form are compared', () => {
  expect(differences({ id: 1, ownerId: 1, bid: 1 }, { id: 2, ownerId: 3, bid: 2 }, ANY_MATCH)).toEqual([
    'value /bid: 1, 2',
  ])
})

test('the words of an error are each side’s own, its codes are not', () => {
  const [ours, theirs] = ['The key is unknown', 'No such key'].map((message) => exchangeOf({ message, code: 'a' }, 401))
  const other = exchangeOf({ message: 'No such key', code: 'b' }, 401)
  const context = { matcher: createMatcher(), now: NOW }
  if (!ours || !theirs) throw new Error('there are two')
  expect(findDifferences(ours, theirs, context)).toEqual([])
  expect(findDifferences(ours, other, context)).toMatchObject([{ kind: 'value', where: '/code' }])
  expect(findDifferences(ours, exchangeOf({}), context)).toMatchObject([{ kind: 'status' }])
})

test.for<[what: string, ours: unknown[], theirs: unknown[], pairs: number, reordered: boolean]>([
  ['the member that most share', [{ id: 1, name: 'a' }], [{ id: 2, name: 'a' }], 1, false],
  [
    'a path before an id',
    [
      { id: 1, path: 'a' },
      { id: 2, path: 'b' },
    ],
    [{ id: 2, path: 'a' }],
    1,
    false,
  ],
  ['texts themselves', ['b', 'a'], ['a', 'b'], 2, true],
  ['place, where nothing is shared', [{ id: 1 }], [{ id: 2 }], 1, false],
  ['nothing, for an empty list', [], [{ id: 2 }], 0, false],
])('items are matched up by %s', ([, ours, theirs, pairs, reordered]) => {
  const { pairs: found, isReordered } = alignItems(ours, theirs)
  expect([found.length, isReordered]).toEqual([pairs, reordered])
})
