import { asList, asObject, isObject, type Members, tryParseJson } from '../../base/formats/json.ts'
import { callOfHelper } from '../../values/asked/helper-calls.ts'
import {
  bodyOf,
  cookieTest,
  inBody,
  type ForeignCollection,
  type ForeignConditions,
  type ForeignResponse,
  type ForeignSegment,
  type ForeignStub,
  type ForeignStubs,
  latency,
  merged,
  NoEqual,
  pointerOfDots,
  readHeaders,
  segmentsOf,
  textIn,
  type TranslateHelper,
} from './foreign-stub.ts'

/** Whether a file is an environment of Mockoon, or an export of several. */
export function isMockoon(value: unknown): boolean {
  return environmentsOf(value).length > 0
}

function environmentsOf(value: unknown): readonly Members[] {
  const { routes, data, lastMigration } = asObject(value)
  if (Array.isArray(routes) && lastMigration !== undefined) return [asObject(value)]
  return asList(data)
    .map((one) => asObject(asObject(one).item))
    .filter((item) => Array.isArray(item.routes))
}

export function readMockoon(files: readonly unknown[]): ForeignStubs {
  const stubs: ForeignStub[] = []
  const leftOut: string[] = []
  const collections: ForeignCollection[] = []
  for (const environment of files.flatMap(environmentsOf)) {
    if (environment.proxyMode === true)
      leftOut.push(
        `${textIn(environment.name)}: it passes other requests on to ${textIn(environment.proxyHost)}: use --upstream`,
      )
    for (const route of asList(environment.routes).map(asObject)) {
      const name = `${textIn(route.method).toUpperCase()} /${String(route.endpoint)}`.trim()
      try {
        if (route.type === 'crud' && route.enabled !== false) collections.push(readCrud(route, environment))
        else stubs.push(...readRoute(route, environment, (why) => leftOut.push(`${name}: ${why}`)))
      } catch (error) {
        if (!(error instanceof NoEqual)) throw error
        leftOut.push(`${name}: ${error.message}`)
      }
    }
  }
  return { stubs, leftOut, collections }
}

/** A CRUD route with the items of its data bucket. */
function readCrud({ endpoint, responses }: Members, environment: Members): ForeignCollection {
  const { crudKey, databucketID } = asObject(asList(responses)[0])
  const bucket = asList(environment.data)
    .map(asObject)
    .find(({ id }) => id === databucketID)
  const items = tryParseJson(textIn(bucket?.value))
  if (!Array.isArray(items) || !items.every(isObject))
    throw new NoEqual('it is a CRUD route whose data bucket is no list of objects, or has templates')
  const path = segmentsOf(`${textIn(environment.endpointPrefix)}/${String(endpoint)}`)
  return { path, key: textIn(crudKey, 'id'), items }
}

function readRoute(route: Members, environment: Members, say: (why: string) => void): ForeignStub[] {
  const { type, enabled, endpoint, responseMode, sequentialResponse, randomResponse } = route
  if (enabled === false) return []
  if (type === 'ws') throw new NoEqual('it is a WebSocket')
  const path = segmentsOf(`${textIn(environment.endpointPrefix)}/${String(endpoint)}`)
  const method = route.method === 'all' ? undefined : String(route.method).toUpperCase()
  const responses = asList(route.responses).map(asObject)
  const read = (one: Members) => responseOf(one, environment, path)
  if (responseMode === 'SEQUENTIAL' || sequentialResponse === true)
    return [{ name: undefined, method, path, when: {}, respond: responses.map(read), isRepeated: true }]
  const isRandom = responseMode === 'RANDOM' || randomResponse === true
  if (isRandom && responses.length > 1) say('its response is chosen at random; the first one is taken')
  const usual = responses.find((one) => one.default === true) ?? responses[0]
  const takesRules = !isRandom && responseMode !== 'DISABLE_RULES'
  const stubs = responses.flatMap((response) => {
    const name = typeof response.label === 'string' && response.label !== '' ? response.label : undefined
    const base = { name, method, path, fault: latency(Number(response.latency) + Number(environment.latency ?? 0)) }
    const of = (when: ForeignConditions, narrowed: readonly ForeignSegment[] = path) => ({
      ...base,
      path: narrowed,
      when,
      respond: [read(response)],
    })
    if (asList(response.callbacks).length > 0)
      say(`${name ?? `response ${String(response.statusCode)}`}: its callbacks: those of a contract are sent`)
    try {
      const isUsual = response === usual && responseMode !== 'FALLBACK'
      const ruled = takesRules ? conditionsOf(response).map((rules) => narrowedBy(rules, path)) : []
      return [
        ...ruled.map(({ when, path: narrowed }) => ({ isUsual: false, stub: of(when, narrowed) })),
        ...(isUsual ? [{ isUsual, stub: of({}) }] : []),
      ]
    } catch (error) {
      if (!(error instanceof NoEqual)) throw error
      say(`${name ?? `response ${String(response.statusCode)}`}: ${error.message}`)
      return []
    }
  })
  return stubs.toSorted((a, b) => Number(a.isUsual) - Number(b.isUsual)).map(({ stub }) => stub)
}

