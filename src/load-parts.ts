import { bind, type Bindings } from './binding.ts'
import { type Behaviours, chooseBehaviours } from './behaviours/behaviours.ts'
import { checkLedger } from './behaviours/ledger.ts'
import type { Config } from './config.ts'
import type { Contract } from './contract/contract.ts'
import { loadContract } from './contract/load.ts'
import { type Document, readDocument, readPackaged } from './document.ts'
import { createFollowing, type Following } from './http/following.ts'
import type { Keys } from './http/house.ts'
import { createKeys } from './keys.ts'
import { createOwnHandlers } from './own-operations.ts'
import type { EventRules } from './own/read-events.ts'

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
}

/**
 * Loads ledger, contract and handlers, and binds the operations.
 *
 * @param given the contract, when it is no file
 * @param rulesOf what the events of own handlers are read by, once there is a world
 * @throws StartRefused with file, line and remedy
 */
export function loadParts(config: Config, given: Document | undefined, rulesOf: () => EventRules): LoadedParts {
  const behaviours = loadBehaviours(config)
  const contract = compileContract(config, given)
  const own = createOwnHandlers(config, contract, rulesOf)
  const bindings = bind(contract, { own })
  const following = (given ?? config.contract) ? createFollowing(contract, bindings, config.seed) : undefined
  return {
    behaviours,
    contract,
    bindings,
    following,
    keys: createKeys(config, bindings),
    ownOperations: [...own.keys()],
  }
}

/** Whoever lists keys means that no other is known, unless the behaviours say otherwise. */
function loadBehaviours({ profile, behaviours, keys }: Config): Behaviours {
  const { value, file } = readPackaged('spec/behaviours.yaml')
  const implied = keys.length > 0 ? [{ id: 'auth.keys', value: 'listed', from: 'keys' }] : []
  return chooseBehaviours(checkLedger(value, file), { profile, overrides: [...implied, ...behaviours] })
}

function compileContract({ contract: own }: Config, given: Document | undefined): Contract {
  if (given) return loadContract(given)
  if (own !== undefined) return loadContract(readDocument(own))
  const document = readPackaged('spec/openapi.yaml')
  const contract = compiledContracts.get(document) ?? loadContract(document, { isTrusted: true })
  compiledContracts.set(document, contract)
  return contract
}

/** A compiled contract has no state, so stand-ins share that of the package. */
const compiledContracts = new WeakMap<Document, Contract>()
