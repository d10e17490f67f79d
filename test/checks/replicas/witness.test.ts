import { expect, test } from 'vitest'
import { findViolations, type HistoryEvent, type Operation } from '../../../checks/replicas/witness.ts'

const EVENTS: readonly HistoryEvent[] = [
  { number: 0, type: 'document.created', requestId: 'a', id: '1', document: { name: 'one' } },
  { number: 1, type: 'document.updated', requestId: 'b', id: '1', document: { name: 'two' } },
  { number: 2, type: 'document.removed', requestId: 'c', id: '1' },
]

function operation(parts: Partial<Operation> & Pick<Operation, 'kind' | 'event' | 'status'>): Operation {
  return { client: 0, began: 10 * parts.event!, ended: 10 * parts.event! + 5, ...parts }
}

const CREATE = operation({ kind: 'create', name: 'one', event: 1, status: 201, requestId: 'a' })
const READ = operation({
  kind: 'get',
  id: 1,
  event: 1,
  status: 200,
  body: { name: 'one', id: 1 },
  began: 16,
  ended: 17,
})
const PUT = operation({
  kind: 'put',
  id: 1,
  name: 'two',
  event: 2,
  status: 200,
  requestId: 'b',
  demanded: { id: 1, name: 'one' },
})
const LIST = operation({ kind: 'list', event: 2, status: 200, body: [{ id: 1, name: 'two' }], began: 26, ended: 27 })
const REMOVE = operation({ kind: 'delete', id: 1, event: 3, status: 204, requestId: 'c' })
const SOUND = [CREATE, READ, PUT, LIST, REMOVE]

test('a history that agrees with its stream has no violation, also where a response was lost', () => {
  expect(findViolations(SOUND, EVENTS)).toEqual([])
  const lost = { ...PUT, status: 0, event: undefined, requestId: undefined }
  expect(findViolations([CREATE, READ, lost, LIST, REMOVE], EVENTS)).toEqual([])
})

test.for<[string, RegExp, Partial<Record<Operation['kind'], Partial<Operation>>>]>([
  ['a stale read', /get 1 .* got .*"one".* the events give two/, { get: { event: 2 } }],
  ['a stale list', /list .* got \[\]/, { list: { body: [] } }],
  ['a lost update', /was no longer three/, { put: { demanded: { id: 1, name: 'three' } } }],
  ['a change by another request', /its event is/, { put: { requestId: 'x' } }],
  ['an acknowledged change that is not there', /nine was acknowledged and is not stored/, { create: { name: 'nine' } }],
  ['a refused change that is there', /two, which was refused with 412/, { put: { status: 412 } }],
  ['a read from before an earlier response', /saw the event 1 after .* had seen 3/, { get: { began: 40, ended: 41 } }],
])('%s is found', ([, message, changes]) => {
  const operations = SOUND.map((one) => ({ ...one, ...changes[one.kind] }))
  expect(findViolations(operations, EVENTS).join('\n')).toMatch(message)
})

test('an event that is there twice, or that nobody asked for, is found', () => {
  const twice = { ...EVENTS[1]!, number: 3, requestId: 'z' }
  expect(findViolations(SOUND, [...EVENTS, twice]).join()).toMatch(/two is stored as the events 1 and 3/)
  expect(findViolations([], EVENTS).join()).toMatch(/stores one, which no client sent/)
})
