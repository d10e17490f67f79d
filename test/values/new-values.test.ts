import { expect, test } from 'vitest'
import { firstStatus, idLike, isNothingYet, isOwnId, newBoolean } from '../../src/values/new-values.ts'

test.each([
  ['pending', ['canceled', 'failed', 'pending', 'processing', 'succeeded']],
  ['placed', ['cancelled', 'delivered', 'paid', 'placed', 'shipped']],
  ['QUEUED', ['COMPLETED', 'FAILED', 'QUEUED', 'RUNNING']],
  ['open', ['closed', 'open']],
  ['draft', ['uncollectible', 'void', 'paid', 'open', 'draft']],
  ['new', ['closed', 'open', 'pending', 'new', 'solved']],
  ['UNPAID', ['PAID', 'REFUNDED', 'UNPAID']],
  ['active', ['suspended', 'inactive', 'active']],
  ['available', ['available', 'pending', 'sold']],
  ['requires_action', ['canceled', 'processing', 'requires_action', 'succeeded']],
  ['JOB_STATE_PENDING', ['JOB_STATE_UNSPECIFIED', 'JOB_STATE_FAILED', 'JOB_STATE_RUNNING', 'JOB_STATE_PENDING']],
  ['not_started', ['done', 'in_progress', 'not_started']],
  ['pending_reviewing', ['accepted', 'rejected', 'pending_reviewing']],
  ['pending_submitting', ['submitted', 'returned', 'pending_submitting']],
  ['active', ['requires_attention', 'active', 'disabled']],
  ['preparing', ['ready', 'preparing', 'errored']],
  ['transcoding', ['finished', 'transcoding', 'failed']],
  ['idle', ['active', 'idle', 'disabled']],
  ['idle', ['broadcasting', 'starting', 'idle', 'errored']],
  ['NotPaid', ['Paid', 'NotPaid', 'PartiallyPaid']],
  ['outstanding', ['expired', 'none', 'outstanding', 'paid']],
  ['not_synced', ['synced', 'not_synced']],
  ['under_review', ['approved', 'denied', 'under_review']],
  ['in_queue', ['error', 'ok', 'in_queue']],
  ['enqueued', ['building', 'completed', 'enqueued']],
  ['invited', ['joined', 'left', 'invited']],
  ['unverified', ['verified', 'unverified']],
  ['Processing', ['Processed', 'Error', 'Processing']],
  ['sent', ['read', 'undelivered', 'sent']],
  ['red', ['red', 'green']],
])('something new is %s of %j', (first, values) => {
  expect(firstStatus(values)).toBe(first)
})

test.each([
  ['paid', false],
  ['archived', false],
  ['is_locked', false],
  ['disabled', false],
  ['enabled', true],
  ['isActive', true],
  ['can_edit', true],
  ['editable', true],
  ['unread', true],
])('the flag %s of something new is %s', (name, expected) => {
  expect(newBoolean(name)).toBe(expected)
})

test.each([
  ['posts_count', true],
  ['likes', true],
  ['num_replies', true],
  ['amount_refunded', true],
  ['amount', false],
  ['number', false],
  ['country', false],
  ['size', false],
])('%s counts what has not happened yet: %s', (name, expected) => {
  expect(isNothingYet(name)).toBe(expected)
})

test.each([
  ['id', '', true],
  ['node_id', '', true],
  ['labelId', 'Label', true],
  ['account_id', 'Label', false],
  ['paid', '', false],
])('%s of %j is its own id: %s', (name, owner, expected) => {
  expect(isOwnId(name, owner)).toBe(expected)
})

test.each([
  [208045946, /^[1-9]\d{8}$/],
  ['cus_4QFhkJ2o', /^cus_\d[A-Z]{2}[a-z]{2}[A-Z]\d[a-z]$/],
  ['6f9619ff-8b86-d011-b42d-00cf4fc964ff', /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
])('an id like %j has its form and is another', (example, form) => {
  const made = idLike(example, {}, 7)
  expect(String(made)).toMatch(form)
  expect(made).not.toBe(example)
  expect(made).not.toBe(idLike(example, {}, 8))
})

test('an id stays that of the example where that is a word, or where nothing else is allowed', () => {
  expect(idLike('laptop', {}, 7)).toBe('laptop')
  expect(idLike('A-1', { pattern: '^A-1$' }, 7)).toBe('A-1')
  expect(idLike(5, { minimum: 5, maximum: 5 }, 7)).toBe(5)
})
