import { decodePercent } from '../../contract/pointer.ts'
import { escapeRegExp } from '../../base/escape-reg-exp.ts'
import { asList, asObject, isObject, type Members, tryParseJson } from '../../base/formats/json.ts'
import {
  bodyOf,
  cookieTest,
  inBody,
  type ForeignConditions,
  type ForeignSegment,
  type ForeignStub,
  type ForeignStubs,
  latency,
  merged,
  NoEqual,
  pointerOfDots,
  readHeaders,
  textIn,
  type TranslateHelper,
} from './foreign-stub.ts'

/** Whether a file is of WireMock: a mapping, or several. */
export function isWireMock(value: unknown): boolean {
  const { mappings, request, response } = asObject(value)
  return Array.isArray(mappings) || (isObject(request) && isObject(response) && !('info' in asObject(value)))
}

/** Of the files of a folder: `bodyFileName` is below `__files`. */
type ReadBodyFile = (name: string) => string | undefined

interface WireMockFile {
  readonly value: unknown
  readonly readFile: ReadBodyFile
}

const USUAL_PRIORITY = 5

/**
 * Reads mappings. Among those of one priority the one that was added last comes first, as in WireMock. In which order it reads files is not
 * known, so a mapping for fewer paths comes before one for more.
 */
export function readWireMock(files: readonly WireMockFile[]): ForeignStubs {
  const readers = new Map<Members, ReadBodyFile>()
  const mappings = files.flatMap(({ value, readFile }) => {
    const held = asList(asObject(value).mappings ?? [value]).map(asObject)
    for (const mapping of held) readers.set(mapping, readFile)
    return held
  })
  const priorityOf = ({ priority }: Members) => (typeof priority === 'number' ? priority : USUAL_PRIORITY)
  const leftOut: string[] = []
  const stubs: (ForeignStub & { readonly rank: number })[] = []
  for (const mapping of mappings.toReversed())
    try {
      const stub = readMapping(mapping, readers.get(mapping) ?? (() => undefined))
      if (/\.[*+]$/.test(patternOf(mapping)))
        leftOut.push(`${nameOf(mapping)}: its last part is one segment here, whatever it is there`)
      const [sender] = [...asList(mapping.serveEventListeners), ...asList(mapping.postServeActions)].map(asObject)
      if (sender)
        leftOut.push(
          `${nameOf(mapping)}: what it sends afterwards (${textIn(sender.name)}): that is said by the webhooks and callbacks of a contract`,
        )
      const open = stub.path.filter((one) => typeof one !== 'string').length
      stubs.push({ ...stub, rank: priorityOf(mapping) * MOST_SEGMENTS + open })
    } catch (error) {
      if (!(error instanceof NoEqual)) throw error
      leftOut.push(`${nameOf(mapping)}: ${error.message}`)
    }
  return { stubs: stubs.toSorted((a, b) => a.rank - b.rank), leftOut }
}

const MOST_SEGMENTS = 1000

function patternOf({ request }: Members): string {
  const { urlPathPattern, urlPattern } = asObject(request)
  return textIn(urlPathPattern ?? urlPattern)
}

function nameOf({ name, request }: Members): string {
  const { method, ...rest } = asObject(request)
  const path = ['url', 'urlPath', 'urlPathTemplate', 'urlPattern', 'urlPathPattern']
    .map((one) => rest[one])
    .find(Boolean)
  return typeof name === 'string' ? name : `${textIn(method, 'ANY')} ${textIn(path)}`.trim()
}

function readMapping(mapping: Members, readFile: ReadBodyFile): ForeignStub {
  const { name, request, response } = mapping
  const asked = asObject(request)
  const narrower = Object.keys(asked).find((one) => !REQUEST_MEMBERS.has(one)) ?? (isObject(asked.method) && 'method')
  if (narrower) throw new NoEqual(`what it says of ${narrower} has no equal`)
  const { path, query } = pathOf(asked)
  const method = typeof asked.method === 'string' && asked.method !== 'ANY' ? asked.method.toUpperCase() : undefined
  const answered = asObject(response)
  return {
    name: typeof name === 'string' ? name : undefined,
    method,
    path,
    when: conditionsOf(asked, query),
    respond: [responseOf(answered, { readFile, path })],
    fault: faultsOf(answered),
    scenario: scenarioOf(mapping),
  }
}

