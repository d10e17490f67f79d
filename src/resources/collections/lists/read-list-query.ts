import { isObject, type Json, type Members } from '../../../base/formats/json.ts'
import { type Violation, violation, type Where } from '../../../base/errors/problem.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { comparableOf, endOfDay, isDay, plainText, textsOf } from './comparable.ts'
import type { Condition, DocumentSortKey } from '../documents/selection.ts'
import type { ItemMember, ItemMembers } from './item-members.ts'
import type { RangeEnd, ListParameter, Meaning } from './list-parameter.ts'
import { meaningOf } from './meaning-of.ts'
import { conditionOf } from './named-values.ts'
import type { RelatedMember } from '../related/embedded-members.ts'
import { relatedNamed } from '../related/related-members.ts'
import { readSortKeys } from './sort-keys.ts'
import { expressionConditions, jsonIn } from './filters/expression-conditions.ts'
import { filtersOf } from './filters/filters-of.ts'
import { keyOf } from '../../../base/formats/plurals.ts'
import { wordsOf } from '../../../base/formats/names.ts'

/** Where a page begins. */
export type PagePosition =
  | { readonly kind: 'start' }
  /** From 0. */
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'offset'; readonly offset: number }
  /** After or before a page, by its token, or an item, by its id. */
  | { readonly kind: 'after' | 'before'; readonly text: string; readonly where: Where }

/** What a request asks of a list. */
export interface ListQuery {
  readonly conditions: readonly Condition[]
  readonly order: readonly DocumentSortKey[]
  readonly position: PagePosition
  /** The size of a page; undefined where the request does not say it. */
  readonly size: number | undefined
  /** The default of the contract. */
  readonly usualSize: number | undefined
  /** The keys of the members that are shown; undefined for all. */
  readonly fields: ReadonlySet<string> | undefined
  /** The members that show the items that they name. */
  readonly related: readonly RelatedMember[]
  /** Names of parameters that were sent and have no effect. */
  readonly ignored: readonly string[]
  readonly violations: readonly Violation[]
}

/** The same while it is read. */
type Mutable = {
  -readonly [Name in keyof ListQuery]: ListQuery[Name] extends readonly (infer One)[] ? One[] : ListQuery[Name]
}

interface ListQueryContext {
  readonly items: ItemMembers
  /** Where violations are: in parameters by default. */
  readonly place?: 'pointer' | 'header'
}

/** Reads what a request asks of a list. @param values the parameters, or the body */
export function readListQuery(
  parameters: readonly ListParameter[],
  values: unknown,
  reading: ListQueryContext,
): ListQuery {
  const query: Mutable = {
    ...{ conditions: [], order: [], related: [], ignored: [], violations: [] },
    ...{ position: { kind: 'start' }, size: undefined, usualSize: undefined, fields: undefined },
  }
  const sent = parameters.flatMap((parameter) => {
    const value = valueOf(parameter, values)
    return value === undefined ? [] : [{ parameter, value }]
  })
  const direction = sent.find(({ parameter }) => parameter.meaning.kind === 'direction')?.value
  const usual = typeof direction === 'string' ? direction : undefined
  // A default such as -1 means that there is no limit.
  query.usualSize = parameters
    .flatMap(({ meaning, usual: size }) => (meaning.kind === 'size' ? (wholeNumber(size) ?? []) : []))
    .find((size) => size > 0)
  const either = sent.find(({ parameter, value }) => saysEither(parameter, value))
  for (const { parameter, value } of sent) {
    if (parameter === either?.parameter) continue
    const { violations, ignored } = query
    const before = [violations.length, ignored.length] as const
    readValue(query, parameter, { ...reading, value, usual })
    // A default that the list cannot use, such as `now`, is not the client's mistake, and was not sent.
    if (value === parameter.usual) violations.length = before[0]
    if (sentFor(parameter, values) === undefined) ignored.length = before[1]
  }
  return either ? { ...query, conditions: [{ anyOf: query.conditions.map((one) => [one]) }] } : query
}

/** `{ operator: 'or', name: …, tags: … }`: one of the filters suffices. */
function saysEither({ path, meaning }: ListParameter, value: unknown): boolean {
  const isOperator = /^(operator|conjunction|logic|combinator|match)$/.test(keyOf(wordsOf(path.at(-1) ?? '')))
  return isOperator && meaning.kind === 'unknown' && /^(or|any)_?$/i.test(plainText(value) ?? '')
}

