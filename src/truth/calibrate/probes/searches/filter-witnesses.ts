import type { SeenEntry } from '../../search-seen.ts'
import type { Deduction } from '../../search-model/deduction.ts'
import { asText } from '../../search-model/order.ts'
import { FILTER_FIELDS, OPERATORS } from '../../../../behaviours/file-fields.ts'

export type FieldName = (typeof FILTER_FIELDS)[number]
export type Operator = (typeof OPERATORS)[number]

export interface FilterAsked {
  readonly field: string
  readonly operator?: string
  readonly value?: readonly unknown[]
  readonly not?: boolean | string
}

export function filterBy(...filters: readonly FilterAsked[]) {
  return { body: { filters } }
}

const NOT_TEXTS: readonly string[] = ['size', 'createdBy', 'created']
export const TEXT_FIELDS = FILTER_FIELDS.filter((field) => !NOT_TEXTS.includes(field)).toSorted(
  (a, b) => Number(b === 'name') - Number(a === 'name') || Number(b === 'path') - Number(a === 'path'),
)
export const NUMBER_FIELDS = ['size', 'createdBy'] as const

/** The fields that are known to be filtered by; if there are none, those that may be. */
export function fieldsAmong(fields: readonly FieldName[], { domainOf }: Deduction, most = 3): readonly FieldName[] {
  const possible = fields.filter((field) => domainOf(`field:${field}`).includes(true))
  const known = possible.filter((field) => domainOf(`field:${field}`).length === 1)
  return (known.length > 0 ? known : possible).slice(0, most)
}

/** The same for operators. */
export function operatorsAmong(operators: readonly Operator[], { domainOf }: Deduction): readonly Operator[] {
  const possible = operators.filter((operator) => domainOf(`operator:${operator}`).includes(true))
  const known = possible.filter((operator) => domainOf(`operator:${operator}`).length === 1)
  return (known.length > 0 ? known : possible).slice(0, 3)
}

/** The values that some entries have in a field as text, the short ones first. */
export function valuesIn(entries: Iterable<SeenEntry>, field: string): readonly string[] {
  const values = new Set<string>()
  for (const entry of entries) {
    const held = entry[field] ?? null
    if (held !== null && held !== '') values.add(asText(held))
  }
  return [...values].sort((a, b) => a.length - b.length)
}

/** A few of them, and one that no entry is likely to have. */
export function someValuesIn(entries: Iterable<SeenEntry>, field: FieldName): readonly string[] {
  const values = valuesIn(entries, field)
  const middle = values[values.length >> 1]
  const absent = field === 'created' ? '2001-01-01T00:00:00Z' : NOT_TEXTS.includes(field) ? '1' : 'x'
  return [...new Set([...values.slice(0, 1), ...(middle === undefined ? [] : [middle]), absent])]
}

/** A text with its letters in the other case. */
export function inOtherCase(text: string): string {
  return Array.from(text, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  ).join('')
}
