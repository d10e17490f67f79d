import { escapeRegExp } from '../../../base/escape-reg-exp.ts'
import { type Integer, isObject, type Json, splitPointer } from '../../../base/formats/json.ts'
import type { Entry } from './stored-document.ts'
import { compareKeys, isEqual, type Key, keyOf, kindOf } from './key.ts'

/** Which documents, and in which order. Without keys, and where they are equal, the order is that of creation. */
export interface Selection {
  /** All of them must hold. */
  readonly conditions: readonly Condition[]
  readonly order: readonly DocumentSortKey[]
  /** The latest first where the keys are equal. */
  readonly newestFirst?: boolean | undefined
}

/**
 * Values are compared as JSON: the text `"7"` is not the number 7, and `null` is also an absent member. Timestamps are compared as
 * instants. A member that is a list fits when one of its elements does.
 */
export type Condition =
  | { readonly pointer: string; readonly oneOf: readonly Json[] }
  /** Only values of the same kind as the bounds: numbers, instants, or other texts. */
  | { readonly pointer: string; readonly from?: Bound | undefined; readonly to?: Bound | undefined }
  /** One of the texts contains it, or has it at an end, ignoring case; with `isGlob`, one is it, and `*` in it is any text. */
  | {
      readonly pointers: readonly string[]
      readonly text: string
      readonly at?: TextEnd | undefined
      readonly isGlob?: true
    }
  /** All conditions of one of the groups hold; with `isNot`, of none. */
  | { readonly anyOf: readonly (readonly Condition[])[]; readonly isNot?: boolean }
  /** It is absent, null, or an empty list or object. */
  | { readonly empty: string; readonly isNot: boolean }
  /** The same as the first for a hidden fact. */
  | { readonly hidden: string; readonly oneOf: readonly Json[] }

/** At which end of a text another one has to be. */
export type TextEnd = 'start' | 'end'

export interface Bound {
  readonly value: Integer | string
  readonly exclusive?: boolean | undefined
}

/**
 * Booleans come before numbers, then instants, other texts by code point, and lists and objects, which are all equal. In a descending
 * order it is the other way round. What is null or absent comes last in both.
 */
export interface DocumentSortKey {
  readonly pointer: string
  readonly descending: boolean
}

/** Where a document is in an order, whether it still exists or not. It can be written as JSON. */
export interface Place {
  /** A value for each key; `[]` for any list or object. */
  readonly values: readonly Json[]
  readonly seq: number
}

type ReadMember = (entry: Entry) => Json | undefined

export function readerOf(pointer: string): ReadMember {
  const names = splitPointer(pointer)
  return ({ document }) => {
    let value: Json | undefined = document.value
    for (const [at, name] of names.entries()) {
      if (typeof value !== 'object' || value === null) return undefined
      if (Object.hasOwn(value, name)) value = (value as Readonly<Record<string, Json>>)[name]
      else return Array.isArray(value) ? membersOf(value as readonly Json[], names.slice(at)) : undefined
    }
    return value
  }
}

/** `/tags/name` is the list of the names of all tags. */
function membersOf(value: Json | undefined, [name, ...rest]: readonly string[]): readonly Json[] {
  if (Array.isArray(value))
    return value.flatMap((one: Json) => membersOf(one, name === undefined ? [] : [name, ...rest]))
  if (name === undefined) return value === undefined ? [] : [value]
  return isObject(value) ? membersOf(value[name], rest) : []
}

/** The values that a condition looks at: those of a list instead of the list. */
export function elementsOf(value: Json | undefined): readonly (Json | undefined)[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [value]
}

/** Conditions that an index of values cannot answer: it is looked up in all documents which meet them. */
type SearchCondition = Extract<Condition, { text: string } | { anyOf: unknown } | { empty: string }>

export function isSearch(condition: Condition): condition is SearchCondition {
  return 'text' in condition || 'anyOf' in condition || 'empty' in condition
}

/** What a condition looks at, except such a one. */
export function valueReader(condition: Exclude<Condition, SearchCondition>): ReadMember {
  if ('hidden' in condition) return ({ document }) => document.hidden?.[condition.hidden]
  return readerOf(condition.pointer)
}

/** Whether a document meets a condition. */
export function matcher(condition: Condition): (entry: Entry) => boolean {
  if ('text' in condition) return textMatcher(condition)
  if ('empty' in condition) {
    const read = readerOf(condition.empty)
    return (entry) => isEmpty(read(entry)) !== condition.isNot
  }
  if ('anyOf' in condition) {
    const groups = condition.anyOf.map((group) => group.map(matcher))
    const isWanted = condition.isNot !== true
    return (entry) => groups.some((group) => group.every((matches) => matches(entry))) === isWanted
  }
  const read = valueReader(condition)
  const fits =
    'oneOf' in condition
      ? (value: Json | undefined) => condition.oneOf.some((one) => isEqual(value, one))
      : (value: Json | undefined) => isWithin(keyOf(value), condition)
  return (entry) => elementsOf(read(entry)).some(fits)
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

function textMatcher({ pointers, text, at, isGlob }: Extract<Condition, { text: string }>): (entry: Entry) => boolean {
  const readers = pointers.map(readerOf)
  if (isGlob) {
    const parts = text.split('*')
    return (entry) =>
      readers.some((read) => elementsOf(read(entry)).some((value) => typeof value === 'string' && isLike(value, parts)))
  }
  const pattern = new RegExp(`${at === 'start' ? '^' : ''}${escapeRegExp(text)}${at === 'end' ? '$' : ''}`, 'iu')
  return (entry) =>
    readers.some((read) => elementsOf(read(entry)).some((value) => typeof value === 'string' && pattern.test(value)))
}

/** Whether a text has the parts in their order, from its start to its end: no pattern of a client takes longer than the text is long. */
function isLike(text: string, parts: readonly string[]): boolean {
  const [first = '', ...others] = parts
  const last = others.pop()
  if (last === undefined) return text === first
  let at = first.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.startsWith(first) && text.endsWith(last) && text.length - last.length >= at
}

export interface KeyRange {
  readonly from?: Bound | undefined
  readonly to?: Bound | undefined
}

function isWithin(key: Key, { from, to }: KeyRange): boolean {
  const isOfKind = [from, to].every((bound) => !bound || kindOf(keyOf(bound.value)) === kindOf(key))
  return isOfKind && (!from || !isBelow(key, from)) && (!to || !isAbove(key, to))
}

export function isBelow(key: Key, { value, exclusive }: Bound): boolean {
  const order = compareKeys(key, keyOf(value))
  return order < 0 || (order === 0 && exclusive === true)
}

export function isAbove(key: Key, { value, exclusive }: Bound): boolean {
  const order = compareKeys(key, keyOf(value))
  return order > 0 || (order === 0 && exclusive === true)
}
