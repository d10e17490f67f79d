import type { Binding, Bindings } from './binding.ts'
import type { InfoOperation } from '../../../types/control-api.d.ts'
import type { Operation } from '../../contract/contract.ts'
import { keyParts } from '../../contract/template.ts'
import { OPERATION_SPECIFIC_KINDS } from '../../engine/faults/fault-kinds.ts'
import { faultsOf, type FindForwarding } from './bound-operations.ts'
import type { Steps } from '../../engine/slices.ts'
import { counted } from '../../base/errors/wording.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import type { SecurityRequirement } from '../../contract/parameters/security.ts'
import type { BuiltinOperation } from '../../resources/resource.ts'

/**
 * What handles the operations, for the start line: `: 13 in 4 collections, 1 action, 1 generated`. Nothing where all of them are built in.
 */
export function describeKinds(bindings: Bindings): string {
  const all = [...bindings.values()]
  const collections = new Set(all.map(collectionOf).filter((name) => name !== undefined))
  const parts = KINDS.flatMap((kind) => {
    const count = all.filter((one) => kindOf(one) === kind).length
    if (count === 0) return []
    if (kind === 'collection') return [`${count} in ${counted(collections.size, 'collection')}`]
    return [kind === 'action' ? counted(count, 'action') : `${count} ${kind}`]
  })
  return all.every((one) => kindOf(one) === 'stateful') ? '' : `: ${parts.join(', ')}`
}

/** In the order of the start line. */
const KINDS = ['stateful', 'collection', 'action', 'own', 'generated', 'refused'] as const

/** What handles an operation, for people. */
export function kindOf(binding: Binding): (typeof KINDS)[number] {
  if (collectionOf(binding) === undefined) return binding.kind
  return binding.kind === 'stateful' && binding.builtin.isAction ? 'action' : 'collection'
}

function collectionOf(binding: Binding): string | undefined {
  return binding.kind === 'stateful' ? binding.builtin.collection : undefined
}

/** A line for each operation: `POST /items/search  searchItems  stateful (by x-standin)`. */
export function describeBindings(bindings: Bindings): string[] {
  const rows = [...bindings.values()].map((binding) => {
    const { operation, kind, handlerKind, reason } = binding
    const name = kind === 'stateful' && handlerKind !== operation.operationId ? ` as ${handlerKind}` : ''
    return [
      `${operation.method} ${operation.basePath}${operation.path}`,
      operation.operationId,
      `${kind}${name} (${reason})`,
    ]
  })
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
}

/** The operations for clients that send requests to them, one in each step: the lists of a large contract are read for it. */
export function* describeOperations(bindings: Bindings, forwarding?: FindForwarding): Steps<InfoOperation[]> {
  const described: InfoOperation[] = []
  for (const binding of bindings.values()) {
    const { operation, handlerKind } = binding
    const collection = collectionOf(binding)
    const { operationId, method, path, basePath, securityRequirements } = operation
    const inHeaders = (securityRequirements[0] ?? []).filter((one) => one.in === 'header' && one.word !== 'Basic')
    const { canFail, hasPages, meets } = faultsOf(binding, forwarding?.(operationId))
    described.push({
      operationId,
      method,
      path,
      ...(basePath === '' ? {} : { basePath }),
      handler: handlerKind,
      ...(collection === undefined ? {} : { collection }),
      keyHeaders: Object.fromEntries(inHeaders.map(({ name, write }) => [name, write('{key}')])),
      faultKinds: OPERATION_SPECIFIC_KINDS.filter((kind) => canFail && meets({ kind })),
      hasPages,
    })
    yield
  }
  return described
}

/** A request to begin with, as a command line: the example of a built-in operation, else a request that needs nothing but a path. */
export function exampleRequest(bindings: Bindings, key: string) {
  const all = [...bindings.values()]
  const shown = all.find((binding) => exampleOf(binding) !== undefined)
  const served = all.filter(({ kind }) => kind !== 'refused')
  const simple = served.find(needsNothing) ?? served.find(({ operation }) => operation.method === 'GET')
  const chosen = shown ?? simple ?? all[0]
  return (url: string): string => {
    if (!chosen) return `curl ${url}`
    const example = exampleOf(chosen)
    const inQuery = example ? [example.query] : []
    return curlOf(chosen.operation, { address: url, path: pathOf(chosen), query: inQuery, body: example?.body, key })
  }
}

/** What a request to an operation is made of. */
export interface SampleRequest {
  /** Where the app is served. */
  readonly address: string
  /** Without parameters. */
  readonly path: string
  /** Pairs, as they are written in a URL. */
  readonly query: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; undefined for none. */
  readonly body: unknown
  readonly key: string
}

/** A request as a command line. */
export function curlOf(operation: Operation, { address, path, query, headers = {}, body, key }: SampleRequest): string {
  const { method, securityRequirements, basePath } = operation
  const sent = keyArguments(securityRequirements[0] ?? [], key)
  const literal = keyParts(operation.path).query.map((pair) => pair.join('='))
  const inQuery = [...literal, ...query, ...sent.query].join('&')
  const target = quoted(`${address}${basePath}${path}${inQuery === '' ? '' : `?${inQuery}`}`)
  const others = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const head = ['curl', ...sent.flags, ...others].join(' ')
  const verb = method === 'HEAD' ? ' -I' : method === (body === undefined ? 'GET' : 'POST') ? '' : ` -X ${method}`
  if (body === undefined) return `${head}${verb} ${target}`
  return `${head}${verb} -H 'Content-Type: application/json' ${target} -d ${quoted(stringifyJson(body))}`
}

/** A request that a built-in operation brings as an example. */
export function exampleOf(binding: Binding): BuiltinOperation['example'] {
  return binding.kind === 'stateful' ? binding.builtin.example : undefined
}

/** The arguments of curl, and the parts of the query, that send a key wherever an operation requires it. */
function keyArguments(
  requirement: SecurityRequirement,
  key: string,
): { readonly flags: readonly string[]; readonly query: readonly string[] } {
  const flags = requirement.flatMap(({ in: place, name, word, write }) => {
    if (place === 'query') return []
    if (place === 'cookie') return [`-b ${quoted(`${name}=${key}`)}`]
    if (word === 'Basic') return [`-u ${quoted(key.includes(':') ? key : `${key}:`)}`]
    return [`-H ${quoted(`${name}: ${write(key)}`)}`]
  })
  const query = requirement.flatMap(({ in: place, name }) =>
    place === 'query' ? [`${encodeURIComponent(name)}=${encodeURIComponent(key)}`] : [],
  )
  return { flags, query }
}

/** As an argument for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Whether a request needs no more than a path, and changes nothing. */
function needsNothing({ operation: { method, parameters } }: Binding): boolean {
  return method === 'GET' && parameters.every((parameter) => parameter.in === 'path' || !parameter.required)
}

/** The path with a value for each parameter. */
function pathOf(binding: Binding): string {
  const own = binding.kind === 'stateful' ? binding.parameter : undefined
  return keyParts(binding.operation.path).template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    name === own ? (exampleOf(binding)?.path ?? '1') : '1',
  )
}
