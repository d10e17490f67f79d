import { isObject } from '../../src/base/formats/json.ts'
import { samplesOf } from '../../test/support/contracts/sample.ts'
import { bodyOf, type Body } from './body.ts'
import { at, follow, type PublicContract, type PublicOperation, type Values } from './read-contract.ts'
import { parameterText, queryPairs } from './serialize.ts'
import { firstValid, type Validate } from './validator.ts'

export interface PublicRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: Body | undefined
  /** Why the request is no valid one: no valid value was found for a part of it. */
  readonly flaw?: string | undefined
}

/** A request that the contract allows: what is required, a key where one is asked for, and a body where one is documented. */
export function requestOf(contract: PublicContract, operation: PublicOperation, validate: Validate): PublicRequest {
  const { document } = contract
  const headers: Record<string, string | undefined> = {}
  const cookies: string[] = []
  const [template = '', literalQuery] = (operation.path.split('#')[0] ?? '').split('?')
  const query = literalQuery === undefined ? [] : [literalQuery]
  const flaws: string[] = []
  const literal = new URLSearchParams(literalQuery ?? '')
  let path = template
  for (const [pointer, parameter] of parametersOf(document, operation)) {
    const name = String(parameter.name)
    const needed = parameter.in === 'path' || parameter.required === true
    if (!needed || (parameter.in === 'query' && literal.has(name)) || isOwnHeader(parameter)) continue
    const { value, flaw } = valueOf(document, parameter, pointer, validate)
    if (flaw !== undefined) flaws.push(`${name}: ${flaw}`)
    if (parameter.in === 'path') path = path.replaceAll(`{${name}}`, () => parameterText(parameter, value))
    else if (parameter.in === 'query') query.push(...queryPairs(parameter, value))
    else if (parameter.in === 'header') headers[name] = parameterText(parameter, value)
    else cookies.push(`${name}=${parameterText(parameter, value)}`)
  }
  const keys = keysOf(contract, operation)
  // A document may describe its key as a parameter too.
  query.push(...keys.query.filter((key) => !query.some((part) => part.split('=')[0] === key.split('=')[0])))
  cookies.push(...keys.cookies)
  Object.assign(headers, keys.headers, cookies.length > 0 ? { Cookie: cookies.join('; ') } : {})
  const body = bodyOf(document, operation, validate)
  if (body?.flaw !== undefined) flaws.push(`body: ${body.flaw}`)
  const search = query.filter((part) => part !== '').join('&')
  return {
    method: operation.method.toUpperCase(),
    target: `${operation.basePath}${path.replaceAll(/\{[^}]*\}/g, 'a')}${search === '' ? '' : `?${search}`}`,
    headers,
    body,
    flaw: flaws.length === 0 ? undefined : flaws.join('; '),
  }
}

/** OpenAPI 3.1, 4.8.12.1: these are described elsewhere. */
function isOwnHeader({ in: place, name }: Values): boolean {
  return place === 'header' && ['accept', 'content-type', 'authorization'].includes(String(name).toLowerCase())
}

/** The parameters of an operation and of its path, with where each is described. */
export function parametersOf(document: Values, { pointer }: PublicOperation): readonly (readonly [string, Values])[] {
  const found = new Map<string, readonly [string, Values]>()
  for (const holder of [pointer.slice(0, pointer.lastIndexOf('/')), pointer]) {
    const list = at(document, `${holder}/parameters`)
    for (const [index, written] of (Array.isArray(list) ? (list as unknown[]) : []).entries()) {
      const parameter = follow(document, written)
      const where =
        isObject(written) && typeof written.$ref === 'string'
          ? decodeURIComponent(written.$ref.slice(1))
          : `${holder}/parameters/${index}`
      found.set(`${String(parameter.in)} ${String(parameter.name)}`, [where, parameter])
    }
  }
  return [...found.values()]
}

function valueOf(document: Values, parameter: Values, pointer: string, validate: Validate) {
  const schema = isObject(parameter.content)
    ? (Object.values(parameter.content)[0] as Values | undefined)?.schema
    : parameter.schema
  if (isObject(parameter.content)) return { value: JSON.stringify(samplesOf(document, schema)[0]), flaw: undefined }
  const given = [
    parameter.example,
    ...Object.values(isObject(parameter.examples) ? parameter.examples : {}).map(valueIn),
  ]
  // An object without members cannot be sent.
  const shown = isObject(schema) ? { ...schema, minProperties: schema.minProperties ?? 1 } : schema
  return firstValid([...samplesOf(document, shown), ...given], (value) => {
    if (value === '' || value === null || (Array.isArray(value) && value.length === 0)) return 'it is empty'
    return validate(`${pointer}/schema`, value)
  })
}

function valueIn(example: unknown): unknown {
  return isObject(example) ? example.value : undefined
}

function keysOf({ document }: PublicContract, { operation }: PublicOperation) {
  const ways = operation.security ?? document.security
  const way = Array.isArray(ways) ? (ways[0] as unknown) : undefined
  const schemes = at(document, '/components/securitySchemes')
  const keys = { headers: {} as Record<string, string | undefined>, query: [] as string[], cookies: [] as string[] }
  for (const name of Object.keys(isObject(way) ? way : {})) {
    const { type, in: place, name: key, scheme } = follow(document, isObject(schemes) ? schemes[name] : undefined)
    const isBasic = type === 'http' && /^basic$/i.test(String(scheme))
    if (type === 'apiKey' && place === 'query') keys.query.push(`${encodeURIComponent(String(key))}=any`)
    else if (type === 'apiKey' && place === 'cookie') keys.cookies.push(`${String(key)}=any`)
    else if (type === 'apiKey') keys.headers[String(key)] = 'any'
    else keys.headers.Authorization ??= isBasic ? `Basic ${btoa('any:any')}` : 'Bearer any'
  }
  return keys
}
