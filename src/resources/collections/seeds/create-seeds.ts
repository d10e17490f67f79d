import type { Contract } from '../../../contract/contract.ts'
import { createCache } from '../../../base/cache.ts'
import { counted } from '../../../base/errors/wording.ts'
import { runSteps, type Steps } from '../../../engine/slices.ts'
import type { CollectionFixture } from '../fixture-collections.ts'
import { createDocuments, type Documents } from '../documents/documents.ts'
import { storeDocument } from '../documents/stored-document.ts'
import { idOf } from '../documents/ids.ts'
import type { CollectionPlan, Inference } from '../infer/plan.ts'
import { schemaOfSeeds } from '../lists/listed-values.ts'
import { SINGLETON } from '../operations/instance-name.ts'
import { idValue } from '../items/server-members.ts'
import type { Members } from '../../../base/formats/json.ts'
import { sharedMembers } from '../../../values/consistency/links.ts'
import { withValue } from '../../../contract/pointer.ts'
import { parameterCount } from '../infer/routes.ts'
import { createInstanceIds, firstCount, type IdsOf, type InstanceIds } from './instance-ids.ts'
import { findPlace } from './instance-place.ts'
import { createGivenCheck, type InstanceMaker, createInstanceMaker, otherViews, viewsOf } from './instance-maker.ts'
import { createSeedSources, type SeedSources } from './seed-source.ts'
import { documentsIn, type Seeds } from './seeds.ts'

interface SeedOptions {
  readonly contract: Pick<Contract, 'document' | 'placeOf' | 'extendSchemas' | 'inTurns' | 'spendTurn'>
  readonly inference: Pick<Inference, 'collections' | 'operations'>
  /** How many documents a collection begins with. The instances of a parent begin with at most ten. */
  readonly count: number
  /** Integer ids of further documents are greater. */
  readonly idsAfter: number
  /** Epoch ms: dates lie before it. */
  readonly firstMoment: number
}

/** Validity does not depend on the seed of the filled-in values. */
const CHECKED_SEED = 0

/** Documents that others take members from, about a kilobyte each. */
const MAX_REFERRED = 1000

/** Making one takes as long as compiling so many schemas. */
const AS_SCHEMAS = 15

/** Instances whose first documents are kept. */
const MAX_INSTANCES = 1000

/** The documents that the collections of a contract begin with. */
export function createSeeds({ contract, inference, count, idsAfter, firstMoment }: SeedOptions): Seeds {
  const { document } = contract
  const { collections: plans, operations } = inference
  const sources = createSeedSources(contract, inference, {
    now: firstMoment,
    schemaFor: (plan) => schemaOfSeeds(document, plan, viewsOf({ operations }, plan)),
  })
  const fixtures = new Map<string, IdentifiedFixture>()
  const has: Seeds['has'] = (seed, name, id) =>
    fixtures.get(name)?.documents.get(id) !== undefined || idsOf(seed, name)?.has(id) === true
  const generatedIds = createInstanceIds({
    document,
    plans,
    sources,
    count,
    has,
    idsOf: (seed, name) => idsOf(seed, name),
  })
  const idsOf: IdsOf = (seed, name) => fixtures.get(name)?.ids ?? generatedIds(seed, name)
  const parts = { document, plans, operations, sources, firstMoment, idsOf, idsAfter }
  const referred = createCache<string, { readonly value: Members | undefined }>({ most: MAX_REFERRED })
  // Many documents refer to the same few.
  const documentOf = (seed: number, name: string, index: number) => {
    const key = `${seed} ${index} ${name}`
    const known = referred.get(key)
    if (known) return known.value
    contract.spendTurn(AS_SCHEMAS)
    const made = createInstanceMaker({ ...parts, seed, fixture: fixtures.get(name) }, name)?.make(index)
    const value = made && sharedMembers(made[1].value)
    referred.set(key, { value })
    return value
  }
  const { known, ...instances } = createInstances({
    has: (name) => findPlace(plans, name) !== undefined,
    start: (seed, name) => createInstanceMaker({ ...parts, seed, fixture: fixtures.get(name), documentOf }, name),
    inTurns: sources.inTurns,
  })
  const checkGiven = createGivenCheck({ ...parts, seed: CHECKED_SEED, fixture: undefined })
  return {
    takeFixtures(given) {
      fixtures.clear()
      const others = new Map(given)
      for (const [name, fixture] of given) {
        const place = findPlace(plans, name)
        if (!place) continue
        others.delete(name)
        fixtures.set(name, identify(place.plan, fixture))
      }
      return documentsIn(others)
    },
    fixtureNames: () => fixtures.keys(),
    check(name, given) {
      const place = findPlace(plans, name)
      return place && checkGiven(place, given)
    },
    checkOf: (plan) => ({
      accepts: sources.of(plan).accepts,
      views: viewsOf(parts, plan),
      otherViews: otherViews(parts, plan),
    }),
    *missingDocuments() {
      for (const plan of plans) {
        const { skipped, whyNone } = sources.of(plan)
        const [none] = fixtures.has(plan.name) ? [] : whyNone()
        const [shown] = viewsOf(parts, plan)
        if (none && shown) yield `${contract.placeOf(shown.operation.pointer)}: ${beginsEmpty(plan, none.message)}`
        const [first] = skipped
        if (!first) continue
        const several = skipped.length === 1 ? ['breaks', 'it'] : ['break', 'them']
        const what = `${counted(skipped.length, 'example')} of ${plan.name} ${several[0]} its schema, so its documents do not begin with ${several[1]}.`
        yield `${contract.placeOf(first.origin)}: ${what} The first: ${first.violations[0]?.message ?? ''}`
      }
    },
    count(seed, name) {
      const made = known(seed, name)
      const [place, fixture] = [findPlace(plans, name), fixtures.get(name)]
      if (made || !place) return made?.size ?? 0
      // New parents have nothing below them yet.
      if (!fixture) return place.ids.length > 0 ? idsOf(seed, name)?.count : firstCount(place, count)
      if (fixture.isWhole) return fixture.documents.size
      const ids = idsOf(seed, name)
      if (!ids || ids.makeMany()) return undefined
      return ids.count + [...fixture.documents].filter(([id]) => !ids.has(id)).length
    },
    names: plans.filter((plan) => parameterCount(plan) === 0).map(({ name }) => name),
    has,
    makeManyIds: (seed, name) => idsOf(seed, name)?.makeMany(),
    ...instances,
  }
}

