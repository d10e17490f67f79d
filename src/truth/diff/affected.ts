import type { Contract, Operation } from '../../contract/contract.ts'
import { isWithin } from '../../contract/media-type.ts'
import { responseName } from '../../contract/schemas/documented.ts'
import { readTemplate } from '../../contract/template.ts'
import type { Violation } from '../../base/errors/problem.ts'
import { asObject, isObject, splitPointer, tryParseJson } from '../../base/formats/json.ts'
import { checkRequest, createRequestReader, type ReadRequest, valueOf } from '../recordings/check-request.ts'
import { headerOf, type RecordedExchange } from '../recordings/recorded-exchange.ts'
import type { Change, Use } from './change.ts'
import { pairOperations, titleOf } from './compare-operations.ts'

/** A recorded request that a change affects, or its response. */
export interface AffectedRequest {
  /** `session.har, entry 12`. */
  readonly source: string
  readonly method: string
  readonly url: string
  /** Those that are not compatible. */
  readonly changes: readonly Change[]
  /** What NEW refuses in the request and OLD does not. */
  readonly refusals: readonly string[]
}

/** What changes mean for recorded traffic. */
export interface Impact {
  /** Requests to operations of OLD. */
  readonly requests: number
  /** Requests to anything else. */
  readonly others: number
  readonly affected: readonly AffectedRequest[]
}

/** Finds the recorded exchanges that would not be the same with NEW. */
export function findAffected(
  contracts: { readonly old: Contract; readonly now: Contract },
  changes: readonly Change[],
  exchanges: readonly RecordedExchange[],
): Impact {
  const readOld = createRequestReader(contracts.old.operations)
  const counterparts = new Map(pairOperations(contracts.old, contracts.now).pairs.map(({ old, now }) => [old, now]))
  const byOperation = Map.groupBy(
    changes
      .filter(({ level }) => level !== 'compatible')
      .flatMap((change) => change.uses.map((use) => ({ change, use }))),
    ({ use }) => use.operation,
  )
  const affected: AffectedRequest[] = []
  let requests = 0
  for (const { source, request, response } of exchanges) {
    const read = readOld(request)
    if (!read) continue
    requests++
    const refused = refusalsOf(read, counterparts.get(read.operation))
    const exchange = { read, response, body: tryParseJson(response.body), refused }
    const found = (byOperation.get(titleOf(read.operation)) ?? []).filter((one) => isAffected(exchange, one))
    const refusals = refused.map(({ message }) => message)
    if (found.length === 0 && refusals.length === 0) continue
    const { method, url } = request
    affected.push({ source, method, url, changes: [...new Set(found.map(({ change }) => change))], refusals })
  }
  return { requests, others: exchanges.length - requests, affected }
}

/** What NEW refuses in a request, unless OLD refuses it too. */
function refusalsOf(read: ReadRequest, now: Operation | undefined): readonly Violation[] {
  if (!now) return []
  const signOf = ({ pointer, parameter, code }: Violation) => `${pointer ?? ''} ${parameter ?? ''} ${code}`
  const before = new Set(checkRequest(read).map(signOf))
  return checkRequest(asReadBy(now, read)).filter((violation) => !before.has(signOf(violation)))
}

/** Parameters of a path may have other names in NEW. */
function asReadBy(now: Operation, read: ReadRequest): ReadRequest {
  const names = readTemplate(now.path).parameters
  const values = readTemplate(read.operation.path).parameters.map((name) => read.pathParameters[name] ?? '')
  return {
    ...read,
    operation: now,
    pathParameters: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])),
  }
}

interface CheckedExchange {
  readonly read: ReadRequest
  readonly response: RecordedExchange['response']
  /** Of the response; undefined unless it is JSON. */
  readonly body: unknown
  readonly refused: readonly Violation[]
}

interface AffectedUse {
  readonly change: Change
  readonly use: Use
}

