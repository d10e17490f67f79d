import type { RecordedExchange } from '../../recordings/recorded-exchange.ts'
import type { SearchSeen } from '../search-seen.ts'
import type { Traffic } from '../traffic.ts'
import { directoryVersion, explainsDirectory, isOfDirectory } from './directories.ts'
import { explains } from './explain.ts'
import { assumeSearch, isReadable } from './read-search.ts'
import { findRefusals, noteAccepted, partsOf, refusalsUnder } from './refusals.ts'
import { addFound, findEntries, type Found, type Scope, scopeOf } from './scope.ts'
import { type Assume, explore, MOST, type Unknown, valuesOf } from './unknowns.ts'
import { rememberingEach } from '../../../base/cache.ts'

/** What the searches of some traffic tell of the settings that they depend on. */
export interface Deduction {
  /** The values that are still possible. */
  domainOf(unknown: Unknown): readonly unknown[]
  /** The exchanges that showed it. */
  evidenceFor(unknown: Unknown): readonly RecordedExchange[]
  /** A search that some setting explains, but none that other searches allow. */
  contradictionOf(unknown: Unknown): SearchSeen | undefined
  /** A search that no setting at all explains, and that depends on the unknown. It shows nothing, neither what it was accepted with. */
  differenceOf(unknown: Unknown): SearchSeen | undefined
  /** Whether a response can only be explained by something that no setting does. */
  isStrange(exchange: RecordedExchange): boolean
  /** The behaviours that may refuse the conditions of a search, or its sorts, by what is known. */
  refusalsOf(search: SearchSeen): readonly string[]
  /** What is known of the entries of a search; undefined for no other search like it. */
  scopeOf(search: SearchSeen): Scope | undefined
}

/** What one search says. */
interface Constraint {
  readonly search: SearchSeen
  /** Whether the search could have had its response, by the traffic so far. */
  allows(assume: Assume): boolean
  /** Changes when it may allow less than before. */
  version(): string
}

const deductionOf = rememberingEach(createDeduction)

/** What the traffic tells so far. */
export function deduce(traffic: Traffic): Deduction {
  const known = deductionOf(traffic)
  known.update()
  return known
}

function createDeduction(traffic: Traffic): Deduction & { update(): void } {
  const domains = new Map<Unknown, readonly unknown[]>()
  const evidence = new Map<Unknown, RecordedExchange[]>()
  const contradictions = new Map<Unknown, SearchSeen>()
  const seen: SearchesSeen = { traffic, scopes: new Map(), found: new Map(), accepted: new Set() }
  let constraints: Constraint[] = []
  const tried = new Map<Constraint, { readonly unknowns: readonly Unknown[]; readonly state: string }>()
  const differences = new Map<SearchSeen, readonly Unknown[]>()
  const refusals = new Map<SearchSeen, readonly string[]>()
  let read = 0
  const domainOf = (unknown: Unknown) => domains.get(unknown) ?? valuesOf(unknown)
  const stateOf = (constraint: Constraint, unknowns: readonly Unknown[]) =>
    `${constraint.version()} ${unknowns.map((unknown) => domainOf(unknown).length).join(' ')}`

  function narrow(constraint: Constraint): boolean {
    const { search, allows } = constraint
    const { paths, unknowns } = goThrough(allows, domainOf, MOST)
    tried.set(constraint, { unknowns, state: stateOf(constraint, unknowns) })
    if (!paths) return false
    const allowed = paths.filter(({ result }) => result)
    if (allowed.length === 0) {
      if (isNeverAllowed(allows)) exclude(search)
      else for (const unknown of toBlame(unknowns, allows)) contradictions.set(unknown, search)
      return false
    }
    let isNarrower = false
    for (const unknown of unknowns) {
      const values = new Set(allowed.map(({ assumption }) => assumption.get(unknown)))
      // Where one way does not depend on it, it may have any value.
      if (values.has(undefined) || values.size === domainOf(unknown).length) continue
      domains.set(unknown, [...values])
      evidence.set(unknown, [search.exchange, ...(evidence.get(unknown) ?? [])])
      isNarrower = true
    }
    return isNarrower
  }

  /** The unknowns of which another value alone would explain it; all of them where there is none. */
  function toBlame(unknowns: readonly Unknown[], allows: Constraint['allows']): readonly Unknown[] {
    const alone = unknowns.filter((unknown) =>
      explore(allows, (one) => (one === unknown ? valuesOf(one) : domainOf(one)), MOST)?.some(({ result }) => result),
    )
    return alone.length > 0 ? alone : unknowns
  }

  /** Begins again without the search: what was concluded from it is void. */
  function exclude(search: SearchSeen): void {
    const own = constraints.filter((one) => one.search === search)
    const unknowns = own.flatMap(({ allows }) => goThrough(allows, valuesOf, MOST_AT_FIRST).unknowns)
    differences.set(search, [...new Set(unknowns)])
    constraints = constraints.filter((one) => one.search !== search)
    for (const known of [domains, evidence, contradictions, tried]) known.clear()
  }

  function narrowAll(): void {
    for (let isNarrower = true; isNarrower;) {
      isNarrower = false
      const present = constraints
      for (const constraint of present) {
        const before = tried.get(constraint)
        if (before?.state === stateOf(constraint, before?.unknowns ?? [])) continue
        if (narrow(constraint) || constraints !== present) isNarrower = true
        if (constraints !== present) break
      }
    }
  }

  return {
    domainOf,
    evidenceFor: (unknown) => evidence.get(unknown) ?? [],
    contradictionOf: (unknown) => contradictions.get(unknown),
    differenceOf: (unknown) => [...differences].find(([, unknowns]) => unknowns.includes(unknown))?.[0],
    isStrange: (exchange) =>
      [...domains].some(
        ([unknown, [value, another]]) =>
          value === 'other' && another === undefined && evidence.get(unknown)?.includes(exchange),
      ),
    refusalsOf(search) {
      const ids = refusals.get(search) ?? findRefusals(search, seen.accepted, domainOf)
      refusals.set(search, ids)
      return ids
    },
    scopeOf: (search) => seen.scopes.get(scopeOf(search) ?? ''),
    update() {
      const { searches } = traffic
      if (read === searches.length) return
      const added = searches.slice(read)
      read = searches.length
      const hasPages = added.some(({ query }) => query.has('next'))
      for (const search of hasPages ? searches : added) look(search, seen)
      for (const search of added) {
        if (search.outcome === 'page') noteAccepted(search, seen.accepted, domainOf)
        constraints.push(...constraintsOf(search, seen))
      }
      narrowAll()
      refusals.clear()
    },
  }
}

