import type { Contract, Operation } from '../../contract/contract.ts'
import { counted } from '../../base/errors/wording.ts'
import { isObject, stringifySorted, tryParseJson } from '../../base/formats/json.ts'
import { checkRequest, createRequestReader, type ReadRequest } from '../recordings/check-request.ts'
import { type Header, headerOf, type RecordedExchange } from '../recordings/recorded-exchange.ts'
import { createSecretRemover } from '../recordings/remove-secrets.ts'
import {
  type PactBody,
  fromState,
  type Generators,
  type Interaction,
  type Lists,
  type PactFile,
  type ProviderState,
} from './pact-file.ts'
import { bareType, isJson } from '../../contract/media-type.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { decodePercent } from '../../contract/pointer.ts'
import { keyParts } from '../../contract/template.ts'
import { common, expectBody } from './matching-rules.ts'

export interface PactOptions {
  readonly consumer: string
  /** The title of the contract when absent. */
  readonly provider?: string | undefined
  /** Of Standin. */
  readonly version: string
  /** Whether to keep requests that the contract refuses, and their errors. */
  readonly keepsRefused: boolean
}

export interface MadePact {
  readonly pact: PactFile
  /** What was left out, and why. */
  readonly leftOut: readonly string[]
}

/** Makes the Pact of a client from what it sent and received. Secrets are removed. */
export function makePact(contract: Contract, exchanges: readonly RecordedExchange[], options: PactOptions): MadePact {
  const read = createRequestReader(contract.operations)
  const clean = createSecretRemover(contract)
  const kept: PactExchange[] = []
  const counts = new Map<string, number>()
  for (const one of exchanges) {
    const exchange = clean(one)
    const found = read(exchange.request)
    const reason = found ? reasonToLeaveOut({ read: found, exchange }, options.keepsRefused) : 'to no operation'
    if (found && reason === undefined) kept.push({ read: found, exchange })
    else if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const { info } = contract.document
  const title = isObject(info) && typeof info.title === 'string' ? info.title : 'provider'
  const pact: PactFile = {
    consumer: { name: options.consumer },
    provider: { name: options.provider ?? title },
    interactions: makeInteractions(contract, kept),
    metadata: { pactSpecification: { version: '4.0' }, client: { name: 'standin', version: options.version } },
  }
  return { pact, leftOut: [...counts].map(([reason, count]) => `${counted(count, 'exchange')} ${reason}`) }
}

const REFUSALS = [400, 415, 422]

function reasonToLeaveOut({ read, exchange }: PactExchange, keepsRefused: boolean): string | undefined {
  const { response, fault } = exchange
  if (fault !== undefined) return 'with a fault, which no provider can be asked for'
  if (!response.isWhole || response.status === 0) return 'without a whole response'
  if (response.status >= 500) return 'with an error of the server'
  const isRefused = REFUSALS.includes(response.status) || checkRequest(read).length > 0
  return isRefused && !keepsRefused ? 'that the contract refuses (keep them with --include-refused)' : undefined
}

/** A recorded exchange with an operation of the contract. */
interface PactExchange {
  readonly read: ReadRequest
  readonly exchange: RecordedExchange
}

/**
 * Makes interactions from exchanges, in their order. Requests that differ only in tokens and in ids of one kind are one interaction, whose
 * response has what all of them had.
 */
function makeInteractions(contract: Contract, exchanges: readonly PactExchange[]): readonly Interaction[] {
  const tokens = createTokens()
  const described = exchanges.map(({ read, exchange }) => {
    const body = jsonOf(exchange.response.headers, exchange.response.body)
    const given = describeRequest(contract, read, tokens, exchange.response.status)
    tokens.learn(body)
    return { ...given, body, exchange, read }
  })
  const merged = Map.groupBy(described, ({ key }) => key)
  const names = new Map<string, number>()
  return [...merged.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const body = [first, ...others]
      .map((one) => one.body)
      .reduce((one, other) => (other === undefined ? one : common(one, other)))
    const count = (names.get(first.name) ?? 0) + 1
    names.set(first.name, count)
    const response = describeResponse(contract, first, body)
    const description = count === 1 ? first.name : `${first.name} (${count})`
    const { request, providerStates } = first
    return [{ type: 'Synchronous/HTTP', description, pending: false, providerStates, request, response }]
  })
}

interface DescribedRequest {
  /** Equal for requests that are one interaction. */
  readonly key: string
  readonly name: string
  readonly request: Interaction['request']
  readonly providerStates: readonly ProviderState[]
}