/** What a request is asked for here. */
const REQUEST_MEMBERS = new Set(
  (
    'method url urlPath urlPathTemplate urlPattern urlPathPattern pathParameters queryParameters formParameters ' +
    'headers cookies basicAuth basicAuthCredentials bodyPatterns'
  ).split(' '),
)

function scenarioOf({ scenarioName, requiredScenarioState: when, newScenarioState: becomes }: Members) {
  const isPart = typeof scenarioName === 'string' && (when !== undefined || becomes !== undefined)
  if (!isPart) return undefined
  return { name: scenarioName, ...(when === undefined ? {} : { when }), ...(becomes === undefined ? {} : { becomes }) }
}

function pathOf(request: Members): { readonly path: readonly ForeignSegment[]; readonly query: Members } {
  const { url, urlPath, urlPathTemplate, urlPattern, urlPathPattern, pathParameters } = request
  const query: Record<string, unknown> = {}
  const exact = [url, urlPath].find((one) => typeof one === 'string')
  if (typeof exact === 'string') {
    const [path = '', search = ''] = exact.split('?', 2)
    for (const [name, value] of new URLSearchParams(search)) query[name] = value
    return { path: path.split('/').filter(Boolean).map(decodePercent), query }
  }
  if (typeof urlPathTemplate === 'string') {
    const wanted = asObject(pathParameters)
    const path = urlPathTemplate
      .split('/')
      .filter(Boolean)
      .map((segment) => {
        const [, name] = /^\{(\w+)\}$/.exec(segment) ?? []
        if (name === undefined) return segment
        return { name, ...(wanted[name] === undefined ? {} : { condition: conditionOf(wanted[name]) }) }
      })
    return { path, query }
  }
  const pattern = [urlPathPattern, urlPattern].find((one) => typeof one === 'string')
  if (typeof pattern !== 'string') throw new NoEqual('it is for every path')
  return { path: segmentsOfPattern(pattern, query), query }
}

/** `/orders/[0-9]+`, segment by segment. A pattern that goes across segments has no equal. */
function segmentsOfPattern(pattern: string, query: Record<string, unknown>): ForeignSegment[] {
  const whole = pattern
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replace(/\((?:\?:)?\\\?\.[*+]\)\??$/, '')
  const [path = '', search] = whole.split(/\\\?/, 2)
  if (search !== undefined && search !== '.*')
    for (const pair of search.split('&')) {
      const [name = '', value = ''] = pair.split('=', 2)
      query[name] = { matches: `^(?:${value})$` }
    }
  return splitPattern(path).map((segment, at) => {
    const literal = segment.replaceAll(/\\([./-])/g, '$1')
    if (/^[\w.~%@ -]*$/.test(literal) && !/(?<!\\)\./.test(segment)) return decodePercent(literal)
    if (/^\.[*+]$/.test(segment) || segment === '[^/]+' || segment === '([^/]+)') return { name: `p${at}` }
    return { name: `p${at}`, condition: { matches: `^(?:${segment})$` } }
  })
}

function splitPattern(path: string): string[] {
  const segments: string[] = []
  let depth = 0
  let present = ''
  for (let at = 0; at < path.length; at++) {
    const character = path[at] ?? ''
    if (character === '\\') present += character + (path[++at] ?? '')
    else if (character === '/' && depth === 0) {
      if (present !== '') segments.push(present)
      present = ''
    } else {
      if ('[('.includes(character)) depth++
      if ('])'.includes(character)) depth--
      present += character
    }
  }
  return present === '' ? segments : [...segments, present]
}

function conditionsOf(request: Members, query: Members): ForeignConditions {
  const { headers, queryParameters, cookies, basicAuthCredentials, bodyPatterns, formParameters } = request
  const credentials = request.basicAuth ?? basicAuthCredentials
  const named = (given: unknown) =>
    Object.fromEntries(Object.entries(asObject(given)).map(([name, matcher]) => [name, conditionOf(matcher)]))
  const header: Record<string, unknown> = named(headers)
  for (const [name, matcher] of Object.entries(asObject(cookies))) {
    const { equalTo } = asObject(matcher)
    if (typeof equalTo !== 'string') throw new NoEqual(`the condition of the cookie ${name} has no equal`)
    header.Cookie = merged(header.Cookie, cookieTest(name, equalTo))
  }
  if (isObject(credentials)) {
    const { username, password } = credentials
    header.Authorization = `Basic ${Buffer.from(`${String(username)}:${String(password)}`).toString('base64')}`
  }
  const parts: Record<string, unknown> = Object.fromEntries(
    Object.entries(named(formParameters)).map(([name, condition]) => [`/${name}`, condition]),
  )
  for (const pattern of asList(bodyPatterns))
    for (const [part, condition] of bodyConditions(asObject(pattern))) parts[part] = merged(parts[part], condition)
  return { query: { ...query, ...named(queryParameters) }, header, body: parts }
}

