import type { RecordedExchange } from '../../recordings/recorded-exchange.ts'
import type { SearchSeen } from '../search-seen.ts'
import type { Traffic } from '../traffic.ts'
import { explains, readMeaning } from './explain.ts'
import { refusalOf } from './refusals.ts'
import { addFound, findEntries, type Found, type Scope, scopeOf } from './scope.ts'
import { type Assumption, assumptionsOf, type Unknown, valuesOf } from './unknowns.ts'

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
  /** What is known of the entries of a search; undefined for no other search like it. */
  scopeOf(search: SearchSeen): Scope | undefined
}

/** The assumptions about a single search that are tried; when there are more, others have to narrow them first. */
const MOST = 2048

/** What one search says. */
interface Constraint {
  readonly search: SearchSeen
  /** Which assumptions it allows, by the traffic so far. */
  read(): SearchConstraint
}

interface SearchConstraint {
  readonly unknowns: readonly Unknown[]
  allows(assumption: Assumption): boolean
  /** Changes when it may allow less than before. */
  readonly version: string
}

const deductions = new WeakMap<Traffic, ReturnType<typeof createDeduction>>()

/** What the traffic tells so far. */
export function deduce(traffic: Traffic): Deduction {
  const known = deductions.get(traffic) ?? createDeduction(traffic)
  deductions.set(traffic, known)
  known.update()
  return known
}

