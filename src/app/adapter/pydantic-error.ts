import { pointerOf, valueAt } from '../../contract/pointer.ts'
import type { Operation } from '../../contract/contract.ts'
import { type Shape, shapeOf } from '../../contract/schemas/shape.ts'
import { parseJson, splitPointer } from '../../base/formats/json.ts'
import type { Problem, Violation } from '../../base/errors/problem.ts'
import { counted } from '../../base/errors/wording.ts'

interface InvalidRequest {
  readonly body?: unknown
  readonly parameters?: Operation['parameters'] | undefined
}

/** Whether a shape is the `ValidationError` that FastAPI and others with Pydantic describe. */
export function isValidationError({ properties }: Shape): boolean {
  return ['loc', 'msg', 'type'].every((name) => properties.has(name))
}

/** Whether a body has a list of such errors. */
export function listsValidationErrors(document: unknown, schema: unknown): boolean {
  const lists = [...shapeOf(document, schema).properties.values()].map((member) => shapeOf(document, member).items)
  return lists.some((items) => items !== undefined && isValidationError(shapeOf(document, items)))
}

/** The type of an error in Pydantic, its message, and the values in that message. */
interface Told {
  readonly type: string
  readonly msg?: string
  readonly ctx?: object
}

/** A violation as Pydantic 2 tells it: `{"type": "missing", "loc": ["body", "name"], "msg": "Field required", "input": {}}`. */
export function validationError(violation: Violation, { body, parameters = [] }: InvalidRequest): object {
  const { pointer, parameter = '', header, code, received, message } = violation
  const isMissing = code === 'required' || (pointer === '' && received === undefined)
  const { type, msg = message, ctx } = isMissing ? MISSING : toldOf(violation)
  const told = (loc: readonly unknown[], input: unknown) => ({
    type,
    loc,
    msg,
    input: input ?? null,
    ...(ctx && { ctx }),
  })
  if (pointer === undefined) {
    const inPath = parameters.some((one) => one.in === 'path' && one.name === parameter)
    const loc = header === undefined ? [inPath ? 'path' : 'query', parameter] : ['header', header]
    return told(loc, isMissing ? null : textOf(received))
  }
  const names = splitPointer(pointer)
  const loc = ['body', ...names.map((name) => (/^\d+$/.test(name) ? Number(name) : name))]
  // A body of another type was refused before it was read.
  const whole = body ?? (received === undefined ? undefined : parseJson(received))
  // For a missing member, `input` is the object that lacks it.
  return told(loc, valueAt(whole, pointerOf(isMissing ? names.slice(0, -1) : names)))
}

const MISSING: Told = { type: 'missing', msg: 'Field required' }

/** The error for a body that is not valid JSON, as FastAPI reports it; undefined for any other problem. */
export function jsonError({ id, message }: Problem): object | undefined {
  const [, column = '', what = ''] = /line \d+, column (\d+): ([a-z ]+)/.exec(message) ?? []
  // An array in place of an object is valid JSON.
  if (id !== 'json-invalid' || what === '') return undefined
  const at = Number(column) - 1
  const error = (at === 1 ? JSON_ERRORS[`first ${what}`] : undefined) ?? JSON_ERRORS[what] ?? 'Expecting value'
  return {
    type: 'json_invalid',
    loc: ['body', at],
    msg: 'JSON decode error',
    input: {},
    ctx: { error },
  }
}

/** The messages of Python's parser, by those of ours. `first`: directly after the first character. */
const JSON_ERRORS: Readonly<Record<string, string>> = {
  'property name expected': 'Expecting property name enclosed in double quotes',
  'first close brace expected': 'Expecting property name enclosed in double quotes',
  'close brace expected': "Expecting ',' delimiter",
  'close bracket expected': "Expecting ',' delimiter",
  'colon expected': "Expecting ':' delimiter",
  'comma expected': "Expecting ',' delimiter",
  'end of file expected': 'Extra data',
  'unexpected end of string': 'Unterminated string starting at',
}

/** A parameter as it was sent. */
function textOf(received: string | undefined): unknown {
  const value = received === undefined ? null : parseJson(received)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : (value ?? received ?? null)
}