function conditionOf(matcher: unknown): unknown {
  const { caseInsensitive, ...rest } = asObject(matcher)
  const found = Object.entries(rest).map(([kind, wanted]) => {
    const read = MATCHERS[kind]
    if (!read) throw new NoEqual(`the matcher ${kind} has no equal`)
    return read(wanted)
  })
  if (caseInsensitive === true && typeof rest.equalTo === 'string')
    return { matches: `^(?:${caseless(rest.equalTo)})$` }
  return Object.assign({}, ...found) as unknown
}

/** Each letter in both cases: a linear pattern has no flags. */
function caseless(text: string): string {
  return escapeRegExp(text).replaceAll(/[a-z]/gi, (one) => `[${one.toLowerCase()}${one.toUpperCase()}]`)
}

/** Patterns of WireMock are for the whole text. */
const forWhole = (pattern: unknown) => ({ matches: `^(?:${String(pattern)})$` })

const MATCHERS: Readonly<Record<string, (wanted: unknown) => Members>> = {
  equalTo: (wanted) => ({ equals: wanted }),
  contains: (wanted) => ({ contains: wanted }),
  doesNotContain: (wanted) => ({ not: { contains: wanted } }),
  matches: forWhole,
  doesNotMatch: (wanted) => ({ not: forWhole(wanted) }),
  anything: () => ({}),
  equalToNumber: (wanted) => ({ min: Number(wanted), max: Number(wanted) }),
  greaterThanNumber: (wanted) => ({ above: Number(wanted) }),
  greaterThanEqualNumber: (wanted) => ({ min: Number(wanted) }),
  lessThanNumber: (wanted) => ({ below: Number(wanted) }),
  lessThanEqualNumber: (wanted) => ({ max: Number(wanted) }),
  absent: (wanted) => ({ exists: wanted !== true }),
  not: (wanted) => ({ not: conditionOf(wanted) }),
  and: (wanted) => ({ allOf: asList(wanted).map(conditionOf) }),
  or: (wanted) => ({ anyOf: asList(wanted).map(conditionOf) }),
}

/** Conditions by the part of the body that they are of: itself, or what a JSONPath selects. */
function bodyConditions(pattern: Members): (readonly [string, unknown])[] {
  const { equalToJson, ignoreExtraElements, ignoreArrayOrder, matchesJsonPath, matchesJsonSchema, ...rest } = pattern
  const { schemaVersion: _version, ...others } = rest
  const found: (readonly [string, unknown])[] = []
  const json = (given: unknown) => (typeof given === 'string' ? tryParseJson(given) : given)
  if (equalToJson !== undefined) {
    const [placeholder] = /\$\{json-unit\.[^}]*\}/.exec(JSON.stringify(equalToJson)) ?? []
    if (placeholder !== undefined) throw new NoEqual(`the placeholder ${placeholder} has no equal`)
    const isLoose = ignoreExtraElements === true || ignoreArrayOrder === true
    found.push(['', { [isLoose ? 'contains' : 'equals']: json(equalToJson) }])
  }
  if (matchesJsonSchema !== undefined) found.push(['', { schema: json(matchesJsonSchema) }])
  if (typeof matchesJsonPath === 'string') found.push([matchesJsonPath, { exists: true }])
  if (isObject(matchesJsonPath)) {
    const { expression, ...matcher } = matchesJsonPath
    found.push([
      String(expression),
      Object.keys(matcher).length === 0 ? { exists: true } : inBody(conditionOf(matcher)),
    ])
  }
  return Object.keys(others).length === 0 ? found : [...found, ['', conditionOf(others)]]
}

interface ResponseSources {
  readonly readFile: ReadBodyFile
  readonly path: readonly ForeignSegment[]
}

