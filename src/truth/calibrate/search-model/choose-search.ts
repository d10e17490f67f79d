import type { ProbeRequest, Asking, Questioner } from '../probe.ts'
import { type SeenEntry, readSearch, type SearchSeen } from '../search-seen.ts'
import type { Traffic } from '../traffic.ts'
import { searchesToAsk } from './candidates.ts'
import { type Deduction, deduce } from './deduction.ts'
import { readMeaning } from './explain.ts'
import { compareIds } from './order.ts'
import { refusalOf } from './refusals.ts'
import { idOf, type Scope } from './scope.ts'
import type { Assumption, Unknown } from './unknowns.ts'

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
      const doubts = traffic.suspectsOf(one.search).filter((use) => refusalOf(use) === undefined).length
      return { ...one, open: 4 * doubts + one.unknowns.filter(isOpen).length }
    })
    .sort((a, b) => a.open - b.open)
  return likely.slice(0, MOST_LOOKED_AT).find(({ search }) => dependsOn(search, wanted, deduction))?.asked
}

/** More candidates are not looked at. */
const MOST_LOOKED_AT = 600

/** Whether the response would be another one if one of the unknowns had another value: a quick look, with all others as is usual. */
function dependsOn(search: SearchSeen, wanted: readonly Unknown[], deduction: Deduction): boolean {
  const { unknowns, outcomeOf } = createPrediction(search, deduction)
  const usual = Object.fromEntries(unknowns.map((unknown) => [unknown, deduction.domainOf(unknown)[0]]))
  return wanted.some((unknown) => {
    const values = unknowns.includes(unknown) ? deduction.domainOf(unknown) : []
    return new Set(values.map((value) => outcomeOf({ ...usual, [unknown]: value }))).size > 1
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

function readCandidates(
  all: Iterable<ProbeRequest>,
  { previewSearch, givens }: Questioner,
): readonly SearchCandidate[] {
  return Array.from(all).flatMap((asked) => {
    const search = readSearch(notSent(previewSearch(asked)), givens.keyHeader)
    if (!search) return []
    const refused = [...search.uses].flatMap((use) => refusalOf(use)?.unknowns ?? [])
    const meaning = readMeaning(search)
    const content = meaning ? [...meaning.conditions.unknowns, ...meaning.order.unknowns] : []
    return [{ asked, search, unknowns: [...new Set([...refused, ...content])] }]
  })
}

/** The entries that are known of the whole file set. */
export function entriesKnown({ traffic, givens, previewSearch }: Questioner): readonly SeenEntry[] {
  const everything = readSearch(notSent(previewSearch({})), givens.keyHeader)
  return [...((everything && deduce(traffic).scopeOf(everything)?.known.values()) ?? [])]
}

function notSent(request: Parameters<typeof readSearch>[0]['request']) {
  const response = { status: 0, headers: [], body: undefined, isWhole: false }
  return { source: '', at: 0, milliseconds: 0, request, response }
}

/** What the response would be under each assumption. */
function createPrediction(search: SearchSeen, deduction: Deduction) {
  const scope = deduction.scopeOf(search)
  const meaning = readMeaning(search)
  const refusals = [...search.uses].flatMap((use) => refusalOf(use) ?? [])
  const content = scope && meaning ? { scope, meaning } : undefined
  return {
    unknowns: [
      ...refusals.flatMap(({ unknowns }) => unknowns),
      ...(content ? [...content.meaning.conditions.unknowns, ...content.meaning.order.unknowns] : []),
    ],
    outcomeOf(assumption: Assumption): string {
      if (refusals.some(({ holds }) => holds(assumption))) return 'refused'
      if (!content) return 'page'
      return firstPage(content.scope, content.meaning, assumption)
    },
  }
}

/** The entries that the first page would have, in their order. */
function firstPage(
  { known, places, pageSize }: Scope,
  { conditions, order, isFiltered }: NonNullable<ReturnType<typeof readMeaning>>,
  assumption: Assumption,
): string {
  const entries = [...known.values()].filter((entry) => !isFiltered || conditions.isMet(entry, assumption))
  const compare = order.comparator(assumption)
  if (compare) entries.sort((a, b) => compare(a, b) || compareIds(a, b))
  else entries.sort((a, b) => (places.get(idOf(a)) ?? 0) - (places.get(idOf(b)) ?? 0))
  return entries.slice(0, Math.max(1, pageSize)).map(idOf).join(' ')
}
