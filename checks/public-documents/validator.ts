import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { isObject } from '../../src/base/formats/json.ts'
import type { Values } from './read-contract.ts'

/** Returns what is wrong with a value, or undefined. */
export type Validate = (pointer: string, value: unknown) => string | undefined

/**
 * Validates values against the schemas of a document with an ajv instance of its own.
 *
 * @param side properties that the other side alone may send are not required
 */
export function createValidator(document: Values, side: 'request' | 'response'): Validate {
  const hidden = side === 'request' ? 'readOnly' : 'writeOnly'
  const isOld = String(document.openapi).startsWith('3.0')
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    inlineRefs: false,
    code: { regExp: Object.assign(lenientRegExp, { code: 'new RegExp' }) },
  })
  addFormats.default(ajv)
  ajv.addSchema(toJsonSchema(document, document, { hidden, isOld }) as object, 'document')
  const known = new Map<string, ValidateFunction | undefined>()
  return (pointer, value) => {
    if (!known.has(pointer)) known.set(pointer, compile(ajv, pointer))
    const validate = known.get(pointer)
    return !validate || validate(value) ? undefined : ajv.errorsText(validate.errors).slice(0, 300)
  }
}

/** The first candidate that the contract allows; the first of all, and what is wrong with it, when there is none. */
export function firstValid(candidates: readonly unknown[], why: (value: unknown) => string | undefined) {
  const given = candidates.filter((value) => value !== undefined)
  const value = given.find((one) => why(one) === undefined)
  if (value !== undefined) return { value, flaw: undefined }
  return { value: given[0], flaw: why(given[0]) ?? 'nothing was found' }
}

/** A schema that ajv cannot compile accepts everything. */
function compile(ajv: Ajv2020, pointer: string): ValidateFunction | undefined {
  try {
    return ajv.compile({ $ref: `document#${encodeURI(pointer).replaceAll('#', '%23')}` })
  } catch {
    return undefined
  }
}

/** `\A` and `\Z` are the anchors of Python and Ruby. */
function lenientRegExp(pattern: string): RegExp {
  const anchored = pattern.replace(/^\\A/, '^').replace(/\\[zZ]$/, '$')
  for (const flags of ['u', '']) {
    try {
      return new RegExp(anchored, flags)
    } catch {
      // The next flags.
    }
  }
  return /(?:)/
}

interface Reading {
  readonly hidden: 'readOnly' | 'writeOnly'
  readonly isOld: boolean
}

/** Their members have names that the author chose, which may be those of keywords. */
const MAPS = ['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'responses']

const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** What OpenAPI 3.0 writes differently from JSON Schema 2020-12, and what is no schema at all, is rewritten wherever it stands. */
function toJsonSchema(value: unknown, document: Values, reading: Reading): unknown {
  if (Array.isArray(value)) return value.map((element) => toJsonSchema(element, document, reading))
  if (!isObject(value)) return value
  if (typeof value.$ref === 'string' && reading.isOld) return orNull({ $ref: value.$ref }, value)
  const made: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(value)) {
    if (['enum', 'const'].includes(name)) made[name] = inner
    else if (MAPS.includes(name) && isObject(inner)) made[name] = mapOf(inner, document, reading)
    else if (!['example', 'examples', 'default'].includes(name)) made[name] = toJsonSchema(inner, document, reading)
  }
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof made[exclusive] !== 'boolean') continue
    if (made[exclusive] && typeof made[limit] === 'number') made[exclusive] = made[limit]
    else Reflect.deleteProperty(made, exclusive)
  }
  if (typeof made.type === 'string' && !TYPES.includes(made.type)) delete made.type
  if (made.nullable === true && made.type !== undefined) made.type = [...new Set([made.type, 'null'].flat())]
  const isNullable =
    made.nullable === true &&
    made.type === undefined &&
    ['allOf', 'anyOf', 'oneOf'].some((name) => Array.isArray(made[name]))
  if (typeof made.nullable === 'boolean') delete made.nullable
  for (const name of ['oneOf', 'anyOf', 'allOf'])
    if (Array.isArray(made[name]) && made[name].length === 0) Reflect.deleteProperty(made, name)
  for (const name of ['$id', '$anchor', '$schema', '$dynamicRef', '$dynamicAnchor'])
    if (typeof made[name] === 'string') Reflect.deleteProperty(made, name)
  if ('required' in made) made.required = requiredOf(made, document, reading)
  tellApart(made)
  if (Array.isArray(made.oneOf) && made.oneOf.every((one) => asksForNothing(one))) {
    made.anyOf ??= made.oneOf
    Reflect.deleteProperty(made, 'oneOf')
  }
  return isNullable ? orNull(made, { nullable: true }) : made
}

/** `oneOf` alternatives that all objects fit leave none that fits just one: authors mean any of them. */
function asksForNothing(alternative: unknown): boolean {
  if (!isObject(alternative) || alternative.type !== 'object' || !isObject(alternative.properties)) return false
  const isPlain = Object.keys(alternative).every((name) =>
    ['type', 'properties', 'title', 'description'].includes(name),
  )
  return isPlain && Object.values(alternative.properties).every((one) => isObject(one) && !('enum' in one))
}

/** `nullable` beside a reference or alternatives: OpenAPI 3.0 gives it no meaning there, but authors and tools mean it. */
function orNull(schema: Record<string, unknown>, { nullable }: Readonly<Record<string, unknown>>): unknown {
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
}

/**
 * A discriminator says which alternative a value is (OpenAPI 3.0.3, 4.7.25). JSON Schema does not know it: of a value that fits another
 * alternative too, `oneOf` accepts none.
 */
function tellApart(made: Record<string, unknown>): void {
  const { discriminator, oneOf, anyOf, allOf = [] } = made
  if (!isObject(discriminator) || !Array.isArray(oneOf) || anyOf !== undefined) return
  const { propertyName, mapping = {} } = discriminator as { propertyName?: string; mapping?: Record<string, string> }
  const references = (oneOf as unknown[]).flatMap((one) =>
    isObject(one) && typeof one.$ref === 'string' ? [one.$ref] : [],
  )
  if (propertyName === undefined || references.length < oneOf.length) return
  const named = references.map((to): [string, string] => [to.slice(to.lastIndexOf('/') + 1), to])
  const mapped = Object.entries(mapping).map(([name, to]): [string, string] => [
    name,
    to.includes('/') ? to : `#/components/schemas/${to}`,
  ])
  const cases = [...named, ...mapped].map(([name, to]) => ({
    if: { properties: { [propertyName]: { const: name } }, required: [propertyName] },
    then: { $ref: to },
  }))
  Object.assign(made, { anyOf: oneOf, allOf: [...(allOf as unknown[]), ...cases] })
  delete made.oneOf
}

function mapOf(map: Values, document: Values, reading: Reading): Values {
  return Object.fromEntries(Object.entries(map).map(([name, inner]) => [name, toJsonSchema(inner, document, reading)]))
}

function requiredOf({ required, properties }: Values, document: Values, { hidden }: Reading): unknown {
  if (!Array.isArray(required)) return isObject(required) ? required : []
  return required.filter((name) => {
    const held = isObject(properties) ? properties[String(name)] : undefined
    const property =
      isObject(held) && typeof held.$ref === 'string' ? { ...target(document, held.$ref), ...held } : held
    return !(isObject(property) && property[hidden] === true)
  })
}

function target(document: Values, reference: string): Values {
  const found = decodeURIComponent(reference.slice(2))
    .split('/')
    .reduce<unknown>((value, part) => {
      return isObject(value) ? value[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
    }, document)
  return isObject(found) ? found : {}
}
