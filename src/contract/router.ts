import type { Operation, Parameter } from './contract.ts'
import { exactness, isParameter, keyParts, readTemplate, templateShape } from './template.ts'
import { nearest } from '../base/errors/wording.ts'
import { asObject } from '../base/formats/json.ts'
import { decodePercent } from './pointer.ts'
import { cookiesOf } from './parameters/credential-location.ts'
import { readText } from './parameters/typed-text.ts'

/** The operation of a request, or why there is none. Path parameters are not decoded. */
export type Route =
  | OperationRoute
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[]; readonly path: string }
  | { readonly kind: 'unknown'; readonly nearest: string | undefined }

interface OperationRoute {
  readonly kind: 'operation'
  readonly operation: Operation
  readonly parameters: Readonly<Record<string, string>>
  /** Whether query or headers decided between operations of the same method and path. */
  readonly isConditional: boolean
}

export interface Router {
  /**
   * @param path as sent, without the query
   * @param rule `tolerant` overlooks case, trailing and doubled slashes; `deep` lets a parameter that is called a path have slashes
   */
  route(method: string, path: string, rule: RoutingRule, sent?: RequestHead): Route
}

type RoutingRule = 'strict' | 'tolerant' | 'deep'

/** One path of the contract. */
interface PathEntry {
  readonly path: string
  readonly shape: string
  readonly strict: RegExp
  /** Ignores case; doubled and trailing slashes are removed before. */
  readonly tolerant: RegExp
  /** `/contents/{path}` is also `/contents/notes/monday.txt`, and `/contents`, the path of the root. */
  readonly deep: RegExp
  /** Names of the parameters, in the order of the groups of the patterns. */
  readonly parameters: readonly string[]
  readonly operations: readonly Operation[]
}

/**
 * A router over the paths of a contract, each behind the base path of its operation. A path without parameters comes before one that
 * would match it too (OpenAPI 3.1, 4.8.8.1), and so does one whose segments say more: `/{sha}.diff` before `/{sha}`. Among paths that
 * differ only in the names of parameters it is the first whose schemas take what was sent, or else the first of all.
 */
export function createRouter(operations: readonly Operation[]): Router {
  const byPath = Map.groupBy(operations, ({ path, basePath }) => basePath + keyParts(path).template)
  const paths = [...new Set(operations.map(({ path, basePath }) => basePath + path))]
  const entries = [...byPath]
    .map(([path, held]) => createEntry(path, held))
    .sort((a, b) => (exactness(a.path) < exactness(b.path) ? -1 : exactness(a.path) > exactness(b.path) ? 1 : 0))
  const byShape = Map.groupBy(entries, ({ shape }) => shape)
  // Of those that may take any number of segments, the one that names more of them.
  const deep = entries.filter(isDeep).sort((a, b) => b.shape.length - a.shape.length)
  return {
    route(method, path, rule, sent = NOTHING) {
      const asked = rule === 'tolerant' ? singleSlashes(path) : path
      const routeIn = (entry: PathEntry) => routeOf(entry, method, { asked, rule, sent })
      const among = rule === 'deep' ? deep : entries
      for (const entry of among) {
        const route = routeIn(entry)
        if (!route) continue
        const rivals = byShape.get(entry.shape) ?? []
        if (rivals.length === 1) return route
        return rivals.map(routeIn).find((one) => one && fitsPath(one.operation, one.parameters)) ?? route
      }
      const matching = among.filter((entry) => entry[rule].test(asked))
      const [first] = matching
      if (!first) return { kind: 'unknown', nearest: rule === 'deep' ? undefined : nearestPath(paths, path) }
      // The path matches, but not the query that its key in the document requires.
      const unmet = matching.flatMap((entry) => entry.operations).find((one) => one.method === method)
      if (unmet) return { kind: 'unknown', nearest: unmet.basePath + unmet.path }
      const allowed = new Set(matching.flatMap((entry) => entry.operations.map((one) => one.method)))
      return { kind: 'wrong-method', allowed: [...allowed], path: first.path }
    },
  }
}

