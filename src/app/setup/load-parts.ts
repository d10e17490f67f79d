import { bind, type Bindings, notesOf } from '../binding/binding.ts'
import { type Behaviours, chooseBehaviours } from '../../behaviours/behaviours.ts'
import { readCatalog } from '../../behaviours/catalog.ts'
import type { Config, Setting } from '../../config/config.ts'
import type { Contract } from '../../contract/contract.ts'
import { loadContract } from '../../contract/load/load.ts'
import { type SourceFile, inlineSourceFile, readSourceFile, readPackaged } from '../../formats/source-file.ts'
import { createContractAdapter, type ContractAdapter } from '../adapter/contract-adapter.ts'
import type { Keys } from '../middleware/authenticate.ts'
import { createKeys } from './keys.ts'
import { createUserHandlers } from './user-operations.ts'
import type { Resource } from '../../resources/resource.ts'
import type { StateRules } from '../../engine/state.ts'
import { allOrRefused, StartupError } from '../../errors/problem.ts'

/** What a stand-in goes by, whatever its states are. */
export interface LoadedParts {
  readonly behaviours: Behaviours
  readonly contract: Contract
  readonly bindings: Bindings
  /** Undefined for the package's own contract: it is what the handlers were written for. */
  readonly following: ContractAdapter | undefined
  readonly keys: Keys
  /** Ids of the operations that handlers of the user's own answer. */
  readonly ownOperations: readonly string[]
  /** What the contract asks for and does not get, for people. */
  readonly notes: readonly string[]
  /** The user's own, not looked at yet. */
  readonly fixtures: readonly SourceFile[]
}

/** What does not come from the settings. */
interface GivenParts {
  /** The contract, when it is no file. */
  readonly contract?: SourceFile | undefined
  /** What the events of users' handlers are read by, once there is a state. */
  readonly rulesOf: () => StateRules
  readonly resources?: readonly Resource[]
}

/**
 * Loads catalogue, contract, handlers and fixtures, and binds the operations.
 *
 * @throws StartupError with file, line and remedy
 */
export function loadParts(config: Config, given: GivenParts): LoadedParts {
  const [behaviours, bound, fixtures] = allOrRefused<[Behaviours, Bound, SourceFile[]]>([
    () => loadBehaviours(config, given.resources),
    () => loadOperations(config, given),
    () => readFixtureFiles(config),
  ])
  return { behaviours, ...bound, fixtures }
}

/**
 * What is wrong in what the settings name, where some of them could not be read. Complaints that may only follow from those are not reported.
 *
 * @param unread the settings that could not
 */
export function findComplaints(config: Config, unread: ReadonlySet<Setting>): readonly string[] {
  const isRead = (...settings: Setting[]) => !settings.some((setting) => unread.has(setting))
  // Without the handlers it is not known what can be answered, and a path is not them yet.
  const isBound = config.handlers === undefined && isRead('handlers', 'keys')
  const tasks: (() => unknown)[] = [() => loadBehaviours(config)]
  if (isRead('contract'))
    tasks.push(() => (isBound ? loadOperations(config, { rulesOf: noRules }) : compileContract(config, undefined)))
  tasks.push(() => readFixtureFiles(config))
  try {
    allOrRefused(tasks)
    return []
  } catch (error) {
    if (error instanceof StartupError) return error.complaints
    throw error
  }
}

function noRules(): never {
  throw new Error('there are no own handlers whose events would be read')
}

type Bound = Pick<LoadedParts, 'contract' | 'bindings' | 'following' | 'keys' | 'ownOperations' | 'notes'>

function loadOperations(config: Config, { contract: given, rulesOf, resources }: GivenParts): Bound {
  const contract = compileContract(config, given)
  const own = createUserHandlers(config, contract, rulesOf)
  const bindings = bind(contract, { own, ...(resources ? { resources } : {}) })
  const following = (given ?? config.contract) ? createContractAdapter(contract, bindings, config.seed) : undefined
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

function readFixtureFiles({ fixtures, names }: Config): SourceFile[] {
  return allOrRefused<SourceFile[]>(
    fixtures.map((fixture, index) => () => {
      if (typeof fixture === 'string') return readSourceFile(fixture, { namedBy: names.fixtures?.(`/${index}`) })
      return inlineSourceFile(fixture, `fixtures[${index}]`)
    }),
  )
}

/** Listed keys are the only known ones, unless the behaviours are set otherwise. */
function loadBehaviours({ profile, behaviours, keys, names }: Config, resources: readonly Resource[] = []): Behaviours {
  const added = resources.flatMap((resource) => resource.behaviours ?? [])
  const implied = keys.length > 0 ? [{ id: 'auth.keys', value: 'listed', from: 'keys' }] : []
  const overrides = [...implied, ...behaviours]
  return chooseBehaviours(readCatalog(readPackaged('spec/behaviours.yaml').value, added), {
    profile,
    profileFrom: names.profile?.(''),
    overrides,
  })
}

function compileContract({ contract: own, names }: Config, given: SourceFile | undefined): Contract {
  if (given) return loadContract(given)
  if (own !== undefined) return loadContract(readSourceFile(own, { namedBy: names.contract?.('') }))
  const document = readPackaged('spec/openapi.yaml')
  const contract = compiledContracts.get(document) ?? loadContract(document, { isTrusted: true })
  compiledContracts.set(document, contract)
  return contract
}

/** A compiled contract has no state, so stand-ins share that of the package. */
const compiledContracts = new WeakMap<SourceFile, Contract>()
