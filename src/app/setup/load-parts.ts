import { bind, type Bindings, notesOf } from '../binding/binding.ts'
import { type Behaviours, chooseBehaviours } from '../../behaviours/behaviours.ts'
import { readCatalog } from '../../behaviours/catalog.ts'
import { type Config, isOwnContract, isPath, type Setting } from '../../config/config.ts'
import type { Contract } from '../../contract/contract.ts'
import { loadContract } from '../../contract/load/load.ts'
import { inlineSourceFile, readPackaged, readSourceFile, type SourceFile } from '../../base/formats/source-file.ts'
import { createShared, readShared } from '../../base/formats/shared-source-file.ts'
import { type ContractAdapter, createContractAdapter } from '../adapter/contract-adapter.ts'
import type { Keys } from '../middleware/authenticate.ts'
import { createKeys } from './keys.ts'
import { createSelfCheck, type SelfCheck } from '../adapter/self-check.ts'
import type { Handler } from '../../resources/handler.ts'
import { createUserHandlers } from '../../resources/user-operations/user-handlers.ts'
import type { Resource } from '../../resources/resource.ts'
import type { StateRules } from '../../engine/state.ts'
import { allOrRefused, StartupError } from '../../base/errors/problem.ts'
import type { Naming } from '../../base/formats/read-text.ts'

/** What is loaded before there is a state. */
export interface LoadedParts {
  readonly behaviours: Behaviours
  readonly contract: Contract
  readonly bindings: Bindings
  /** Undefined for the package's own contract, for which the built-in operations need no adapter. */
  readonly contractAdapter: ContractAdapter | undefined
  readonly keys: Keys
  /** Ids of the operations that the user's handlers handle. */
  readonly ownOperations: readonly string[]
  /** Contract features that are not enforced, as messages. */
  readonly notes: readonly string[]
  /** The user's own, not read yet. */
  readonly fixtures: readonly SourceFile[]
}

interface GivenParts {
  /** The contract, when it is not a file. */
  readonly contract?: SourceFile | undefined
  /** How events of users' handlers are read, once there is a state. */
  readonly rulesOf: () => StateRules
  readonly resources?: readonly Resource[]
}

/**
 * Loads catalogue, contract, handlers and fixtures, and binds the operations.
 *
 * @throws StartupError with file, line and remedy
 */
export function loadParts(config: Config, given: GivenParts): LoadedParts {
  const [behaviours, bound, fixtures] = allOrRefused<[Behaviours, BoundContract, SourceFile[]]>([
    () => loadBehaviours(config, given.resources),
    () => loadOperations(config, given),
    () => readFiles(config, 'fixtures'),
  ])
  return { behaviours, ...bound, fixtures }
}

/**
 * What is wrong in what the settings name, when some settings could not be read. Complaints that may only follow from those are left out.
 *
 * @param unread the settings that could not be read
 */
export function findComplaints(config: Config, unread: ReadonlySet<Setting>): readonly string[] {
  const isRead = (...settings: Setting[]) => !settings.some((setting) => unread.has(setting))
  // Operations are bound only when the handlers are known, and a path has to be imported first.
  const isBound = config.handlers === undefined && isRead('handlers', 'keys')
  const tasks: (() => unknown)[] = [() => loadBehaviours(config)]
  if (isRead('contract', 'overlay'))
    tasks.push(() => (isBound ? loadOperations(config, { rulesOf: noRules }) : compileContract(config, undefined)))
  tasks.push(() => readFiles(config, 'fixtures'))
  try {
    allOrRefused(tasks)
    return []
  } catch (error) {
    if (error instanceof StartupError) return error.complaints
    throw error
  }
}

function noRules(): never {
  throw new Error('there are no handlers of the user whose events would be read')
}

type BoundContract = Pick<LoadedParts, 'contract' | 'bindings' | 'contractAdapter' | 'keys' | 'ownOperations' | 'notes'>

function loadOperations(config: Config, { contract: given, rulesOf, resources }: GivenParts): BoundContract {
  const contract = compileContract(config, given)
  const own = loadUserHandlers(config, contract, rulesOf)
  const bindings = bind(contract, { own, ...(resources ? { resources } : {}) })
  const contractAdapter =
    given || isOwnContract(config) ? createContractAdapter(contract, bindings, config.seed) : undefined
  const notes = [...contract.notes, ...(contractAdapter ? notesOf(contract, bindings) : [])]
  return {
    contract,
    bindings,
    contractAdapter,
    keys: createKeys(config, bindings),
    ownOperations: [...own.keys()],
    notes: [...contract.leftOut, ...notes.map((note) => `${contract.file}: ${note}`)],
  }
}

/** The files of a setting that also takes values themselves. */
function readFiles(config: Config, setting: 'fixtures' | 'overlay'): SourceFile[] {
  return allOrRefused<SourceFile[]>(
    config[setting].map((one, index) => () => {
      if (typeof one === 'string') return readShared(one, { namedBy: config.names[setting]?.(`/${index}`) })
      return inlineSourceFile(one, `${setting}[${index}]`)
    }),
  )
}

