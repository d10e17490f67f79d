import type { Contract, Operation, Parameter, ParameterType } from './contract.ts'
import { jsonTypeOf } from './documented.ts'
import { createSchemas, type Check, type Schema, type Schemas } from './json-schema.ts'
import type { Document } from '../document.ts'
import { encodePointer, isObject } from '../json.ts'
import { StartRefused } from '../problem.ts'

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head']

export interface LoadOptions {
  /** Whether it comes with the package, whose tests hold it against the meta-schema. */
  readonly isTrusted?: boolean
  /** Whether to compile what checks a body when the first one comes: for a large document of which a run uses little. */
  readonly isLazy?: boolean
}

/**
 * Compiles an OpenAPI 3.1 document.
 *
 * @throws StartRefused naming file, line and remedy for what is missing or not understood
 */
export function loadContract(document: Document, { isTrusted = false, isLazy = false }: LoadOptions = {}): Contract {
  const { file, value, lineOf } = document
  const refuse = (pointer: string, complaint: string): never => {
    throw new StartRefused([`${file}:${lineOf(pointer)}: ${complaint}`])
  }
  if (!isObject(value) || typeof value.openapi !== 'string')
    return refuse('', 'This is no OpenAPI 3.1 document: it has no `openapi`. Name one with --contract.')
  if (!value.openapi.startsWith('3.1'))
    return refuse('/openapi', `OpenAPI ${value.openapi} is not supported. Bring the document up to 3.1.`)
  const schemas = createSchemas(value, (pointer) => `${file}:${lineOf(pointer)}`, isTrusted)
  const ready = isLazy ? { ...schemas, compile: (pointer: string) => compileLater(schemas, pointer) } : schemas
  const operations = guard(file, () => compileOperations(value, ready, refuse, document))
  const checks = new Map<string, Check>()
  return {
    file,
    document: value,
    basePath: '',
    operations,
    keyHeader:
      findKeyHeader(value) ??
      refuse('/components', 'No security scheme names a header for the key. Add one of type apiKey in header.'),
    get validators() {
      return schemas.compiled
    },
    check(schema, held) {
      const check = checks.get(schema) ?? schemas.compile(`/components/schemas/${schema}`)
      checks.set(schema, check)
      return check(held)
    },
  }
}

function compileLater(schemas: Schemas, pointer: string): Check {
  let check: Check | undefined
  return (value) => (check ??= schemas.compile(pointer))(value)
}

/** What ajv cannot compile is a fault of the document. */
function guard<T>(file: string, compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    if (error instanceof StartRefused) throw error
    throw new StartRefused([
      `${file}: a schema cannot be compiled: ${error instanceof Error ? error.message : String(error)}`,
    ])
  }
}

type Refuse = (pointer: string, complaint: string) => never

function compileOperations(
  document: Record<string, unknown>,
  schemas: Schemas,
  refuse: Refuse,
  source: Document,
): Operation[] {
  const paths = isObject(document.paths) ? document.paths : refuse('', 'The document has no `paths`.')
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const pointer = `/paths/${encodePointer(path)}/${method}`
      const held = isObject(item) ? item[method] : undefined
      if (!isObject(held)) return []
      const { operationId } = held
      if (typeof operationId !== 'string')
        return refuse(pointer, `${method.toUpperCase()} ${path} has no operationId. Add one.`)
      return [compileOperation({ operationId, method, path, pointer }, held, schemas, source)]
    }),
  )
  return operations.length > 0 ? operations : refuse('/paths', 'The document has no operations.')
}

interface Named {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly pointer: string
}

function compileOperation(
  { operationId, method, path, pointer }: Named,
  held: Record<string, unknown>,
  schemas: Schemas,
  source: Document,
): Operation {
  const body = schemas.resolve(`${pointer}/requestBody`)
  const bodyPointer = `${pointer}/requestBody/content/application~1json/schema`
  const checkBody = body ? schemas.compile(bodyPointer) : () => []
  const shape = body ? schemas.resolve(bodyPointer) : undefined
  const answers = new Map<number, Check>()
  const parameters = readParameters(pointer, held, schemas, source)
  const responses = isObject(held.responses) ? held.responses : {}
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    pointer,
    extensions: extensionsOf(held),
    security: 'key',
    parameters,
    queryNames: new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)),
    bodyRequired: body?.required === true,
    checkBody,
    unknownMembers: (value) => (knowsAll(value, shape) ? [] : unknownMembers(value, shape, '')),
    knownMembers: (at) => Object.keys(schemaAt(shape, at)?.properties ?? {}),
    checkAnswer(status, value) {
      const check =
        answers.get(status) ??
        schemas.compile(answerPointer(pointer, responseName(status, responses), responses, schemas))
      answers.set(status, check)
      return check(value)
    },
  }
}

