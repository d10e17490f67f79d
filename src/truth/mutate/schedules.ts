import type { TestOutcome } from '../../control/client/mutation-report.ts'
import { chanceKey, draw } from '../../engine/random.ts'
import type { Mutant } from './mutants/mutant.ts'
import { coveringRows, type MutantSearch, searchRows } from './pairs.ts'
import type { SeenExchange } from './seen.ts'
import type { Disturbance } from './mutants/wire-mutants.ts'

interface PlacedFault extends Pick<Disturbance, 'name' | 'change' | 'fault' | 'changesData'> {
  /** Whether the fault can strike a request, as the fault engine decides it: it counts no others. */
  readonly canStrike: (exchange: SeenExchange, isFurtherPage: boolean) => boolean
  /** Whether the request is refused; a client that gives up after three refusals is right. */
  readonly refuses?: true
  /** Whether it is tried only alone: two would take as long as runners let a test run. */
  readonly isLong?: true
}

const RETRY_AFTER = { 'retry-after': '1' }
const always = () => true

/** Most telling first. Each strikes one request. */
const FAULTS: readonly PlacedFault[] = [
  {
    name: 'lost',
    change: 'the change is stored, and the response is lost',
    fault: { kind: 'lost-answer' },
    canStrike: ({ hasChanged }) => hasChanged,
  },
  {
    name: '504',
    change: 'the change is stored, and a gateway responds with 504',
    fault: { kind: 'lost-answer', by: 'gateway-timeout' },
    canStrike: ({ hasChanged }) => hasChanged,
  },
  {
    name: 'edited',
    change: 'another client changes the resource just before',
    fault: { kind: 'conflicting-edit' },
    canStrike: ({ method, hasChanged }) => hasChanged && /^(PUT|PATCH)$/.test(method),
    changesData: true,
  },
  {
    name: 'expired',
    change: 'the token of the page has expired',
    fault: { kind: 'cursor-expired' },
    canStrike: (_exchange, isFurtherPage) => isFurtherPage,
  },
  {
    name: '503',
    change: 'the request is refused with 503 and Retry-After: 1',
    fault: { kind: 'status', status: 503, headers: RETRY_AFTER },
    canStrike: always,
    refuses: true,
  },
  {
    name: '429',
    change: 'the request is refused with 429 and Retry-After: 1',
    fault: { kind: 'status', status: 429, headers: RETRY_AFTER },
    canStrike: always,
    refuses: true,
  },
  {
    name: 'reset',
    change: 'the connection is reset before the request is handled',
    fault: { kind: 'reset' },
    canStrike: always,
    refuses: true,
  },
  {
    name: 'short-page',
    change: 'the page has one entry, and the next one begins after it',
    fault: { kind: 'short-page', entries: 1 },
    canStrike: ({ next }) => next !== undefined,
  },
  {
    name: 'missing-entry',
    change: 'an entry of the page is gone, as if it had been deleted meanwhile',
    fault: { kind: 'missing-entry' },
    canStrike: ({ next }, isFurtherPage) => next !== undefined || isFurtherPage,
    changesData: true,
  },
  {
    name: 'slow',
    change: 'the change is stored, and the response takes two seconds',
    fault: { kind: 'latency', delay: { milliseconds: 2000 } },
    canStrike: ({ hasChanged }) => hasChanged,
    isLong: true,
  },
]

const MOST_FAULTS = 3
const MOST_REFUSALS = 2
/** Of the requests of one operation that a fault can strike: the first two, one in the middle and the last. */
const MOST_PLACES = 4

/** A fault at one request of a test. */
export interface FaultPlace {
  readonly mutant: Mutant
  readonly fault: PlacedFault
}

