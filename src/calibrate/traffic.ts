import type { BehaviourId, BehaviourSettings } from '../../types/behaviour-settings.d.ts'
import type { RecordedExchange } from '../traffic/recorded-exchange.ts'
import type { Finding } from './finding.ts'
import { readSearch, type SearchSeen } from './search-seen.ts'
import { readScheduleRequest, type ScheduleSeen } from './schedule-seen.ts'

/** All exchanges with a service so far, as probes read them. */
export interface Traffic {
  readonly exchanges: readonly RecordedExchange[]
  readonly searches: readonly SearchSeen[]
  /** Creates and updates of report schedules. */
  readonly schedules: readonly ScheduleSeen[]
  /** The setting of another behaviour, if the traffic has settled it. */
  settingOf<Id extends BehaviourId>(id: Id): BehaviourSettings[Id] | undefined
  /** What a request has that no request with success had: why it may have been refused. See `findUses`. */
  suspectsOf(seen: SearchSeen | ScheduleSeen): readonly string[]
  /** Whether only this behaviour, or these, can be why it was refused, since all else in it was accepted elsewhere. */
  isAbout(seen: SearchSeen | ScheduleSeen, ...ids: readonly (BehaviourId | 'set' | 'key' | 'next')[]): boolean
  /** The pages that follow a first page, itself included. */
  walkFrom(first: SearchSeen): Walk
  /** The walks of searches for everything in a file set: no filter, sort, directory or flag. The longest comes first. */
  listingsOf(fileSet: string): readonly Walk[]
}

export interface Walk {
  readonly pages: readonly SearchSeen[]
  /** Whether the last page has no token. */
  readonly isComplete: boolean
  readonly entries: SearchSeen['files']
}

/** Traffic that grows. */
export interface GrowingTraffic extends Traffic {
  add(exchange: RecordedExchange): void
  /** How an exchange was read; undefined for other requests. */
  seen(exchange: RecordedExchange): SearchSeen | ScheduleSeen | undefined
  find(id: BehaviourId, finding: Finding | undefined): void
}

/** @param keyHeader the name of the header that carries the key */
export function createTraffic(keyHeader: string): GrowingTraffic {
  const exchanges: RecordedExchange[] = []
  const searches: SearchSeen[] = []
  const schedules: ScheduleSeen[] = []
  const views = new Map<RecordedExchange, SearchSeen | ScheduleSeen>()
  const findings = new Map<BehaviourId, Finding>()
  const accepted = createAccepted()
  const suspectsOf: Traffic['suspectsOf'] = ({ uses }) => [...uses].filter((use) => !accepted.has(use))
  const walkFrom: Traffic['walkFrom'] = (first) => followTokens(first, searches)
  return {
    exchanges,
    searches,
    schedules,
    settingOf(id) {
      const finding = findings.get(id)
      return finding?.kind === 'settled' ? (finding.value as BehaviourSettings[typeof id]) : undefined
    },
    suspectsOf,
    isAbout: (seen, ...ids) => suspectsOf(seen).every((use) => ids.some((id) => id === use.split(':', 1)[0])),
    walkFrom,
    listingsOf: (fileSet) =>
      searches
        .filter((one) => one.fileSet === fileSet && isForEverything(one) && !one.query.has('next'))
        .map(walkFrom)
        .sort((a, b) => b.entries.length - a.entries.length),
    add(exchange) {
      exchanges.push(exchange)
      const search = readSearch(exchange, keyHeader)
      const schedule = search ? undefined : readScheduleRequest(exchange, keyHeader)
      if (search) searches.push(search)
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
}

/** What was accepted. Of an amount, less was accepted too. */
function createAccepted() {
  const words = new Set<string>()
  const most = new Map<string, number>()
  const amountOf = (use: string): [id: string, amount: number] => {
    const [id = '', detail = ''] = use.split(/:(.*)/s)
    return [id, AMOUNTS.has(id) ? Number(detail) : Number.NaN]
  }
  return {
    add(uses: ReadonlySet<string>) {
      for (const use of uses) {
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
const AMOUNTS = new Set(['limit.max', 'sort.max'])

function isForEverything({ query, filters, sorts, dateFilters, outcome }: SearchSeen): boolean {
  const isWhole = filters.length + sorts.length + dateFilters.length === 0
  return outcome === 'page' && isWhole && !query.has('directoryPath') && query.get('immediateChildren')?.[0] !== 'true'
}

/** The first search for each token counts, so a token that is used again later does not change a walk. */
function followTokens(first: SearchSeen, searches: readonly SearchSeen[]): Walk {
  const pages = [first]
  let last = first
  for (;;) {
    const { next, fileSet } = last
    const following = isToken(next)
      ? searches.find((one) => one.fileSet === fileSet && one.outcome === 'page' && one.query.get('next')?.[0] === next)
      : undefined
    if (!following || pages.includes(following)) break
    pages.push(following)
    last = following
  }
  return { pages, isComplete: !isToken(last.next), entries: pages.flatMap(({ files }) => files) }
}

export function isToken(next: unknown): next is string {
  return typeof next === 'string' && next !== ''
}
