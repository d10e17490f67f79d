import type { Steps } from '../../../engine/slices.ts'
import type { Documents } from '../documents/documents.ts'
import type { CollectionFixture } from '../fixture-collections.ts'
import type { CollectionPlan, OperationPlan } from '../infer/plan.ts'
import type { CheckedGiven } from './seed-source.ts'
import type { Members } from '../../../base/formats/json.ts'

type FixturesByName = ReadonlyMap<string, CollectionFixture>

/** The initial documents of collections. They are made when first needed, and are the same for the same seed. */
export interface Seeds {
  /** Takes the fixtures of its instances. @returns the documents of all other fixtures */
  takeFixtures(fixtures: FixturesByName): ReadonlyMap<string, Documents>
  /** The instances whose documents come from fixtures, which may break the contract. */
  fixtureNames(): Iterable<string>
  /** A document of a fixture with what it lacks, and what its schema does not allow; undefined for one of no collection. */
  check(name: string, document: { readonly id: string; readonly value: Members }): CheckedGiven | undefined
  /** How the documents of a collection are checked. */
  checkOf(plan: CollectionPlan): ViewCheck
  /** The collections without initial documents, and the examples that cannot be documents, a sentence for each. It takes a while. */
  missingDocuments(): Iterable<string>
  /** Of an instance such as `customers/1/orders`; undefined for one that no collection of the contract has. */
  get(seed: number, name: string): Documents | undefined
  /**
   * How many documents an instance begins with. None is made for that, so there may be fewer where a schema allows none that can be made;
   * undefined where they are to be made first.
   */
  count(seed: number, name: string): number | undefined
  /** The instances at the top, which every state has. */
  readonly names: readonly string[]
  /** Whether an instance begins with a document of this id. None is made for that. */
  has(seed: number, name: string, id: string): boolean
  /** Makes the ids of an instance in steps, for `has`; undefined where they are made, or few enough to be made at once. */
  makeManyIds(seed: number, name: string): Steps<object> | undefined
  /** Makes them before they are needed, and lets other requests be handled meanwhile; undefined when there is nothing to make. */
  prepare(seed: number, name: string): Promise<void> | undefined
  /** Makes them in steps; undefined where they are made, or few enough to be made at once. */
  makeMany(seed: number, name: string): Steps<Documents> | undefined
}

interface ViewCheck {
  /** Whether a document is valid by the schema of items. */
  readonly accepts: (value: Members) => boolean
  /** The operations on the collection. */
  readonly views: readonly OperationPlan[]
  /** Those that show items by another schema. */
  readonly otherViews: readonly OperationPlan[]
}

export const NO_SEEDS: Seeds = {
  takeFixtures: documentsIn,
  fixtureNames: () => [],
  check: () => undefined,
  checkOf: () => ({ accepts: () => false, views: [], otherViews: [] }),
  missingDocuments: () => [],
  get: () => undefined,
  count: () => 0,
  names: [],
  has: () => false,
  makeManyIds: () => undefined,
  prepare: () => undefined,
  makeMany: () => undefined,
}

export function documentsIn(fixtures: FixturesByName): ReadonlyMap<string, Documents> {
  return new Map([...fixtures].map(([name, { documents }]) => [name, documents]))
}
