import { refusal } from './handler.ts'
import { readEach, type Reader } from './reader.ts'
import { counted } from '../counted.ts'
import { oneOf } from '../nearest.ts'
import type { Members } from './soften.ts'
import type { Leaning } from '../behaviours/leaning.ts'
import type { Violation } from '../problem.ts'
import type { FieldSort } from '../world/file-sets/query.ts'

/** Reads `fieldSort`, each field once. */
export function readFieldSort(list: readonly unknown[], reader: Reader): FieldSort[] {
  const { leaning, violations } = reader
  const most = leaning.answers['sort.max']
  if (list.length > most)
    violations.push(refusal('sort.max', { pointer: '/fieldSort' }, `at most ${counted(most, 'sort key')}`, list.length))
  const keys: FieldSort[] = []
  for (const { field, order, at } of readEach(list.slice(0, most), '/fieldSort', reader, readSortKey)) {
    if (!keys.some((key) => key.field === field)) keys.push({ field, order })
    else if (leaning.ask('sort.duplicate') === 'error')
      violations.push(refusal('sort.duplicate', { pointer: `${at}/field` }, 'each field once', field))
  }
  return keys
}

function readSortKey(
  element: Members,
  at: string,
  { leaning, violations }: Reader,
): (FieldSort & { at: string }) | undefined {
  const order = readOrder(element.order, at, leaning, violations)
  const { field } = element
  const fields: readonly string[] = leaning.answers['sort.fields']
  if (typeof field === 'string' && fields.includes(field)) {
    if (field !== 'created') leaning.lean('sort.fields')
    return { field, order, at }
  }
  if (field !== undefined && typeof field !== 'string') return undefined
  if (leaning.ask('sort.unknown') === 'error')
    violations.push(refusal('sort.unknown', { pointer: `${at}/field` }, oneOf(fields, field), field))
  return undefined
}

function readOrder(order: unknown, at: string, leaning: Leaning, violations: Violation[]): 'ASC' | 'DESC' {
  const pointer = `${at}/order`
  if (order === undefined) {
    if (leaning.ask('sort.order-absent') === 'error')
      violations.push(refusal('sort.order-absent', { pointer }, 'ASC or DESC'))
    return 'ASC'
  }
  if (typeof order !== 'string') return 'ASC'
  const rule = leaning.answers['sort.order-values']
  const spelt = rule === 'any-case' ? order.toUpperCase() : order
  if (order !== 'ASC') leaning.lean('sort.order-values')
  if (spelt === 'ASC' || (spelt === 'DESC' && rule !== 'asc-only')) return spelt
  violations.push(refusal('sort.order-values', { pointer }, rule === 'asc-only' ? 'ASC' : 'ASC or DESC', order))
  return 'ASC'
}