/** Parameters for the start of a page. Their default is the first page. */
const PLACES: ReadonlySet<Meaning['kind']> = new Set(['page', 'offset', 'cursor'] as const)

function sentFor({ path }: ListParameter, values: unknown): unknown {
  return path.reduce<unknown>((held, name) => (isObject(held) ? held[name] : undefined), values)
}

/** What was sent for a parameter, else its default, unless it is about pages; undefined for nothing. */
function valueOf(parameter: ListParameter, values: unknown): unknown {
  const { usual, meaning } = parameter
  const sent = sentFor(parameter, values)
  const isPlace = PLACES.has(meaning.kind)
  if (sent === undefined || sent === null || sent === '')
    return usual === null || isPlace || meaning.kind === 'size' ? undefined : usual
  if (isPlace && sent === usual && (meaning.kind === 'cursor' || wholeNumber(sent) === undefined)) return undefined
  // Objects are read member by member.
  return isObject(sent) && meaning.kind !== 'filters' ? undefined : sent
}

interface SentValue extends ListQueryContext {
  readonly value: unknown
  /** The direction of keys that name none. */
  readonly usual: string | undefined
}

function readValue(query: Mutable, parameter: ListParameter, sent: SentValue): void {
  const { meaning, name } = parameter
  const { value, items } = sent
  switch (meaning.kind) {
    case 'page':
    case 'offset':
    case 'size':
    case 'cursor':
      readPaging(query, parameter, sent)
      return
    case 'sort': {
      const { keys, unknown } = readSortKeys(value, sent.usual, items)
      query.order.push(...keys)
      if (unknown.length > 0) query.ignored.push(name)
      return
    }
    case 'fields': {
      const selected = selectedFields(textsOf(value, false), meaning.related?.prefix.slice(0, -1))
      if (selected) query.fields = new Set([...(query.fields ?? []), ...selected])
      return
    }
    case 'filters':
      readFilters(query, name, sent)
      return
    case 'expression':
      for (const text of textsOf(value, false)) readExpression(query, meaning.holder, { ...sent, name, value: text })
      return
    case 'text':
      // `q=name = 'x'` filters; other texts are searched for.
      if (
        !/[=<>'"]/.test(plainText(value) ?? '') ||
        !readExpression({ ...query, ignored: [] }, undefined, { ...sent, name })
      )
        readCondition(query, meaning, { ...sent, name })
      return
    case 'named': {
      const text = plainText(value) ?? ''
      if (/^(true|1|false|0)$/.test(text)) query.conditions.push(conditionOf(meaning, /^(false|0)$/.test(text)))
      else query.ignored.push(name)
      return
    }
    case 'between': {
      const [from, to] = textsOf(value)
      if (from !== undefined) readRange(query, { ...meaning, bound: FROM }, { ...sent, name, value: from })
      if (to !== undefined) readRange(query, { ...meaning, bound: TO }, { ...sent, name, value: to })
      return
    }
    case 'equal':
    case 'range':
      readCondition(query, meaning, { ...sent, name })
      return
    case 'direction':
    case 'wait':
      return
    case 'expand': {
      const asked = textsOf(value).map((text) => relatedNamed(meaning.related, text))
      query.related.push(...asked.filter((one) => one !== undefined))
      if (asked.includes(undefined)) query.ignored.push(name)
      return
    }
    case 'hidden': {
      const { pointer, kind } = meaning.member
      const isSet: Condition = kind === 'boolean' ? { pointer, oneOf: [true] } : { empty: pointer, isNot: true }
      if (!/^(true|1)$/.test(plainText(value) ?? '')) query.conditions.push({ anyOf: [[isSet]], isNot: true })
      return
    }
    case 'unknown':
      query.ignored.push(name)
  }
}

function readPaging(query: Mutable, { meaning, name }: ListParameter, { value, place }: SentValue): void {
  if (meaning.kind === 'cursor') {
    query.position = { kind: meaning.direction, text: plainText(value) ?? '', where: whereOf(name, place) }
    return
  }
  const isCount = meaning.kind === 'page' || meaning.kind === 'offset'
  const { first, least = first } = isCount ? meaning : { first: 0 }
  const number = wholeNumber(value)
  if (isCount && meaning.tokens && number === undefined) {
    query.position = { kind: 'after', text: plainText(value) ?? '', where: whereOf(name, place) }
    return
  }
  if (number === undefined || number < least) {
    query.violations.push(violation(whereOf(name, place), 'collections', `a whole number from ${least}`, value))
    return
  }
  const past = Math.max(0, number - first)
  if (meaning.kind === 'size') query.size ??= number
  else if (query.position.kind === 'start' || query.position.kind === 'offset')
    query.position = meaning.kind === 'page' ? { kind: 'page', page: past } : { kind: 'offset', offset: past }
}

function whereOf(name: string, place?: ListQueryContext['place']): Where {
  if (place === undefined) return { parameter: name }
  return place === 'pointer' ? { pointer: name } : { header: name }
}

function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && !/^-?\d{1,15}$/.test(value)) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : undefined
}

