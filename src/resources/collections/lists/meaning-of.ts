import type { Shape } from '../../../contract/schemas/shape.ts'
import { asList, isObject } from '../../../base/formats/json.ts'
import { comparableOf } from './comparable.ts'
import type { ItemMember, ItemMembers } from './item-members.ts'
import type { Meaning } from './list-parameter.ts'
import { boundsOf, comparisonsOf, directionOf, isPaging, type UsualMeaning, usualMeanings } from './parameter-names.ts'
import { isMap } from './filters/expression-conditions.ts'
import { waitUnit } from '../streams/wait-parameter.ts'
import { valuesNamed } from './named-values.ts'
import { keyOf } from '../../../base/formats/plurals.ts'

/** A parameter, or a part of one, before it is known what it means. */
export interface Input {
  readonly name: string
  readonly path: readonly string[]
  readonly words: readonly string[]
  readonly shape: Shape
  readonly description: string
  readonly isRequired?: boolean
  /** Whether the service counts pages from 0 where the document does not say. */
  readonly countsFromZero?: boolean
}

/** @param names the keys of all parameters of the operation */
export function meaningOf(input: Input, all: ItemMembers, names: ReadonlySet<string>): Meaning {
  // A parameter in the contract, such as `orderCast`, has a meaning of its own; it is not the name of an undocumented member.
  const { any, ...known } = all
  const items = any && input.path.length === 0 ? all : known
  const usual = (isCertain: boolean) => byName(input, items, { names, isCertain })
  // `filter[limit]` and `filter[where]` are about the list, unless items have such a member.
  if (/^(?:filter|where)s?\[/.test(input.name)) {
    const filter = byItems({ ...input, words: bare(input) }, items) ?? byValue(input, items)
    return filter ?? (input.path.length > 1 ? (usual(true) ?? usual(false)) : undefined) ?? UNKNOWN
  }
  if (waitUnit(input) !== undefined && !byItems(input, known)) return { kind: 'wait' }
  if (saysShown(input)) return UNKNOWN
  return (
    hiddenBy(input, items) ??
    usual(true) ??
    byItems(input, items) ??
    usual(false) ??
    byItems({ ...input, words: bare(input) }, items) ??
    byInner(input, items) ??
    byEnding(input, items) ??
    byValue(input, items) ??
    UNKNOWN
  )
}

const UNKNOWN: Meaning = { kind: 'unknown' }

/** Whether a switch says what is shown of each item, and not which: "whether to include the dnssec fields". */
function saysShown({ shape: { types }, description }: Input): boolean {
  return types.has('boolean') && SHOWN.test(description)
}

const SHOWN =
  /\b(?:whether|if)\b[^.]*\b(?:includ|show|return|add|omit|exclud|contain)\w*\b[^.]*\b(?:fields?|members?|propert(?:y|ies)|attributes?|columns?|details)\b/i

/** The name without what only says that it is a filter: `filter[status]`, `filterStatus`, `by_status`. */
function bare({ words }: Input): readonly string[] {
  return words.length > 1 && /^(filters?|where|by)$/.test(words[0] ?? '') ? words.slice(1) : words
}

interface KnownNames {
  readonly names: ReadonlySet<string>
  readonly isCertain: boolean
}

/** Meanings that are known by the name alone. */
function byName(input: Input, items: ItemMembers, { names, isCertain }: KnownNames): Meaning | undefined {
  // `from` is a date as often as a place.
  if (!isCertain && !isNumber(input) && isDate(input)) return undefined
  for (const usual of usualMeanings(keyOf(input.words), isCertain)) {
    const meaning = usual === 'text' ? searchAll(items) : PAGING[usual](input, names, items)
    if (meaning) return meaning
  }
  return undefined
}

/** The meanings that do not depend on the items; undefined where the schema contradicts. */
const PAGING: Record<
  Exclude<UsualMeaning, 'text'>,
  (input: Input, names: ReadonlySet<string>, items: ItemMembers) => Meaning | undefined
> = {
  page: (input) =>
    isPlace(input)
      ? { kind: 'page', first: isZeroBased(input) ? 0 : 1, ...leastOf(input), ...tokensOf(input, !saysToken(input)) }
      : undefined,
  offset: (input) =>
    isPlace(input)
      ? {
          ...{ kind: 'offset', first: isOneBased(input) ? 1 : 0, ...leastOf(input) },
          ...tokensOf(input, saysNumber(input) && !saysToken(input)),
        }
      : undefined,
  size: (input) => (isScalar(input) ? { kind: 'size' } : undefined),
  after: (input, names, items) => (mayBeCredential(input, names) ? undefined : cursorOf(input, 'after', items)),
  before: (input, _names, items) => cursorOf(input, 'before', items),
  sort: (input) => (isDirection(input) ? { kind: 'direction' } : { kind: 'sort' }),
  direction: (input, names) => {
    const hasSort = [...names].some((name) => /^(sort|order)(by|field|key|column)?$/.test(name))
    return isDirection(input) || (hasSort && !input.shape.keywords.enum) ? { kind: 'direction' } : undefined
  },
  fields: () => ({ kind: 'fields' }),
  expand: ({ shape }) => (shape.types.has('integer') ? undefined : { kind: 'expand' }),
  filters: ({ shape }) => {
    const isOpen = shape.types.has('object') && shape.properties.size === 0
    const isList = shape.types.has('array') && isObject(shape.items) && (shape.items.type ?? 'object') === 'object'
    if (isOpen || isList) return { kind: 'filters' }
    return isText({ shape }) || isTexts(shape) ? { kind: 'expression' } : undefined
  },
}

function cursorOf(input: Input, direction: 'after' | 'before', items: ItemMembers): Meaning | undefined {
  // A number can be neither a token nor an id that is a text.
  if (!isPlace(input)) return undefined
  const takesId =
    !saysToken(input) &&
    /^((start|starting|end|ending)?(after|before)(id)?|(since|until|last)id|since|until|start|lastkey)$/.test(
      keyOf(input.words),
    )
  // A number can be neither a token nor an id that is a text: it counts.
  const isCount = !isText(input) && items.find(['id'])?.kind === 'text'
  if (isCount) return takesId || direction === 'before' ? undefined : { kind: 'offset', first: 0, ...leastOf(input) }
  return takesId ? { kind: 'cursor', direction, takesId } : { kind: 'cursor', direction }
}

/** Whether a parameter that is called `token` alone is a key: nothing says that it is about pages. */
function mayBeCredential({ words, description, isRequired }: Input, names: ReadonlySet<string>): boolean {
  if (keyOf(words) !== 'token' || /\b(pag(e|es|ing|inated|ination)|cursor|continu\w+)\b/i.test(description))
    return false
  const isKey = /\b(auth\w*|access|api|bearer|credentials?|secret|key|session|jwt|log ?in|security|password)\b/i
  return isRequired === true || isKey.test(description) || ![...names].some(isPaging)
}

function isNumber({ shape: { types } }: Input): boolean {
  return types.size === 0 || types.has('integer') || types.has('number')
}

function isText({ shape: { types } }: Pick<Input, 'shape'>): boolean {
  return types.size === 0 || types.has('string')
}

function isTexts({ types, items }: Shape): boolean {
  return types.has('array') && isObject(items) && items.type === 'string'
}

function isScalar(input: Input): boolean {
  return isNumber(input) || isText(input)
}

/** Whether it can be a number, a token or an id: a date is the bound of a range. */
function isPlace(input: Input): boolean {
  return isScalar(input) && !DATE_FORMATS.has(input.shape.keywords.format)
}

/** Whether the format or the description says that values are dates. */
function isDate({ shape: { keywords }, description }: Input): boolean {
  if (DATE_FORMATS.has(keywords.format)) return true
  return /\b(date|time|timestamp|iso.?8601|epoch|yyyy)\b/i.test(description) && !saysToken({ description })
}

function tokensOf(input: Input, isNumbered: boolean): { tokens?: 'taken' | 'given' } {
  return isNumber(input) ? {} : { tokens: isNumbered ? 'taken' : 'given' }
}

function saysToken({ description }: Pick<Input, 'description'>): boolean {
  return /\b(tokens?|cursors?|opaque)\b/i.test(description)
}

/** Whether what is written of a text means that it counts: an index, or a number as default or example. */
function saysNumber({ shape: { keywords }, description }: Input): boolean {
  if ([keywords.default, keywords.example].some((one) => /^\d+$/.test(String(one)))) return true
  return /\b(numbers?|index|how many|skip(ped|s|ping)?|zero|based)\b/i.test(description)
}

const DATE_FORMATS: ReadonlySet<unknown> = new Set(['date', 'date-time'])

function isDirection({ shape: { keywords } }: Input): boolean {
  return (
    Array.isArray(keywords.enum) &&
    keywords.enum.every((value) => value === null || value === '' || directionOf(String(value)) !== undefined)
  )
}

function isZeroBased({ shape: { keywords }, words, description, countsFromZero }: Input): boolean {
  if (keywords.minimum === 1 || keywords.default === 1) return false
  if (countsFromZero || keywords.minimum === 0 || keywords.default === 0 || words.includes('index')) return true
  return /\b(0|zero)[- ]?(based|indexed)|start(s|ing)? (at|with|from) (0|zero)\b/i.test(description)
}

function isOneBased({ shape: { keywords }, description }: Input): boolean {
  return keywords.minimum === 1 || keywords.default === 1 || /\b(1|one)[- ]?(based|indexed)/i.test(description)
}

function leastOf({ shape: { keywords } }: Input): { least?: number } {
  return keywords.minimum === 0 ? { least: 0 } : {}
}

/** Filters by what the items have. */
function byItems(input: Input, items: ItemMembers): Meaning | undefined {
  const { words } = input
  const member = fitting(items.find(words) ?? items.findDate(words), input)
  if (member) return compared(member, input)
  for (const { bound, rest } of boundsOf(words)) {
    const named = rest.length > 0 ? (ordered(items.find(rest)) ?? items.findDate(rest)) : obviousDate(input, items)
    const bounded = named ?? (rest.length > 0 ? items.any?.(rest) : undefined)
    if (bounded) return { kind: 'range', member: bounded, bound }
  }
  for (const { kind, rest, how, at, isSeveral } of comparisonsOf(words)) {
    const other = how ? items.find(rest) : fitting(items.find(rest), input)
    const member = other ?? items.any?.(rest)
    if (!member) continue
    if (kind === 'text') return { kind: 'text', pointers: [member.pointer], at }
    const meant = compared(member, input)
    return meant.kind === 'equal' ? { ...meant, how, isSeveral: isSeveral || meant.isSeveral } : meant
  }
  const between = input.shape.types.has('array') ? ordered(betweenOf(words, items)) : undefined
  if (between) return { kind: 'between', member: between }
  const holder = holderOf(input, items)
  if (holder) return { kind: 'expression', holder: holder.pointer }
  const any = items.any?.(words)
  return any && compared(any, input)
}

/** `range[price]` and `created_between` take two values of a member. */
function betweenOf(words: readonly string[], items: ItemMembers): ItemMember | undefined {
  const isBetween = (word = '') => /^(range|between)$/.test(word)
  const rest = isBetween(words[0]) ? words.slice(1) : isBetween(words.at(-1)) ? words.slice(0, -1) : []
  return rest.length > 0 ? (items.find(rest) ?? items.findDate(rest)) : undefined
}

/** `labels` and `labelSelector` name members of the object `labels` of an item, or of its metadata. */
function holderOf({ words, shape }: Input, { all }: ItemMembers): ItemMember | undefined {
  const named = words.length > 1 && words.at(-1) === 'selector' ? words.slice(0, -1) : words
  const isAsked = isText({ shape }) || isTexts(shape)
  return isAsked && named.length === 1
    ? all.find((one) => isMap(one) && keyOf([one.words.at(-1) ?? '']) === keyOf(named))
    : undefined
}

/** `?include_archived=true` shows what is archived, `with_deleted` and `show_hidden` likewise. */
function hiddenBy({ words: [verb = '', ...rest], shape }: Input, items: ItemMembers): Meaning | undefined {
  const isFlag = [...shape.types].every((type) => type === 'boolean' || type === 'null')
  if (!/^(include|including|with|show)$/.test(verb) || rest.length === 0 || !isFlag) return undefined
  const member = [['is', ...rest], rest, [...rest, 'at']]
    .map((words) => items.find(words))
    .find((one) => one !== undefined)
  const isMark = member?.kind === 'boolean' || member?.kind === 'instant'
  return isMark && /^(archived|deleted|hidden|trashed|disabled|inactive|removed)$/.test(keyOf(rest))
    ? { kind: 'hidden', member }
    : undefined
}

/** `?city=` filters by `/address/city`. What says how items are shown, such as `format` and `currency`, filters nothing. */
function byInner(input: Input, items: ItemMembers): Meaning | undefined {
  const member = fitting(items.findInner?.(bare(input)), input)
  return member && !ASIDE.test(keyOf(input.words)) ? compared(member, input) : undefined
}

/** `?account_id=` filters by `from_account_id` and `to_account_id`. */
function byEnding(input: Input, { all }: ItemMembers): Meaning | undefined {
  const words = bare(input)
  if (words.length < 2 || words.at(-1) !== 'id') return undefined
  const ending = all.filter((one) => !one.isInList && keyOf(one.words.slice(-words.length)) === keyOf(words))
  const [member, ...others] = ending.filter((one) => fitting(one, input))
  const meaning = member && compared(member, input)
  return meaning?.kind === 'equal' ? { ...meaning, others: others.map(({ pointer }) => pointer) } : meaning
}

/**
 * `filter[running]=true`: whether the status of an item is `running`. A flag that has a default says which items are shown besides others,
 * as `?active=true&silenced=true` does.
 */
function byValue(input: Input, items: ItemMembers): Meaning | undefined {
  const { types, keywords } = input.shape
  const isFlag = types.size === 1 && types.has('boolean') && keywords.default === undefined
  const named = isFlag ? valuesNamed(bare(input), items) : undefined
  return named && { kind: 'named', ...named }
}

const ASIDE = /^(id|href|url)$|key|token|version|format|lang|locale|zone|unit|currency|callback|view|mode|scope|depth/

/** The member, if values of the parameter can be equal to it. */
function fitting(member: ItemMember | undefined, { words, shape }: Input): ItemMember | undefined {
  if (!member || member.kind === 'other') return undefined
  const isText = shape.types.has('string') && shape.types.size === 1
  // `?type=scheduled` is not the number in `type`.
  const values = asList(shape.keywords.enum)
  if (values.length > 0 && values.every((one) => comparableOf(member, one) === undefined)) return undefined
  // A text parameter `owner` is unlikely to be the number in `owner.id`.
  const isOther = isText && member.kind === 'number' && member.pointer.endsWith('/id') && !keyOf(words).endsWith('id')
  return isOther ? undefined : member
}

function compared(member: ItemMember, { words, shape, description }: Input): Meaning {
  const isText = member.kind === 'text' && !member.values && !shape.keywords.enum
  if (isText && /\b(contain|partial|substring|search|fuzzy|wildcard)/i.test(description))
    return { kind: 'text', pointers: [member.pointer] }
  if (isText && /\b(starts? with|prefix)/i.test(description))
    return { kind: 'text', pointers: [member.pointer], at: 'start' }
  const isPlural = keyOf(words) !== words.join('') && keyOf(member.words) === member.words.join('')
  const isSeveral = shape.types.has('array') || isPlural || /comma|\bcsv\b|one or more|multiple/i.test(description)
  return { kind: 'equal', member, isSeveral }
}

function ordered(member: ItemMember | undefined): ItemMember | undefined {
  return member && !member.isList && ['number', 'instant', 'date', 'epoch', 'any'].includes(member.kind)
    ? member
    : undefined
}

/** The date that `since` or `until` is about; undefined where the parameter is no date. */
function obviousDate(input: Input, items: ItemMembers): ItemMember | undefined {
  const { words, shape, description } = input
  const isTime = words.some((word) => /^(date|time|timestamp|datetime)$/.test(word))
  const updated = /\b(updated|modified|changed)\b/i.test(description) ? items.findDate(['updated']) : undefined
  const date = updated ?? items.findDate([])
  if (!date || !(isDate(input) || isTime)) return undefined
  // An integer may be an id, as GitHub's `since` is.
  return isNumber(input) && shape.types.size > 0 && date.kind !== 'epoch' ? undefined : date
}

function searchAll({ all }: ItemMembers): Meaning | undefined {
  const pointers = all.flatMap(({ kind, pointer, isInList }) => (kind === 'text' && !isInList ? [pointer] : []))
  return pointers.length === 0 ? undefined : { kind: 'text', pointers }
}
