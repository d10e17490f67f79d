import { bareType, isJson } from '../../contract/media-type.ts'
import type { Contract, Operation } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import { createRouter, type Router } from '../../contract/router.ts'
import { mapMembers, type Members, stringifyJson, withNumbers } from '../../base/formats/json.ts'
import type { ForeignConditions, ForeignResponse, ForeignSegment, ForeignStub } from './foreign-stub.ts'

/** Stubs as a file has them. */
export interface PlacedStubs {
  readonly stubs: readonly Members[]
  /** Stubs that no operation of the contract is for, a sentence each. */
  readonly leftOut: readonly string[]
  /** Responses that the contract does not allow, a sentence each. They have `validate: false`. */
  readonly unlike: readonly string[]
}

/** The operation that reads what is at a path. */
export function findRead(path: readonly ForeignSegment[], contract: Contract): Operation | undefined {
  const router = createRouter(contract.operations)
  return findOperation(path, 'GET', { router, bases: basesOf(contract) })?.operation
}

function basesOf({ operations }: Contract): readonly string[] {
  return [...new Set(['', ...operations.map(({ basePath }) => basePath)])]
}

/** Finds the operation of each stub. */
export function placeStubs(foreign: readonly ForeignStub[], contract: Contract): PlacedStubs {
  const router = createRouter(contract.operations)
  const bases = basesOf(contract)
  const methods = [...new Set(contract.operations.map(({ method }) => method))]
  const [stubs, leftOut, unlike]: [Members[], string[], string[]] = [[], [], []]
  const names = new Set<string>()
  for (const stub of foreign) {
    const found = (stub.method === undefined ? methods : [stub.method]).flatMap(
      (method) => findOperation(stub.path, method, { router, bases }) ?? [],
    )
    const shownPath = `${stub.method ?? 'ANY'} ${pathOf(stub.path)}`
    if (found.length === 0) leftOut.push(`${shownPath}: the contract has no such operation`)
    for (const { operation, path, names: called } of found) {
      const written = write(stub, {
        names: called,
        operation,
        path,
        contract,
        report: (why) => unlike.push(`${shownPath}: ${why}`),
      })
      const name = stub.name !== undefined && !names.has(stub.name) ? stub.name : undefined
      if (name !== undefined) names.add(name)
      stubs.push({ ...(name === undefined ? {} : { name }), ...written })
    }
  }
  return { stubs, leftOut, unlike }
}

/** `/orders/{id}` */
export function pathOf(path: readonly ForeignSegment[]): string {
  return `/${path.map((segment) => (typeof segment === 'string' ? segment : `{${segment.name}}`)).join('/')}`
}

interface FoundOperation {
  readonly operation: Operation
  /** Conditions on its parameters. */
  readonly path: Members
  /** What it calls the parameters of the path, by what the stub calls them. */
  readonly names: ReadonlyMap<string, string>
}

/** A text that no path has, for a segment that may be anything. */
const ANYTHING = '~any~'

function findOperation(
  path: readonly ForeignSegment[],
  method: string,
  { router, bases }: { readonly router: Router; readonly bases: readonly string[] },
): FoundOperation | undefined {
  const sent = path.map((segment, at) =>
    typeof segment === 'string' ? encodeURIComponent(segment) : `${ANYTHING}${at}`,
  )
  for (const base of bases) {
    const route = router.route(method, `${base}/${sent.join('/')}`, 'strict')
    if (route.kind !== 'operation') continue
    const names = new Map<string, string>()
    const conditions = Object.entries(route.parameters).flatMap(([name, value]): [string, unknown][] => {
      const [, at] = /^~any~(\d+)$/.exec(value) ?? []
      if (at === undefined) return [[name, decodeURIComponent(value)]]
      const segment = path[Number(at)]
      if (typeof segment === 'object') names.set(segment.name, name)
      return typeof segment === 'object' && segment.condition !== undefined ? [[name, segment.condition]] : []
    })
    return { operation: route.operation, path: Object.fromEntries(conditions), names }
  }
  return undefined
}

