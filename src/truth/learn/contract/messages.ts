import { STATUS_CODES } from 'node:http'
import { asObject, isObject, type Members, stringifyJson, tryParseJson } from '../../../base/formats/json.ts'
import { plainName } from '../../../base/formats/names.ts'
import { bareType, isJson } from '../../../contract/media-type.ts'
import { decodePercent, replaceAt } from '../../../contract/pointer.ts'
import { REDACTED } from '../../../journal/secrets.ts'
import { headerOf } from '../../recordings/recorded-exchange.ts'
import { hasPersonal } from '../../recordings/scrub.ts'
import { isVolatile, isWord, OWN_ID } from '../constant-values.ts'
import { schemaOfValues } from '../schemas/schema-of-values.ts'
import { type ApiExchange, isSuccess } from './api-traffic.ts'
import type { CallerKey } from './caller-keys.ts'
import { type ItemSchemas, type RecordedOperation, valuesAt } from './item-schemas.ts'
import { camel, capital, type PathParameter } from './path-templates.ts'

/** Parameters and body of an operation. */
export function describeRequest(operation: RecordedOperation, keys: readonly CallerKey[]): Members {
  const { template, exchanges } = operation
  const accepted = exchanges.filter(isSuccess)
  const known = accepted.length > 0 ? accepted : exchanges
  // What is unknown has the form of what is there, unless the service says that it has not.
  const formed = exchanges.filter(({ status }) => status !== 400 && status !== 422)
  const segmentsAt = (at: number) =>
    (formed.length > 0 ? formed : exchanges).map(({ segments }) => decodePercent(segments[at] ?? ''))
  const inPath = template.parts.flatMap((part, at): Members[] =>
    typeof part === 'string' ? [] : [describePathParameter(part, segmentsAt(at))],
  )
  const isKey = (name: string) => keys.some((key) => key.place === 'query' && key.name === name)
  const queried = [...new Set(exchanges.flatMap(({ query }) => [...query.keys()]))].filter((name) => !isKey(name))
  const inQuery = queried.map((name) => {
    const own = known.some(({ query }) => query.has(name)) ? known : exchanges
    const described = describeParameter(own.map(({ query }) => query.getAll(name)))
    return { name, in: 'query', ...withDefault(described, shownWithout(accepted, name)) }
  })
  const parameters = [...inPath, ...inQuery]
  return { ...(parameters.length > 0 && { parameters }), ...describeBody(known) }
}

function describePathParameter({ name }: PathParameter, values: readonly string[]): Members {
  return { name, in: 'path', required: true, schema: schemaOfValues(values.map(readScalar)) }
}

/** @param sent the values of one parameter in each request */
function describeParameter(sent: readonly (readonly string[])[]): Members {
  const objects = sent.flat().map(tryParseJson)
  if (objects.length > 0 && objects.every(isObject))
    return { content: { 'application/json': { schema: schemaOfValues(objects) } } }
  const texts = sent.flat()
  // The direction of an order: the other one is there too.
  if (texts.length > 0 && texts.every((text) => text === 'asc' || text === 'desc'))
    return { schema: { type: 'string', enum: ['asc', 'desc'] } }
  const schema = schemaOfValues(texts.map(readScalar))
  const one = Array.isArray(schema.type) ? { type: 'string' } : schema
  return { schema: sent.some(({ length }) => length > 1) ? { type: 'array', items: one } : one }
}

/** What responses to requests without a parameter have in a member of its name, as they tell the size of a page. */
function shownWithout(accepted: readonly ApiExchange[], name: string): unknown[] {
  const bodies = accepted.flatMap(({ query, json }) => (query.has(name) || !isObject(json) ? [] : [json]))
  return bodies.map((json) => {
    const holders = [json, ...Object.values(json).filter(isObject)]
    const found = holders.map((one) => Object.keys(one).find((member) => plainName(member) === plainName(name)))
    const at = found.findIndex((member) => member !== undefined)
    return holders[at]?.[found[at] ?? '']
  })
}

function withDefault(described: Members, shown: readonly unknown[]): Members {
  const [first] = shown
  const { type } = asObject(described.schema)
  const isOne = type === 'integer' && typeof first === 'number' && shown.every((one) => one === first)
  return isOne ? { ...described, schema: { ...asObject(described.schema), default: first } } : described
}

/** A text of a URL as the value that it may be. */
function readScalar(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}

function describeBody(known: readonly ApiExchange[]): Members {
  const withBody = known.filter(({ exchange }) => (exchange.request.body ?? '') !== '')
  if (withBody.length === 0) return {}
  const groups = Map.groupBy(withBody, ({ exchange, sent }) =>
    bareType(
      headerOf(exchange.request.headers, 'content-type') ?? (sent === undefined ? 'text/plain' : 'application/json'),
    ),
  )
  const content = mapEntries(groups, (type, own) => ({ schema: bodySchema(type, own) }))
  return { requestBody: { ...(withBody.length === known.length && { required: true }), content } }
}

function bodySchema(type: string, own: readonly ApiExchange[]): Members {
  if (isJson(type)) return schemaOfValues(own.map(({ sent }) => sent).filter((sent) => sent !== undefined))
  if (type === 'application/x-www-form-urlencoded')
    return schemaOfValues(own.map(({ exchange }) => Object.fromEntries(new URLSearchParams(exchange.request.body))))
  return type.startsWith('multipart/') ? { type: 'object' } : { type: 'string' }
}

function mapEntries<Value, Made>(groups: ReadonlyMap<string, Value>, make: (key: string, value: Value) => Made) {
  return Object.fromEntries([...groups].map(([key, value]) => [key, make(key, value)]))
}