/** When keys are listed, no others are accepted, unless a behaviour says otherwise. */
function loadBehaviours({ profile, behaviours, keys, names }: Config, resources: readonly Resource[] = []): Behaviours {
  const added = resources.flatMap((resource) => resource.behaviours ?? [])
  const implied = keys.length > 0 ? [{ id: 'auth.keys', value: 'listed', setBy: 'keys' }] : []
  const calibrated = typeof profile === 'string' ? undefined : profile
  const overrides = [...(calibrated?.behaviours ?? []), ...implied, ...behaviours]
  return chooseBehaviours(readCatalog(readPackaged('spec/behaviours.yaml').value, added), {
    profile: typeof profile === 'string' ? profile : 'default',
    profileFrom: names.profile?.(''),
    shownAs: calibrated && (calibrated.file ?? 'calibrated'),
    overrides,
  })
}

function compileContract(config: Config, given: SourceFile | undefined): Contract {
  const { contract: own, allowRef: allowed, names } = config
  if (given) return loadContract(given, { allowed })
  const document = own === undefined ? readPackaged('spec/openapi.yaml') : readContract(own, names.contract?.(''))
  const read = createReader(document, readSourceFile)
  if (config.overlay.length > 0)
    return loadContract(document, { read, overlays: readFiles(config, 'overlay'), allowed })
  if (isOwnContract(config)) return loadSharedContract(document, allowed)
  const contract = compiledContracts.get(document) ?? loadContract(document, { isTrusted: true })
  compiledContracts.set(document, contract)
  return contract
}

function readContract(own: string | object, namedBy = 'contract'): SourceFile {
  if (typeof own === 'object') return inlineSourceFile(own, namedBy)
  return isPath(own) ? readShared(own, { namedBy }) : createShared(namedBy, own)
}

/** The further files that a contract was read from, by the document that `--contract` names. */
const filesRead = new WeakMap<SourceFile, string[]>()

function createReader(root: SourceFile, read: typeof readShared): typeof readShared {
  const paths: string[] = []
  filesRead.set(root, paths)
  return (path, naming) => {
    paths.push(path)
    return read(path, naming)
  }
}

/** The file of a contract, and those that it leads to, as far as they were read. */
export function filesOfContract(file: string): readonly string[] {
  try {
    return [file, ...(filesRead.get(readShared(file, { namedBy: 'contract' })) ?? [])]
  } catch {
    return [file]
  }
}

/** A compiled contract has no state, so all instances share that of the package. */
const compiledContracts = new WeakMap<SourceFile, Contract>()

const NONE: ReadonlyMap<string, Handler> = new Map()

/**
 * The user's own handlers, by operationId.
 *
 * @param rules how their events are read; needed with the first request
 * @throws StartupError for values that are not handlers, and for handlers without an operation in the contract
 */
function loadUserHandlers(
  { handlers }: Config,
  { operations }: Contract,
  rules: () => StateRules,
): ReadonlyMap<string, Handler> {
  if (handlers === undefined) return NONE
  if (typeof handlers === 'string') {
    const file = /^(\.|\/|file:)/.test(handlers) ? handlers : `./${handlers}`
    const remedy = `Give what it exports: (await import(${JSON.stringify(file)})).default.`
    throw new StartupError([
      `handlers: createStandin cannot import a file, because an import needs an await. ${remedy}`,
    ])
  }
  const known = operations.map(({ operationId }) => operationId)
  return createUserHandlers(handlers, known, rules)
}

/** The responses of built-in operations, and of those that check their own, are validated with `selfCheck` only, all others always. */
export function chooseSelfCheck(
  { selfCheck, handlers }: Config,
  contract: Contract,
  bindings: Bindings,
): SelfCheck | undefined {
  const isChecked = (operationId: string) => {
    const binding = bindings.get(operationId)
    if (selfCheck || binding?.kind !== 'stateful') return true
    return binding.generator !== undefined && binding.builtin.checksResponses !== true
  }
  if (![...bindings.keys()].some(isChecked)) return undefined
  const handlersOf = (operationId: string) =>
    bindings.get(operationId)?.kind === 'own' && typeof handlers === 'object' ? handlers.from : undefined
  return createSelfCheck(contract, isChecked, handlersOf)
}

interface CompiledContract {
  readonly allowed: readonly string[]
  readonly contract: Contract
  /** The further files that it was read from; undefined for those that could not be read. */
  readonly files: readonly { readonly path: string; readonly naming: Naming; readonly document?: SourceFile }[]
}

/** By the document that `--contract` names, which is another object once its text is another. */
const compiled = new WeakMap<SourceFile, CompiledContract>()

/**
 * Loads a contract of the user. A compiled contract has no state, so instances share it until one of its files changes.
 *
 * @throws StartupError with everything that is wrong, when nothing can be served
 */
function loadSharedContract(root: SourceFile, allowed: readonly string[]): Contract {
  const known = compiled.get(root)
  if (known?.allowed.join('\n') === allowed.join('\n') && known.files.every(isUnchanged)) return known.contract
  const files: CompiledContract['files'][number][] = []
  const read = (path: string, naming: Naming = {}) => {
    const at = files.push({ path, naming }) - 1
    const document = readShared(path, naming)
    files[at] = { path, naming, document }
    return document
  }
  const contract = loadContract(root, { read: createReader(root, read), allowed })
  compiled.set(root, { allowed, contract, files })
  return contract
}

function isUnchanged({ path, naming, document }: CompiledContract['files'][number]): boolean {
  try {
    return readShared(path, naming) === document
  } catch {
    return false
  }
}