function isAffected(exchange: CheckedExchange, { change, use }: AffectedUse): boolean {
  const { part } = use
  if (part.kind === 'operation') return true
  if (part.kind === 'response') return isResponseAffected(exchange, { change, use }, part)
  return part.kind === 'parameter'
    ? isParameterAffected(exchange, change, part)
    : isBodyAffected(exchange, { change, use })
}

type PartOf<Kind> = Extract<Use['part'], { kind: Kind }>

/** Kinds of changes that concern only requests that say nothing there. */
const WHERE_ABSENT = ['parameter-added', 'required', 'default', 'body-added']
/** Kinds that concern all requests that say something there, whatever it is. */
const WHERE_PRESENT = [
  'parameter-removed',
  'member-removed',
  'style',
  'deprecated',
  'body-removed',
  'media-type-removed',
]

function isParameterAffected({ read, refused }: CheckedExchange, { kind }: Change, part: PartOf<'parameter'>): boolean {
  const isPart = (one: { readonly in: string; readonly name: string }) =>
    one.in === part.in &&
    (one.in === 'header' ? one.name.toLowerCase() === part.name.toLowerCase() : one.name === part.name)
  const documented = read.operation.parameters.find(isPart)
  const isSent = documented ? valueOf(read, documented) !== undefined : read.query.has(part.name)
  if (WHERE_ABSENT.includes(kind)) return !isSent
  if (WHERE_PRESENT.includes(kind)) return isSent
  return refused.some(({ parameter, header }) => (parameter ?? header)?.toLowerCase() === part.name.toLowerCase())
}

function isBodyAffected({ read, refused }: CheckedExchange, { change, use }: AffectedUse): boolean {
  const { part, pointer } = use
  const hasBody = (read.request.body ?? '') !== ''
  const type = headerOf(read.request.headers, 'content-type') ?? 'application/json'
  if (hasBody && part.kind === 'request-body' && part.mediaType !== undefined && !isWithin(type, part.mediaType))
    return false
  if (pointer === '' && ['required', 'body-added'].includes(change.kind)) return !hasBody
  if (change.kind === 'default') return hasBody && !isThere(read.body, pointer)
  if (WHERE_PRESENT.includes(change.kind)) return hasBody && isThere(read.body, pointer)
  return refused.some((violation) => violation.pointer !== undefined && isAt(violation.pointer, pointer))
}

function isResponseAffected(
  { response, body }: CheckedExchange,
  { change, use }: AffectedUse,
  part: PartOf<'response'>,
): boolean {
  const { status, headers } = response
  // What is new was not recorded yet, but a client that was served before may meet it.
  if (change.kind === 'status-added') return status >= 200 && status < 400
  if (responseName(status, { [part.status]: true }) === undefined) return false
  if (part.header !== undefined) return headerOf(headers, part.header) !== undefined
  if (change.kind === 'status-removed') return true
  const type = headerOf(headers, 'content-type')
  if (part.mediaType !== undefined && (type === undefined || !isWithin(type, part.mediaType))) return false
  return use.pointer === '' || isThere(body, use.pointer)
}

/** Whether a value has something at a pointer in which `*` is any element and any member. */
function isThere(value: unknown, pointer: string): boolean {
  let held = [value]
  for (const name of splitPointer(pointer))
    held = held.flatMap((one): unknown[] => {
      if (name === '*') return Array.isArray(one) ? one : Object.values(asObject(one))
      return isObject(one) && Object.hasOwn(one, name) ? [one[name]] : []
    })
  return held.some((one) => one !== undefined)
}

/** Whether a violation is at a place, or is a member that is missing or too much there. */
function isAt(violation: string, pattern: string): boolean {
  const [parts, expected] = [splitPointer(violation), splitPointer(pattern)]
  if (parts.length !== expected.length && parts.length !== expected.length + 1) return false
  return expected.every((name, index) => name === '*' || name === parts[index])
}
