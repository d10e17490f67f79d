import type { Operation } from '../../contract/contract.ts'
import { pointerOf, valueAt } from '../../contract/pointer.ts'
import type { Shape } from '../../contract/schemas/shape.ts'
import type { Violation } from '../../base/errors/problem.ts'
import { parseJson, splitPointer } from '../../base/formats/json.ts'

interface InvalidRequest {
  readonly body?: unknown
  readonly parameters?: Operation['parameters'] | undefined
}

/** Whether a shape is the `ValidationError` that FastAPI and others with Pydantic describe. */
export function isValidationError({ properties }: Shape): boolean {
  return ['loc', 'msg', 'type'].every((name) => properties.has(name))
}

/** A violation as Pydantic 2 tells it: `{"type": "missing", "loc": ["body", "name"], "msg": "Field required", "input": {}}`. */
export function validationError(violation: Violation, { body, parameters = [] }: InvalidRequest): object {
  const { pointer, parameter = '', header, code, received, message } = violation
  const names = splitPointer(pointer ?? '')
  const inPath = parameters.some((one) => one.in === 'path' && one.name === parameter)
  const isMissing = code === 'required'
  const [type, said] = kindOf(violation)
  if (pointer === undefined) {
    const loc = header === undefined ? [inPath ? 'path' : 'query', parameter] : ['header', header]
    return { type, loc, msg: said ?? message, input: isMissing ? null : textOf(received) }
  }
  // Of a missing member, the object without it is shown.
  const at = isMissing ? names.slice(0, -1) : names
  const input = valueAt(body, pointerOf(at))
  const loc = ['body', ...names.map((name) => (/^\d+$/.test(name) ? Number(name) : name))]
  return { type, loc, msg: said ?? message, input: input ?? null }
}

/** A parameter as it was sent. */
function textOf(received: string | undefined): unknown {
  const value = received === undefined ? null : parseJson(received)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : (value ?? received ?? null)
}

/** What Pydantic calls it, and its sentence where that does not depend on limits. */
function kindOf({ code, expected, pointer }: Violation): readonly [type: string, sentence?: string] {
  if (code === 'required') return ['missing', 'Field required']
  if (code === 'additionalProperties') return ['extra_forbidden', 'Extra inputs are not permitted']
  const known = TYPES.find(([pattern]) => pattern.test(expected))
  // Parameters are texts to parse, members have types.
  if (known && (code === 'type' || pointer === undefined))
    return [`${known[1]}_${pointer === undefined ? 'parsing' : 'type'}`, `Input should be a valid ${known[2]}`]
  return [KINDS[code] ?? 'value_error']
}

const TYPES: readonly (readonly [pattern: RegExp, type: string, noun: string])[] = [
  [/true or false|boolean/, 'bool', 'boolean'],
  [/integer|whole number/, 'int', 'integer'],
  [/number/, 'float', 'number'],
  [/uuid/, 'uuid', 'UUID'],
  [/string|text/, 'string', 'string'],
  [/array|list/, 'list', 'list'],
  [/object/, 'dict', 'dictionary'],
]

const KINDS: Readonly<Record<string, string>> = {
  enum: 'enum',
  const: 'literal_error',
  pattern: 'string_pattern_mismatch',
  minLength: 'string_too_short',
  maxLength: 'string_too_long',
  minimum: 'greater_than_equal',
  maximum: 'less_than_equal',
  exclusiveMinimum: 'greater_than',
  exclusiveMaximum: 'less_than',
  multipleOf: 'multiple_of',
  minItems: 'too_short',
  maxItems: 'too_long',
}
