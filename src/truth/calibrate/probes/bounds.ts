import { open, settled } from '../finding.ts'
import { probe, type Probe } from '../probe.ts'
import type { Asking } from '../questioner.ts'
import type { SearchSeen } from '../search-seen.ts'
import type { Traffic } from '../traffic.ts'

/** A bound that requests find by doubling and halving. */
interface Bound {
  readonly id: 'http.size' | 'http.depth'
  readonly usual: number
  /** The least that any setting accepts. */
  readonly min: number
  readonly max: number
  /** A search with that much, which nothing else in it is refused for. */
  bodyOf(amount: number): string
  /** How much of it a search has; undefined for those that were not made here. */
  amountOf(search: SearchSeen): number | undefined
  readonly unit: string
}

function probeBound({ id, usual, min, max, bodyOf, amountOf, unit }: Bound): Probe {
  const range = (traffic: Traffic) => {
    let [most, least] = [0, Infinity]
    const evidence = new Map<number, SearchSeen['exchange']>()
    for (const search of traffic.searches) {
      const amount = amountOf(search)
      if (amount === undefined || search.outcome === 'failed' || !traffic.isAbout(search, id)) continue
      evidence.set(amount, search.exchange)
      if (search.outcome === 'page') most = Math.max(most, amount)
      else least = Math.min(least, amount)
    }
    return { most, least, evidence: [most, least].flatMap((amount) => evidence.get(amount) ?? []) }
  }
  return probe({
    id,
    conclude(traffic) {
      const { most, least, evidence } = range(traffic)
      if (most > 0 && least === most + 1) return settled(most, evidence)
      if (most >= max) return open(`${max} ${unit} were accepted, and more are not tried`)
      return undefined
    },
    *ask({ search, traffic }): Asking {
      const first = yield* search({ body: bodyOf(min) })
      if (first.outcome !== 'page') return
      yield* search({ body: bodyOf(usual) })
      let failures = 0
      let { most, least } = range(traffic)
      if (most === usual) yield* search({ body: bodyOf(usual + 1) })
      for (let step = 0; step < MAX_STEPS; step++) {
        ;({ most, least } = range(traffic))
        if (least === most + 1 || most >= max || least <= 1) return
        const next = least === Infinity ? Math.min(max, Math.max(1, most) * 2) : Math.floor((most + least) / 2)
        const { outcome } = yield* search({ body: bodyOf(next) })
        // A server that refuses a body before it is sent may break the connection first.
        if (outcome === 'failed' && ++failures > MAX_FAILURES) return
      }
    },
  })
}

const MAX_STEPS = 40
const MAX_FAILURES = 5

/** White space counts, and changes nothing. */
function padded(bytes: number): string {
  return `{${' '.repeat(Math.max(0, bytes - 2))}}`
}

/** An unknown member that nests. The body itself is the first level. */
function nested(levels: number): string {
  const lists = Math.max(0, levels - 1)
  return `{"nested":${'['.repeat(lists)}${']'.repeat(lists)}${lists === 0 ? '0' : ''}}`
}

export const BOUNDS: readonly Probe[] = [
  probeBound({
    id: 'http.size',
    usual: 1_048_576,
    min: 1024,
    max: 4_194_304,
    bodyOf: padded,
    amountOf({ exchange: { request } }) {
      const { body = '' } = request
      // An expression with `+` exhausts the stack on megabytes of spaces.
      return body.startsWith('{ ') && body.slice(1).trimStart() === '}' ? body.length : undefined
    },
    unit: 'bytes',
  }),
  probeBound({
    id: 'http.depth',
    usual: 32,
    min: 4,
    max: 1001,
    bodyOf: nested,
    amountOf({ exchange: { request } }) {
      const [, lists] = /^\{"nested":(\[*)\]*\}$/.exec(request.body ?? '') ?? []
      return lists === undefined ? undefined : lists.length + 1
    },
    unit: 'levels',
  }),
]
