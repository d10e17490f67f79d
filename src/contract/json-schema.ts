import { type ErrorObject, Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { encodePointer, isObject } from '../json.ts'
import { shown, StartRefused, type Violation } from '../problem.ts'

/** The only file that knows ajv. */
export interface Schemas {
  /** Compiles the schema at a pointer of the document. */
  compile(pointer: string): Check
  /** The schema at a pointer, its reference followed. */
  resolve(pointer: string): Schema | undefined
  readonly compiled: number
}

export type Check = (value: unknown) => readonly Violation[]

export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly items?: unknown
  readonly [keyword: string]: unknown
}

/** Annotations of OpenAPI that assert nothing. */
const ANNOTATIONS = ['example', 'discriminator', 'externalDocs', 'xml']

/**
 * Makes the schemas of an OpenAPI document ready for use.
 *
 * @param sourceOf the line of the contract that a pointer points at, for messages
 * @param isTrusted whether the schemas are known to be schemas: holding them against the meta-schema is half the time of a start
 */
export function createSchemas(document: unknown, sourceOf: (pointer: string) => string, isTrusted = false): Schemas {
  const fast = createAjv(false, isTrusted)
  const thorough = createAjv(true, isTrusted)
  // A schema is copied with its references inlined; the copy remembers where in the document it came from.
  const origins = new WeakMap<object, string>()
  const copies = new Map<string, Schema>()
  const pending = new Set<string>()
  const at = (pointer: string): unknown => {
    const parts = pointer
      .split('/')
      .slice(1)
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    return parts.reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined,
      document,
    )
  }
  const copy = (value: unknown, pointer: string): unknown => {
    if (Array.isArray(value)) return value.map((element: unknown, index) => copy(element, `${pointer}/${index}`))
    if (!isObject(value)) return value
    const { $ref: reference, description: _description, summary: _summary, ...rest } = value
    if (typeof reference === 'string') {
      // Beside a reference, words only annotate; anything else asserts too.
      return Object.keys(rest).length === 0
        ? resolve(reference.slice(1))
        : { allOf: [resolve(reference.slice(1)), copy(rest, pointer)] }
    }
    const entries = Object.entries(value).map(
      ([name, inner]) => [name, copy(inner, `${pointer}/${encodePointer(name)}`)] as const,
    )
    const made = Object.fromEntries(entries)
    origins.set(made, pointer)
    return made
  }
  const resolve = (pointer: string): Schema | undefined => {
    const known = copies.get(pointer)
    if (known) return known
    if (pending.has(pointer))
      throw new StartRefused([`${sourceOf(pointer)}: the schema refers to itself, which is not supported yet.`])
    pending.add(pointer)
    const made = copy(at(pointer), pointer)
    pending.delete(pointer)
    if (!isObject(made)) return undefined
    copies.set(pointer, made)
    return made
  }
  let compiled = 0
  return {
    resolve,
    get compiled() {
      return compiled
    },
    compile(pointer) {
      const schema = resolve(pointer) ?? {}
      compiled++
      const holds = fast.compile(schema)
      let explain: ValidateFunction | undefined
      return (value) => {
        if (holds(value)) return []
        // The first error is enough to refuse; all of them are for the message. Long lists are cut, since each element may have one.
        explain ??= thorough.compile(schema)
        const errors = explain(cut(value)) ? holds.errors : explain.errors
        return describe(errors ?? [], (origin, keyword) => sourceOf(`${origins.get(origin) ?? ''}/${keyword}`))
      }
    },
  }
}

function createAjv(allErrors: boolean, isTrusted: boolean) {
  const ajv = new Ajv2020({
    allErrors,
    validateSchema: !isTrusted,
    // What ajv's optimiser saves at run time the engine's saves too, and this one costs at every start.
    code: { optimize: false },
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
  })
  addFormats.default(ajv, ['date-time', 'date', 'email', 'uuid', 'uri', 'uri-reference', 'json-pointer'])
  ajv.addFormat('int32', {
    type: 'number',
    validate: (value) => Math.abs(value) <= 2 ** 31 - 1 || value === -(2 ** 31),
  })
  // A double cannot tell 2^63 from 2^63 - 1; where digits count, the exact value is looked at after this.
  ajv.addFormat('int64', { type: 'number', validate: (value) => Math.abs(value) <= 2 ** 63 })
  for (const keyword of ANNOTATIONS) ajv.addKeyword(keyword)
  return ajv
}

const LONGEST_LIST = 60

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map(cut)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cut(inner)])) : value
}

type SourceOf = (parentSchema: object, keyword: string) => string

function describe(errors: readonly ErrorObject[], sourceOf: SourceOf): Violation[] {
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
