import { isDeepStrictEqual } from 'node:util'
import { Temporal } from 'temporal-polyfill'
import type { Json } from '../../../../src/base/formats/json.ts'
import type { Condition, Selection } from '../../../../src/resources/collections/documents/selection.ts'

/** A document as a list without indexes keeps it. */
export interface NaiveDocument {
  readonly id: string
  readonly seq: number
  readonly value: Readonly<Record<string, Json>>
  readonly hidden: Readonly<Record<string, Json>>
}

/** What a selection means, without any thought of speed. */
export function naiveSelect(
  documents: readonly NaiveDocument[],
  { conditions, order, newestFirst }: Selection,
): readonly NaiveDocument[] {
  return documents
    .filter((document) => conditions.every((condition) => meets(document, condition)))
    .sort((a, b) => {
      for (const { pointer, descending } of order) {
        const [one, other] = [at(a.value, pointer), at(b.value, pointer)]
        const compared = compareNulls(one, other) || (descending ? -compare(one, other) : compare(one, other))
        if (compared !== 0) return compared
      }
      return newestFirst ? b.seq - a.seq : a.seq - b.seq
    })
}

function meets({ value, hidden }: NaiveDocument, condition: Condition): boolean {
  if ('text' in condition) {
    const texts = condition.pointers.flatMap((pointer) => at(value, pointer)).filter((one) => typeof one === 'string')
    const wanted = condition.text.toLowerCase()
    return texts.some((text) => {
      const found = text.toLowerCase()
      if (condition.at === 'start') return found.startsWith(wanted)
      return condition.at === 'end' ? found.endsWith(wanted) : found.includes(wanted)
    })
  }
  const document = { id: '', seq: 0, value, hidden }
  if ('anyOf' in condition) {
    const isMet = condition.anyOf.some((group) => group.every((one) => meets(document, one)))
    return isMet !== (condition.isNot ?? false)
  }
  if ('empty' in condition) {
    const one = at(value, condition.empty)
    const isEmpty = one === null || (typeof one === 'object' && Object.keys(one).length === 0)
    return isEmpty !== condition.isNot
  }
  const held = 'hidden' in condition ? (hidden[condition.hidden] ?? null) : at(value, condition.pointer)
  const elements = Array.isArray(held) ? (held as Json[]) : [held]
  if ('oneOf' in condition) return elements.some((one) => condition.oneOf.some((wanted) => isSame(one, wanted)))
  const { from, to } = condition
  return elements.some((one) => {
    if (from && (kind(one) !== kind(from.value) || compare(one, from.value) < (from.exclusive ? 1 : 0))) return false
    return !to || (kind(one) === kind(to.value) && compare(one, to.value) <= (to.exclusive ? -1 : 0))
  })
}

function at(value: Json, pointer: string): Json {
  const names = pointer.split('/').slice(1)
  return names.reduce<Json>((inner, name) => (inner as Record<string, Json> | null)?.[name] ?? null, value)
}

const KINDS = ['boolean', 'number', 'instant', 'text', 'structure', 'null']

function kind(value: Json): string {
  if (value === null) return 'null'
  if (typeof value === 'object') return 'structure'
  if (typeof value === 'string') return instantOf(value) === undefined ? 'text' : 'instant'
  return typeof value === 'bigint' ? 'number' : typeof value
}

/** Nanoseconds. */
function instantOf(text: string): bigint | undefined {
  return /^\d{4}-\d\d-\d\dT/.test(text) ? Temporal.Instant.from(text).epochNanoseconds : undefined
}

function compareNulls(a: Json, b: Json): number {
  return Number(a === null) - Number(b === null)
}

function compare(a: Json, b: Json): number {
  if (kind(a) !== kind(b)) return KINDS.indexOf(kind(a)) - KINDS.indexOf(kind(b))
  if (typeof a === 'string' && typeof b === 'string') {
    const [one, other] = [instantOf(a), instantOf(b)]
    if (one === undefined || other === undefined) return Buffer.compare(Buffer.from(a), Buffer.from(b))
    return one < other ? -1 : Number(one > other)
  }
  if (typeof a === 'object' || typeof b === 'object') return 0
  return a < b ? -1 : Number(a > b)
}

function isSame(a: Json, b: Json): boolean {
  return kind(a) === 'structure' ? isDeepStrictEqual(a, b) : compare(a, b) === 0
}
