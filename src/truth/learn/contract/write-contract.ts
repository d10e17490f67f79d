import { asObject, type Members } from '../../../base/formats/json.ts'
import { pluralOf, singular } from '../../../base/formats/plurals.ts'
import { type ApiExchange, type ApiTraffic, isSuccess } from './api-traffic.ts'
import { findKeys, securityOf } from './caller-keys.ts'
import { findItemSchemas, isOfItem, type RecordedOperation } from './item-schemas.ts'
import { describeRequest, describeResponses, errorSchemas } from './messages.ts'
import { camel, capital, findTemplates, type PathParameter, type PathTemplate } from './path-templates.ts'

/** A contract that recordings show. */
export interface WrittenContract {
  /** OpenAPI 3.1. */
  readonly document: Members
  readonly operations: number
  /** What it takes for granted, as sentences. */
  readonly unsure: readonly string[]
}

/** Writes the contract of an API from what it was asked, and what it responded. */
export function writeContract({ url, exchanges }: ApiTraffic): WrittenContract {
  const templates = findTemplates(exchanges)
  const operations = templates.flatMap((template) =>
    [...Map.groupBy(template.exchanges, ({ method }) => method)]
      .filter(([method, own]) => METHODS.has(method) && isThere(template, own))
      .map(([method, own]): RecordedOperation => ({ template, method, exchanges: own })),
  )
  const sent = new Set(exchanges.flatMap((one) => Object.keys(asObject(one.sent))))
  const items = findItemSchemas(operations, (name) => sent.has(name))
  const errors = errorSchemas(operations)
  const keys = findKeys(exchanges)
  const ids = new Set<string>()
  const paths: Record<string, Record<string, Members>> = {}
  for (const operation of operations) {
    const operationId = freeId(ids, operation, items.placeIn(operation)?.path)
    ;(paths[pathOf(operation.template)] ??= {})[operation.method.toLowerCase()] = {
      operationId,
      description: `Recorded ${operation.exchanges.length === 1 ? 'once' : `${operation.exchanges.length} times`}.`,
      ...describeRequest(operation, keys),
      responses: describeResponses(operation, items, errors),
      ...securityOf(operation, keys),
    }
  }
  const schemas = { ...items.components, ...errors.components }
  const schemes = Object.fromEntries(keys.map(({ id, scheme }) => [id, scheme]))
  return {
    document: {
      openapi: '3.1.0',
      info: {
        title: new URL(url).host,
        version: '1',
        description: `Written by standin learn from ${exchanges.length} recorded requests. It says what they showed: look through it.`,
      },
      servers: [{ url }],
      paths,
      components: {
        ...(Object.keys(schemas).length > 0 && { schemas }),
        ...(keys.length > 0 && { securitySchemes: schemes }),
      },
    },
    operations: operations.length,
    unsure: [...doubtsOf(operations)],
  }
}

const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'])

/** Whether a service has an operation: what was only ever refused as unknown is none, but for an item that may be missing. */
function isThere(template: PathTemplate, exchanges: readonly ApiExchange[]): boolean {
  return exchanges.some(({ status }) => status !== 405 && status !== 501 && (status !== 404 || isOfItem(template)))
}

function pathOf({ parts }: PathTemplate): string {
  return parts
    .map(
      (part) => `/${typeof part === 'string' ? part.replaceAll('{', '%7B').replaceAll('}', '%7D') : `{${part.name}}`}`,
    )
    .join('')
}

const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
}

/** `listPets`, `createPet`, `getPet`, `deletePets`. */
function freeId(taken: Set<string>, { template, method }: RecordedOperation, place: readonly string[] = []): string {
  const words = template.parts.filter((part): part is string => typeof part === 'string' && part !== '')
  const isList = method === 'GET' && place.some((keyword) => keyword === 'items' || keyword === 'additionalProperties')
  const isOne = isOfItem(template) || method === 'POST'
  const nouns = words.map((word, at) =>
    at < words.length - 1 || isOne ? singular(word) : isList ? pluralOf(word) : word,
  )
  const isPlain = method === 'POST' && singular(words.at(-1) ?? '') === words.at(-1) && !isOfItem(template)
  const verb = isList ? 'list' : isPlain ? 'post' : (VERBS[method] ?? method.toLowerCase())
  const name = verb + (nouns.map((noun) => capital(camel(noun))).join('') || 'Root')
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name}${count}`
  taken.add(free)
  return free
}

/** Fewer requests may have shown one case alone. */
const FEW = 2

function* doubtsOf(operations: readonly RecordedOperation[]): Generator<string> {
  const told = new Set<PathParameter>()
  for (const { template } of operations)
    for (const part of template.parts) {
      if (typeof part === 'string' || told.has(part)) continue
      told.add(part)
      const some = part.values.slice(0, 3).join(', ')
      if (part.reason === 'alike')
        yield `{${part.name}} of ${pathOf(template)} is a parameter since the responses for ${some} are alike`
      else if (part.values.length < FEW)
        yield `{${part.name}} of ${pathOf(template)} is a parameter by one value, ${some}`
    }
  const once = operations.filter(({ exchanges }) => exchanges.filter(isSuccess).length < FEW)
  if (once.length > 0) {
    const named = once.slice(0, 5).map(({ template, method }) => `${method} ${pathOf(template)}`)
    yield `fewer than two successful requests: ${named.join(', ')}${once.length > 5 ? ` and ${once.length - 5} more, which the contract describes as "Recorded once"` : ''}`
  }
}
