import { isObject } from '../../src/base/formats/json.ts'
import { type Body } from '../public-documents/body.ts'
import { flawOf } from '../public-documents/judge.ts'
import { follow, type PublicContract, type PublicOperation } from '../public-documents/read-contract.ts'
import { parametersOf, requestOf } from '../public-documents/request.ts'
import { type PublicResponse, send } from '../public-documents/send.ts'
import { createValidator, type Validate } from '../public-documents/validator.ts'
import type { Collection } from './find-collections.ts'

/** A server that is tried, and its document. */
export interface Session {
  readonly contract: PublicContract
  readonly base: string
  readonly allowsRequest: Validate
  readonly allowsResponse: Validate
}

export function createSession(contract: PublicContract, base: string): Session {
  return {
    contract,
    base,
    allowsRequest: createValidator(contract.document, 'request'),
    allowsResponse: createValidator(contract.document, 'response'),
  }
}

/** The ids of the items that a path leads through, by the number of the path's segment. */
export type Ids = ReadonlyMap<number, string>

export interface Exchange {
  readonly operation: PublicOperation
  /** Path and query. */
  readonly target: string
  readonly response: PublicResponse
  /** Undefined for a body that is no JSON. */
  readonly json: unknown
  /** Whether nothing but the document stands behind the response. */
  readonly isGenerated: boolean
  readonly isSuccess: boolean
  /** What is wrong with the response by the document; undefined when nothing is. */
  readonly flaw: string | undefined
  /** Why the request is none that the document allows: no valid value was found for a part of it. */
  readonly requestFlaw: string | undefined
  /** Whether nothing told an id that the path has. */
  readonly isMadeUp: boolean
}

/** Sends a request to an operation, with the ids of what its path leads through; everything else that is required is made up. */
export async function call(
  session: Session,
  operation: PublicOperation,
  ids: Ids,
  { body, target }: { readonly body?: Body | undefined; readonly target?: string } = {},
): Promise<Exchange> {
  const { contract } = session
  const path = filled(operation.path, ids)
  const request = requestOf(contract, { ...operation, path }, session.allowsRequest)
  const sent = { ...request, body: body ?? request.body, target: target ?? request.target }
  const unfit = [...ids].find(([segment, id]) => !allowsId(session, operation, segment, id))
  const response = await send(session.base, sent)
  const { status, headers, text } = response
  const isSuccess = status >= 200 && status < 300
  return {
    operation,
    target: sent.target,
    response,
    json: parsed(text),
    // A 501 says why nothing could be generated.
    isGenerated: headers['x-mock-generated'] === 'true' || status === 501,
    isSuccess,
    flaw:
      hasNoSuccess(operation) && isSuccess ? undefined : flawOf(contract, operation, response, session.allowsResponse),
    requestFlaw: unfit
      ? `the document does not allow the id ${unfit[1]} in ${operation.path}`
      : (sent.body?.flaw ?? (request.flaw?.startsWith('body: ') === true ? undefined : request.flaw)),
    isMadeUp: path.includes('{'),
  }
}

/** Whether the parameter in a segment of a path may have an id. */
export function allowsId(session: Session, operation: PublicOperation, segment: number, id: string): boolean {
  const { document } = session.contract
  const name = PARAMETER.exec(operation.path.split('/')[segment] ?? '')?.[1]
  const [pointer, parameter] =
    parametersOf(document, operation).find(([, one]) => one.in === 'path' && one.name === name) ?? []
  if (pointer === undefined || !isObject(parameter?.schema)) return true
  const isNumber = ['integer', 'number'].includes(String(follow(document, parameter.schema).type))
  const value = isNumber && /^-?\d+$/.test(id) ? Number(id) : id
  return session.allowsRequest(`${pointer}/schema`, value) === undefined
}

const PARAMETER = /\{([^{}]+)\}/

/** Such a document leaves open what a success is. */
function hasNoSuccess({ operation }: PublicOperation): boolean {
  return !Object.keys(isObject(operation.responses) ? operation.responses : {}).some((one) =>
    /^(?:2|default)/.test(one),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A path with ids in place of its parameters; a suffix such as `.json` stays. */
function filled(path: string, ids: Ids): string {
  return path
    .split('/')
    .map((segment, index) => {
      const id = ids.get(index)
      return id === undefined ? segment : segment.replace(PARAMETER, () => encodeURIComponent(id))
    })
    .join('/')
}

/** The number of the segment that holds the id of an item. */
export function segmentOf({ path }: Collection): number {
  return path.split('/').length
}