/** Finds the operation of a request that was recorded, by its method and by its path, which a query may follow. */
export function createOperationFinder(
  operations: readonly Operation[],
): (method: string, url: string) => OperationRoute | undefined {
  const { route } = createRouter(operations)
  return (method, url) => {
    const found = route(method, url.split('?', 1)[0] ?? '', 'strict')
    return found.kind === 'operation' ? found : undefined
  }
}

/** A router that takes HEAD for GET on paths without a HEAD of their own (RFC 9110, 9.3.2), and lists it among the allowed methods. */
export function withHead(router: Router): Router {
  return {
    route(method, path, rule, sent) {
      const route = router.route(method, path, rule, sent)
      if (route.kind !== 'wrong-method' || !route.allowed.includes('GET')) return route
      if (method === 'HEAD') return router.route('GET', path, rule, sent)
      return { ...route, allowed: route.allowed.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])) }
    },
  }
}

interface RouteLookup {
  readonly asked: string
  readonly rule: RoutingRule
  readonly sent: RequestHead
}

/** The route of a request to one entry; undefined when it does not match. */
function routeOf(entry: PathEntry, method: string, { asked, rule, sent }: RouteLookup): OperationRoute | undefined {
  const candidates = entry.operations.filter((one) => one.method === method)
  const parameters = candidates.length > 0 ? match(entry[rule], entry.parameters, asked) : undefined
  if (!parameters) return undefined
  const [first] = candidates
  const isSimple = first && candidates.length === 1 && !isConditional(first)
  const operation = isSimple ? first : chooseOperation(candidates, sent)
  return operation && { kind: 'operation', operation, parameters, isConditional: !isSimple }
}

/** The path without doubled and trailing slashes. */
function singleSlashes(path: string): string {
  return `/${path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`
}

const NOTHING: RequestHead = { search: '', headers: {} }

function createEntry(path: string, operations: readonly Operation[]): PathEntry {
  const { pattern, parameters } = readTemplate(path)
  return {
    path,
    shape: templateShape(path),
    strict: new RegExp(`^${pattern}$`),
    tolerant: new RegExp(`^${pattern.replace(/(?<=.)\/$/, '')}$`, 'i'),
    deep: new RegExp(`^${readTemplate(path, isPathName).pattern}$`),
    parameters,
    operations,
  }
}

/** `{path}`, `{filePath}`, `{*key}`, `{rest+}`: what frameworks let take slashes, and OpenAPI cannot say of a parameter. */
function isPathName(name: string): boolean {
  return /path$|^\*|[*+]$/i.test(name)
}

function isDeep({ parameters }: PathEntry): boolean {
  return parameters.some(isPathName)
}

function match(pattern: RegExp, names: readonly string[], path: string): Record<string, string> | undefined {
  const found = pattern.exec(path)
  return found ? Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ''])) : undefined
}

/** The path that was probably meant, whatever its parameters are. */
function nearestPath(paths: readonly string[], path: string): string | undefined {
  const segments = path.split('/')
  const filled = new Map(
    paths.map((known) => {
      const parts = known.split('/')
      const here = parts.map((part, index) =>
        isParameter(part) && segments[index] !== '' ? (segments[index] ?? part) : part,
      )
      return [here.join('/'), known] as const
    }),
  )
  const found = nearest(path, filled.keys())
  return found === undefined ? undefined : filled.get(found)
}

