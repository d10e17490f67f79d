import { open } from '../finding.ts'
import { probe, type Probe } from '../probe.ts'
import type { Asking } from '../questioner.ts'
import type { SearchSeen } from '../search-seen.ts'
import { boundBetween, findBound } from './largest-accepted.ts'

/** A bound that requests find by doubling and halving. */
interface RequestBound {
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

function probeBound({ id, usual, min, max, bodyOf, amountOf, unit }: RequestBound): Probe {
  return probe({
    id,
    conclude(traffic) {
      const trials = traffic.searches.flatMap((search) => {
        const amount = traffic.isAbout(search, id) ? amountOf(search) : undefined
        return amount === undefined ? [] : [{ amount, outcome: search.outcome, exchange: search.exchange }]
      })
      const accepted = trials.filter(({ outcome }) => outcome === 'page')
      const refused = trials.filter(({ outcome }) => outcome === 'refused')
      return accepted.some(({ amount }) => amount >= max)
        ? open(`${max} ${unit} were accepted, and more are not tried`)
        : boundBetween(accepted, refused)
    },
    *ask({ search }): Asking {
      const isAccepted = function* (amount: number): Asking<boolean> {
        const { outcome } = yield* search({ body: bodyOf(amount) })
        // A server that refuses a body before it is sent may break the connection first.
        return (outcome === 'failed' ? yield* search({ body: bodyOf(amount) }) : { outcome }).outcome === 'page'
      }
      if (yield* isAccepted(min)) yield* findBound(isAccepted, { guess: usual, most: max })
    },
  })
}

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
