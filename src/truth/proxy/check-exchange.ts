import { rememberingAll } from '../../base/cache.ts'
import { bareType, isJson, isWithin } from '../../contract/media-type.ts'
import { readParameters } from '../../app/middleware/read-parameters.ts'
import type { BehaviourTracker } from '../../behaviours/tracker.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { createRouter, type Route } from '../../contract/router.ts'
import { type Documented, readDocumented } from '../../contract/schemas/documented.ts'
import { type Violation, violation } from '../../base/errors/problem.ts'
import { parseJson, withNumbers } from '../../base/formats/json.ts'
import type { IncomingHttpHeaders } from 'node:http'

/** A forwarded request, as far as it was read. */
interface SentMessage {
  readonly method: string
  /** As the service sees it: with the path of `--upstream`. */
  readonly path: string
  readonly search: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly url: string
  /** Whether there is a body, kept or not. */
  readonly hasBody: boolean
  /** Undefined when it is not text, or not all of it was kept. */
  readonly body: string | undefined
}

/** The response to it. */
interface ReceivedMessage {
  readonly status: number
  readonly contentType: string | undefined
  readonly isEmpty: boolean
  /** Undefined when it is not text, or not all of it was kept. */
  readonly body: string | undefined
}

/** Checks exchanges of another server against the contract. */
export interface ExchangeCheck {
  find(message: Pick<SentMessage, 'method' | 'path' | 'search' | 'headers'>): Route
  request(sent: SentMessage, route: Route, tracker: BehaviourTracker): readonly Violation[]
  response(route: Route, received: ReceivedMessage): readonly Violation[]
}

/**
 * By the contract alone: what a behaviour of the emulated service would refuse besides is no violation. Bodies that are neither JSON,
 * text nor a form with plain fields are not looked into.
 *
 * @param prefix the path of `--upstream`, which the contract may have in its servers
 * @param isOther whether the contract may be of another service
 */
export function createExchangeCheck(
  contract: Contract,
  { prefix, isOther }: { readonly prefix: string; readonly isOther: boolean },
): ExchangeCheck {
  const router = createRouter(contract.operations)
  const documentedOf = rememberingAll((operation: Operation) => readDocumented(contract.document, operation))
  return {
    find({ method, path, search, headers }) {
      const route = router.route(method, path, 'strict', { search, headers })
      if (route.kind !== 'unknown' || prefix === '' || !path.startsWith(`${prefix}/`)) return route
      return router.route(method, path.slice(prefix.length), 'strict', { search, headers })
    },
    request(sent, route, tracker) {
      if (route.kind !== 'operation') return isOther ? [] : checkUnknown(sent, route)
      const { operation, parameters: segments } = route
      const { search, headers } = sent
      const read = readParameters(operation, { segments, search, headers, bound: undefined }, tracker)
      return [...checkSecurity(operation, sent), ...read.violations, ...checkRequestBody(operation, sent)]
    },
    response: (route, received) =>
      route.kind === 'operation' ? checkResponse(route.operation, documentedOf(route.operation), received) : [],
  }
}

/** HEAD is part of GET, and browsers send OPTIONS by themselves (RFC 9110, 9.3.2 and 9.3.7). */
function checkUnknown({ method, path }: SentMessage, route: Route): Violation[] {
  if (route.kind !== 'wrong-method') return [violation({ header: ':path' }, 'path', 'a path of the contract', path)]
  const { allowed } = route
  if (method === 'OPTIONS' || (method === 'HEAD' && allowed.includes('GET'))) return []
  return [violation({ header: ':method' }, 'method', allowed, method)]
}

function checkSecurity({ securityRequirements }: Operation, sent: SentMessage): Violation[] {
  const [first] = securityRequirements
  const isSent = securityRequirements.some((requirement) =>
    requirement.every((place) => place.values(sent).some((value) => place.read(value, () => true).trim() !== '')),
  )
  if (!first || isSent) return []
  const [place] = first
  const where = place?.in === 'query' ? { parameter: place.name } : { header: place?.name ?? '' }
  return [violation(where, 'security', place?.title ?? 'a key')]
}

function checkRequestBody(operation: Operation, { hasBody, body, headers }: SentMessage): readonly Violation[] {
  const types = operation.bodyTypes ?? ['application/json']
  if (!hasBody)
    return operation.bodyRequired
      ? [{ ...violation({ pointer: '' }, 'required', `a body, ${types.join(' or ')}`), source: operation.bodySource() }]
      : []
  const type = headers['content-type']
  const accepted =
    type === undefined ? undefined : types.find((one) => isWithin(type, one) || (isJson(type) && isJson(one)))
  if (type === undefined || accepted === undefined)
    return operation.bodyRequired || operation.bodyTypes
      ? [violation({ header: 'Content-Type' }, 'media-type', types.join(' or '), type)]
      : []
  if (body === undefined) return []
  if (isJson(type)) return checkJson(body, (value) => operation.checkBody(value, jsonTypeFor(types, type)))
  if (bareType(type) === FORM) return operation.checkBody(operation.readForm(new URLSearchParams(body), FORM), FORM)
  return []
}

export const FORM = 'application/x-www-form-urlencoded'

/** A merge patch and a JSON Patch have schemas of their own. */
function jsonTypeFor(types: readonly string[], type: string): string | undefined {
  return types.filter(isJson).length > 1 ? bareType(type) : undefined
}

function checkResponse(
  operation: Operation,
  documented: Documented,
  { status, contentType, isEmpty, body }: ReceivedMessage,
): readonly Violation[] {
  const response = documented.response(status)
  if (!response) {
    const expected = `one of the documented statuses ${documented.statuses.join(', ')}`
    return [violation({ header: ':status' }, 'status', expected, status)]
  }
  const isSilent = operation.method === 'HEAD' || [204, 205, 304].includes(status)
  const { types } = response
  if (isSilent || types.length === 0) return []
  if (isEmpty) return [violation({ pointer: '' }, 'required', `a body, ${types.join(' or ')}`)]
  const type = contentType && types.find((one) => isWithin(contentType, one))
  if (contentType === undefined || type === undefined)
    return [violation({ header: 'Content-Type' }, 'media-type', types.join(' or '), contentType)]
  if (body === undefined || !isJson(contentType)) return []
  return checkJson(body, (value) =>
    operation.acceptsResponse(status, value, bareType(type))
      ? []
      : operation.checkResponse(status, value, bareType(type)),
  )
}

function checkJson(text: string, check: (value: unknown) => readonly Violation[]): readonly Violation[] {
  let value: unknown
  try {
    value = withNumbers(parseJson(text))
  } catch {
    return [violation({ pointer: '' }, 'json', 'JSON', text)]
  }
  return check(value)
}
