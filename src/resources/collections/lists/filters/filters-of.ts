import { isObject } from '../../../../base/formats/json.ts'
import { plainText } from '../comparable.ts'
import { wordsOf } from '../../../../base/formats/names.ts'

/** A filter that a request names. */
interface NamedFilter {
  /** Of the member and of how it is compared, such as `price gte`; undefined where that is not understood. */
  readonly words: readonly string[] | undefined
  readonly value: unknown
  /** Where it is in the request. */
  readonly at: string
}

/**
 * The filters of an object, `{ status: 'paid', price: { gte: 5 } }`, or of a list of objects, `[{ field: 'price', operator: '>=', value: 5 }]`.
 *
 * @param isBody whether places are JSON pointers
 */
export function filtersOf(value: unknown, at: string, isBody = false): readonly NamedFilter[] {
  const inside = (name: string | number) => (isBody ? `${at}/${name}` : `${at}[${name}]`)
  if (isObject(value)) return membersOf(value, [], { at, isBody })
  if (!Array.isArray(value)) return [{ words: undefined, value, at }]
  return value.flatMap((one: unknown, index) => {
    if (!isObject(one)) return [{ words: undefined, value: one, at: inside(index) }]
    return listedFilter(one, inside(index)) ?? membersOf(one, [], { at: inside(index), isBody })
  })
}

interface FilterPlace {
  readonly at: string
  readonly isBody: boolean
}

function membersOf(value: unknown, words: readonly string[], place: FilterPlace): readonly NamedFilter[] {
  if (!isObject(value)) return [{ words, value, at: place.at }]
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = place.isBody ? `${place.at}/${name}` : `${place.at}[${name}]`
    if (words.length > 0 && /^\$?between$/i.test(name) && Array.isArray(inner))
      return inner
        .slice(0, 2)
        .map((value: unknown, end) => ({ words: [...words, end === 0 ? 'gte' : 'lte'], value, at }))
    const known = words.length > 0 ? operatorOf(name.replace(/^\$/, '')) : undefined
    return membersOf(inner, [...words, ...(known === undefined ? wordsOf(name) : wordsOf(known))], { ...place, at })
  })
}

/** `{ field, operator, value }` under any of their usual names; undefined for an object that is none. */
function listedFilter(filter: Readonly<Record<string, unknown>>, at: string): readonly NamedFilter[] | undefined {
  const find = (pattern: RegExp) => Object.entries(filter).find(([name]) => pattern.test(name))?.[1]
  const field = find(/^(field|property|name|key|col|column|attribute|path|member)(_?name)?$/i)
  const value = find(/^values?$/i)
  if (typeof field !== 'string' || value === undefined) return undefined
  const operator = find(/^(op|opr|operator|operation|comparison|comparator|condition|match_?type)$/i)
  const known = operator === undefined ? '' : operatorOf(plainText(operator) ?? '')
  return [{ words: known === undefined ? undefined : [...wordsOf(field), ...wordsOf(known)], value, at }]
}

/** Operators in requests, and the same in names of parameters. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  eq: ['=', '==', '===', 'eq', 'equal', 'equals', 'equalto', 'is', 'exact'],
  in: ['in', 'inq', 'anyof', 'oneof', 'isoneof', 'isanyof', 'includes'],
  gt: ['>', 'gt', 'greaterthan', 'greater', 'after', 'isafter'],
  gte: ['>=', 'gte', 'ge', 'greaterthanorequal', 'greaterthanorequalto', 'greaterorequal', 'atleast', 'min', 'from'],
  lt: ['<', 'lt', 'lessthan', 'less', 'before', 'isbefore'],
  lte: ['<=', 'lte', 'le', 'lessthanorequal', 'lessthanorequalto', 'lessorequal', 'atmost', 'max', 'to'],
  contains: ['~', 'contains', 'like', 'ilike', 'match', 'matches', 'search', 'contain', 'ct'],
  startswith: ['startswith', 'beginswith', 'sw'],
  endswith: ['endswith', 'ew'],
  not: ['!=', '<>', 'ne', 'neq', 'not', 'notequal', 'notequals', 'notequalto'],
}

function operatorOf(text: string): string | undefined {
  const plain = text.toLowerCase().replaceAll(/[\s_-]/g, '')
  return Object.keys(OPERATORS).find((name) => OPERATORS[name]?.includes(plain))
}
