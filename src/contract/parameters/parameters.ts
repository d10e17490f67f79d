import type { Parameter, ParameterType } from '../contract.ts'
import { WHOLE } from '../schemas/describe-errors.ts'
import type { Schema, Schemas } from '../schemas/schemas.ts'
import { isJson } from '../media-type.ts'
import { valueAt } from '../pointer.ts'
import { styleOf } from './style.ts'
import { readTemplate } from '../template.ts'
import { asObject, encodePointer, isObject, type Members } from '../../base/formats/json.ts'
import { plainName } from '../../base/formats/names.ts'
import type { Violation } from '../../base/errors/problem.ts'

/** What parameters are read from. */
export interface ParameterSources {
  readonly document: Members
  readonly schemas: Schemas
  /** Whether the operation takes a bearer token in `Authorization`. */
  readonly takesBearer?: boolean
  /** `file:line` of a pointer. */
  placeOf(pointer: string): string
}

/**
 * The parameters of an operation: its own, those of its path that it does not replace, and those that only the template names.
 *
 * @param pointer of the operation
 */
export function readParameters(
  pointer: string,
  path: string,
  { document, schemas, placeOf, takesBearer = false }: ParameterSources,
): readonly Parameter[] {
  const found = new Map<string, string>()
  for (const at of listedParameters(document, pointer)) {
    const parameter = valueAt(document, schemas.locate(at))
    if (isObject(parameter) && !isIgnored(parameter)) found.set(`${String(parameter.in)} ${String(parameter.name)}`, at)
  }
  const made = [...found.values()].map((at) => readParameter(at, { document, schemas, placeOf, takesBearer }))
  const named = new Set(made.flatMap(({ in: place, name }) => (place === 'path' ? [name] : [])))
  const unnamed = readTemplate(path).parameters.filter((name) => !named.has(name))
  return [...made, ...unnamed.map((name) => plainText(name, () => placeOf(pointer)))]
}

/** Where the document lists the parameters of an operation: first those of its path, then its own. */
export function listedParameters(document: unknown, operation: string): string[] {
  return [operation.slice(0, operation.lastIndexOf('/')), operation].flatMap((holder) => {
    const listed = valueAt(document, `${holder}/parameters`)
    return Array.isArray(listed) ? listed.map((_, index) => `${holder}/parameters/${index}`) : []
  })
}

/** A query string is read if it is JSON, or a form. */
function isIgnored({ in: place, name, content }: Members): boolean {
  return place === 'querystring' ? !isJsonContent(content) : isNamedElsewhere(place, String(name))
}

/** OpenAPI 3.1, 4.8.12.1: headers that have a place of their own in the document. */
export function isNamedElsewhere(place: unknown, name: string): boolean {
  return place === 'header' && ['accept', 'content-type', 'authorization'].includes(name.toLowerCase())
}

export function isJsonContent(content: unknown): boolean {
  return isJson(Object.keys(asObject(content))[0] ?? '')
}

function plainText(name: string, source: () => string): Parameter {
  return { name, in: 'path', type: 'string', required: true, isImplied: true, source }
}

/** @param listed where the operation names it, which may be a reference */
function readParameter(listed: string, { document, schemas, placeOf, takesBearer }: ParameterSources): Parameter {
  const pointer = schemas.locate(listed)
  const parameter = valueAt(document, pointer) as Members
  const name = String(parameter.name)
  const place = parameter.in as Parameter['in']
  const media = isObject(parameter.content) ? Object.keys(parameter.content)[0] : undefined
  const at = `${pointer}${media === undefined ? '' : `/content/${encodePointer(media)}`}/schema`
  const schema = schemas.resolve(at) ?? {}
  const type = [schema.type].flat().find((one) => one !== 'null')
  const isPlain = media === undefined && isOneText(parameter, schema)
  const style = isPlain ? undefined : styleOf(document, parameter, schema)
  const check = style || asserts(schema) ? schemas.compile(at) : undefined
  return {
    name,
    in: place,
    type: isParameterType(type) ? type : 'string',
    format: schema.format,
    schema,
    required: place === 'path' || (parameter.required === true && !(takesBearer === true && isBearerToken(parameter))),
    ...(schema.default === undefined ? {} : { usual: schema.default }),
    ...(typeof schema.maximum === 'number' ? { most: schema.maximum } : {}),
    ...(check ? { check: (value) => check(value).map((violation) => named(name, place, violation)) } : {}),
    ...(style ? { style } : {}),
    source: () => placeOf(listed),
  }
}

/**
 * Whether a parameter is another place for the token of `Authorization`, where OAuth 2 lets clients send it instead (RFC 6750, 2). Documents
 * that list both require neither alone.
 */
function isBearerToken({ name, description }: Members): boolean {
  const plain = plainName(String(name))
  return (
    /^(access|auth|oauth|bearer)token$/.test(plain) ||
    (plain === 'token' && /auth|access|bearer/i.test(String(description)))
  )
}

/** Whether a parameter is one text of a path or query that is read by its type. */
function isOneText({ in: place, style }: Members, { type }: Schema): boolean {
  const usual = place === 'path' ? 'simple' : place === 'query' ? 'form' : undefined
  if (usual === undefined || (style !== undefined && style !== usual)) return false
  return isParameterType(type)
}

/** Keywords that a value of the right type and format may still break. */
export const ASSERTING = [
  'enum',
  'const',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
]

/** The formats that are checked when a parameter is read by its type. */
const READ_FORMATS: readonly unknown[] = [undefined, 'int32', 'int64']

function asserts(schema: Schema): boolean {
  return !READ_FORMATS.includes(schema.format) || ASSERTING.some((keyword) => schema[keyword] !== undefined)
}

function isParameterType(type: unknown): type is ParameterType {
  return type === 'string' || type === 'integer' || type === 'boolean'
}

/** The violation of a value as one of the parameter that has it. */
function named(name: string, place: Parameter['in'], violation: Violation): Violation {
  const { pointer = '', message, received = 'nothing', ...rest } = violation
  const said = message.slice((pointer || WHOLE).length)
  const where = place === 'header' ? { header: name } : { parameter: name }
  return { ...where, ...rest, message: `${name}${pointer}${said}`, received }
}