function responseOf(response: Members, { readFile, path }: ResponseSources): ForeignStub['respond'][number] {
  const { status = 200, headers, body, jsonBody, base64Body, bodyFileName, proxyBaseUrl, transformers } = response
  if (proxyBaseUrl !== undefined)
    throw new NoEqual(`it passes requests on to ${textIn(proxyBaseUrl, 'a service')}: use --upstream`)
  if (base64Body !== undefined) throw new NoEqual('its body is base64')
  const other = asList(transformers).find((one) => one !== 'response-template')
  if (other !== undefined) throw new NoEqual(`the transformer ${textIn(other)} has no equal`)
  const translate = asList(transformers).includes('response-template') ? translatorFor(path) : undefined
  if (
    Object.entries(asObject(headers)).some(
      ([name, value]) => /^set-cookie$/i.test(name) && Array.isArray(value) && value.length > 1,
    )
  )
    throw new NoEqual('it sets several cookies')
  const text = typeof bodyFileName === 'string' ? readFile(bodyFileName) : typeof body === 'string' ? body : ''
  if (text === undefined) throw new NoEqual(`its body is in the file ${String(bodyFileName)}, which is not in __files`)
  return {
    status: Number(status),
    ...readHeaders(Object.entries(asObject(headers)), translate),
    body: jsonBody === undefined ? bodyOf(text, translate) : bodyOf(JSON.stringify(jsonBody), translate),
  }
}

/** Helpers of the response templating of WireMock. Parts of the path have numbers there. */
function translatorFor(path: readonly ForeignSegment[]): TranslateHelper {
  return (helper) => {
    const [, number] = /^request\.(?:path|pathSegments)\.\[?(\d+)\]?$/.exec(helper) ?? []
    const segment = number === undefined ? undefined : path[Number(number)]
    if (segment !== undefined) return typeof segment === 'string' ? segment : `{$request.path.${segment.name}}`
    return translateHelper(helper.replace(/\.\[?0\]?$/, ''))
  }
}

const translateHelper: TranslateHelper = (helper) => {
  const [, part, rest = ''] = /^request\.(query|headers|body|url|method)\.?\[?'?([\w-]*)'?\]?$/.exec(helper) ?? []
  if (part === 'query') return `{$request.query.${rest}}`
  if (part === 'headers') return `{$request.header.${rest}}`
  if (part === 'body') return '{$request.body}'
  if (part === 'url') return '{$url}'
  if (part === 'method') return '{$method}'
  const [, name] = /^request\.path\.(\w+)$/.exec(helper) ?? []
  if (name !== undefined && !/^\d+$/.test(name)) return `{$request.path.${name}}`
  const [, dots] = /^jsonPath request\.body '\$\.?([\w.]*)'$/.exec(helper) ?? []
  if (dots !== undefined) return `{$request.body#${pointerOfDots(dots)}}`
  if (/^randomValue .*type='UUID'/.test(helper)) return '{$uuid}'
  return helper === 'now' ? '{$now}' : undefined
}

const FAULTS: Readonly<Record<string, Members>> = {
  EMPTY_RESPONSE: { kind: 'empty' },
  CONNECTION_RESET_BY_PEER: { kind: 'reset' },
  MALFORMED_RESPONSE_CHUNK: { kind: 'garbage', of: 'body' },
  RANDOM_DATA_THEN_CLOSE: { kind: 'garbage', of: 'answer' },
}

function faultsOf(response: Members): readonly Members[] {
  const { fault, fixedDelayMilliseconds, delayDistribution, chunkedDribbleDelay } = response
  const { type, lower, upper, median, sigma, milliseconds } = asObject(delayDistribution)
  const { numberOfChunks: pieces, totalDuration } = asObject(chunkedDribbleDelay)
  return [
    ...latency(fixedDelayMilliseconds ?? milliseconds),
    ...(type === 'uniform' ? [{ kind: 'latency', delay: { from: lower, to: upper } }] : []),
    ...(type === 'lognormal' ? [{ kind: 'latency', delay: { median, sigma } }] : []),
    ...(typeof pieces === 'number' ? [{ kind: 'slow-drip', pieces, milliseconds: totalDuration }] : []),
    ...(typeof fault === 'string' && FAULTS[fault] ? [FAULTS[fault]] : []),
  ]
}
