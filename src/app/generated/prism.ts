import { createInstance, type PrismHttpInstance } from '@stoplight/prism-http'
import { OPERATION_CONFIG } from '@stoplight/http-spec/oas'
import { transformOas3Operation } from '@stoplight/http-spec/oas3/operation'
import type { Contract, Operation } from '../../contract/contract.ts'
import type { Lookup } from '../../contract/pointer.ts'
import { encodePointer, isObject } from '../../base/formats/json.ts'

/** Prism's form of an operation. */
export type PrismOperation = Parameters<PrismHttpInstance['request']>[1][number]

const MARK = 'standin-place:'

/**
 * An operation for Prism, which chooses status, media type and example. Each schema is replaced by one whose only value is a mark with
 * the pointer of the real schema: where Prism responds with the mark, the value is generated here. Copying the schemas of a large
 * document would take Prism minutes.
 */
export function createResource(
  { document }: Pick<Contract, 'document'>,
  { path, method, pointer }: Operation,
  lookup: Lookup,
): PrismOperation {
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
  }) as PrismOperation
}

/** The pointer in a mark. Undefined for other values, which are examples. */
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

/** Examples as they are, with the mark in place of the schema. */
function withMark(lookup: Lookup, pointer: string): object {
  const held = lookup.at(pointer)
  const { example } = isObject(held) ? held : {}
  return {
    schema: { type: 'string', enum: [`${MARK}${lookup.locate(pointer)}/schema`] },
    ...(example === undefined ? {} : { example }),
    examples: mapMembers(lookup, `${pointer}/examples`, (at) => lookup.at(at)),
  }
}

/** Maps each member of the object at a pointer by the pointer of the member. */
function mapMembers(lookup: Lookup, pointer: string, map: (pointer: string) => unknown): Record<string, unknown> {
  const held = lookup.at(pointer)
  const names = isObject(held) ? Object.keys(held).filter((name) => !name.startsWith('x-')) : []
  return Object.fromEntries(names.map((name) => [name, map(`${pointer}/${encodePointer(name)}`)]))
}

/** The response that a request prefers, in Prism's syntax: `Prefer: code=404, example=none, dynamic=true`. */
export interface PreferredResponse {
  readonly code?: number
  readonly example?: string
  /** Whether to ignore the examples of the document. */
  readonly dynamic?: boolean
}

/** What Prism chose. The body is an example, a mark or undefined. */
export interface Choice {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

/** Why Prism chose nothing, with its status. */
export interface NoChoice {
  readonly status: number
  readonly detail: string
}

interface NegotiationOptions {
  readonly wanted: PreferredResponse
  /** The `Accept` header of the request. */
  readonly accept: string | undefined
}

/**
 * Lets Prism choose the response of an operation, without its router and validators: the request was routed and validated before.
 *
 * @throws Error for what Prism does not support, which is a defect of the mock
 */
export async function negotiate(
  resource: PrismOperation,
  { wanted, accept }: NegotiationOptions,
): Promise<Choice | NoChoice> {
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
      // Values are made here, so Prism need not make one: without examples it gives the mark.
      dynamic: false,
      ignoreExamples: dynamic && example === undefined,
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

interface Preferred {
  readonly example: string | undefined
  readonly mediaTypes: readonly string[] | undefined
}

/** Prism's refusals have a status, except where the request asked for a status too. Other errors are failures of Prism. */
function noChoice(error: Error & { readonly status?: number }, { example, mediaTypes }: Preferred): NoChoice {
  const { status = example !== undefined ? 404 : mediaTypes ? 406 : 500, message } = error
  if (status >= 500) throw error
  return { status, detail: message }
}

/** The well-formed media ranges of an Accept header. Undefined for all media types, where Prism prefers JSON. */
function mediaTypesOf(accept: string | undefined): string[] | undefined {
  if (accept === undefined) return undefined
  const ranges = accept.split(',').map((range) => range.trim())
  const wellFormed = ranges.filter((range) =>
    /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+( *; *[\w-]+=("[^"]*"|[^\s;"]+))*$/.test(range),
  )
  return wellFormed.length === 0 || wellFormed.every((range) => range.startsWith('*/*')) ? undefined : wellFormed
}

const LEVELS = ['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal']

/** Prism logs every step; ours has one line for each exchange. */
const MUTE = { child: () => MUTE, ...Object.fromEntries(LEVELS.map((level) => [level, () => undefined])) }