/** Every way that a search can go, and all unknowns that one of them depends on. */
function goThrough(allows: Constraint['allows'], domainOf: Deduction['domainOf'], most: number) {
  const unknowns = new Set<Unknown>()
  const noting = (assume: Assume) =>
    allows((unknown) => {
      const value = assume(unknown)
      if (value !== undefined) unknowns.add(unknown)
      return value
    })
  const paths = explore(noting, domainOf, most)
  return { paths, unknowns: [...unknowns] }
}

/** Whether no assumption explains it, whatever else is known. */
function isNeverAllowed(allows: Constraint['allows']): boolean {
  const { paths, unknowns } = goThrough(allows, valuesOf, MOST_AT_FIRST)
  return paths !== undefined && unknowns.length > 0 && !paths.some(({ result }) => result)
}

/** The ways that are tried before anything is known. */
const MOST_AT_FIRST = 20_000

/** What the searches found. */
interface SearchesSeen {
  readonly traffic: Traffic
  readonly scopes: Map<string, Scope>
  readonly found: Map<SearchSeen, Found>
  /** What some setting refuses and the service did not, with the field where that matters: `filter.text-compare name`. */
  readonly accepted: Set<string>
}

function look(search: SearchSeen, { traffic, scopes, found }: SearchesSeen): void {
  const key = search.outcome === 'page' ? scopeOf(search) : undefined
  if (key === undefined) return
  const entries = findEntries(search, traffic)
  found.set(search, entries)
  addFound(scopes, key, entries)
}

function constraintsOf(search: SearchSeen, seen: SearchesSeen): Constraint[] {
  if (search.query.has('next') || !isReadable(search)) return []
  const ofDirectory = isOfDirectory(search) ? [directoryOf(search, seen)] : []
  if (search.outcome === 'page') return [...accepted(search), ...contentOf(search, seen), ...ofDirectory]
  return search.status === 400 || search.status === 422 ? [refused(search, seen), ...ofDirectory] : ofDirectory
}

/** Nothing in the search is refused: one part after the other, since together they can go in many more ways. */
function accepted(search: SearchSeen): Constraint[] {
  return partsOf(search).map((part) => ({
    search,
    allows: (assume) => assumeSearch(part, assume).refusals.length === 0,
    version: () => '',
  }))
}

/** Something in its conditions is refused. It says nothing where something else in it may be. */
function refused(search: SearchSeen, seen: SearchesSeen): Constraint {
  const isElsewhere = () => seen.traffic.otherSuspectsOf(search).length > 0
  const parts = partsOf(search)
  return {
    search,
    allows: (assume) => isElsewhere() || parts.some((part) => refusalsUnder(assume, part, seen.accepted).length > 0),
    version: () => `${isElsewhere()} ${seen.accepted.size}`,
  }
}

/** Where it looks. It says nothing where anything else in it may be refused. */
function directoryOf(search: SearchSeen, { traffic }: SearchesSeen): Constraint {
  const isElsewhere = () => traffic.otherSuspectsOf(search).some((use) => !use.startsWith('dir.'))
  return {
    search,
    allows: (assume) => isElsewhere() || explainsDirectory(search, traffic, assume),
    version: () => `${isElsewhere()} ${directoryVersion(search, traffic)}`,
  }
}

function contentOf(search: SearchSeen, { scopes, found }: SearchesSeen): Constraint[] {
  const scope = scopes.get(scopeOf(search) ?? '')
  if (!scope || hasOddTypes(search)) return []
  return [
    {
      search,
      allows(assume) {
        const entries = found.get(search)
        if (!entries) return true
        const isUnclear = isSpeltOtherwise(search, scope)
        if (isUnclear && assume('field:created') === true && assume('filter.created') === 'text')
          return assumeSearch(search, assume).refusals.length === 0
        return explains({ search, found: entries, scope }, assume)
      },
      version: () => `${scope.version} ${found.get(search)?.entries.length ?? 0}`,
    },
  ]
}

/** Values of types that the interface says nothing of. */
function hasOddTypes({ uses }: SearchSeen): boolean {
  return uses.has('body.types')
}

/** A service that shows timestamps in other forms than the usual one may compare another text than it shows. */
function isSpeltOtherwise({ filters }: SearchSeen, { known }: Scope): boolean {
  return (
    filters.some(({ field, operator }) => field === 'created' && operator !== 'IS_NULL') &&
    [...known.values()].some(({ created }) => !/\.\d{3}Z$/.test(String(created)))
  )
}