function extensionsOf(held: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(held).filter(([name]) => name.startsWith('x-')))
}

/**
 * OpenAPI 3.1, 4.8.16.1: the status itself, else its range such as `4XX`, else `default`. A success that the document does not
 * list is one that the ledger gives in place of a 200, and its body is the same.
 */
function responseName(status: number, responses: object): string {
  const range = `${Math.floor(status / 100)}XX`
  const names = [String(status), range, ...(range === '2XX' ? ['200'] : [])]
  return names.find((name) => name in responses) ?? 'default'
}

/** The schema of an answer, its reference followed: a problem document where the response has one, else JSON. */
function answerPointer(pointer: string, name: string, responses: Record<string, unknown>, schemas: Schemas): string {
  const held = responses[name]
  const response = isObject(held) && typeof held.$ref === 'string' ? held.$ref.slice(1) : `${pointer}/responses/${name}`
  const content = schemas.resolve(response)?.content
  const type = jsonTypeOf(isObject(content) ? Object.keys(content) : []) ?? 'application/json'
  return `${response}/content/${encodePointer(type)}/schema`
}

function readParameters(
  pointer: string,
  held: Record<string, unknown>,
  schemas: Schemas,
  { file, lineOf }: Document,
): Parameter[] {
  const list = Array.isArray(held.parameters) ? held.parameters : []
  return list.flatMap((_, index): Parameter[] => {
    const at = `${pointer}/parameters/${index}`
    const parameter = schemas.resolve(at)
    const { name, in: place, schema } = parameter ?? {}
    if (typeof name !== 'string' || (place !== 'path' && place !== 'query')) return []
    const { type, format } = isObject(schema) ? (schema as Schema) : {}
    return [
      { name, in: place, type: isParameterType(type) ? type : 'string', format, source: () => `${file}:${lineOf(at)}` },
    ]
  })
}

function isParameterType(type: unknown): type is ParameterType {
  return type === 'string' || type === 'integer' || type === 'boolean'
}

const MOST_UNKNOWN = 20

/** Whether `unknownMembers` would find none; most bodies have none, and for them no pointers need be written. */
function knowsAll(value: unknown, schema: Schema | undefined): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    const items = schema?.items
    return !isObject(items) || value.every((element: unknown) => knowsAll(element, items))
  }
  const properties = schema?.properties
  if (!properties) return true
  return Object.keys(value).every((name) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    return known !== undefined && knowsAll((value as Readonly<Record<string, unknown>>)[name], known as Schema)
  })
}

/** Members that no schema on the way knows. A schema without `properties` is open, and so is one made of alternatives. */
function unknownMembers(value: unknown, schema: Schema | undefined, pointer: string): string[] {
  if (Array.isArray(value)) {
    const items = schema?.items
    return isObject(items)
      ? value
          .flatMap((element: unknown, index) => unknownMembers(element, items, `${pointer}/${index}`))
          .slice(0, MOST_UNKNOWN)
      : []
  }
  const properties = schema?.properties
  if (!isObject(value) || !properties) return []
  return Object.entries(value)
    .flatMap(([name, inner]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      const at = `${pointer}/${encodePointer(name)}`
      return known === undefined ? [at] : unknownMembers(inner, known as Schema, at)
    })
    .slice(0, MOST_UNKNOWN)
}

function schemaAt(schema: Schema | undefined, pointer: string): Schema | undefined {
  const parts = pointer.split('/').slice(1)
  return parts.reduce<Schema | undefined>((at, part) => {
    const inner = at?.items ?? at?.properties?.[part.replaceAll('~1', '/').replaceAll('~0', '~')]
    return isObject(inner) ? inner : undefined
  }, schema)
}

function findKeyHeader(document: Record<string, unknown>): string | undefined {
  const components = isObject(document.components) ? document.components : {}
  const schemes = isObject(components.securitySchemes) ? Object.values(components.securitySchemes) : []
  const scheme = schemes.find((one) => isObject(one) && one.type === 'apiKey' && one.in === 'header')
  return isObject(scheme) && typeof scheme.name === 'string' ? scheme.name : undefined
}
