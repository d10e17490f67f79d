import type { Operation, Parameter } from '../../contract/contract.ts'
import { isJson } from '../../contract/media-type.ts'
import { cookiesOf } from '../../contract/parameters/credential-location.ts'
import { readText } from '../../contract/parameters/typed-text.ts'
import { decodePercent } from '../../contract/pointer.ts'
import { createRouter } from '../../contract/router.ts'
import { shown, type Violation } from '../../base/errors/problem.ts'
import { tryParseJson } from '../../base/formats/json.ts'
import { headerOf, type Header, type RecordedRequest } from './recorded-exchange.ts'

/** A request as an operation of a contract reads it. */
export interface ReadRequest {
  readonly operation: Operation
  readonly request: RecordedRequest
  /** Of the path, as sent. */
  readonly pathParameters: Readonly<Record<string, string>>
  readonly query: ReadonlyMap<string, readonly string[]>
  /** Undefined when there was none, and when it is neither JSON nor a form. */
  readonly body: unknown
}

/** Finds the operation of a request; undefined when it has none. */
export function createRequestReader(
  operations: readonly Operation[],
): (request: RecordedRequest) => ReadRequest | undefined {
  const router = createRouter(operations)
  return (request) => {
    const [path = '', search = ''] = request.url.split(/\?(.*)/s)
    const headers = Object.fromEntries(request.headers.map(({ name, value }) => [name.toLowerCase(), value]))
    const route = router.route(request.method, path, 'strict', { search, headers })
    if (route.kind !== 'operation') return undefined
    const pairs = Map.groupBy(new URLSearchParams(search), ([name]) => name)
    return {
      operation: route.operation,
      request,
      pathParameters: route.parameters,
      query: new Map([...pairs].map(([name, values]) => [name, values.map(([, value]) => value)])),
      body: readBody(route.operation, request),
    }
  }
}

const FORM = 'application/x-www-form-urlencoded'

function readBody(operation: Operation, { headers, body }: RecordedRequest): unknown {
  if (body === undefined || body === '') return undefined
  const mediaType = headerOf(headers, 'content-type') ?? 'application/json'
  if (mediaType.toLowerCase().startsWith(FORM)) return operation.readForm(new URLSearchParams(body), FORM)
  return isJson(mediaType) ? tryParseJson(body) : undefined
}

/** What a request sent for a parameter of any operation; undefined when it sent none. */
export function valueOf({ request, query, pathParameters }: ReadRequest, parameter: Parameter): unknown {
  const { in: place, style, type } = parameter
  const text = textOf({ request, query, pathParameters }, parameter)
  if (style) return style.read({ text, query })
  if (text === undefined) return undefined
  return readText(place === 'path' ? decodePercent(text) : text, [type])
}

function textOf(
  { request, query, pathParameters }: Omit<ReadRequest, 'operation' | 'body'>,
  parameter: Parameter,
): string | undefined {
  const { name, in: place } = parameter
  if (place === 'query') return query.get(name)?.[0]
  if (place === 'querystring') return /\?(.+)/s.exec(request.url)?.[1]
  return place === 'path' ? pathParameters[name] : inHeaders(request.headers, parameter)
}

function inHeaders(headers: readonly Header[], { name, in: place }: Parameter): string | undefined {
  return place === 'cookie' ? cookiesOf(headerOf(headers, 'cookie') ?? '', name)[0] : headerOf(headers, name)
}

/** What an operation's contract refuses in a request: parameters and body. Credentials are not checked, since recordings lack them. */
export function checkRequest(read: ReadRequest): readonly Violation[] {
  const { operation, request, body } = read
  return [
    ...operation.parameters.flatMap((parameter) => checkParameter(read, parameter)),
    ...(operation.bodyRequired && (request.body ?? '') === '' ? [missing({ pointer: '' }, 'the body')] : []),
    ...(body === undefined ? [] : operation.checkBody(body, headerOf(request.headers, 'content-type'))),
  ]
}

function checkParameter(read: ReadRequest, parameter: Parameter): readonly Violation[] {
  const { name, type, required, check } = parameter
  const value = valueOf(read, parameter)
  if (value === undefined) return required ? [missing({ parameter: name }, name)] : []
  if (check) return check(typeof value === 'bigint' ? Number(value) : value)
  const isFine = parameter.style !== undefined || typeof value === type || (type === 'integer' && isInteger(value))
  if (isFine) return []
  const expected = type === 'integer' ? 'an integer' : `a ${type}`
  const message = `${name}: expected ${expected}, got ${shown(value)}.`
  return [{ parameter: name, code: 'type', message, expected }]
}

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value)
}

function missing(place: Pick<Violation, 'pointer' | 'parameter'>, title: string): Violation {
  const expected = 'a value'
  return { ...place, code: 'required', message: `${title}: expected ${expected}, got nothing.`, expected }
}
