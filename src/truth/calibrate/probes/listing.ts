import { isObject, tryParseJson } from '../../../base/formats/json.ts'
import { probe, type Probe } from '../probe.ts'
import { open, settled } from '../traffic.ts'
import { isToken, type SearchSeen } from '../search-seen.ts'
import { FINDS_NOTHING, isSameList } from './searches/witnesses.ts'

/** Walks the whole file set, which shows how pages end and gives all other probes their witnesses: entries to ask for. */
export const LISTING: readonly Probe[] = [
  probe('page.last', {
    conclude({ searches }) {
      const ends = searches.filter(({ outcome, next }) => outcome === 'page' && !isToken(next))
      const values = new Set(
        ends.map(({ next }) => (next === undefined ? 'absent' : next === null ? 'null' : ('empty' as const))),
      )
      const [value, another] = values
      if (value === undefined) return undefined
      return another === undefined
        ? settled(value, ends.slice(0, 1))
        : open(`last pages differ: ${value} and ${another}`)
    },
    *ask({ walk, search }) {
      const { isComplete, pages } = yield* walk()
      if (!isComplete && pages.length > 1) yield* walk({ query: { limit: 1000 } })
      if (!isComplete) yield* search({ body: FINDS_NOTHING })
    },
  }),

  probe('next.content', {
    conclude({ searches }) {
      const page = searches.find(({ outcome, next }) => outcome === 'page' && isToken(next))
      if (!page) return undefined
      const content = contentOf(String(page.next))
      return content === 'other'
        ? open('the token is readable and holds something else than the last entry, which no setting covers')
        : settled(content, [page])
    },
    ask: ({ search }) => search({ query: { limit: 1 } }),
  }),

  probe('next.reuse', {
    conclude(traffic) {
      const { all } = traffic.tokenUses()
      const uses = all.flatMap(({ search, differs }) =>
        search.outcome === 'page' && differs.length === 0 ? [search] : [],
      )
      const tokenOf = ({ query }: SearchSeen) => query.get('next')?.[0]
      for (const [at, search] of uses.entries()) {
        const again = uses.slice(at + 1).find((one) => tokenOf(one) === tokenOf(search))
        if (!again || !traffic.walksLike(again).some(({ pages }) => pages.includes(search))) continue
        return isSameList(search.files, again.files)
          ? settled('same-page', [search, again])
          : open('a token that was used again led to another page, which no setting covers')
      }
      return undefined
    },
    *ask({ traffic, givens, search }) {
      const [, second] = traffic.listingsOf(givens.fileSet, givens.key)[0]?.pages ?? []
      if (second) {
        yield* search({ query: Object.fromEntries([...second.query].map(([name, [value = '']]) => [name, value])) })
        return
      }
      const first = yield* search({ query: { limit: 1 } })
      if (!isToken(first.next)) return
      for (let time = 0; time < 2; time++) yield* search({ query: { limit: 1, next: first.next } })
    },
  }),
]

/** `plain` for an entry as JSON in base64, `other` for anything else that can be read. */
function contentOf(token: string): 'plain' | 'opaque' | 'other' {
  if (/^\d{1,18}$/.test(token)) return 'other'
  const decoded = Buffer.from(token, 'base64').toString()
  const content = tryParseJson(token) ?? tryParseJson(decoded)
  if (content === undefined) return 'opaque'
  return isObject(content) && tryParseJson(token) === undefined && typeof content.path === 'string' ? 'plain' : 'other'
}
