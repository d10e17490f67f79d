import { HOLDS_LIST, HOLDS_MAP, HOLDS_SCHEMA } from './grammar.ts'
import { compilePattern } from '../schemas/patterns.ts'
import { isObject } from '../../formats/json.ts'
import { nearest } from '../../errors/nearest.ts'
import { shown } from '../../errors/problem.ts'

/** An invalid keyword of a schema, with a complaint that names the remedy. */
export interface SchemaFault {
  readonly keyword: string
  readonly complaint: string
}

/**
 * Checks the keywords of one schema by JSON Schema 2020-12, not those of schemas inside it. Unknown keywords and formats pass;
 * unknown-members.ts finds misspelt ones.
 */
export function findSchemaFaults(schema: unknown): readonly SchemaFault[] {
  if (typeof schema === 'boolean') return []
  if (!isObject(schema)) return [{ keyword: '', complaint: `expected a schema, got ${shown(schema)}.` }]
  return Object.entries(schema).flatMap(([keyword, value]): SchemaFault[] => {
    const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined
    if (!rule || rule.holds(value)) return []
    return [{ keyword, complaint: `expected ${rule.expected}, got ${shown(value)}.${remedy(keyword, value)}` }]
  })
}

interface Rule {
  readonly expected: string
  holds(value: unknown): boolean
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isSchema = (value: unknown) => isObject(value) || typeof value === 'boolean'
const isType = (value: unknown) => isText(value) && TYPES.includes(value)

const NUMBER: Rule = { expected: 'a number', holds: isNumber }
const COUNT: Rule = { expected: 'a whole number that is not negative', holds: isCount }
const TEXTS: Rule = { expected: 'a list of names', holds: isTexts }
const LIST: Rule = { expected: 'a list', holds: Array.isArray }
const BOOLEAN: Rule = { expected: 'true or false', holds: (value) => typeof value === 'boolean' }
const SCHEMA: Rule = { expected: 'a schema', holds: isSchema }
const SCHEMAS: Rule = {
  expected: 'a list of one schema or more',
  holds: (value) => Array.isArray(value) && value.length > 0,
}
const MAP: Rule = { expected: 'schemas by their names', holds: isObject }

const RULES: Readonly<Record<string, Rule>> = {
  type: {
    expected: `one of ${TYPES.join(', ')}, or a list of them`,
    holds: (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
  },
  format: { expected: 'the name of a format', holds: isText },
  pattern: {
    expected: 'a regular expression of ECMAScript',
    holds: (value) => isText(value) && isPattern(value),
  },
  patternProperties: {
    expected: 'schemas by regular expressions of ECMAScript',
    holds: (value) => isObject(value) && Object.keys(value).every(isPattern),
  },
  multipleOf: { expected: 'a number above 0', holds: (value) => isNumber(value) && value > 0 },
  ...Object.fromEntries(
    ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map((keyword) => [keyword, NUMBER]),
  ),
  ...Object.fromEntries(
    [
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
      'minContains',
      'maxContains',
      'minProperties',
      'maxProperties',
    ].map((keyword) => [keyword, COUNT]),
  ),
  uniqueItems: BOOLEAN,
  required: TEXTS,
  dependentRequired: {
    expected: 'lists of names by names',
    holds: (value) => isObject(value) && Object.values(value).every(isTexts),
  },
  enum: LIST,
  ...Object.fromEntries(HOLDS_LIST.map((keyword) => [keyword, SCHEMAS])),
  ...Object.fromEntries(HOLDS_MAP.map((keyword) => [keyword, MAP])),
  ...Object.fromEntries(HOLDS_SCHEMA.map((keyword) => [keyword, SCHEMA])),
  $ref: { expected: 'a reference', holds: isText },
}

function isPattern(pattern: string): boolean {
  return compilePattern(pattern) !== undefined
}

function remedy(keyword: string, value: unknown): string {
  if (keyword === 'type' && typeof value === 'string') {
    const meant = nearest(value, TYPES)
    return meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`
  }
  if (keyword === 'required' && typeof value === 'boolean') return ' List the required properties beside `properties`.'
  if (keyword.startsWith('exclusive') && typeof value === 'boolean')
    return ' Since OpenAPI 3.1 it is the limit itself; put the number here.'
  return ''
}
