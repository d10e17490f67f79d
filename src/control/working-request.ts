import type { Operation, Parameter } from '../contract/contract.ts'
import type { Lookup } from '../contract/pointer.ts'
import { asObject, isObject, type Members, textOrJson } from '../base/formats/json.ts'

type ParameterTexts = Readonly<Record<string, string>>

/** Values of the parameters by name, and a body; undefined for none. */
interface TriedRequest {
  readonly path: ParameterTexts
  readonly query: ParameterTexts
  readonly headers: ParameterTexts
  readonly body: unknown
}

/** A response that the server gave, or would give, as the document shows it. */
export interface Answered {
  readonly status: number
  readonly mediaType: string
  readonly body: unknown
  /** For people: where the example comes from. */
  readonly source: string
}

/** A request that an operation accepts, as far as that can be told, and what it responds. */
export interface Tried {
  readonly request: TriedRequest
  /** The behaviours that its responses may depend on, as `StatefulOperation.dependsOn` has them. */
  readonly dependsOn: readonly string[]
  /** Undefined where that cannot be shown. */
  readonly answered: Answered | undefined
}

interface TriedOperation {
  readonly operation: Operation
  /** The path item, which may have parameters for all its operations. */
  readonly item: Members
  readonly request: TriedRequest
  readonly lookup: Lookup
}

/** An operation whose parameters and body have the values of a request as their examples. Optional parameters that it does not send have none. */
export function withRequest(held: Members, { operation, item, request, lookup }: TriedOperation): Members {
  const parameters = allParameters(held, item, lookup)
  const implied = operation.parameters.filter(({ isImplied }) => isImplied === true).map(asDocumented)
  const shown = [...parameters, ...implied].map((one) => withValue(one, request, lookup))
  const body = lookup.at(`${operation.pointer}/requestBody`)
  const input =
    request.body !== undefined && isObject(body)
      ? { requestBody: exampleIn(body, { mediaType: 'json', example: request.body, lookup }) }
      : {}
  return { ...held, ...(shown.length === 0 ? {} : { parameters: shown }), ...input }
}

/** Those of the path, unless the operation has one of the same name, and its own. */
function allParameters(held: Members, item: Members, { follow }: Lookup): readonly Members[] {
  const read = (list: unknown) => (Array.isArray(list) ? list.map(follow).filter(isObject) : []) as readonly Members[]
  const own = read(held.parameters)
  const shared = read(item.parameters).filter(
    (one) => !own.some((other) => other.name === one.name && other.in === one.in),
  )
  return [...shared, ...own]
}

/** A parameter that only the template of the path names. */
function asDocumented({ name }: Parameter): Members {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

const PLACES: Readonly<Record<string, keyof TriedRequest>> = { path: 'path', query: 'query', header: 'headers' }

function withValue(parameter: Members, request: TriedRequest, { follow }: Lookup): Members {
  const { example, examples, ...rest } = parameter
  const place = PLACES[String(rest.in)]
  const text = place === undefined || place === 'body' ? undefined : request[place][String(rest.name)]
  const schema = follow(rest.schema)
  if (!isObject(schema) || schema.type === 'object') return parameter
  if (text !== undefined) return { ...rest, schema: withoutExamples(schema), example: typed(text, schema, follow) }
  if (rest.required === true) return parameter
  const shown = exampleShown(example, examples, follow) ?? schema.example
  return { ...rest, schema: withoutExamples(schema), ...describedBy(rest.description, shown) }
}

/** The example of a value that is not sent is part of the description, so that no form sends it. */
function describedBy(description: unknown, shown: unknown): Members {
  if (shown === undefined) return {}
  const text = textOrJson(shown)
  const before = typeof description === 'string' && description.trim() !== '' ? `${description.trim()}\n\n` : ''
  return { description: `${before}For example \`${text}\`.` }
}

function exampleShown(example: unknown, examples: unknown, follow: Lookup['follow']): unknown {
  if (example !== undefined) return example
  const [first] = isObject(examples) ? Object.values(examples).map(follow) : []
  return asObject(first).value
}

function withoutExamples({ example: _one, examples: _many, ...schema }: Members): Members {
  return schema
}

function typed(text: string, schema: Members, follow: Lookup['follow']): unknown {
  const types = [schema.type].flat()
  if (types.includes('array')) {
    const items = follow(schema.items)
    return [isObject(items) ? typed(text, items, follow) : text]
  }
  if (types.includes('boolean')) return text === 'true'
  // A number that JSON would write otherwise stays a text.
  return (types.includes('integer') || types.includes('number')) && String(Number(text)) === text ? Number(text) : text
}

interface BodyExample {
  /** As it was sent, or its end. */
  readonly mediaType: string
  readonly example: unknown
  readonly lookup: Lookup
}

/** A request body or a response with an example. Its media type comes first, since forms begin with the first. */
export function exampleIn(holder: Members, { mediaType, example, lookup }: BodyExample): Members {
  const content = asObject(holder.content)
  const type = Object.keys(content).find((one) => one.split(';')[0]?.endsWith(mediaType))
  const media = type === undefined ? undefined : lookup.follow(content[type])
  if (type === undefined || !isObject(media) || example === undefined) return holder
  const { examples: _documented, ...rest } = media
  const { [type]: _own, ...others } = content
  return { ...holder, content: { [type]: { ...rest, example }, ...others } }
}
