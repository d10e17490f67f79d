import type { State } from '../../../engine/state.ts'
import type { Violation } from '../../../base/errors/problem.ts'
import { type DocumentEntries, entriesIn } from '../documents/stored-document.ts'
import type { FixtureRules } from '../fixture-collections.ts'
import { findPlace } from '../seeds/instance-place.ts'
import { createDocumentCheck } from './complete-document.ts'
import { createGivenReader, type ReadGiven } from './read-given.ts'
import type { Seeds } from '../seeds/seeds.ts'
import type { TimedLifecycles } from '../lifecycles/transition-scheduler.ts'
import { type KnownCollections, operationsOn } from './known-collections.ts'

declare module '../../../engine/state.ts' {
  interface StateRules {
    readonly collections: CollectionRules
  }
}

/** How documents from fixtures, states and the control API are checked and stored. */
export interface CollectionRules {
  readonly factsOf: TimedLifecycles['factsOf']
  readonly fixtures: FixtureRules
  /** How the documents of an instance in a state document are read; undefined where the contract has no such collection. */
  readerOf(name: string): ReadGiven | undefined
  /**
   * The documents that a response of the contract could not show. Of each instance the first few are listed.
   *
   * @param seen what was checked already: forks share what neither has changed
   */
  findInvalid(state: State, seen: Set<DocumentEntries>): readonly InvalidDocuments[]
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

interface CollectionRuleParts {
  /** Set once the contract was read. */
  known(): KnownCollections
  timed(): TimedLifecycles
  seeds(): Seeds
  readonly fixtures: FixtureRules
  /** Epoch ms. */
  readonly now: number
}

export function createCollectionRules({ known, timed, seeds, fixtures, now }: CollectionRuleParts): CollectionRules {
  return {
    fixtures,
    factsOf: (instance, written) => timed().factsOf(instance, written),
    readerOf(name) {
      const place = findPlace(known().collections, name)
      return place && createGivenReader({ known: known(), seeds: seeds(), now }, place)
    },
    findInvalid({ collections, seed }, seen) {
      const found: InvalidDocuments[] = []
      for (const [collection, documents] of collections) {
        const plan = findPlace(known().collections, collection)?.plan
        if (!plan || seen.has(documents.entries)) continue
        seen.add(documents.entries)
        const check = createDocumentCheck(known().document)
        const views = operationsOn(known(), plan)
        const invalid = entriesIn(documents.entries)
          .take(MOST_CHECKED)
          .map(({ id, document: { value } }) => ({
            id,
            violations: check(views, { name: collection, id, value, seed, now }),
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
