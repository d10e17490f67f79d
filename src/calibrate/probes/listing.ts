import { probe, type Probe } from '../probe.ts'
import { settled } from '../finding.ts'
import { isToken } from '../traffic.ts'

/** Walks the whole file set, which shows how pages end and gives all other probes their witnesses: entries to ask for. */
export const LISTING: readonly Probe[] = [
  probe({
    id: 'page.last',
    conclude(traffic) {
      const ends = traffic.searches.filter(({ outcome, next }) => outcome === 'page' && !isToken(next))
      const [end] = ends
      if (!end) return undefined
      const value = end.next === undefined ? 'absent' : end.next === null ? 'null' : 'empty'
      return settled(
        value,
        ends.slice(0, 1).map(({ exchange }) => exchange),
      )
    },
    *ask({ walk }) {
      const { isComplete, pages } = yield* walk()
      // Where pages are large, their end may be far: a directory is smaller.
      if (!isComplete && pages.length > 1) yield* walk({ query: { limit: 1000 } })
    },
  }),
]