/** The places for faults in what a test requested: those where a fault can show. */
export function faultPlaces(seen: readonly SeenExchange[]): FaultPlace[] {
  const given = seen.flatMap(({ next }) => next ?? [])
  const isFurtherPage = ({ url }: SeenExchange) =>
    given.some((token) => url.includes(token) || url.includes(encodeURIComponent(token)))
  const byOperation = [...Map.groupBy(seen, ({ operationId }) => operationId)]
  const places = FAULTS.flatMap((fault) =>
    byOperation.flatMap(([operationId, exchanges]) => {
      if (operationId === undefined) return []
      const count = exchanges.filter((one) => fault.canStrike(one, isFurtherPage(one))).length
      return placesOf(count).map((at) => ({ fault, at, mutant: placed(fault, operationId, at) }))
    }),
  )
  // All kinds at the first requests, before any at later ones.
  return places.toSorted((a, b) => a.at - b.at)
}

function placesOf(count: number): number[] {
  const all = [1, 2, Math.ceil(count / 2), count].filter((at) => at >= 1 && at <= count)
  return [...new Set(all)].sort((a, b) => a - b).slice(0, MOST_PLACES)
}

function placed({ name, change, fault, changesData }: PlacedFault, operationId: string, at: number): Mutant {
  return {
    id: `${operationId} ${name}@${at}`,
    operationId,
    kind: 'schedule',
    change: `${operationId}, request ${at}: ${change}.`,
    usual: 'No fault strikes.',
    ...(changesData ? { changesData } : {}),
    faults: [{ ...fault, match: { operationId }, times: 1, ...(at > 1 ? { after: at - 1 } : {}) }],
  }
}

interface ScheduleSearch {
  readonly places: readonly FaultPlace[]
  /** The most schedules that are tried. */
  readonly most: number
  readonly seed: number
}

/**
 * Searches schedules of one fault, then of up to three, for those that a client does not cope with, each shrunk to the faults that it needs. Once a kind
 * of fault at an operation is known to fail, it is not tried at other requests of it.
 *
 * @param found called with each of them
 */
export function* searchSchedules(
  { places, most, seed }: ScheduleSearch,
  found: (schedule: Mutant, outcome: TestOutcome) => void,
): MutantSearch {
  const failed = new Set<string>()
  const isLeft = (mutant: Mutant) => !failed.has(kindOf(mutant))
  const rows = function* (): Generator<readonly Mutant[]> {
    for (const row of schedulesOf(places, seed)) if (row.every(isLeft)) yield row
  }
  const search = searchRows(rows(), (schedule, outcome, parts) => {
    if (parts.length === 1) for (const one of parts) failed.add(kindOf(one))
    found(schedule, outcome)
  })
  let step = search.next()
  for (let tried = 0; step.done !== true && tried < most; tried++) step = search.next(yield step.value)
}

function kindOf({ id }: Mutant): string {
  return id.replace(/@\d+$/, '')
}

function* schedulesOf(places: readonly FaultPlace[], seed: number): Generator<readonly Mutant[]> {
  for (const { mutant } of places) yield [mutant]
  const faultOf = new Map(places.map(({ mutant, fault }) => [mutant, fault]))
  const joined = places.filter(({ fault }) => !fault.isLong).map(({ mutant }) => [mutant])
  for (const row of coveringRows(joined, MOST_FAULTS)) yield bearable(row, faultOf)
  const key = chanceKey(seed, 'schedules')
  for (let at = 0; at < joined.length ** 2; at++) {
    const drawn = [0, 1, 2].flatMap((one) => joined[draw(key, MOST_FAULTS * at + one) % joined.length] ?? [])
    yield bearable([...new Set(drawn)], faultOf)
  }
}

/** Without refusals of an operation beyond those that every client has to bear. */
function bearable(row: readonly Mutant[], faultOf: ReadonlyMap<Mutant, PlacedFault>): readonly Mutant[] {
  const refusals = new Map<string | undefined, number>()
  return row.filter((one) => {
    if (!faultOf.get(one)?.refuses) return true
    const before = refusals.get(one.operationId) ?? 0
    refusals.set(one.operationId, before + 1)
    return before < MOST_REFUSALS
  })
}