/** The responses of an operation, by their statuses. */
export function describeResponses(operation: RecordedOperation, items: ItemSchemas, errors: ErrorSchemas): Members {
  const groups = Map.groupBy(operation.exchanges, ({ status }) => String(status))
  const sorted = new Map([...groups].toSorted(([a], [b]) => Number(a) - Number(b)))
  return mapEntries(sorted, (status, own) => {
    const headers = describeHeaders(own)
    const types = Map.groupBy(
      own.filter(({ exchange }) => (exchange.response.body ?? '') !== ''),
      ({ exchange, json }) =>
        bareType(
          headerOf(exchange.response.headers, 'content-type') ??
            (json === undefined ? 'text/plain' : 'application/json'),
        ),
    )
    const content = mapEntries(types, (type, alike) => {
      if (!isJson(type))
        return { schema: { type: 'string' }, ...exampleOf(alike.map(({ exchange }) => exchange.response.body)) }
      const jsons = alike.map(({ json }) => json).filter((json) => json !== undefined)
      const known = isSuccess({ status: Number(status) }) ? items.placeIn(operation) : undefined
      const isThere = jsons.some((json) => known && (Array.isArray(json) || valuesAt(json, known.path).some(isObject)))
      const place = isThere ? known : undefined
      const schema = errors.schemaOf(status, jsons) ?? schemaOfValues(jsons, { isWhole: true })
      if (!place) return { schema, ...exampleOf(jsons) }
      return { schema: replaceAt(schema, place.path, { $ref: `#/components/schemas/${place.name}` }) }
    })
    return {
      description: DESCRIPTIONS[status.charAt(0)] ?? 'Recorded.',
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(types.size > 0 && { content }),
    }
  })
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  2: 'Done.',
  3: 'Elsewhere.',
  4: 'Refused.',
  5: 'Failed.',
}

/** Headers that are a matter of the API, and not of the server that it runs in. */
const OWN_HEADER =
  /^(?:location|etag|last-modified|link|content-range|retry-after|x-.*(?:count|total|page|limit|remaining|reset|next|cursor))$/i

const OF_PAGES = /^(?:link|x-total.*|x-.*(?:count|page|next|cursor))$/i

function describeHeaders(own: readonly ApiExchange[]): Members {
  if (!own.every(({ status }) => status < 400)) return {}
  const names = own.map(({ exchange }) => new Set(exchange.response.headers.map(({ name }) => name)))
  const all = names.reduce((some, each) => some.union(each), new Set<string>())
  // What tells of further pages is there where there are some.
  const isUsual = (name: string) => OF_PAGES.test(name) || names.every((each) => each.has(name))
  const shared = [...all].filter((name) => OWN_HEADER.test(name) && isUsual(name))
  return Object.fromEntries(
    shared.map((name) => [
      name,
      {
        schema: schemaOfValues(
          own.flatMap(({ exchange }) => headerOf(exchange.response.headers, name) ?? []).map(readScalar),
        ),
      },
    ]),
  )
}

/** Larger ones are no example that anybody reads. */
const LARGEST_EXAMPLE = 2000

/** The first body, where it has nothing that was made anew, is secret, or tells people apart. */
function exampleOf(bodies: readonly unknown[]): Members {
  const example = bodies.find((body) => isSafe(body) && stringifyJson(body).length <= LARGEST_EXAMPLE)
  return example === undefined ? {} : { example }
}

function isSafe(value: unknown, name = ''): boolean {
  if (Array.isArray(value)) return value.every((one) => isSafe(one, name))
  if (isObject(value)) return Object.entries(value).every(([member, one]) => isSafe(one, member))
  if (typeof value === 'string' && value !== '' && !isWord(value)) return false
  return !isVolatile(value, name) && !hasPersonal(value, name) && value !== REDACTED && !OWN_ID.test(name)
}

export interface ErrorSchemas {
  readonly components: Readonly<Record<string, Members>>
  /** A reference to the component of the bodies of a status. */
  schemaOf(status: string, jsons: readonly unknown[]): Members | undefined
}

/**
 * One component for the form that the errors of several operations have, for each status, since they say different things: `NotFoundError`.
 */
export function errorSchemas(operations: readonly RecordedOperation[]): ErrorSchemas {
  const refused = operations.flatMap((operation) =>
    operation.exchanges
      .filter(({ status, json }) => status >= 400 && isObject(json))
      .map(({ status, json }) => ({ operation, json, form: `${status} ${formOf(json)}` })),
  )
  const schemas = new Map<string, { readonly name: string; readonly schema: Members }>()
  for (const [form, alike] of Map.groupBy(refused, (one) => one.form)) {
    if (new Set(alike.map(({ operation }) => operation)).size < 2) continue
    const name = nameOfError(Number.parseInt(form))
    const others = [...schemas.values()].filter((one) => one.name.startsWith(name)).length
    const bodies = alike.map(({ json }) => json)
    const schema = schemaOfValues(bodies, { isWhole: true })
    schemas.set(form, { name: others === 0 ? name : `${name}${others + 1}`, schema })
  }
  return {
    components: Object.fromEntries([...schemas.values()].map(({ name, schema }) => [name, schema])),
    schemaOf(status, jsons) {
      const [form, ...others] = new Set(jsons.map(formOf))
      const found = others.length === 0 ? schemas.get(`${status} ${String(form)}`) : undefined
      return found && { $ref: `#/components/schemas/${found.name}` }
    },
  }
}

function nameOfError(status: number): string {
  const words = (STATUS_CODES[status] ?? `Status ${status}`).replaceAll("'", '')
  return `${capital(camel(words)).replace(/Error$/, '')}Error`
}

function formOf(json: unknown): string {
  return isObject(json) ? Object.keys(json).toSorted().join() : ''
}
