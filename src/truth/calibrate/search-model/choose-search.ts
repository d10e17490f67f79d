import type { ProbeRequest, Asking, Questioner } from '../questioner.ts'
import { type SeenEntry, readSearch, type SearchSeen } from '../search-seen.ts'
import type { Traffic } from '../traffic.ts'
import { searchesToAsk } from './candidates.ts'
import { type Deduction, deduce } from './deduction.ts'
import { readMeaning } from './explain.ts'
import { compareIds } from './order.ts'
import { refusalOf } from './refusals.ts'
import { idOf, type Scope } from './scope.ts'
import { type Assumption, assumptionsOf, type Unknown } from './unknowns.ts'

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

/** Sends the searches that tell most about some unknowns, one after the other, until these are known or no search would tell more. */
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

/** The candidate that tells most, if all assumptions are equally likely. */
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
      // A search of which little else is unknown tells most, and what it has that nothing is known of may be why it is refused.
      const doubts = traffic.suspectsOf(one.search).filter((use) => refusalOf(use) === undefined).length
      return { ...one, doubts, open: 4 * doubts + one.unknowns.filter(isOpen).length }
    })
    .sort((a, b) => a.open - b.open)
  let best: { readonly asked: ProbeRequest; readonly gain: number } | undefined
  let compared = 0
  for (const { asked, search, doubts } of likely.slice(0, MOST_LOOKED_AT)) {
    if (!dependsOn(search, wanted, deduction)) continue
    const gain = gainOf(search, unknowns, deduction) * 0.8 ** doubts
    if (gain > (best?.gain ?? LEAST_GAIN) + 1e-9) best = { asked, gain }
    if (gain >= 0.999 || ++compared === MOST_COMPARED) break
  }
  return best?.asked
}

/** More candidates are not looked at, and not compared. */
const [MOST_LOOKED_AT, MOST_COMPARED] = [600, 40]

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

/** Shares of what is to be found out. */
const LEAST_GAIN = 0.02

function notSent(request: Parameters<typeof readSearch>[0]['request']) {
  const response = { status: 0, headers: [], body: undefined, isWhole: false }
  return { source: '', at: 0, milliseconds: 0, request, response }
}

/** So many assumptions and entries give a good estimate. */
const [MOST, SAMPLE, SAMPLE_OF_ENTRIES] = [4096, 32, 120]

/** The share of the questions that the response to a search would answer, if all assumptions are equally likely. */
function gainOf(search: SearchSeen, asked: readonly Unknown[], deduction: Deduction): number {
  const predict = createPrediction(search, deduction)
  const all = assumptionsOf(union(predict.unknowns, asked), deduction.domainOf, MOST)
  if (!all) return 0
  const step = Math.max(1, Math.ceil(all.length / SAMPLE)) | 1
  const assumptions = all.filter((_, at) => at % step === 0)
  const wanted = (assumption: Assumption) => asked.map((unknown) => String(assumption[unknown])).join(' ')
  const before = entropyOf(assumptions.map(wanted))
  if (before === 0) return 0
  const groups = Map.groupBy(assumptions, predict.outcomeOf)
  const after = [...groups.values()].reduce(
    (sum, group) => sum + (group.length / assumptions.length) * entropyOf(group.map(wanted)),
    0,
  )
  return (before - after) / before
}

function union(one: readonly Unknown[], other: readonly Unknown[]): Unknown[] {
  return [...new Set([...one, ...other])]
}

function entropyOf(words: readonly string[]): number {
  const counts = [...Map.groupBy(words, (word) => word).values()].map(({ length }) => length / words.length)
  return counts.reduce((sum, share) => sum - share * Math.log2(share), 0)
}

/** What the response would be under each assumption. */
function createPrediction(search: SearchSeen, deduction: Deduction) {
  const scope = deduction.scopeOf(search)
  const meaning = readMeaning(search)
  const refusals = [...search.uses].flatMap((use) => refusalOf(use) ?? [])
  const content = scope && meaning ? { scope, meaning } : undefined
  return {
    unknowns: union(
      refusals.flatMap(({ unknowns }) => unknowns),
      content ? [...content.meaning.conditions.unknowns, ...content.meaning.order.unknowns] : [],
    ),
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
  const step = Math.ceil(known.size / SAMPLE_OF_ENTRIES)
  const entries = [...known.values()].filter(
    (entry, at) => at % step === 0 && (!isFiltered || conditions.isMet(entry, assumption)),
  )
  const compare = order.comparator(assumption)
  if (compare) entries.sort((a, b) => compare(a, b) || compareIds(a, b))
  else entries.sort((a, b) => (places.get(idOf(a)) ?? 0) - (places.get(idOf(b)) ?? 0))
  return entries
    .slice(0, Math.max(1, pageSize / step))
    .map(idOf)
    .join(' ')
}
