import type { Contract } from '../../../contract/contract.ts'
import { createCache } from '../../../engine/cache.ts'
import type { Documents } from '../documents/documents.ts'
import type { Inference } from '../infer/plan.ts'
import { createInstanceIds } from './instance-ids.ts'
import { findPlace } from './instance-place.ts'
import { type Making, type SeedFixture, startMaking } from './make-documents.ts'
import { createSeedSources } from './seed-source.ts'
import type { Seeds } from './seeds.ts'

export interface SeedOptions {
  readonly contract: Pick<Contract, 'document'>
  readonly inference: Pick<Inference, 'collections' | 'operations'>
  /** How many documents a collection begins with. The instances of a parent begin with at most ten. */
  readonly count: number
  /** Epoch ms: dates lie before it. */
  readonly firstMoment: number
  /** Documents of fixtures, by the name of the instance. */
  readonly fixtures: ReadonlyMap<string, SeedFixture>
}

/** Instances whose first documents are kept. */
const MAX_INSTANCES = 1000

/** The documents that the collections of a contract begin with. */
export function createSeeds({ contract, inference, count, firstMoment, fixtures }: SeedOptions): Seeds {
  const { document } = contract
  const { collections: plans } = inference
  const sources = createSeedSources(document, inference, firstMoment)
  const idsOf = createInstanceIds({ document, plans, sources, count })
  const made = createCache<string, Documents>({ most: MAX_INSTANCES })
  const underway = new Map<string, Promise<void>>()
  const parts = { document, plans, operations: inference.operations, sources, firstMoment, idsOf }
  const start = (seed: number, name: string) => startMaking({ ...parts, seed, fixture: fixtures.get(name) }, name)
  const prepare = async (key: string, making: () => Making | undefined) => {
    try {
      const { count: most = 0, make, finish } = (await sources.inTurns(making)) ?? {}
      if (!make || !finish) return
      const entries: ReturnType<Making['make']>[] = []
      while (entries.length < most) {
        entries.push(await sources.inTurns(() => make(entries.length)))
        await new Promise((resolve) => setImmediate(resolve))
      }
      made.set(key, finish(entries))
    } finally {
      underway.delete(key)
    }
  }
  return {
    get(seed, name) {
      const key = `${seed} ${name}`
      const known = made.get(key)
      const making = known ? undefined : start(seed, name)
      if (!making) return known
      const documents = making.finish(Array.from({ length: making.count }, (_, index) => making.make(index)))
      made.set(key, documents)
      return documents
    },
    prepare(seed, name) {
      const key = `${seed} ${name}`
      if (made.get(key) || !findPlace(plans, name)) return undefined
      const promise = underway.get(key) ?? prepare(key, () => start(seed, name))
      underway.set(key, promise)
      return promise
    },
    notes: () => plans.flatMap((plan) => sources.of(plan).notes),
  }
}
