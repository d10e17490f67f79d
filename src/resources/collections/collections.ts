import { once } from '../../base/cache.ts'
import { asObject, isObject } from '../../base/formats/json.ts'
import { locate } from '../../contract/pointer.ts'
import type { ControlCall, ControlHandler } from '../../engine/control-route.ts'
import type { State } from '../../engine/state.ts'
import { counted } from '../../base/errors/wording.ts'
import type { ResourceFactory, RuleParts } from '../resource.ts'
import { createCollectionState, documentsShown } from './collection-state.ts'
import type { CollectionRules } from './control/find-invalid.ts'
import { NO_COLLECTIONS } from './control/known-collections.ts'
import { collectionFixtures } from './fixture-collections.ts'
import { ROLES } from './infer/plan.ts'
import type { FoundCollections } from './inferred.ts'
import { NO_LIFECYCLES } from './lifecycles/transition-scheduler.ts'
import { loadInferred } from './load-inferred.ts'
import { NO_SEEDS } from './seeds/seeds.ts'
import { webhookRoutes } from './webhooks/webhook-routes.ts'

const NOTHING: Omit<FoundCollections, 'bound'> = {
  known: NO_COLLECTIONS,
  timed: NO_LIFECYCLES,
  begin: () => NO_SEEDS,
  doubts: () => [],
}

/** The documents of any contract: of its own collections, and of users' operations. */
export const createCollections: ResourceFactory = () => {
  let seeds = NO_SEEDS
  let found = NOTHING
  const known = () => found.known
  const timed = () => found.timed
  return {
    state: createCollectionState(() => seeds, timed),
    createRules(parts) {
      seeds = found.begin(parts)
      return { collections: createRules({ ...parts, found: () => found, seeds: () => seeds }) }
    },
    fixtures: collectionFixtures,
    checkNotes: () => [...found.doubts(), ...seeds.missingDocuments()],
    summarise: summariseCollections,
    controlRoutes: { ...createRoutes(() => loadInferred().createCollectionRoutes(known, timed)), ...webhookRoutes },
    follow(parts, before) {
      const { document, operations } = parts.contract
      const isDescribed =
        isObject(document.webhooks ?? document['x-webhooks']) ||
        operations.some(({ pointer }) => isObject(asObject(locate(document, pointer).value).callbacks))
      return isDescribed || before ? loadInferred().followWithWebhooks(parts, found.known, before) : undefined
    },
    explanations: {
      list: {
        optional: ['document'],
        explain: (body: never, call) => loadInferred().createListExplanation(known).explain(body, call),
      },
    },
    operations: [],
    dependsOn: ['collections'],
    roles: ROLES,
    infer(contract, free) {
      const { bound, ...rest } = loadInferred().findCollections(contract, free)
      found = rest
      return bound
    },
  }
}

interface LazyRuleParts extends Pick<RuleParts, 'firstMoment' | 'seed' | 'hasOwnHandlers' | 'isPackaged'> {
  found(): typeof NOTHING
  seeds(): typeof NO_SEEDS
}

/** Rules that need nothing of what is inferred for documents that only users' handlers know. */
function createRules({
  firstMoment: now,
  seed,
  hasOwnHandlers,
  isPackaged,
  found,
  seeds,
}: LazyRuleParts): CollectionRules {
  const rules = once((): CollectionRules => {
    const { createCollectionRules, createFixtureRules } = loadInferred()
    const allowsOthers = hasOwnHandlers || isPackaged
    const fixtures = createFixtureRules(() => ({ known: found().known, seeds: seeds(), seed, allowsOthers, now }))
    return createCollectionRules({ known: () => found().known, timed: () => found().timed, seeds, fixtures, now })
  })
  const hasNone = () => found() === NOTHING
  return {
    factsOf: (instance, written) => found().timed.factsOf(instance, written),
    readerOf: (name) => (hasNone() ? undefined : rules().readerOf(name)),
    findInvalid: (state, seen) => (hasNone() ? [] : rules().findInvalid(state, seen)),
    fixtures: {
      refuseName: (name) => rules().fixtures.refuseName(name),
      idIn: (name, value) => rules().fixtures.idIn(name, value),
      findWrong: (name, document) => rules().fixtures.findWrong(name, document),
      findUnknown: (name, document) => rules().fixtures.findUnknown(name, document),
      findOrphans: (fixtures) => rules().fixtures.findOrphans(fixtures),
    },
  }
}

const ROUTES = [
  'listCollections',
  'getCollectionSchema',
  'listDocuments',
  'createDocument',
  'getDocument',
  'putDocument',
  'changeDocument',
  'deleteDocument',
] as const

type CollectionHandlers = Readonly<Record<(typeof ROUTES)[number], ControlHandler>>

function createRoutes(make: () => CollectionHandlers): CollectionHandlers {
  const made = once(make)
  const handlers = ROUTES.map((name) => [name, (call: ControlCall) => made()[name](call)] as const)
  return Object.fromEntries(handlers) as CollectionHandlers
}

function summariseCollections({ collections }: State): readonly string[] {
  const held = documentsShown(collections)
  const documents = held.reduce((sum, [, { size }]) => sum + size, 0)
  return documents === 0 ? [] : [`${counted(documents, 'document')} in ${counted(held.length, 'collection')}`]
}
