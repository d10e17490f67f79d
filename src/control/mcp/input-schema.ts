import type { OperationId } from '../client/client.ts'
import { OPERATIONS } from '../client/operations.ts'
import { readPackaged } from '../../base/formats/source-file.ts'

type ControlSchema = Readonly<Record<string, unknown>>

interface ControlParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: ControlSchema
  readonly example?: unknown
}

interface ControlOperation {
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly (ControlParameter | { readonly $ref: string })[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Readonly<
      Record<
        string,
        { readonly schema: ControlSchema; readonly examples?: Readonly<Record<string, { value: unknown }>> }
      >
    >
  }
}

interface ControlContract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ControlOperation>>>>
  readonly components: {
    readonly parameters: Readonly<Record<string, ControlParameter>>
    readonly schemas: Readonly<Record<string, ControlSchema>>
  }
}

const REFERENCE = '#/components/schemas/'

/** What the contract of the control API says of an operation. */
export function summaryOf(id: OperationId): { readonly summary: string; readonly description?: string } {
  return operationOf(id)
}

/** The parameters of an operation's path, in their order, and whether it takes a body. */
export function parametersOf(id: OperationId): { readonly path: readonly string[]; readonly hasBody: boolean } {
  const [, template] = OPERATIONS[id]
  const path = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  return { path, hasBody: operationOf(id).requestBody !== undefined }
}

/**
 * The JSON Schema of a tool's arguments: the parameters of the path and of the query by their names, and `body`. What the body's schema refers
 * to is in `$defs`.
 */
export function inputSchemaOf(id: OperationId): { readonly type: 'object'; readonly [key: string]: unknown } {
  const { parameters = [], requestBody } = operationOf(id)
  const given = parameters.map(resolved).filter((parameter) => parameter.in !== 'header')
  const required = given.filter((one) => one.required === true).map((one) => one.name)
  const properties: Record<string, ControlSchema> = {}
  for (const { name, schema, description, example } of given)
    properties[name] = { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) }
  const content = requestBody?.content['application/json']
  if (requestBody && content) {
    const examples = Object.values(content.examples ?? {}).map((example) => example.value)
    properties.body = { ...content.schema, ...(examples.length > 0 ? { examples } : {}) }
    if (requestBody.required === true) required.push('body')
  }
  const definitions = definitionsOf(properties)
  return {
    type: 'object',
    properties: withLocalReferences(properties),
    required,
    additionalProperties: false,
    ...(definitions.size > 0 ? { $defs: withLocalReferences(Object.fromEntries(definitions)) } : {}),
  }
}

function operationOf(id: OperationId): ControlOperation {
  const [method, path] = OPERATIONS[id]
  const operation = contract().paths[path]?.[method.toLowerCase()]
  if (!operation) throw new Error(`The contract of the control API has no ${method} ${path}.`)
  return operation
}

function contract(): ControlContract {
  return readPackaged('spec/control.openapi.yaml').value as ControlContract
}

function resolved(parameter: ControlParameter | { readonly $ref: string }): ControlParameter {
  if (!('$ref' in parameter)) return parameter
  const found = contract().components.parameters[parameter.$ref.slice(parameter.$ref.lastIndexOf('/') + 1)]
  if (!found) throw new Error(`The contract of the control API has no parameter ${parameter.$ref}.`)
  return found
}

/** The schemas of the contract that a value refers to, and those that they refer to. */
function definitionsOf(value: unknown, found = new Map<string, ControlSchema>()): Map<string, ControlSchema> {
  for (const name of referencesOf(value)) {
    const schema = contract().components.schemas[name]
    if (found.has(name) || !schema) continue
    found.set(name, schema)
    definitionsOf(schema, found)
  }
  return found
}

function referencesOf(value: unknown): string[] {
  const names = new Set<string>()
  JSON.stringify(value, (key, part: unknown) => {
    if (key === '$ref' && typeof part === 'string') names.add(part.slice(REFERENCE.length))
    return part
  })
  return [...names]
}

function withLocalReferences(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(`"${REFERENCE}`, '"#/$defs/'))
}