function toldOf(violation: Violation): Told {
  const { code, expected, pointer, received } = violation
  if (code === 'additionalProperties' || code === 'unevaluatedProperties')
    return { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' }
  const known = TYPES.find(([pattern]) => pattern.test(expected))
  // Parameters are texts to parse. Members have types, but a text may stand for a number.
  if (known && (code === 'type' || pointer === undefined || pointer === '')) {
    const isText = pointer === undefined || received?.startsWith('"') === true
    return known[1](isText, received)
  }
  const limit = /-?\d+(?:\.\d+)?/.exec(expected)?.[0]
  return LIMITED[code]?.(limit === undefined ? 1 : Number(limit), violation) ?? { type: 'value_error' }
}

const parsing =
  (type: string, noun: string, why: string) =>
  (isText: boolean, received = ''): Told => {
    if (isText) return { type: `${type}_parsing`, msg: `Input should be a valid ${noun}, ${why}` }
    if (type === 'int' && /^-?\d+\.\d*[1-9]/.test(received))
      return { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' }
    return { type: `${type}_type`, msg: `Input should be a valid ${noun}` }
  }
const ofType = (type: string, noun: string) => (): Told => ({ type, msg: `Input should be a valid ${noun}` })

const TYPES: readonly (readonly [pattern: RegExp, told: (isText: boolean, received?: string) => Told])[] = [
  [/true or false|boolean/, parsing('bool', 'boolean', 'unable to interpret input')],
  [/integer|whole number/, parsing('int', 'integer', 'unable to parse string as an integer')],
  [/number/, parsing('float', 'number', 'unable to parse string as a number')],
  [/uuid/, (_isText, received) => uuidError(received)],
  [/timestamp|date-time/, (_isText, received) => dateError(received)],
  [/string|text/, ofType('string_type', 'string')],
  [/array|list/, ofType('list_type', 'list')],
  [/object/, ofType('model_attributes_type', 'dictionary or object to extract fields from')],
]

/** Other reasons than these have messages that depend on more than the text. */
function uuidError(received = ''): Told {
  const text = String(textOf(received))
  const at = text.search(/[^\da-f-]/i)
  if (at < 0 && text.includes('-')) return { type: 'uuid_parsing' }
  const error =
    at < 0
      ? `invalid length: expected length 32 for simple format, found ${text.length}`
      : `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${text.charAt(at)}\` at ${at + 1}`
  return { type: 'uuid_parsing', msg: `Input should be a valid UUID, ${error}`, ctx: { error } }
}

function dateError(received = ''): Told {
  const text = String(textOf(received))
  const type = 'datetime_from_date_parsing'
  const error = text.length < 10 ? 'input is too short' : /^\d{4}/.test(text) ? undefined : 'invalid character in year'
  // A month or an hour that does not exist has a message of its own.
  if (error === undefined) return { type }
  return {
    type,
    msg: `Input should be a valid datetime or date, ${error}`,
    ctx: { error },
  }
}

type Limited = (limit: number, violation: Violation) => Told

const bound =
  (type: string, words: string, name: string): Limited =>
  (limit) => ({ type, msg: `Input should be ${words} ${limit}`, ctx: { [name]: limit } })
const length =
  (type: string, words: string, name: string): Limited =>
  (limit) => ({ type, msg: `String should have ${words} ${counted(limit, 'character')}`, ctx: { [name]: limit } })

const items =
  (type: string, words: string, name: string): Limited =>
  (limit, { received }) => {
    const list = received === undefined ? undefined : parseJson(received)
    const actual = Array.isArray(list) ? list.length : 0
    const msg = `List should have ${words} ${counted(limit, 'item')} after validation, not ${actual}`
    return { type, msg, ctx: { field_type: 'List', [name]: limit, actual_length: actual } }
  }

/** `'a', 'b' or 'c'` */
function choice({ expected }: Violation): string {
  const values = expected.replace(/^one of /, '').split(', ')
  const quoted = values.map((one) => (/^-?\d+(?:\.\d+)?$/.test(one) ? one : `'${one.replaceAll('"', '')}'`))
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1) ?? ''}`
}

const chosen =
  (type: string): Limited =>
  (_limit, violation) => {
    const expected = choice(violation)
    return { type, msg: `Input should be ${expected}`, ctx: { expected } }
  }

const LIMITED: Readonly<Record<string, Limited>> = {
  enum: chosen('enum'),
  const: chosen('literal_error'),
  pattern(_limit, { expected }) {
    const [, pattern] = /^a text that matches (.*)$/.exec(expected) ?? []
    if (pattern === undefined) return { type: 'string_pattern_mismatch' }
    return { type: 'string_pattern_mismatch', msg: `String should match pattern '${pattern}'`, ctx: { pattern } }
  },
  minLength: length('string_too_short', 'at least', 'min_length'),
  maxLength: length('string_too_long', 'at most', 'max_length'),
  minimum: bound('greater_than_equal', 'greater than or equal to', 'ge'),
  maximum: bound('less_than_equal', 'less than or equal to', 'le'),
  exclusiveMinimum: bound('greater_than', 'greater than', 'gt'),
  exclusiveMaximum: bound('less_than', 'less than', 'lt'),
  multipleOf: bound('multiple_of', 'a multiple of', 'multiple_of'),
  minItems: items('too_short', 'at least', 'min_length'),
  maxItems: items('too_long', 'at most', 'max_length'),
}
