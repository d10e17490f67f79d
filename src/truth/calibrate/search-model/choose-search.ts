import type { ProbeRequest, Asking, Questioner } from '../probe.ts'
import { type SeenEntry, readSearch, type SearchSeen } from '../search-seen.ts'
import type { Traffic } from '../traffic.ts'
import { searchesToAsk } from './candidates.ts'
import { type Deduction, deduce } from './deduction.ts'
import { assumeSearch, compareIds } from './read-search.ts'
import { idOf, type Scope } from './scope.ts'
import { type Assume, type Unknown, valuesOf } from './unknowns.ts'

/** What a search is asked for. */
interface Question {
  readonly unknowns: readonly Unknown[]
  /** Instead of all that can be made of what is known. */
  readonly candidates?: readonly ProbeRequest[]
  /** How many are sent at most. */
  readonly most?: number
}

/** A search that could be sent. */
interface SearchCandidate {
  readonly asked: ProbeRequest
  readonly search: SearchSeen
  /** What its response depends on. */
  readonly unknowns: readonly Unknown[]
}

/** Sends searches that tell something about some unknowns, one after the other, until these are known or no search would tell more. */
export function* askAbout(questioner: Questioner, { unknowns, candidates, most = 4 }: Question): Asking {
  const { traffic } = questioner
  for (let count = 0; count < most; count++) {
    const deduction = deduce(traffic)
    if (unknowns.every((unknown) => deduction.domainOf(unknown).length === 1)) return
    const possible = candidates ? readCandidates(candidates, questioner) : candidatesOf(questioner)
    const best = choose(possible, unknowns, traffic)
    if (!best) return
    yield* questioner.search(best)
  }
}

/** The candidate of which least else is unknown, among those that tell something about the unknowns. */
function choose(
  candidates: readonly SearchCandidate[],
  unknowns: readonly Unknown[],
  traffic: Traffic,
): ProbeRequest | undefined {
  const deduction = deduce(traffic)
  const sent = new Set(traffic.searches.map(nameOf))
  const isOpen = (unknown: Unknown) => deduction.domainOf(unknown).length > 1
  const wanted = unknowns.filter(isOpen)
  const likely = candidates
    .filter((one) => !sent.has(nameOf(one.search)) && one.unknowns.some((unknown) => wanted.includes(unknown)))
    .map((one) => {
      // What a search has that nothing is known of may be why it is refused.
      const doubts = traffic.otherSuspectsOf(one.search).length
      return { ...one, open: 4 * doubts + one.unknowns.filter(isOpen).length }
    })
    .sort((a, b) => a.open - b.open)
  return likely.slice(0, MOST_LOOKED_AT).find(({ search }) => dependsOn(search, wanted, deduction))?.asked
}

/** More candidates are not looked at. */
const MOST_LOOKED_AT = 600

/** Whether the response would be another one if one of the unknowns had another value: a quick look, with all others as is usual. */
function dependsOn(search: SearchSeen, wanted: readonly Unknown[], { domainOf, scopeOf }: Deduction): boolean {
  const scope = scopeOf(search)
  return wanted.some((unknown) => {
    const outcomes = domainOf(unknown).map((value) =>
      predict(search, scope, (one) => (one === unknown ? value : domainOf(one)[0])),
    )
    return new Set(outcomes).size > 1
  })
}

function nameOf({ exchange: { request } }: SearchSeen): string {
  return `${request.url} ${request.body ?? ''}`
}

const pools = new WeakMap<Traffic, { readonly size: number; readonly candidates: readonly SearchCandidate[] }>()

/** All that can be made of the entries that are known. */
function candidatesOf(questioner: Questioner): readonly SearchCandidate[] {
  const entries = entriesKnown(questioner)
  const known = pools.get(questioner.traffic)
  if (known?.size === entries.length) return known.candidates
  const candidates = readCandidates(searchesToAsk(entries), questioner)
  pools.set(questioner.traffic, { size: entries.length, candidates })
  return candidates
}

function readCandidates(all: Iterable<ProbeRequest>, questioner: Questioner): readonly SearchCandidate[] {
  const { traffic, previewSearch, givens } = questioner
  return Array.from(all).flatMap((asked) => {
    const search = readSearch(notSent(previewSearch(asked)), givens.keyHeader)
    return search ? [{ asked, search, unknowns: unknownsOf(search, deduce(traffic).scopeOf(search)) }] : []
  })
}

/** What the response may depend on: also that of entries not seen yet, of a field that may count for nothing, and of timestamps that may be text. */
function unknownsOf(search: SearchSeen, scope: Scope | undefined): readonly Unknown[] {
  const unknowns = new Set<Unknown>()
  const note = (valueOf: Assume) => {
    const assume: Assume = (unknown) => {
      const value = valueOf(unknown)
      if (value !== undefined) unknowns.add(unknown)
      return value
    }
    predict(search, scope, assume)
    assumeSearch(search, assume).isMet(BLANK)
  }
  note((unknown) => valuesOf(unknown)[0])
  note((unknown) => (/^(field|sortField):/.test(unknown) ? false : valuesOf(unknown)[0]))
  note((unknown) => (unknown === 'filter.created' ? 'text' : valuesOf(unknown)[0]))
  return [...unknowns]
}

/** An entry that has no value in any field. */
const BLANK: SeenEntry = { path: '' }

/** The entries that are known of the whole file set. */
export function entriesKnown({ traffic, givens, previewSearch }: Questioner): readonly SeenEntry[] {
  const everything = readSearch(notSent(previewSearch({})), givens.keyHeader)
  return [...((everything && deduce(traffic).scopeOf(everything)?.known.values()) ?? [])]
}

function notSent(request: Parameters<typeof readSearch>[0]['request']) {
  const response = { status: 0, headers: [], body: undefined, isWhole: false }
  return { source: '', at: 0, milliseconds: 0, request, response }
}

/** What the response would be: the entries that the first page would have, in their order. */
function predict(search: SearchSeen, scope: Scope | undefined, assume: Assume): string {
  const { refusals, isMet, compare } = assumeSearch(search, assume)
  if (refusals.length > 0) return 'refused'
  if (!scope) return 'page'
  const { known, places, pageSize } = scope
  const entries = [...known.values()].filter(isMet)
  if (compare) entries.sort((a, b) => compare(a, b) || compareIds(a, b))
  else entries.sort((a, b) => (places.get(idOf(a)) ?? 0) - (places.get(idOf(b)) ?? 0))
  return entries.slice(0, Math.max(1, pageSize)).map(idOf).join(' ')
}