interface NamedParameter extends SentValue {
  readonly name: string
}

function readCondition(
  query: Mutable,
  meaning: Extract<Meaning, { kind: 'equal' | 'range' | 'text' }>,
  sent: NamedParameter,
): void {
  const { value } = sent
  if (meaning.kind === 'text') {
    // `like_name=*word*` and `name__like=%word%` have wildcards at their ends.
    const text = textsOf(value, false)
      .join(' ')
      .trim()
      .replaceAll(/^[*%]+|[*%]+$/g, '')
    if (text !== '') query.conditions.push({ pointers: meaning.pointers, text, at: meaning.at })
  } else if (meaning.kind === 'range')
    for (const one of [value].flat()) readRange(query, meaning, { ...sent, value: one })
  else readEqual(query, meaning, sent)
}

/**
 * The keys of the members that a selector names; undefined for all. `files(id,name),nextPageToken` and `files/id` select of the response,
 * as partial responses of Google's APIs and of others do; `id,owner.name` selects of each item.
 *
 * @param list the member of the response that has the items; undefined or empty where the response is the list
 */
function selectedFields(texts: readonly string[], list: string | undefined): ReadonlySet<string> | undefined {
  const entries = texts.flatMap((text) => text.match(/(?:[^,()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [])
  const parts = entries.map((entry) => /^([^./(]*)[./(]?(.*?)\)?$/.exec(entry.trim()) ?? [])
  const inner = parts.flatMap(([, name, rest = '']) => (name !== undefined && name === list ? [rest] : []))
  if (inner.length > 0) return inner.includes('') ? undefined : selectedFields(inner, undefined)
  const names = parts.map(([, name = '']) => name)
  return names.includes('*') ? undefined : new Set(names.map((name) => keyOf(wordsOf(name))))
}

function readRange(
  query: Mutable,
  { member, bound: { end, isExclusive } }: { readonly member: ItemMember; readonly bound: RangeEnd },
  { value, name, place }: NamedParameter,
): void {
  // An upper bound that is a day includes the whole day.
  const isEnd = member.kind !== 'date' && isDay(value) && end === 'to' && !isExclusive
  const bound = isEnd ? endOfDay(member, value) : comparableOf(member, value)
  if (bound !== undefined && typeof bound !== 'boolean')
    query.conditions.push({
      pointer: member.pointer,
      [end]: { value: bound, ...(isExclusive ? { exclusive: true } : {}) },
    })
  else query.violations.push(violation(whereOf(name, place), 'collections', EXPECTED[member.kind] ?? 'a number', value))
}

const EXPECTED: Readonly<Record<string, string>> = {
  instant: 'an instant such as 2026-03-01T09:00:00Z, or a day such as 2026-03-01',
  date: 'a day such as 2026-03-01',
  epoch: 'seconds since 1970, or an instant such as 2026-03-01T09:00:00Z',
}

/** Values that ask for all items. */
export const ALL: ReadonlySet<string> = new Set(['all', 'any', '*'])

const FROM: RangeEnd = { end: 'from', isExclusive: false }
const TO: RangeEnd = { end: 'to', isExclusive: false }

function readEqual(
  query: Mutable,
  { member, isSeveral, how, others = [] }: Extract<Meaning, { kind: 'equal' }>,
  sent: NamedParameter,
): void {
  const { value } = sent
  if (how === 'absent' || how === 'present') {
    const isTrue = !/^(false|0|no)$/i.test(plainText(value) ?? '')
    query.conditions.push({ empty: member.pointer, isNot: isTrue === (how === 'present') })
    return
  }
  const { pointer, kind, values } = member
  const isListed = isSeveral || (typeof value === 'string' && values !== undefined && !values.includes(value))
  const wanted: readonly unknown[] = isListed ? textsOf(value) : [value].flat()
  if (wanted.some((one) => ALL.has(plainText(one)?.toLowerCase() ?? '') && !values?.includes(one))) return
  const [day] = wanted
  if ((kind === 'instant' || kind === 'epoch') && wanted.length === 1 && isDay(day)) {
    readRange(query, { member, bound: FROM }, { ...sent, value: day })
    readRange(query, { member, bound: TO }, { ...sent, value: day })
    return
  }
  const valuesOf = (one: unknown) => comparableValues(member, one)
  if (how === 'every') query.conditions.push(...wanted.map((one) => ({ pointer, oneOf: valuesOf(one) })))
  else if (how) query.conditions.push({ anyOf: [[{ pointer, oneOf: wanted.flatMap(valuesOf) }]], isNot: true })
  else query.conditions.push(anyIs([pointer, ...others], wanted.flatMap(valuesOf)))
}

function anyIs([pointer = '', ...others]: readonly string[], oneOf: readonly Json[]): Condition {
  if (others.length === 0) return { pointer, oneOf }
  return { anyOf: [pointer, ...others].map((one) => [{ pointer: one, oneOf }]) }
}

/** The values that match a value of a request. A member of several types matches `5` and `"5"`, or `true` and `"true"`. */
function comparableValues(member: ItemMember, value: unknown): readonly Json[] {
  const known = comparableOf(member, value)
  if (member.kind !== 'any') return known === undefined ? [] : [known]
  const text = plainText(value)
  const flag = text === 'true' || text === 'false' ? [text === 'true'] : []
  return [...new Set([...(known === undefined ? [] : [known]), ...(text === undefined ? [] : [text]), ...flag])]
}

/** Filters that are named by the request, and not by the contract. */
function readFilters(query: Mutable, name: string, { value: filters, ...sent }: SentValue): void {
  const [groups, others] = isObject(filters) ? joinedIn(filters) : [[], filters]
  for (const [isEither, parts] of groups) {
    const read = parts.map((value) => {
      const inner: Mutable = { ...query, conditions: [] }
      readFilters(inner, name, { ...sent, value })
      return inner.conditions
    })
    query.conditions.push(...(isEither ? [{ anyOf: read }] : read.flat()))
  }
  for (const { words, value, at } of filtersOf(others, name, sent.place === 'pointer'))
    if (!words || !readFilter(query, words, { ...sent, value, name: at })) query.ignored.push(at)
}

/** Whether the items have what a filter names. */
function readFilter(query: Mutable, words: readonly string[], sent: NamedParameter): boolean {
  const shape = shapeOf(undefined, {})
  const meaning = meaningOf({ name: 'filter[]', path: [], words, shape, description: '' }, sent.items, new Set())
  if (meaning.kind !== 'equal' && meaning.kind !== 'range' && meaning.kind !== 'text') return false
  readCondition(query, meaning, sent)
  return true
}

/** Whether a text is a filter that can be followed: an expression, or JSON. */
function readExpression(query: Mutable, holder: string | undefined, sent: NamedParameter): boolean {
  const text = plainText(sent.value) ?? ''
  const json = jsonIn(text)
  if (json !== undefined) {
    readFilters(query, sent.name, { ...sent, value: json })
    return true
  }
  const filter = (words: readonly string[], value: unknown) => {
    const inner: Mutable = { ...query, conditions: [] }
    return readFilter(inner, words, { ...sent, value }) ? inner.conditions : undefined
  }
  const conditions = expressionConditions(text, { items: sent.items, holder, filter })
  if (conditions) query.conditions.push(...conditions)
  else query.ignored.push(sent.name)
  return conditions !== undefined
}

/** The filters in `and` and `or`, and those beside them. */
function joinedIn(filters: Members): readonly [(readonly [isEither: boolean, parts: readonly unknown[]])[], Members] {
  const entries = Object.entries(filters)
  const isJoin = ([name, value]: readonly [string, unknown]) => /^\$?(and|or)_?$/i.test(name) && Array.isArray(value)
  const groups = entries
    .filter(isJoin)
    .map(([name, parts]): [boolean, readonly unknown[]] => [/or/i.test(name), parts as unknown[]])
  return [groups, Object.fromEntries(entries.filter((one) => !isJoin(one)))]
}
