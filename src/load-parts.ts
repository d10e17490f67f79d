import { bind, type Bindings, notesOf } from './binding.ts'
import { type Behaviours, chooseBehaviours } from './behaviours/behaviours.ts'
import { checkLedger } from './behaviours/ledger.ts'
import type { Config, Setting } from './config.ts'
import type { Contract } from './contract/contract.ts'
import { loadContract } from './contract/load.ts'
import { type Document, inlineDocument, readDocument, readPackaged } from './document.ts'
import { createFollowing, type Following } from './http/following.ts'
import type { Keys } from './http/house.ts'
import { createKeys } from './keys.ts'
import { createOwnHandlers } from './own-operations.ts'
import type { EventRules } from './own/read-events.ts'
import { allOrRefused, StartRefused } from './problem.ts'

/** What a stand-in goes by, whatever its worlds are. */
export interface LoadedParts {
  readonly behaviours: Behaviours
  readonly contract: Contract
  readonly bindings: Bindings
  /** Undefined for the package's own contract: it is what the handlers were written for. */
  readonly following: Following | undefined
  readonly keys: Keys
  /** Ids of the operations that handlers of the user's own answer. */
  readonly ownOperations: readonly string[]
  /** What the contract asks for and does not get, for people. */
  readonly notes: readonly string[]
  /** The user's own, not looked at yet. */
  readonly fixtures: readonly Document[]
}

/**
 * Loads ledger, contract, handlers and fixtures, and binds the operations.
 *
 * @param given the contract, when it is no file
 * @param rulesOf what the events of own handlers are read by, once there is a world
 * @throws StartRefused with file, line and remedy
 */
export function loadParts(config: Config, given: Document | undefined, rulesOf: () => EventRules): LoadedParts {
  const [behaviours, bound, fixtures] = allOrRefused<[Behaviours, Bound, Document[]]>([
    () => loadBehaviours(config),
    () => loadOperations(config, given, rulesOf),
    () => readFixtureFiles(config),
  ])
  return { behaviours, ...bound, fixtures }
}

/**
 * What is wrong in what the settings name, where some of them could not be read. Nothing is told that may come of those.
 *
 * @param unread the settings that could not
 */
export function findComplaints(config: Config, unread: ReadonlySet<Setting>): readonly string[] {
  const isRead = (...settings: Setting[]) => !settings.some((setting) => unread.has(setting))
  // Without the handlers it is not known what can be answered, and a path is not them yet.
  const isBound = config.handlers === undefined && isRead('handlers', 'keys')
  const tasks: (() => unknown)[] = [() => loadBehaviours(config)]
  if (isRead('contract'))
    tasks.push(() => (isBound ? loadOperations(config, undefined, noRules) : compileContract(config, undefined)))
  tasks.push(() => readFixtureFiles(config))
  try {
    allOrRefused(tasks)
    return []
  } catch (error) {
    if (error instanceof StartRefused) return error.complaints
    throw error
  }
}

function noRules(): never {
  throw new Error('there are no own handlers whose events would be read')
}

type Bound = Pick<LoadedParts, 'contract' | 'bindings' | 'following' | 'keys' | 'ownOperations' | 'notes'>

function loadOperations(config: Config, given: Document | undefined, rulesOf: () => EventRules): Bound {
  const contract = compileContract(config, given)
  const own = createOwnHandlers(config, contract, rulesOf)
  const bindings = bind(contract, { own })
  const following = (given ?? config.contract) ? createFollowing(contract, bindings, config.seed) : undefined
  const notes = [...contract.notes, ...(following ? notesOf(contract, bindings) : [])]
  return {
    contract,
    bindings,
    following,
    keys: createKeys(config, bindings),
    ownOperations: [...own.keys()],
    notes: [...contract.leftOut, ...notes.map((note) => `${contract.file}: ${note}`)],
  }
}

function readFixtureFiles({ fixtures, names }: Config): Document[] {
  return allOrRefused<Document[]>(
    fixtures.map((fixture, index) => () => {
      if (typeof fixture === 'string') return readDocument(fixture, { namedBy: names.fixtures?.(`/${index}`) })
      return inlineDocument(fixture, `fixtures[${index}]`)
    }),
  )
}

/** Whoever lists keys means that no other is known, unless the behaviours say otherwise. */
function loadBehaviours({ profile, behaviours, keys, names }: Config): Behaviours {
  const { value, file } = readPackaged('spec/behaviours.yaml')
  const implied = keys.length > 0 ? [{ id: 'auth.keys', value: 'listed', from: 'keys' }] : []
  const overrides = [...implied, ...behaviours]
  return chooseBehaviours(checkLedger(value, file), { profile, profileFrom: names.profile?.(''), overrides })
}

function compileContract({ contract: own, names }: Config, given: Document | undefined): Contract {
  if (given) return loadContract(given)
  if (own !== undefined) return loadContract(readDocument(own, { namedBy: names.contract?.('') }))
  const document = readPackaged('spec/openapi.yaml')
  const contract = compiledContracts.get(document) ?? loadContract(document, { isTrusted: true })
  compiledContracts.set(document, contract)
  return contract
}

/** A compiled contract has no state, so stand-ins share that of the package. */
const compiledContracts = new WeakMap<Document, Contract>()
