import { isObject, stringifyJson } from '../../base/formats/json.ts'
import { isToken, type SearchSeen } from './search-seen.ts'

/** A request with a token that came with a page. */
export interface TokenUse {
  readonly search: SearchSeen
  /** The page that it came with: the last one before the request. */
  readonly origin: SearchSeen
  /** What the request has otherwise than that of the page. */
  readonly differs: readonly TokenDifference[]
  /** The number of the page that it leads to; NaN where its walk began before the traffic. */
  readonly page: number
  /** How many entries the pages before showed; NaN likewise. */
  readonly given: number
  /** How old the token was at most, in milliseconds. */
  readonly age: number
}

/** `omitted` where no part of the search was sent, `partial` where some were left out, `conflict` where one is another. */
export type TokenDifference = 'set' | 'key' | 'limit' | 'omitted' | 'partial' | 'conflict'

export interface TokenUses {
  readonly all: readonly TokenUse[]
  /**
   * Whether a request was refused for this difference alone: its token was young enough, and not too deep, to be accepted without it.
   * Whether all else in the request is accepted is another question: see `Traffic.isAbout`.
   */
  isRefusedFor(use: TokenUse, ...differs: readonly TokenDifference[]): boolean
  /** Whether a request was refused although it continued its walk as it should, where no walk was continued so deep. */
  isTooDeep(use: TokenUse): boolean
  /** Whether a walk was continued after so many entries. */
  isContinuedAfter(given: number): boolean
}

/** No service lets tokens expire sooner, in milliseconds. */
const ALWAYS_VALID = 1000

export function findTokenUses(searches: readonly SearchSeen[]): TokenUses {
  const origins = new Map<string, SearchSeen>()
  const uses = new Map<SearchSeen, TokenUse>()
  for (const search of searches) {
    const [token, another] = search.query.get('next') ?? []
    const origin = token === undefined || another !== undefined ? undefined : origins.get(token)
    if (origin) uses.set(search, createUse(search, origin, uses.get(origin)))
    if (search.outcome === 'page' && isToken(search.next)) origins.set(search.next, search)
  }
  const all = [...uses.values()]
  const continued = all.filter(
    ({ search, differs }) => search.outcome === 'page' && differs.every((one) => one === 'limit'),
  )
  const oldest = Math.max(ALWAYS_VALID, ...continued.map(({ age }) => age))
  const deepest = Math.max(0, ...continued.map(({ given }) => given).filter((given) => !Number.isNaN(given)))
  return {
    all,
    isRefusedFor: ({ search, differs: found, age, given }, ...differs) =>
      search.outcome === 'refused' &&
      found.length === differs.length &&
      differs.every((one) => found.includes(one)) &&
      age <= oldest &&
      given <= deepest,
    isTooDeep: ({ search, differs, age, given }) =>
      search.outcome === 'refused' && differs.length === 0 && age <= oldest && deepest > 0 && given > deepest,
    isContinuedAfter: (given) => given <= deepest,
  }
}

function createUse(search: SearchSeen, origin: SearchSeen, before: TokenUse | undefined): TokenUse {
  const isFirst = (origin.query.get('next')?.[0] ?? '') === ''
  const isKnown = before !== undefined && !before.differs.includes('set')
  const { at, milliseconds } = search.exchange
  return {
    search,
    origin,
    differs: differencesOf(search, origin),
    page: isFirst ? 2 : isKnown ? before.page + 1 : Number.NaN,
    given: (isFirst ? 0 : isKnown ? before.given : Number.NaN) + origin.files.length,
    age: at + milliseconds - origin.exchange.at,
  }
}

function differencesOf(search: SearchSeen, origin: SearchSeen): TokenDifference[] {
  const [sent, before] = [search, origin].map(partsOf) as [SearchParts, SearchParts]
  const names = [...new Set([...sent.keys(), ...before.keys()])]
  const [conflicts, omitted] = [
    names.filter((name) => sent.has(name) && sent.get(name) !== (before.get(name) ?? DEFAULTS[name])),
    names.filter((name) => !sent.has(name) && before.get(name) !== DEFAULTS[name]),
  ]
  const limits = [search, origin].map(({ query }) => query.get('limit')?.[0])
  return [
    ...(search.fileSet === origin.fileSet ? [] : ['set' as const]),
    ...(search.key === origin.key ? [] : ['key' as const]),
    ...(limits[0] === limits[1] ? [] : ['limit' as const]),
    ...(conflicts.length > 0 ? ['conflict' as const] : []),
    ...(conflicts.length === 0 && omitted.length > 0
      ? [sent.size === 0 ? ('omitted' as const) : ('partial' as const)]
      : []),
  ]
}

type SearchParts = ReadonlyMap<string, string>

/** What the parts of a search are where they are left out. */
const DEFAULTS: Readonly<Record<string, string>> = {
  directoryPath: '',
  immediateChildren: 'false',
  filters: '[]',
  fieldSort: '[]',
  dateFilters: '[]',
}

/** The parts of a search that were sent. */
function partsOf({ query, body }: SearchSeen): SearchParts {
  const parts = new Map<string, string>()
  for (const name of ['directoryPath', 'immediateChildren']) {
    const value = query.get(name)?.[0]
    if (value !== undefined && value !== '') parts.set(name, value)
  }
  for (const name of ['filters', 'fieldSort', 'dateFilters']) {
    const list = isObject(body) ? body[name] : undefined
    if (list !== undefined && list !== null) parts.set(name, stringifyJson(list))
  }
  return parts
}