function describeRequest(
  { credentialLocations }: Contract,
  read: ReadRequest,
  tokens: PageTokens,
  status: number,
): DescribedRequest {
  const { operation, request, pathParameters } = read
  const { query, expected, generators: ofQuery } = describeQuery(read, tokens, credentialLocations)
  const path = Object.entries(pathParameters).map(([name, text]) => [name, decodePercent(text)] as const)
  const ends = status === 404 || status === 410 ? 'does not exist' : 'exists'
  const providerStates = [
    ...path.map(([name, value]): ProviderState => ({ name: `${name} ${ends}`, params: { [name]: value } })),
    ...[...expected].map(([name, value]): ProviderState => ({
      name: `${name} from an earlier response`,
      params: { [name]: value },
    })),
  ]
  const template = operation.basePath + keyParts(operation.path).template
  const generators: Generators = {
    ...(path.length > 0 && ends === 'exists' ? { path: fromState(template.replaceAll('{', '${')) } : {}),
    ...(Object.keys(ofQuery).length > 0 ? { query: ofQuery } : {}),
  }
  const body = bodyOf(request.headers, request.body)
  const headers = keptHeaders(operation, request.headers, body)
  return {
    key: stringifySorted([
      operation.operationId,
      status,
      Object.keys(query).map((name) => [name, expected.has(name) || query[name]]),
      ends,
      body?.content ?? null,
      headers,
    ]),
    name: nameOf(operation, query, status),
    providerStates,
    request: {
      method: request.method,
      path: request.url.split('?', 1)[0] ?? '',
      ...(Object.keys(query).length > 0 ? { query } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
      ...(body ? { body } : {}),
      ...(Object.keys(generators).length > 0 ? { generators } : {}),
    },
  }
}

/** `searchFiles with limit: 200`. */
function nameOf({ operationId }: Operation, query: Lists, status: number): string {
  const names = Object.keys(query)
  return `${operationId}${names.length > 0 ? ` with ${names.join(', ')}` : ''}: ${status}`
}

/** The query without credentials, and which of its values only the service can know. */
function describeQuery({ query }: ReadRequest, tokens: PageTokens, locations: Contract['credentialLocations']) {
  const isKey = (name: string) => locations.some((one) => one.in === 'query' && one.name === name)
  const kept = [...query].filter(([name]) => !isKey(name))
  const expected = new Map(kept.flatMap(([name, [value = '']]) => (tokens.has(value) ? [[name, value] as const] : [])))
  const generators = Object.fromEntries([...expected.keys()].map((name) => [name, fromState(`\${${name}}`)]))
  return { query: Object.fromEntries(kept) as Lists, expected, generators }
}

interface PageTokens {
  /** Remembers the tokens of a response. */
  learn(body: unknown): void
  has(text: string): boolean
}

/** Texts that came from a response and that a client sends back: only that service knows them. */
function createTokens(): PageTokens {
  const known = new Set<string>()
  const learn = (value: unknown): void => {
    if (typeof value === 'string' && /^\S{16,}$/.test(value)) known.add(value)
    else if (Array.isArray(value)) for (const one of value as unknown[]) learn(one)
    else if (isObject(value)) for (const one of Object.values(value)) learn(one)
  }
  return { learn, has: (text) => known.has(text) }
}

/** Headers that the operation documents, and the media type of a body. Others are of the client's transport, or secret. */
function keptHeaders({ parameters }: Operation, headers: readonly Header[], body: PactBody | undefined): Lists {
  const documented = parameters.filter(({ in: place }) => place === 'header').map(({ name }) => name.toLowerCase())
  const kept = headers.filter(
    ({ name, value }) => documented.includes(name.toLowerCase()) && !value.includes('[redacted]'),
  )
  return {
    ...Object.fromEntries(kept.map(({ name, value }) => [name, [value]])),
    ...(body ? { 'Content-Type': [body.contentType] } : {}),
  }
}

function bodyOf(headers: readonly Header[], text: string | undefined): PactBody | undefined {
  if (text === undefined || text === '') return undefined
  const contentType = headerOf(headers, 'content-type') ?? 'application/json'
  return { content: jsonOf(headers, text) ?? text, contentType, encoded: false }
}

function jsonOf(headers: readonly Header[], text: string | undefined): unknown {
  const type = headerOf(headers, 'content-type') ?? ''
  return isJson(type) ? tryParseJson(text) : undefined
}

function describeResponse(
  { document }: Contract,
  { exchange, read }: PactExchange,
  body: unknown,
): Interaction['response'] {
  const { status, headers } = exchange.response
  const type = headerOf(headers, 'content-type')
  if (type === undefined) return { status }
  const header = {
    'Content-Type': {
      combine: 'AND',
      matchers: [{ match: 'regex', regex: `^${bareType(type).replaceAll(/[.+]/g, String.raw`\$&`)}.*` }],
    },
  } as const
  if (body === undefined) return { status, headers: { 'Content-Type': [type] }, matchingRules: { header } }
  const schema = readDocumented(document, read.operation).response(status)?.schema
  const { content, rules } = expectBody(body, schema, { document, sent: read.body })
  return {
    status,
    headers: { 'Content-Type': [type] },
    body: { content, contentType: bareType(type), encoded: false },
    matchingRules: { body: rules, header },
  }
}
