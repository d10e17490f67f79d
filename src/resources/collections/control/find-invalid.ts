import type { State } from '../../../engine/state.ts'
import type { Violation } from '../../../errors/problem.ts'
import { type Entries, entriesIn } from '../documents/entry.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { checkDocument } from './complete-document.ts'
import type { TimedLifecycles } from '../lifecycles/transition-scheduler.ts'
import type { KnownCollections } from './known-collections.ts'

declare module '../../../engine/state.ts' {
  interface StateRules {
    readonly collections: CollectionRules
  }
}

/** How documents that no operation of the contract wrote are checked and stored. */
interface CollectionRules {
  readonly factsOf: TimedLifecycles['factsOf']
  /**
   * The documents that a response of the contract could not show. Of each instance the first few are listed.
   *
   * @param seen what was checked already: forks share what neither has changed
   */
  findInvalid(state: State, seen: Set<Entries>): readonly InvalidDocuments[]
}

/** Those of one instance. */
interface InvalidDocuments {
  readonly collection: string
  /** How many there are among those that were checked. */
  readonly count: number
  /** How many were not checked. */
  readonly unchecked: number
  readonly first: readonly { readonly id: string; readonly violations: readonly Violation[] }[]
}

/** Documents of an instance that are checked: a tenth of a second of work. */
const MOST_CHECKED = 1000
const MOST_LISTED = 3

interface RuleParts {
  /** What is known once the contract was read. */
  known(): KnownCollections
  timed(): TimedLifecycles
  /** Epoch ms. */
  readonly now: number
}

export function createCollectionRules({ known, timed, now }: RuleParts): CollectionRules {
  return {
    factsOf: (instance, written) => timed().factsOf(instance, written),
    findInvalid({ collections, seed }, seen) {
      const found: InvalidDocuments[] = []
      for (const [collection, documents] of collections) {
        const plan = findPlace(known().collections, collection)?.plan
        if (!plan || seen.has(documents.entries)) continue
        seen.add(documents.entries)
        const invalid = entriesIn(documents.entries)
          .take(MOST_CHECKED)
          .map(({ id, document: { value } }) => ({
            id,
            violations: checkDocument(known(), plan, { name: collection, id, value, seed, now }),
          }))
          .filter(({ violations }) => violations.length > 0)
          .toArray()
        if (invalid.length === 0) continue
        const unchecked = Math.max(0, documents.size - MOST_CHECKED)
        found.push({ collection, count: invalid.length, unchecked, first: invalid.slice(0, MOST_LISTED) })
      }
      return found
    },
  }
}