/** The parts of a request that may decide which of several operations of one method and path it belongs to. */
interface RequestHead {
  /** The query, without its question mark. */
  readonly search: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Whether the path of an operation says more of a request than its path. */
function isConditional({ path }: Operation): boolean {
  const { query, fragment } = keyParts(path)
  return query.length > 0 || fragment !== undefined
}

/**
 * Chooses among operations of one method and path, whose keys in `paths` differ in a query or a fragment: `/messages?beta=true`,
 * `/#X-Amz-Target=Scan`. A query must be there literally. A fragment is never sent; those operations differ in their required
 * parameters, the one that requires most first. Where a request has all parameters of none, the last one will say what is missing.
 */
function chooseOperation(candidates: readonly Operation[], sent: RequestHead): Operation | undefined {
  const query = new Map(Map.groupBy(new URLSearchParams(sent.search), ([name]) => name))
  const values = new Map([...query].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]))
  const matches = (one: Operation) => keyParts(one.path).query.every(([name, value]) => hasPair(values, name, value))
  // What all keys of a path have tells none of them apart, such as `?beta=true`, and clients may leave it out.
  const keys = new Set(candidates.map((one) => one.path))
  const isFlag = keys.size === 1 && FLAG.test(candidates[0]?.path ?? '')
  const matching = isFlag ? candidates : candidates.filter(matches)
  const most = Math.max(...matching.map(literalsOf))
  const plain = matching.find((one) => !isConditional(one))
  const possible = matching
    .filter((one) => literalsOf(one) === most && !isUseOf(plain, one))
    .sort((a, b) => requiredOf(b).length - requiredOf(a).length)
  const present = possible.filter((one) => requiredOf(one).every((parameter) => isPresent(parameter, values, sent)))
  const valid = present.find((one) => requiredOf(one).every((parameter) => isValid(parameter, values, sent)))
  return valid ?? present[0] ?? possible.at(-1)
}

/**
 * Whether an operation shows a use of the plain one, as `/files/{id}#get_shared_link` does with `fields=shared_link`: that has all
 * parameters which it requires, and they may have any value.
 */
function isUseOf(plain: Operation | undefined, variant: Operation): boolean {
  const [required, { query, fragment }] = [requiredOf(variant), keyParts(variant.path)]
  if (!plain || fragment === undefined || query.length > 0 || required.length === 0) return false
  const takesAny = ({ schema }: Parameter) =>
    Object.keys(asObject(schema)).every((one) => one !== 'enum' && one !== 'const')
  const isKnown = (one: Parameter) =>
    plain.parameters.some(({ name, in: place }) => name === one.name && place === one.in)
  return required.every((one) => takesAny(one) && isKnown(one))
}

/** Whether the contract allows the path parameters, which are as they were sent. */
function fitsPath({ parameters }: Operation, sent: Readonly<Record<string, string>>): boolean {
  return parameters.every((parameter) => {
    const { name, in: place, style, type, check } = parameter
    const text = sent[name]
    if (place !== 'path' || text === undefined) return true
    const value = style ? style.read({ text, query: new Map() }) : readText(decodePercent(text), [type])
    if (check) return check(typeof value === 'bigint' ? Number(value) : value).length === 0
    return style !== undefined || typeof value === type || (type === 'integer' && Number.isInteger(Number(value)))
  })
}

const FLAG = /\?(alpha|beta|preview|experimental)(=(true|1))?$/

type QueryValues = ReadonlyMap<string, readonly string[]>

/** A value such as `{id}` stands for any. */
function hasPair(query: QueryValues, name: string, value: string): boolean {
  const sent = query.get(name)
  return sent !== undefined && (/^\{[^{}]*\}$/.test(value) || sent.includes(value))
}

function literalsOf({ path }: Operation): number {
  return keyParts(path).query.length
}

function requiredOf({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.required && parameter.in !== 'path')
}

function isPresent({ name, in: place, style }: Parameter, query: QueryValues, { headers }: RequestHead): boolean {
  if (place === 'header') return headers[name.toLowerCase()] !== undefined
  if (place === 'cookie') return cookiesOf(textOf(headers.cookie), name).length > 0
  return query.has(name) || [...query.keys()].some((key) => style?.claims(key) === true)
}

function isValid(
  { name, in: place, style, type, check }: Parameter,
  query: QueryValues,
  { headers }: RequestHead,
): boolean {
  const text = place === 'query' ? query.get(name)?.[0] : textOf(headers[name.toLowerCase()])
  const value = style ? style.read({ text, query }) : type === 'string' ? text : undefined
  return value === undefined || !check || check(value).length === 0
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join(',') ?? '')
}