interface WrittenFor extends FoundOperation {
  readonly contract: Pick<Contract, 'document'>
  report(why: string): void
}

function write({ when, respond, fault = [], isRepeated = false, scenario }: ForeignStub, found: WrittenFor): Members {
  const conditions = written({ path: found.path, ...bodyless(when), ...bodyOf(when) })
  const responses = respond.map((response) => writeResponse(response, found))
  return {
    operation: found.operation.operationId,
    ...(Object.keys(conditions).length === 0 ? {} : { when: conditions }),
    respond: responses.length === 1 ? responses[0] : responses,
    ...(isRepeated && responses.length > 1 ? { repeat: true } : {}),
    ...(fault.length === 0 ? {} : { fault: fault.length === 1 ? fault[0] : fault }),
    ...(scenario === undefined ? {} : { scenario }),
  }
}

function bodyless({ query = {}, header = {} }: ForeignConditions): Members {
  return { query: mapMembers(query, simple), header: mapMembers(header, simple) }
}

/** A condition on the whole body alone is written without a pointer. */
function bodyOf({ body = {} }: ForeignConditions): Members {
  const parts = mapMembers(body, simple)
  const names = Object.keys(parts)
  return { body: names.length === 1 && names[0] === '' ? body[''] : parts }
}

/** `{ equals: 'a' }` of a plain value is the value. */
function simple(condition: unknown): unknown {
  const { equals, ...others } = condition as Members
  const isAlone = typeof condition === 'object' && condition !== null && Object.keys(others).length === 0
  return isAlone && equals !== undefined && (typeof equals !== 'object' || equals === null) ? equals : condition
}

/** Without what is empty. */
function written(parts: Members): Members {
  return Object.fromEntries(
    Object.entries(parts).filter(
      ([, part]) => typeof part !== 'object' || part === null || Object.keys(part).length > 0,
    ),
  )
}

function writeResponse(foreign: ForeignResponse, { operation, names, contract, report }: WrittenFor): Members {
  const response = withNames(foreign, names)
  const { status, headers, contentType, body } = response
  const why = whyNotAllowed(response, operation, contract)
  if (why !== undefined) report(why)
  const isText = typeof body === 'string' || (contentType !== undefined && !isJson(contentType))
  return {
    status,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
    ...(isText && body !== undefined ? { contentType: contentType ?? 'text/plain' } : {}),
    ...(why === undefined ? {} : { validate: false }),
  }
}

/** With the places of parameters as the operation calls them. */
function withNames({ body, headers, ...rest }: ForeignResponse, names: ReadonlyMap<string, string>): ForeignResponse {
  const text = JSON.stringify([body ?? null, headers]).replaceAll(
    /(?<=\{\$request\.path\.)[^}|]+/g,
    (name) => names.get(name) ?? name,
  )
  const [named, fields] = JSON.parse(text) as [unknown, ForeignResponse['headers']]
  return { ...rest, headers: fields, body: body === undefined ? undefined : named }
}

/** What the contract says against a response. Places may become anything. */
function whyNotAllowed(
  { status, body, contentType }: ForeignResponse,
  operation: Operation,
  { document }: Pick<Contract, 'document'>,
): string | undefined {
  const documented = readDocumented(document, operation)
  if (!documented.response(status))
    return `the contract documents no response ${status} of ${operation.operationId} (${documented.statuses.join(', ')})`
  const hasPlaces = body !== undefined && stringifyJson(body).includes('{$')
  if (body === undefined || hasPlaces || (contentType !== undefined && !isJson(contentType))) return undefined
  const [first] = operation.checkResponse(status, withNumbers(body), bareType(contentType ?? 'application/json'))
  return first && `its response ${status} is not as the contract says: ${first.message}`
}