function beginsEmpty({ name, noun, isSingleton }: CollectionPlan, reason: string): string {
  const what = isSingleton ? `/${name} is 404 until a request writes it` : `${name} begins without documents`
  const remedy = `Mend its schema, or give it an example or a fixture.`
  return `${what}, because no ${noun} that was generated is valid by its schema: ${reason} ${remedy}`
}

interface SeedInstanceParts {
  has(name: string): boolean
  start(seed: number, name: string): InstanceMaker | undefined
  readonly inTurns: SeedSources['inTurns']
}

/** Documents that are made at once, in a few milliseconds. */
const FEW = 100

interface Instances extends Pick<Seeds, 'get' | 'prepare' | 'makeMany'> {
  /** Those that are made. */
  known(seed: number, name: string): Documents | undefined
}

/** Makes instances when they are first needed, and caches them. */
function createInstances({ has, start, inTurns }: SeedInstanceParts): Instances {
  const made = createCache<string, Documents>({ most: MAX_INSTANCES })
  const underway = new Map<string, Promise<void>>()
  const prepare = async (key: string, making: () => InstanceMaker | undefined) => {
    try {
      const { count = 0, make, finish } = (await inTurns(making)) ?? {}
      if (!make || !finish) return
      const entries: ReturnType<InstanceMaker['make']>[] = []
      while (entries.length < count) {
        entries.push(await inTurns(() => make(entries.length)))
        await new Promise((resolve) => setImmediate(resolve))
      }
      made.set(key, finish(entries))
    } finally {
      underway.delete(key)
    }
  }
  function* make(key: string, making: InstanceMaker): Steps<Documents> {
    const entries: ReturnType<InstanceMaker['make']>[] = []
    while (entries.length < making.count) {
      entries.push(making.make(entries.length))
      yield
    }
    const documents = making.finish(entries)
    made.set(key, documents)
    return documents
  }
  return {
    known: (seed, name) => made.get(`${seed} ${name}`),
    get(seed, name) {
      const key = `${seed} ${name}`
      const known = made.get(key)
      const making = known ? undefined : start(seed, name)
      return making ? runSteps(make(key, making)) : known
    },
    makeMany(seed, name) {
      const key = `${seed} ${name}`
      const making = made.get(key) ? undefined : start(seed, name)
      return making && making.count > FEW ? make(key, making) : undefined
    },
    prepare(seed, name) {
      const key = `${seed} ${name}`
      if (made.get(key) || !has(name)) return undefined
      const promise = underway.get(key) ?? prepare(key, () => start(seed, name))
      underway.set(key, promise)
      return promise
    },
  }
}

interface IdentifiedFixture extends CollectionFixture {
  /** For instances without fixtures. */
  readonly ids: InstanceIds | undefined
}

/** The documents of a fixture by the ids that their collection gives them, each with its id. */
function identify(
  { identity, isSingleton }: CollectionPlan,
  { documents, isWhole }: CollectionFixture,
): IdentifiedFixture {
  const { pointer } = identity
  const identified = [...documents].map(([written, document]) => {
    const id = isSingleton ? SINGLETON : (idOf(identity, document.value) ?? written)
    const isNamed = pointer === undefined || isSingleton || idOf(identity, document.value) !== undefined
    const value = isNamed ? document : storeDocument(withValue(document.value, pointer, idValue({ identity }, id)))
    return [id, value] as const
  })
  const names = identified.map(([id]) => id)
  const held = createDocuments(identified)
  const ids = {
    count: names.length,
    at: (index: number) => names[index] ?? '',
    has: (id: string) => held.get(id) !== undefined,
    makeMany: () => undefined,
    examples: [],
  }
  return { documents: held, isWhole, ids: isWhole ? ids : undefined }
}
