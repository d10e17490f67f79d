import type { Case, Planned, Seen } from '../case.ts'
import { tokenOf } from './facts.ts'
import { filter, type Kit, reads, readsInTurn, walk } from './search.ts'

/** Limits that may be the largest one. */
const LIMITS = [10, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000]
/** Texts that are no token. */
const NO_TOKENS = ['undefined', 'null', 'AAAA']

/** Pages, limits and tokens. */
export function pageCases({ facts, search }: Kit): Case[] {
  const { leaf, file, count, otherFileSet } = facts
  const quarter = Math.max(1, Math.floor(count / 12))
  const limit = (value: string | number) => search({ query: `limit=${value}` })
  const inLeaf = { directoryPath: leaf.path }
  const byWord = { filters: [filter('name', 'LIKE', file.name.slice(0, 3))] }
  const first = function* (body: unknown = {}, query = {}): Generator<Planned, string, Seen> {
    return tokenOf((yield search({ query: { ...query, limit: 2 }, body })).json) ?? ''
  }
  return [
    reads('page.last', 'the last page', [search({ query: { ...inLeaf, limit: 1000 } })]),
    reads('page.exact-end', 'a last page that is exactly full', [search({ query: { ...inLeaf, limit: leaf.count } })]),
    readsInTurn('page.short', 'pages of the same size', () => walk(search, {}, quarter, 14), [2, 3, 4, 5, 6, 8, 10]),
    readsInTurn('page.window page.last', 'a walk to the end', () => walk(search, {}, 100, 40), hundreds(40)),
    reads('limit.zero', 'a limit of 0', [limit(0)]),
    reads('limit.negative', 'a negative limit', [limit(-1)]),
    reads('limit.max', 'large limits', [...LIMITS, 100_000].map(limit), LIMITS),
    reads('limit.int32', 'a limit above 2147483647', [limit(2_147_483_648)]),
    reads('limit.format', 'a limit that is no integer', [limit('1.5'), limit(''), limit('abc')]),
    readsInTurn('limit.change', 'another limit on the second page', function* () {
      const next = yield* first()
      yield search({ query: { limit: 3, next } })
    }),
    reads('next.blank', 'a blank token', [search({ query: 'next=&limit=2' })]),
    readsInTurn('next.omitted-query', 'a token without its search', function* () {
      const next = yield* first(byWord)
      yield search({ query: { limit: 2, next } })
    }),
    readsInTurn('next.conflict', 'a token with another search', function* () {
      const next = yield* first(byWord)
      yield search({ query: { limit: 2, next }, body: { filters: [filter('name', 'LIKE', '.')] } })
    }),
    ...(otherFileSet === undefined
      ? []
      : [
          readsInTurn('next.other-set', 'a token of another file set', function* () {
            const next = yield* first()
            yield search({ query: { limit: 2, next }, set: otherFileSet })
          }),
        ]),
    readsInTurn('next.other-key', 'a token of another key', function* () {
      const next = yield* first()
      yield search({ query: { limit: 2, next }, key: 'other' })
    }),
    reads(
      'next.tampered',
      'a token that was never given',
      NO_TOKENS.map((next) => search({ query: { next, limit: 2 } })),
    ),
    readsInTurn('next.tampered', 'a token with a letter changed', function* () {
      const next = yield* first()
      yield search({ query: { limit: 2, next: (next.startsWith('A') ? 'B' : 'A') + next.slice(1) } })
    }),
    readsInTurn('next.content', 'what is in a token', function* () {
      yield* first()
    }),
    readsInTurn('next.reuse', 'a token that is used twice', function* () {
      const next = yield* first()
      yield search({ query: { limit: 2, next } })
      yield search({ query: { limit: 2, next } })
    }),
    readsInTurn('next.auth', 'a token without a key', function* () {
      const next = yield* first()
      yield search({ query: { limit: 2, next }, key: 'none' })
    }),
  ]
}

function hundreds(most: number): number[] {
  return Array.from({ length: most }, (_, at) => (at + 1) * 100)
}