function createDeduction(traffic: Traffic): Deduction & { update(): void } {
  const domains = new Map<Unknown, readonly unknown[]>()
  const evidence = new Map<Unknown, RecordedExchange[]>()
  const contradictions = new Map<Unknown, SearchSeen>()
  const seen: SearchesSeen = { traffic, scopes: new Map(), found: new Map() }
  let constraints: Constraint[] = []
  const tried = new Map<Constraint, string>()
  const differences = new Map<SearchSeen, readonly Unknown[]>()
  let read = 0
  const domainOf = (unknown: Unknown) => domains.get(unknown) ?? valuesOf(unknown)

  function narrow(search: SearchSeen, { unknowns, allows }: SearchConstraint): boolean {
    const assumptions = assumptionsOf(unknowns, domainOf, MOST)
    if (!assumptions) return false
    const allowed = assumptions.filter(allows)
    if (allowed.length === 0) {
      if (isNeverAllowed(unknowns, allows)) exclude(search)
      else for (const unknown of toBlame(unknowns, allows)) contradictions.set(unknown, search)
      return false
    }
    let isNarrower = false
    for (const unknown of unknowns) {
      const values = new Set(allowed.map((assumption) => assumption[unknown]))
      if (values.size === domainOf(unknown).length) continue
      domains.set(unknown, [...values])
      evidence.set(unknown, [search.exchange, ...(evidence.get(unknown) ?? [])])
      isNarrower = true
    }
    return isNarrower
  }

  /** The unknowns of which another value alone would explain it; all of them where there is none. */
  function toBlame(unknowns: readonly Unknown[], allows: SearchConstraint['allows']): readonly Unknown[] {
    const alone = unknowns.filter((unknown) =>
      assumptionsOf(unknowns, (one) => (one === unknown ? valuesOf(one) : domainOf(one)), MOST)?.some(allows),
    )
    return alone.length > 0 ? alone : unknowns
  }

  /** Begins again without the search: what was concluded from it is void. */
  function exclude(search: SearchSeen): void {
    const own = constraints.filter((one) => one.search === search)
    differences.set(search, [...new Set(own.flatMap((one) => one.read().unknowns))])
    constraints = constraints.filter((one) => one.search !== search)
    for (const known of [domains, evidence, contradictions, tried]) known.clear()
  }

  function narrowAll(): void {
    for (let isNarrower = true; isNarrower;) {
      isNarrower = false
      const present = constraints
      for (const constraint of present) {
        const reading = constraint.read()
        const state = `${reading.version} ${reading.unknowns.map((unknown) => domainOf(unknown).length).join(' ')}`
        if (tried.get(constraint) === state) continue
        tried.set(constraint, state)
        if (narrow(constraint.search, reading) || constraints !== present) isNarrower = true
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
    scopeOf: (search) => seen.scopes.get(scopeOf(search) ?? ''),
    update() {
      const { searches } = traffic
      if (read === searches.length) return
      const added = searches.slice(read)
      read = searches.length
      const hasPages = added.some(({ query }) => query.has('next'))
      for (const search of hasPages ? searches : added) look(search, seen)
      for (const search of added) constraints.push(...constraintsOf(search, seen))
      narrowAll()
    },
  }
}

/** Whether no assumption explains it, whatever else is known. */
function isNeverAllowed(unknowns: readonly Unknown[], allows: SearchConstraint['allows']): boolean {
  const all = assumptionsOf(unknowns, valuesOf, MOST_AT_FIRST)
  return all !== undefined && unknowns.length > 0 && !all.some(allows)
}

/** The assumptions that are tried before anything is known. */
const MOST_AT_FIRST = 20_000

/** What the searches found. */
interface SearchesSeen {
  readonly traffic: Traffic
  readonly scopes: Map<string, Scope>
  readonly found: Map<SearchSeen, Found>
}

function look(search: SearchSeen, { traffic, scopes, found }: SearchesSeen): void {
  const key = search.outcome === 'page' ? scopeOf(search) : undefined
  if (key === undefined) return
  const entries = findEntries(search, traffic)
  found.set(search, entries)
  addFound(scopes, key, entries)
}

function constraintsOf(search: SearchSeen, seen: SearchesSeen): Constraint[] {
  if (search.query.has('next')) return []
  if (search.outcome === 'page') return [...acceptances(search), ...contentOf(search, seen)]
  return search.status === 400 || search.status === 422 ? [refused(search, seen.traffic)] : []
}

/** Nothing that the search uses is refused. */
function acceptances(search: SearchSeen): Constraint[] {
  return [...search.uses].flatMap((use) => {
    const refusal = refusalOf(use)
    if (!refusal || refusal.unknowns.length === 0) return []
    const reading = {
      unknowns: refusal.unknowns,
      allows: (assumption: Assumption) => !refusal.holds(assumption),
      version: '',
    }
    return [{ search, read: () => reading }]
  })
}

/** One of the things that were not accepted elsewhere is refused. It says nothing where one of them is beyond this model. */
function refused(search: SearchSeen, traffic: Traffic): Constraint {
  return {
    search,
    read() {
      const suspects = traffic.suspectsOf(search)
      const causes = suspects.map(refusalOf).filter((one) => one !== undefined)
      const isClear = causes.length === suspects.length
      return {
        unknowns: isClear ? [...new Set(causes.flatMap(({ unknowns }) => unknowns))] : [],
        allows: (assumption) => causes.some(({ holds }) => holds(assumption)),
        version: suspects.join(' '),
      }
    },
  }
}

function contentOf(search: SearchSeen, { scopes, found }: SearchesSeen): Constraint[] {
  const scope = scopes.get(scopeOf(search) ?? '')
  const meaning = readMeaning(search)
  if (!scope || !meaning) return []
  return [
    {
      search,
      read() {
        const entries = found.get(search)
        const isUnclear = isSpeltOtherwise(search, scope)
        return {
          unknowns: meaning.unknowns,
          allows: (assumption) =>
            !entries ||
            (isUnclear && assumption['filter.created'] === 'text' && assumption['field:created'] === true) ||
            explains(meaning, entries, scope, assumption),
          version: `${scope.version} ${entries?.entries.length ?? 0}`,
        }
      },
    },
  ]
}

/** A service that shows timestamps in other forms than the usual one may compare another text than it shows. */
function isSpeltOtherwise({ filters }: SearchSeen, { known }: Scope): boolean {
  return (
    filters.some(({ field }) => field === 'created') &&
    [...known.values()].some(({ created }) => !/\.\d{3}Z$/.test(String(created)))
  )
}
