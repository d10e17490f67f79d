import { refusal } from '../../handler.ts'
import { readEach, type Reader } from '../../reader.ts'
import { counted } from '../../../errors/counted.ts'
import { oneOf } from '../../../errors/nearest.ts'
import type { Members } from '../../normalize-body.ts'
import type { BehaviourTracker } from '../../../behaviours/tracker.ts'
import type { Violation } from '../../../errors/problem.ts'
import type { FieldSort } from '../search/query.ts'

/** Reads `fieldSort`, each field once. */
export function readFieldSort(list: readonly unknown[], reader: Reader): FieldSort[] {
  const { tracker, violations } = reader
  const most = tracker.answers['sort.max']
  if (list.length > most)
    violations.push(refusal('sort.max', { pointer: '/fieldSort' }, `at most ${counted(most, 'sort key')}`, list.length))
  const keys: FieldSort[] = []
  for (const { field, order, at } of readEach(list.slice(0, most), '/fieldSort', reader, readSortKey)) {
    if (!keys.some((key) => key.field === field)) keys.push({ field, order })
    else if (tracker.ask('sort.duplicate') === 'error')
      violations.push(refusal('sort.duplicate', { pointer: `${at}/field` }, 'each field once', field))
  }
  return keys
}

function readSortKey(
  element: Members,
  at: string,
  { tracker, violations }: Reader,
): (FieldSort & { at: string }) | undefined {
  const order = readOrder(element.order, at, tracker, violations)
  const { field } = element
  const fields: readonly string[] = tracker.answers['sort.fields']
  if (typeof field === 'string' && fields.includes(field)) {
    if (field !== 'created') tracker.note('sort.fields')
    return { field, order, at }
  }
  if (field !== undefined && typeof field !== 'string') return undefined
  if (tracker.ask('sort.unknown') === 'error')
    violations.push(refusal('sort.unknown', { pointer: `${at}/field` }, oneOf(fields, field), field))
  return undefined
}

function readOrder(order: unknown, at: string, tracker: BehaviourTracker, violations: Violation[]): 'ASC' | 'DESC' {
  const pointer = `${at}/order`
  if (order === undefined) {
    if (tracker.ask('sort.order-absent') === 'error')
      violations.push(refusal('sort.order-absent', { pointer }, 'ASC or DESC'))
    return 'ASC'
  }
  if (typeof order !== 'string') return 'ASC'
  const rule = tracker.answers['sort.order-values']
  const spelt = rule === 'any-case' ? order.toUpperCase() : order
  if (order !== 'ASC') tracker.note('sort.order-values')
  if (spelt === 'ASC' || (spelt === 'DESC' && rule !== 'asc-only')) return spelt
  violations.push(refusal('sort.order-values', { pointer }, rule === 'asc-only' ? 'ASC' : 'ASC or DESC', order))
  return 'ASC'
}
