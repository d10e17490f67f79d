import type { ErrorObject } from 'ajv/dist/2020.js'
import { counted, didYouMean, oneOf, typeInWords } from '../../base/errors/wording.ts'
import { asObject, encodePointer, isObject } from '../../base/formats/json.ts'
import { shown, type Violation } from '../../base/errors/problem.ts'

/** At most fifty are shown. */
const LONGEST_LIST = 60

/** A copy with long lists cut, since each element may have a violation. */
export function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map(cut)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner)])) : value
}

/** What a message calls the whole value. */
export const WHOLE = 'the body'

/** `file:line` of a keyword of a schema. */
type SourceOf = (parentSchema: object, keyword: string) => string

/** The schema of a member of a schema, references followed; undefined where it has none. */
type MemberOf = (parentSchema: object, member: string) => unknown

/** The errors of ajv as violations with readable messages. */
export function describe(errors: readonly ErrorObject[], sourceOf: SourceOf, memberOf: MemberOf): Violation[] {
  return errors.slice(0, LONGEST_LIST).map((error) => {
    const { member, value } = faultOf(error)
    const parentSchema: object = asObject(error.parentSchema)
    const missing = error.keyword === 'required' ? member : undefined
    const pointer = member === undefined ? error.instancePath : `${error.instancePath}/${encodePointer(member)}`
    const expected = missing === undefined ? expectation(error) : valuesOf(memberOf(parentSchema, missing))
    const received = value === undefined ? undefined : shown(value)
    return {
      pointer,
      code: error.keyword,
      message: `${pointer || WHOLE}: expected ${expected}, got ${received ?? 'nothing'}.${suggestion(error)}`,
      expected,
      ...(received === undefined ? {} : { received }),
      // Finding the first line of a large document takes seconds, and most violations are never shown.
      get source() {
        return sourceOf(parentSchema, error.keyword)
      },
    }
  })
}

/** The violation is of a missing or unexpected member, not of the object that was checked. */
function faultOf({ keyword, params, data }: ErrorObject): { readonly member?: string; readonly value?: unknown } {
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Readonly<Record<string, unknown>>
  const extra = additionalProperty ?? unevaluatedProperty
  if (keyword === 'required') return { member: String(missingProperty) }
  return typeof extra === 'string' && isObject(data) ? { member: extra, value: data[extra] } : { value: data }
}

/** What a keyword expects, in words. */
function expectation(error: ErrorObject): string {
  const { keyword, message } = error
  const words = Object.hasOwn(WORDS, keyword) ? WORDS[keyword]?.(error) : undefined
  return words ?? message?.replace(/^must (be )?/, '') ?? keyword
}

/** By keyword: words that follow "expected". Without any, ajv's are used. */
const WORDS: Readonly<Record<string, (error: ErrorObject) => string>> = {
  type: ({ schema }) => typesInWords(schema),
  enum: ({ params }) => oneOf(allowedBy(params)),
  const: ({ schema }) => bare(schema),
  format: ({ schema }) => FORMATS[String(schema)] ?? `the format ${String(schema)}`,
  pattern: ({ schema, parentSchema }) => inWords(parentSchema) ?? `a text that matches ${String(schema)}`,
  minLength: ({ params }) =>
    params.limit === 1 ? 'a text that is not empty' : `a text of at least ${limitOf(params, 'character')}`,
  maxLength: ({ params }) => `a text of at most ${limitOf(params, 'character')}`,
  minimum: ({ params }) => `at least ${params.limit}`,
  maximum: ({ params }) => `at most ${params.limit}`,
  exclusiveMinimum: ({ params }) => `more than ${params.limit}`,
  exclusiveMaximum: ({ params }) => `less than ${params.limit}`,
  multipleOf: ({ params }) => `a multiple of ${String(params.multipleOf)}`,
  minItems: ({ params }) => `an array of at least ${limitOf(params, 'element')}`,
  maxItems: ({ params }) => `an array of at most ${limitOf(params, 'element')}`,
  items: ({ params }) => `an array of at most ${limitOf(params, 'element')}`,
  unevaluatedItems: ({ params }) => `an array of at most ${limitOf(params, 'element')}`,
  uniqueItems: ({ params }) => `each element once (${String(params.j)} and ${String(params.i)}, from 0, are equal)`,
  contains: ({ params }) => `at least ${counted(Number(params.minContains), 'element')} of the kind that is asked for`,
  minProperties: members,
  maxProperties: members,
  additionalProperties: () => 'no member of this name',
  unevaluatedProperties: () => 'no member of this name',
  propertyNames: ({ params }) => `no member of the name ${shown(params.propertyName)}`,
  dependentRequired: ({ params }) => `${shown(params.missingProperty)} beside ${shown(params.property)}`,
  anyOf: ({ schema }) => `one of ${alternatives(schema)}, and it is none of them`,
  oneOf: ({ schema, params }) =>
    `just one of ${alternatives(schema)}, and it is ${params.passingSchemas === null ? 'none' : 'more than one'} of them`,
  not: () => 'something else',
  if: ({ params }) => `what its \`${String(params.failingKeyword)}\` asks for`,
  'false schema': () => 'nothing here',
}

function suggestion({ keyword, params, data }: ErrorObject): string {
  return keyword === 'enum' ? didYouMean(data, allowedBy(params)) : ''
}

function allowedBy({ allowedValues }: ErrorObject['params']): string[] {
  return (allowedValues as unknown[]).map(bare)
}

/** What a schema allows: its values where it lists them, else its types. */
export function valuesOf(schema: unknown): string {
  const { enum: allowed, const: only, type } = asObject(schema)
  if (Array.isArray(allowed)) return oneOf(allowed.map(bare))
  if (only !== undefined) return bare(only)
  return type === undefined ? 'a value' : typesInWords(type)
}

function typesInWords(type: unknown): string {
  return [type].flat().map(String).map(typeInWords).join(' or ')
}

/** A value in a sentence. */
function bare(value: unknown): string {
  return typeof value === 'string' ? value : shown(value)
}

function limitOf({ limit }: ErrorObject['params'], noun: string): string {
  return counted(Number(limit), noun)
}

/** The meaning of a pattern, which schemas of this package have beside it. */
function inWords(schema: unknown): string | undefined {
  const words = isObject(schema) ? schema['x-in-words'] : undefined
  return typeof words === 'string' ? words : undefined
}

/** More names are not listed. */
const MAX_NAMED = 20

/** The allowed number of members, with their names if the schema has them. */
function members({ keyword, params, parentSchema }: ErrorObject): string {
  const { properties, minProperties, maxProperties }: Readonly<Record<string, unknown>> = parentSchema ?? {}
  const bound = minProperties === maxProperties ? 'exactly' : keyword === 'minProperties' ? 'at least' : 'at most'
  const names = Object.keys(asObject(properties))
  if (names.length === 0 || names.length > MAX_NAMED) return `an object with ${bound} ${limitOf(params, 'member')}`
  return `${bound} ${params.limit === 1 ? 'one' : String(params.limit)} of ${names.join(', ')}`
}

function alternatives(schema: unknown): string {
  return counted(Array.isArray(schema) ? schema.length : 0, 'alternative')
}

const FORMATS: Readonly<Record<string, string>> = {
  int32: 'an integer from -2147483648 to 2147483647',
  int64: 'an integer from -2^63 to 2^63 - 1',
  'date-time': 'a timestamp such as 2026-01-31T00:00:00.000Z',
}
