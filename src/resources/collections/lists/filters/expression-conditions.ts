import { encodePointer, isObject } from '../../../../base/formats/json.ts'
import type { Condition } from '../../documents/selection.ts'
import { wordsOf } from '../../../../base/formats/names.ts'
import { type MemberComparison, type Expression, parseExpression } from './expression.ts'
import type { ItemMembers } from '../item-members.ts'

/** The words that say in the name of a filter how it compares. */
const WORDS: Readonly<Record<MemberComparison['operator'], readonly string[]>> = {
  eq: ['in'],
  ne: ['not'],
  gt: ['gt'],
  gte: ['gte'],
  lt: ['lt'],
  lte: ['lte'],
  contains: ['contains'],
  matches: [],
  unlike: [],
  exists: ['exists'],
}

interface ExpressionContext {
  readonly items: ItemMembers
  /** The pointer of the object whose members are meant, such as that of `labels`; undefined for those of the item. */
  readonly holder: string | undefined
  /** The conditions of a filter with this name; undefined where items have no such member. */
  filter(words: readonly string[], value: unknown): readonly Condition[] | undefined
}

/** What a filter in the words of a client asks for; undefined for a text that is not an expression, or not understood. */
export function expressionConditions(text: string, context: ExpressionContext): readonly Condition[] | undefined {
  const expression = parseExpression(text)
  return expression && conditionsOf(expression, context)
}

function conditionsOf(expression: Expression, context: ExpressionContext): readonly Condition[] | undefined {
  if (!('join' in expression)) return ofComparison(expression, context)
  const { join, parts } = expression
  const read = parts.flatMap((part) => {
    const conditions = conditionsOf(part, context)
    return conditions ? [conditions] : []
  })
  if (read.length < parts.length) return undefined
  return join === 'and' ? read.flat() : [{ anyOf: read, ...(join === 'not' && { isNot: true }) }]
}

function ofComparison(comparison: MemberComparison, context: ExpressionContext): readonly Condition[] | undefined {
  const { name, operator, values } = comparison
  const { items, holder, filter } = context
  if (holder !== undefined) return ofPointer(`${holder}/${encodePointer(name)}`, comparison)
  const words = wordsOf(name)
  const member = items.find(words)
  if (member && (operator === 'matches' || operator === 'unlike')) return ofPointer(member.pointer, comparison)
  const several = operator === 'eq' || operator === 'ne'
  const found = member && filter([...words, ...WORDS[operator]], several ? values : values[0])
  if (found) return found
  // A name that is not a member of an item is one of its labels.
  const labels = items.all.find((one) => isMap(one) && /^(labels?|tags)$/.test(one.words.at(-1) ?? ''))
  return labels && ofPointer(`${labels.pointer}/${encodePointer(name)}`, comparison)
}

/** Whether a member may be an object with any members, such as `labels`. */
export function isMap({ kind, isList }: ItemMembers['all'][number]): boolean {
  return kind === 'other' && !isList
}

function ofPointer(pointer: string, { operator, values }: MemberComparison): readonly Condition[] | undefined {
  const not = (conditions: readonly Condition[]): readonly Condition[] => [{ anyOf: [conditions], isNot: true }]
  switch (operator) {
    case 'eq':
      return [{ pointer, oneOf: values }]
    case 'ne':
      return not([{ pointer, oneOf: values }])
    case 'contains':
      return [{ pointers: [pointer], text: values[0] ?? '' }]
    case 'exists':
      return [{ empty: pointer, isNot: true }]
    case 'matches':
    case 'unlike': {
      const globs = globsOf(values[0] ?? '')
      if (!globs) return undefined
      const either: Condition = { anyOf: globs.map((text) => [{ pointers: [pointer], text, isGlob: true }]) }
      return operator === 'matches' ? [either] : not([either])
    }
    default:
      return undefined
  }
}

/**
 * A regular expression as texts in which `*` stands for any text: `web-.*|db-1`. Undefined for any other, since matching those of a client
 * could take forever.
 */
function globsOf(pattern: string): readonly string[] | undefined {
  const parts = pattern.replace(/^\^/, '').replace(/\$$/, '').split('|')
  const globs = parts.map((part) => part.replaceAll('.*', '\0').replaceAll(/\\([.-])/g, '$1'))
  return globs.some((one) => /[\\^$*+?()[\]{}]/.test(one)) ? undefined : globs.map((one) => one.replaceAll('\0', '*'))
}

/** Filters that are JSON in a text: `filter={"status": "paid"}`. */
export function jsonIn(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) || Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
