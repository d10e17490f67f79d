import type { Contract, Operation, Parameter } from '../../contract/contract.ts'
import { createLookup, type Lookup } from '../../contract/pointer.ts'
import { shapeOf } from '../../contract/schemas/shape.ts'
import { keyParts } from '../../contract/template.ts'
import { asObject, encodePointer, isObject } from '../../base/formats/json.ts'
import type { Binding } from '../binding/binding.ts'
import { exampleOf } from '../binding/describe-bindings.ts'

/** A request that an operation should accept. */
export interface ReadyRequest {
  /** By the contract's names. */
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for none. */
  readonly body: unknown
}

interface Wishes {
  /** Whether a body is made, which takes milliseconds. */
  readonly withBody?: boolean
}

/** Makes a request for an operation: of its own example, or the examples of the contract, or else the least that its schemas ask for. */
export function createReadyRequests(contract: Contract): (binding: Binding, wishes?: Wishes) => Promise<ReadyRequest> {
  const lookup = createLookup(contract.document)
  return async (binding, { withBody = true } = {}) => {
    const { operation } = binding
    const example = exampleOf(binding)
    const named = (place: Parameter['in'], isNeeded: (one: Parameter) => boolean) =>
      Object.fromEntries(
        operation.parameters
          .filter((one) => one.in === place && isNeeded(one))
          .map((one) => [one.name, valueOf(one, lookup)]),
      )
    const own = binding.kind === 'stateful' && binding.parameter !== undefined ? binding.parameter : ''
    const path = named('path', () => true)
    return {
      path: example ? { ...path, [own]: example.path } : path,
      query: example
        ? Object.fromEntries(new URLSearchParams(example.query))
        : named(
            'query',
            ({ required, name }) => required && keyParts(operation.path).query.every(([key]) => key !== name),
          ),
      headers: named('header', ({ required, name }) => required && !NOT_PARAMETERS.has(name.toLowerCase())),
      body: example ? example.body : withBody ? await bodyOf(binding, contract, lookup) : undefined,
    }
  }
}

/** OpenAPI ignores parameters of these names. */
const NOT_PARAMETERS = new Set(['accept', 'content-type', 'authorization'])

/** The path of an operation with the values of a request. */
export function pathOf({ path }: Operation, values: ReadyRequest['path']): string {
  return keyParts(path).template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? '1'),
  )
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-4000-8000-000000000001',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:00:00Z',
  email: 'ada@example.com',
}

function valueOf({ schema, type, usual }: Pick<Parameter, 'schema' | 'type' | 'usual'>, lookup: Lookup): string {
  const found = lookup.follow(schema)
  const { example, examples, enum: words, minimum, format, items } = asObject(found)
  const lists = [examples, words].flatMap((list) => (Array.isArray(list) ? [list[0] as unknown] : []))
  const value = [example, ...lists, usual].find(isPlain)
  if (value !== undefined) return String(value)
  // One element is a list.
  if (items !== undefined) return valueOf({ schema: items, type: typeOf(lookup.follow(items)) }, lookup)
  if (type === 'boolean') return 'true'
  if (type === 'integer') return String(typeof minimum === 'number' ? Math.max(1, minimum) : 1)
  return BY_FORMAT[String(format)] ?? '1'
}

function typeOf(schema: unknown): Parameter['type'] {
  const { type } = asObject(schema)
  return type === 'integer' || type === 'boolean' ? type : 'string'
}

function isPlain(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** The example of the contract, else the least body that passes its schema; undefined where none is required or found. */
async function bodyOf(binding: Binding, contract: Contract, lookup: Lookup): Promise<unknown> {
  const { operation } = binding
  const body = lookup.at(`${operation.pointer}/requestBody`)
  const content = asObject(asObject(body).content)
  const mediaType = Object.keys(content).find((type) => /[/+]json\b/.test(type))
  if (mediaType === undefined) return undefined
  const media = lookup.follow(content[mediaType])
  if (!isObject(media)) return undefined
  const [first] = isObject(media.examples) ? Object.values(media.examples).map(lookup.follow) : []
  const given = media.example ?? asObject(first).value
  if (given !== undefined || !operation.bodyRequired) return given
  const usual = binding.kind === 'stateful' ? binding.builtin.usualBody : undefined
  if (usual && (await contract.inTurns(() => operation.checkBody(usual))).length === 0) return usual
  const pointer = `${lookup.locate(`${operation.pointer}/requestBody`)}/content/${encodePointer(mediaType)}/schema`
  const [{ generateValue }, { findValid }] = await Promise.all([
    import('../../values/generate-value.ts'),
    import('../../values/repair-value.ts'),
  ])
  let usable: unknown
  for (const requiredOnly of [true, false]) {
    const found = await findValid({
      generate: (style) => generateValue({ lookup, key: 1, now: NOW }, pointer, style),
      check: (value) => contract.inTurns(() => operation.checkBody(value)),
      known: {},
      styles: [{ examples: true, requiredOnly, turn: 0 }],
    })
    if (!('value' in found)) continue
    const sendable = await contract.inTurns(() => plainer(found.value, contract.document, pointer))
    if ((await contract.inTurns(() => operation.checkBody(sendable))).length === 0) return sendable
    usable ??= found.value
  }
  return usable
}

/** A body without read-only members. References name the first item of their collection, because generated ids name nothing. */
function plainer(value: unknown, document: object, pointer: string): unknown {
  const lookup = createLookup(document)
  const { properties } = shapeOf(document, lookup.raw(pointer), 'any')
  if (!isObject(value)) return value
  const isOfService = (name: string) => {
    const schema = lookup.follow(properties.get(name))
    return isObject(schema) && schema.readOnly === true
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'id' && !isOfService(name) && (properties.size === 0 || properties.has(name)))
      .map(([name, inner]) => [name, withFirstItems(name, inner)]),
  )
}

function withFirstItems(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => withFirstItems(name, inner))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([inner, held]) => [inner, withFirstItems(inner, held)]))
  return typeof value === 'number' && /(?:[a-z]I|_i)d$/.test(name) ? 1 : value
}

/** Dates in bodies are near this one, whenever the page is made. */
const NOW = Date.UTC(2026, 0, 31)
