import type { BehaviourId, BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import { deduce } from './search-model/deduction.ts'
import { isToken, readSearch, type SearchSeen } from './search-seen.ts'
import { readScheduleRequest, type ScheduleSeen } from './schedule-seen.ts'
import { findTokenUses, type TokenUses } from './token-uses.ts'
import type { Finding, GrowingTraffic, Traffic, Walk } from './traffic.ts'

/** @param keyHeader the name of the header that carries the key */
export function createTraffic(keyHeader: string, groupId?: number): GrowingTraffic {
  const exchanges: RecordedExchange[] = []
  const searches: SearchSeen[] = []
  const schedules: ScheduleSeen[] = []
  const views = new Map<RecordedExchange, SearchSeen | ScheduleSeen>()
  const findings = new Map<BehaviourId, Finding>()
  const accepted = createAccepted()
  const walks = createWalks()
  let tokenUses: TokenUses | undefined
  const otherSuspectsOf: Traffic['otherSuspectsOf'] = ({ uses }) => [...uses].filter((use) => !accepted.has(use))
  const suspectsOf: Traffic['suspectsOf'] = (seen) => [
    ...otherSuspectsOf(seen),
    ...(seen.kind === 'search' ? deduce(traffic).refusalsOf(seen) : []),
  ]
  const traffic: GrowingTraffic = {
    groupId,
    exchanges,
    searches,
    schedules,
    settingOf(id) {
      const finding = findings.get(id)
      return finding?.kind === 'settled' ? (finding.value as BehaviourSettings[typeof id]) : undefined
    },
    suspectsOf,
    otherSuspectsOf,
    isAbout: (seen, ...ids) => suspectsOf(seen).every((use) => ids.some((id) => id === use.split(':', 1)[0])),
    isAccepted: accepted.has,
    ...walks,
    tokenUses: () => (tokenUses ??= findTokenUses(searches)),
    add(exchange) {
      exchanges.push(exchange)
      const search = readSearch(exchange, keyHeader)
      const schedule = search ? undefined : readScheduleRequest(exchange, keyHeader)
      if (search) {
        searches.push(search)
        walks.add(search)
        tokenUses = undefined
      }
      if (schedule) schedules.push(schedule)
      const view = search ?? schedule
      if (!view) return
      views.set(exchange, view)
      if (view.outcome !== 'refused' && view.outcome !== 'failed') accepted.add(view.uses)
    },
    seen: (exchange) => views.get(exchange),
    find(id, finding) {
      if (finding) findings.set(id, finding)
      else findings.delete(id)
    },
  }
  return traffic
}

/** What was accepted. Of an amount, less was accepted too. */
function createAccepted() {
  const words = new Set<string>()
  const most = new Map<string, number>()
  const amountOf = (use: string): [id: string, amount: number] => {
    const id = use.slice(0, Math.max(0, use.lastIndexOf(':')))
    return [id, AMOUNTS.has(id) ? Number(use.slice(id.length + 1)) : Number.NaN]
  }
  return {
    add(uses: ReadonlySet<string>) {
      for (const use of uses) {
        // A token is refused for what else is in a request, and accepted although something else is, so it is always in question.
        if (use === 'next') continue
        words.add(use)
        const [id, amount] = amountOf(use)
        if (amount > (most.get(id) ?? 0)) most.set(id, amount)
      }
    },
    has(use: string) {
      const [id, amount] = amountOf(use)
      return words.has(use) || amount <= (most.get(id) ?? 0)
    },
  }
}

/** Behaviours whose detail is an amount. */
const AMOUNTS = new Set([
  'limit.max',
  'sort.max',
  'filter.max:filters',
  'filter.max:values',
  'filter.max:characters',
  'filter.work',
  'http.size',
  'title.text',
  'recipient.max',
  'size',
])

/** Finds the pages that belong together. */
function createWalks() {
  const firstPages = new Map<string, SearchSeen[]>()
  const following = new Map<string, SearchSeen>()
  let known = new Map<string, readonly Walk[]>()
  const followingOf = (last: SearchSeen) =>
    isToken(last.next) ? following.get(`${last.next} ${limitOf(last)} ${nameOf(last)}`) : undefined
  const walkFrom: Traffic['walkFrom'] = (first) => {
    const pages = new Set<SearchSeen>()
    for (let page: SearchSeen | undefined = first; page && !pages.has(page); page = followingOf(page)) pages.add(page)
    const all = [...pages]
    const last = all.at(-1) ?? first
    const isComplete = last.outcome === 'page' && !isToken(last.next)
    return { pages: all, isComplete, entries: all.flatMap(({ files }) => files) }
  }
  const walksOf = (name: string) => {
    const found =
      known.get(name) ?? (firstPages.get(name) ?? []).map(walkFrom).sort((a, b) => b.entries.length - a.entries.length)
    known.set(name, found)
    return found
  }
  return {
    add(search: SearchSeen): void {
      const { outcome, query, uses } = search
      if (outcome !== 'page' || ODD.some((use) => uses.has(use))) return
      known = new Map()
      const name = nameOf(search)
      const next = query.get('next')?.[0] ?? ''
      if (next === '') firstPages.set(name, [...(firstPages.get(name) ?? []), search])
      else {
        // The first request with a token counts, so one that is used again later does not change a walk.
        const place = `${next} ${limitOf(search)} ${name}`
        if (!following.has(place)) following.set(place, search)
      }
    },
    walkFrom,
    walksLike: (search: SearchSeen) => walksOf(nameOf(search)),
    listingsOf(fileSet: string, key?: string): readonly Walk[] {
      const usual = key ?? [...firstPages.values()].flat().find((one) => one.fileSet === fileSet)?.key
      return walksOf(JSON.stringify([fileSet, usual ?? '', null, 'false', '[]', '[]', '[]']))
    },
  }
}

/** What makes it uncertain which search was asked for, or how many entries. */
const ODD = ['http.repeated', 'http.json', 'body.types', 'limit.zero', 'limit.negative', 'limit.int32', 'limit.format']

function limitOf({ query }: SearchSeen): string {
  return query.get('limit')?.[0] ?? ''
}

/** Equal for the pages of one search, and for searches that are the same. */
function nameOf({ fileSet, key, query, filters, sorts, dateFilters }: SearchSeen): string {
  const [directory = null, children = 'false'] = ['directoryPath', 'immediateChildren'].map(
    (name) => query.get(name)?.[0],
  )
  return JSON.stringify([fileSet, key ?? '', directory, children, ...[filters, sorts, dateFilters].map(stringifyJson)])
}
