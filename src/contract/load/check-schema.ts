import { didYouMean } from './document-errors.ts'
import { HOLDS_LIST, HOLDS_MAP, HOLDS_SCHEMA } from './document-structure.ts'
import { compilePattern } from '../schemas/patterns.ts'
import { isObject } from '../../base/formats/json.ts'
import { nearest } from '../../base/errors/wording.ts'
import { shown } from '../../base/errors/problem.ts'

/** An invalid keyword of a schema, with a message that names the remedy. */
interface SchemaError {
  /** Empty for what is no schema. */
  readonly keyword: string
  readonly expected: string
  readonly value: unknown
  /** Both, and the remedy. */
  readonly message: string
}

/**
 * Checks the keywords of one schema by JSON Schema 2020-12, not those of schemas inside it. Unknown keywords and formats pass;
 * unknown-members.ts finds misspelt ones.
 */
export function findSchemaErrors(schema: unknown): readonly SchemaError[] {
  if (typeof schema === 'boolean') return []
  if (!isObject(schema)) {
    const expected = 'a schema'
    return [{ keyword: '', expected, value: schema, message: `expected ${expected}, got ${shown(schema)}.` }]
  }
  return Object.entries(schema).flatMap(([keyword, value]): SchemaError[] => {
    const rule = RULES.get(keyword)
    if (!rule || rule.holds(value)) return []
    const { expected } = rule
    return [
      { keyword, expected, value, message: `expected ${expected}, got ${shown(value)}.${remedy(keyword, value)}` },
    ]
  })
}

interface KeywordRule {
  readonly keywords: readonly string[]
  readonly expected: string
  holds(value: unknown): boolean
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isType = (value: unknown) => isText(value) && TYPES.includes(value)
const isPattern = (pattern: string) => compilePattern(pattern) !== undefined

const RULE_LIST: readonly KeywordRule[] = [
  {
    keywords: ['type'],
    expected: `one of ${TYPES.join(', ')}, or a list of them`,
    holds: (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
  },
  { keywords: ['format'], expected: 'the name of a format', holds: isText },
  {
    keywords: ['pattern'],
    expected: 'a regular expression of ECMAScript',
    holds: (value) => isText(value) && isPattern(value),
  },
  {
    keywords: ['patternProperties'],
    expected: 'schemas by regular expressions of ECMAScript',
    holds: (value) => isObject(value) && Object.keys(value).every(isPattern),
  },
  { keywords: ['multipleOf'], expected: 'a number above 0', holds: (value) => isNumber(value) && value > 0 },
  {
    keywords: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
    expected: 'a number',
    holds: isNumber,
  },
  {
    keywords: ['Length', 'Items', 'Contains', 'Properties'].flatMap((name) => [`min${name}`, `max${name}`]),
    expected: 'a whole number that is not negative',
    holds: (value) => Number.isInteger(value) && Number(value) >= 0,
  },
  { keywords: ['uniqueItems'], expected: 'true or false', holds: (value) => typeof value === 'boolean' },
  { keywords: ['required'], expected: 'a list of names', holds: isTexts },
  {
    keywords: ['dependentRequired'],
    expected: 'lists of names by names',
    holds: (value) => isObject(value) && Object.values(value).every(isTexts),
  },
  { keywords: ['enum'], expected: 'a list', holds: Array.isArray },
  {
    keywords: HOLDS_LIST,
    expected: 'a list of one schema or more',
    holds: (value) => Array.isArray(value) && value.length > 0,
  },
  { keywords: HOLDS_MAP, expected: 'schemas by their names', holds: isObject },
  {
    keywords: HOLDS_SCHEMA,
    expected: 'a schema',
    holds: (value) => isObject(value) || typeof value === 'boolean',
  },
  { keywords: ['$ref'], expected: 'a reference', holds: isText },
]

const RULES = new Map(RULE_LIST.flatMap((rule) => rule.keywords.map((keyword) => [keyword, rule] as const)))

function remedy(keyword: string, value: unknown): string {
  const meant = keyword === 'type' && isText(value) ? didYouMean(nearest(value, TYPES)) : undefined
  if (meant !== undefined) return ` ${meant}`
  if (keyword === 'required' && typeof value === 'boolean') return ' List the required properties beside `properties`.'
  if (keyword.startsWith('exclusive') && typeof value === 'boolean')
    return ' Since OpenAPI 3.1 it is the limit itself; put the number here.'
  return ''
}
