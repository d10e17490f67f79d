import { createInstance, type PrismHttpInstance } from '@stoplight/prism-http'
import { OPERATION_CONFIG, transformOas3Operation } from '@stoplight/http-spec'
import type { Contract, Operation } from '../contract/contract.ts'
import type { Lookup } from '../contract/schemas/lookup.ts'
import { encodePointer, isObject } from '../formats/json.ts'

/** An operation as Prism knows it. */
export type Resource = Parameters<PrismHttpInstance['request']>[1][number]

const MARK = 'standin-place:'

/**
 * An operation made ready for Prism. It chooses status, media type and example; where it would make a value by a schema, it finds
 * a schema whose only value is the name of the place where the real one stands, so that we see it, and make the value ourselves.
 * It is also quick: Prism never sees the schemas, and copying those of a large document takes it minutes.
 */
export function createResource(
  { document }: Pick<Contract, 'document'>,
  { path, method, pointer }: Operation,
  lookup: Lookup,
): Resource {
  const operation = lookup.at(pointer)
  const { deprecated } = isObject(operation) ? operation : {}
  const reduced = { responses: mapMembers(lookup, `${pointer}/responses`, (at) => responseAt(lookup, at)), deprecated }
  return transformOas3Operation({
    document: {
      openapi: '3.1.0',
      info: isObject(document.info) ? document.info : {},
      paths: { [path]: { [method.toLowerCase()]: reduced } },
    },
    name: path,
    method: method.toLowerCase(),
    config: OPERATION_CONFIG,
  }) as Resource
}

/** The place that a value names, when Prism has found no example and taken our mark for one. */
export function markedPlace(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined
}

function responseAt(lookup: Lookup, pointer: string): object {
  return {
    description: '',
    headers: mapMembers(lookup, `${pointer}/headers`, (at) => withMark(lookup, at)),
    content: mapMembers(lookup, `${pointer}/content`, (at) => withMark(lookup, at)),
  }
}

/** Examples as they are, and the mark in place of the schema. */
function withMark(lookup: Lookup, pointer: string): object {
  const held = lookup.at(pointer)
  const { example } = isObject(held) ? held : {}
  return {
    schema: { type: 'string', enum: [`${MARK}${lookup.placeOf(pointer)}/schema`] },
    ...(example === undefined ? {} : { example }),
    examples: mapMembers(lookup, `${pointer}/examples`, (at) => lookup.at(at)),
  }
}

/** Each member of the object at a pointer, by its own pointer. */
function mapMembers(lookup: Lookup, pointer: string, map: (pointer: string) => unknown): Record<string, unknown> {
  const held = lookup.at(pointer)
  const names = isObject(held) ? Object.keys(held).filter((name) => !name.startsWith('x-')) : []
  return Object.fromEntries(names.map((name) => [name, map(`${pointer}/${encodePointer(name)}`)]))
}

/** The response that a request prefers, in Prism's syntax: `Prefer: code=404, example=none, dynamic=true`. */
export interface Wanted {
  readonly code?: number
  readonly example?: string
  /** Whether to ignore the examples of the document. */
  readonly dynamic?: boolean
}

/** What Prism has chosen: a status, headers, and a body that is an example, the mark of a place, or not there. */
export interface Choice {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Why Prism chooses nothing, and the status that it says so with. */
export interface NoChoice {
  readonly status: number
  readonly detail: string
}

interface Asked {
  readonly wanted: Wanted
  /** The request header. */
  readonly accept: string | undefined
}

/**
 * Lets Prism choose the answer of an operation. Its router and its validators have no part in it: the request was routed, and held
 * against the contract, before.
 *
 * @throws Error for what Prism cannot cope with, which is a defect of the mock
 */
export async function negotiate(resource: Resource, { wanted, accept }: Asked): Promise<Choice | NoChoice> {
  const { code, example, dynamic = false } = wanted
  const mediaTypes = mediaTypesOf(accept)
  const config = {
    isProxy: false as const,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    mock: {
      dynamic: dynamic && example === undefined,
      ...(code === undefined ? {} : { code }),
      ...(example === undefined ? {} : { exampleKey: example }),
      ...(mediaTypes === undefined ? {} : { mediaTypes }),
    },
  }
  const prism = createInstance(config, {
    logger: MUTE as never,
    route: () => ({ _tag: 'Right', right: resource }),
  })
  const input = { method: resource.method as 'get', url: { path: resource.path }, headers: {} }
  const result = await prism.request(input, [resource], config)()
  if (result._tag === 'Left') return noChoice(result.left, { example, mediaTypes })
  const { statusCode, headers = {}, body } = result.right.output
  return { status: statusCode, headers, body }
}

interface Sought {
  readonly example: string | undefined
  readonly mediaTypes: readonly string[] | undefined
}

/** Prism's own refusals have a status, but when it looked for a status too, it has lost that; anything else is a failure of its. */
function noChoice(error: Error & { readonly status?: number }, { example, mediaTypes }: Sought): NoChoice {
  const { status = example !== undefined ? 404 : mediaTypes ? 406 : 500, message } = error
  if (status >= 500) throw error
  return { status, detail: message }
}

/** The media ranges of an Accept header that are well formed; undefined for all, for then Prism prefers JSON. */
function mediaTypesOf(accept: string | undefined): string[] | undefined {
  if (accept === undefined) return undefined
  const ranges = accept.split(',').map((range) => range.trim())
  const wellFormed = ranges.filter((range) =>
    /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+( *; *[\w-]+=("[^"]*"|[^\s;"]+))*$/.test(range),
  )
  return wellFormed.length === 0 || wellFormed.every((range) => range.startsWith('*/*')) ? undefined : wellFormed
}

/** Prism tells its every thought to a log; ours has one line for each exchange. */
const MUTE = {
  child: () => MUTE,
  trace: drop,
  debug: drop,
  info: drop,
  success: drop,
  warn: drop,
  error: drop,
  fatal: drop,
}

function drop(): void {
  // Nobody reads it.
}
