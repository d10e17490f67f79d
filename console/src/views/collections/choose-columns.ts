import { isObject, textOf, valueAt } from './changes.ts'
import type { Field, Form } from './editor/schema-form.ts'

/** A column of the table of documents. */
export interface Column {
  /** The member as a JSON pointer; undefined for the id of documents that do not show it. */
  readonly pointer: string | undefined
  readonly title: string
  /** As CSS writes it for a grid. */
  readonly width: string
  /** How its values are shown: ids shortened, words of a status as chips. */
  readonly look?: 'id' | 'kind' | 'title'
}

interface Collection {
  readonly form: Form
  readonly schema: unknown
  /** Some of its documents. */
  readonly samples: readonly unknown[]
  /** The member that holds the id. */
  readonly identity: string | null
}

const TITLES = /^(?:full_?|display_?)?(?:name|title|label|subject|summary|login|username|headline)$/i
const KINDS = /^(?:.*_)?(?:status|state|type|kind|category|phase|priority|role|level)$/i
const CONTACTS = /email|phone|slug|code|sku|country|city|^key$|reference/i
const AMOUNTS = /price|amount|total|cost|balance|quantity|count|size|sum|rate|score/i
const CREATED = /creat|date|placed|issued|^at$|start|publish/i
const CHANGED = /updat|modif|chang|end|expir/i
const LINKS = /(?<!node)[_-]id$|Id$/
const TEXTS = /description|note|body|content|text|comment|url|uri|href|token|hash|node_id|object/i
const DATE = /^\d{4}-\d\d-\d\d(?:T|$)/
/** Columns that come last, and are shown on demand only. */
const NESTED = 30
const ABSENT = 20

/** All columns that a collection can have, the most useful first: the id, names, statuses, amounts, dates. */
export function columnsOf({ form, schema, samples, identity }: Collection): readonly Column[] {
  const documented = form.fieldsOf(schema, {})
  const known = new Set(documented.map(({ pointer }) => pointer))
  const others = new Map<string, Field>()
  for (const sample of samples)
    for (const field of form.fieldsOf({}, sample)) if (!known.has(field.pointer)) others.set(field.pointer, field)
  const ranked = [...documented, ...others.values()]
    .filter(({ pointer }) => pointer !== identity)
    .map((field) => ({ field, rank: rankOf(field, samples) }))
    .toSorted((one, other) => one.rank - other.rank)
  return [idColumn(identity, samples), ...ranked.map(({ field }) => columnOf(field, samples))]
}

/** How many useful columns fit a width in pixels. */
export function columnsThatFit(all: readonly Column[], width: number): readonly Column[] {
  return all.slice(0, Math.min(7, Math.max(2, Math.floor(width / 125))))
}

function idColumn(identity: string | null, samples: readonly unknown[]): Column {
  const ids = samples.map((sample) => shortId(textOf(identity === null ? '' : valueAt(sample, identity))))
  const longest = Math.max(4, ...ids.map((id) => id.length))
  const title = identity === null ? 'id' : identity.slice(1)
  return { pointer: identity ?? undefined, title, width: `${longest * 0.56 + 1}rem`, look: 'id' }
}

/** An id that is longer than people read, by its two ends. @example shortId('0b0c1c9e-6f0f-4f8e-9a53-1f2b7a3c4d5e') // '0b0c1c9e…4d5e' */
export function shortId(id: string): string {
  return id.length > LONGEST_ID ? `${id.slice(0, 8)}…${id.slice(-4)}` : id
}

const LONGEST_ID = 16

function columnOf({ pointer, label, choices }: Field, samples: readonly unknown[]): Column {
  const isDate = samples.some((sample) => DATE.test(textOf(valueAt(sample, pointer))))
  const longest = Math.max(label.length, ...samples.map((sample) => cellText(valueAt(sample, pointer)).length))
  const isShort = choices.length > 0 || longest < 8
  const least = TITLES.test(label) ? 8 : isShort ? 4.5 : 7
  // What is longer gets more of the room, so that addresses are not cut beside short names.
  const width = isDate ? '9.5rem' : `minmax(${least}rem, ${Math.min(Math.max(longest, 8), 32)}fr)`
  const look = LINKS.test(label)
    ? 'id'
    : TITLES.test(label)
      ? 'title'
      : KINDS.test(label) || choices.length > 2
        ? 'kind'
        : undefined
  return { pointer, title: label, width, ...(look === undefined ? {} : { look }) }
}

function rankOf({ label, kind, pointer, choices }: Field, samples: readonly unknown[]): number {
  const values = samples.map((sample) => valueAt(sample, pointer))
  const isNested =
    values.some((value) => Array.isArray(value) || isObject(value)) || kind === 'object' || kind === 'list'
  const isAbsent = samples.length > 0 && values.every((value) => value === undefined || value === null)
  return (isNested ? NESTED : rankByName(label, kind, choices.length)) + (isAbsent ? ABSENT : 0)
}

function rankByName(label: string, kind: string, choices: number): number {
  if (TITLES.test(label)) return 1
  if (KINDS.test(label) || (choices > 2 && choices < 12)) return 2
  if (LINKS.test(label)) return 3
  if (TEXTS.test(label)) return 9
  if (CONTACTS.test(label)) return 4
  if (AMOUNTS.test(label) && kind === 'number') return 5
  if (CREATED.test(label)) return 6
  if (choices === 2) return 7
  return CHANGED.test(label) ? 10 : 8
}

/** A value as a short text for a cell. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) {
    const isPlain = value.every((one) => typeof one !== 'object')
    return isPlain && value.length < 10 ? value.join(', ') : `${value.length} ${value.length === 1 ? 'item' : 'items'}`
  }
  if (isObject(value)) {
    const telling = ['name', 'title', 'id'].map((name) => value[name]).find((one) => typeof one === 'string')
    return telling ?? `{ ${Object.keys(value).slice(0, 3).join(', ')} }`
  }
  const text = textOf(value)
  return DATE.test(text) && text.length > 15 ? text.slice(0, 16).replace('T', ' ') : text
}

/** The collection that a member names, by a pointer with `*` for elements of lists. */
export function referenceAt(
  pointer: string,
  references: readonly { readonly member: string; readonly collection: string }[],
): string | undefined {
  const plain = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
  return references.find(({ member }) => member === plain || member === pointer)?.collection
}