/** The rules of a response: sets of which one must hold whole. */
function conditionsOf({ rules, rulesOperator }: Members): (readonly Members[])[] {
  const all = asList(rules).map(asObject)
  if (all.length === 0) return []
  return rulesOperator === 'AND' ? [all] : all.map((rule) => [rule])
}

function narrowedBy(
  rules: readonly Members[],
  path: readonly ForeignSegment[],
): { readonly when: ForeignConditions; readonly path: readonly ForeignSegment[] } {
  const when: { query: Record<string, unknown>; header: Record<string, unknown>; body: Record<string, unknown> } = {
    query: {},
    header: {},
    body: {},
  }
  let narrowed = path
  for (const { target, modifier, value, operator, isRegex, invert } of rules) {
    const holds = conditionOf(isRegex === true ? 'regex' : textIn(operator, 'equals'), value)
    const condition = invert === true ? { not: holds } : holds
    const name = String(modifier)
    if (target === 'query') when.query[name] = merged(when.query[name], condition)
    else if (target === 'header') when.header[name] = merged(when.header[name], condition)
    else if (target === 'cookie' && operator === 'equals')
      when.header.Cookie = merged(when.header.Cookie, cookieTest(name, String(value)))
    else if (target === 'body') {
      const part = name.startsWith('$') || name.startsWith('/') ? name : pointerOfDots(name)
      when.body[part] = merged(when.body[part], inBody(condition))
    } else if (target === 'params')
      narrowed = narrowed.map((segment) =>
        typeof segment === 'object' && segment.name === name ? { name, condition } : segment,
      )
    else throw new NoEqual(`a rule about ${String(target)} has no equal`)
  }
  return { when, path: narrowed }
}

function conditionOf(operator: string, value: unknown): Members {
  switch (operator) {
    case 'equals':
      return { equals: value }
    case 'regex':
      return { matches: String(value) }
    case 'regex_i':
      if (String(value).includes('['))
        throw new NoEqual('a pattern of any case with a class of characters has no equal')
      return {
        matches: String(value).replaceAll(/(?<!\\)[a-z]/gi, (one) => `[${one.toLowerCase()}${one.toUpperCase()}]`),
      }
    case 'null':
      return { exists: false }
    case 'empty_array':
      return { equals: [] }
    case 'array_includes':
      return { contains: value }
    default:
      throw new NoEqual(`the operator ${operator} of a rule has no equal`)
  }
}

function responseOf(response: Members, environment: Members, path: readonly ForeignSegment[]): ForeignResponse {
  const { statusCode, headers, body, bodyType, filePath, databucketID, disableTemplating } = response
  const translate = disableTemplating === true ? undefined : translatorFor(path)
  const pairs = [...asList(environment.headers), ...asList(headers)].map((one): [string, unknown] => {
    const { key, value } = asObject(one)
    return [String(key), value]
  })
  if (bodyType === 'FILE' || (bodyType === undefined && filePath !== undefined && filePath !== ''))
    throw new NoEqual(`its body is the file ${String(filePath)}`)
  const bucket = asList(environment.data)
    .map(asObject)
    .find(({ id }) => id === databucketID)
  const text = bodyType === 'DATABUCKET' ? bucket?.value : body
  return {
    status: Number(statusCode),
    ...readHeaders([...new Map(pairs)], translate),
    body: typeof text === 'string' ? bodyOf(text, translate) : undefined,
  }
}

/** `body 'a.b' 'default'` */
const HELPER = /^(\w+)(?:\s+(['"])(.*?)\2(?:\s+(['"])(.*?)\4)?)?$/

/** Helpers of Mockoon's templates. A parameter that the path does not have is an empty text there. */
function translatorFor(path: readonly ForeignSegment[]): TranslateHelper {
  const names = new Set(path.map((segment) => (typeof segment === 'string' ? undefined : segment.name)))
  return (helper) => {
    const [, name, , argument = '', , usual = ''] = HELPER.exec(helper) ?? []
    return name === 'urlParam' && argument !== '' && !names.has(argument) ? usual : translateHelper(helper)
  }
}

/** Helpers that name a part of the request. */
const PLACES: Readonly<Record<string, string>> = { urlParam: 'path', queryParam: 'query', header: 'header' }

const translateHelper: TranslateHelper = (helper) => {
  const [, name = '', , argument = '', , usual] = HELPER.exec(helper) ?? []
  const orUsual = usual === undefined || /[{}|]/.test(usual) ? '' : `|${usual}`
  const place = PLACES[name]
  if (place !== undefined) return argument === '' ? undefined : `{$request.${place}.${argument}${orUsual}}`
  switch (name) {
    case 'body':
    case 'bodyRaw':
      return argument === '' ? '{$request.body}' : `{$request.body#${pointerOfDots(argument)}${orUsual}}`
    case 'now':
      return argument === '' ? '{$now}' : undefined
    case 'method':
      return '{$method}'
    default:
      return placeOfHelper(helper)
  }
}

function placeOfHelper(helper: string): string | undefined {
  const call = callOfHelper(helper)
  // Ids of stubs are those of the sandbox.
  return call === undefined ? undefined : call === 'string.uuid' ? '{$uuid}' : `{$faker.${call}}`
}
