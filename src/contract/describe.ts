import type { ErrorObject } from 'ajv/dist/2020.js'
import { encodePointer, isObject } from '../json.ts'
import { shown, type Violation } from '../problem.ts'

/** More than fifty are never shown. */
const LONGEST_LIST = 60

/** A copy with long lists cut, since each element may have a complaint. */
export function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map(cut)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner)])) : value
}

/** The line of the contract of a keyword of a schema. */
type SourceOf = (parentSchema: object, keyword: string) => string

/** What the validator found, in words. */
export function describe(errors: readonly ErrorObject[], sourceOf: SourceOf): Violation[] {
  return errors.slice(0, LONGEST_LIST).map((error) => {
    const missing = error.keyword === 'required' ? String(error.params.missingProperty) : undefined
    const pointer = missing === undefined ? error.instancePath : `${error.instancePath}/${encodePointer(missing)}`
    const expected = expectation(error)
    const received = missing === undefined ? shown(error.data) : undefined
    return {
      pointer,
      code: error.keyword,
      message: `${pointer || 'the body'}: expected ${expected}, got ${received ?? 'nothing'}.`,
      expected,
      ...(received === undefined ? {} : { received }),
      source: sourceOf(isObject(error.parentSchema) ? error.parentSchema : {}, error.keyword),
    }
  })
}

/** What an assertion of JSON Schema asks for, in words. */
function expectation({ keyword, params, schema, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return [schema]
        .flat()
        .map((type) => ARTICLES[String(type)] ?? String(type))
        .join(' or ')
    case 'required':
      return 'a value'
    case 'enum':
      return `one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`
    case 'format':
      return FORMATS[String(schema)] ?? `the format ${String(schema)}`
    case 'pattern':
      return `a text that matches ${String(schema)}`
    case 'const':
      return String(schema)
    default:
      return message?.replace(/^must (be )?/, '') ?? keyword
  }
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  int32: 'an integer from -2147483648 to 2147483647',
  int64: 'an integer from -2^63 to 2^63 - 1',
  'date-time': 'a timestamp such as 2026-01-31T00:00:00.000Z',
}
