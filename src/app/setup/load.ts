import { bind, type Bindings, isBound, notesOf, withStubs } from '../binding/binding.ts'
import { type Behaviours, chooseBehaviours } from '../../behaviours/behaviours.ts'
import { readCatalog } from '../../behaviours/catalog.ts'
import { type Config, isOwnContract, type Setting } from '../../config/config.ts'
import type { Contract } from '../../contract/contract.ts'
import { inlineSourceFile, placeIn, readPackaged, type SourceFile } from '../../base/formats/source-file.ts'
import { readShared } from '../../base/formats/shared-source-file.ts'
import { checkControlValue } from '../../control/server/control-api.ts'
import type { Fault, FaultRequest } from '../../engine/faults/fault.ts'
import { readFault } from '../../engine/faults/read-fault.ts'
import { type ContractAdapter, createContractAdapter } from '../adapter/contract-adapter.ts'
import { createLearnedResponses, type LearnedResponses } from '../learned/learned-responses.ts'
import { readAmendments, readLearned } from '../learned/read-learned.ts'
import type { ContractChange } from '../../contract/load/load.ts'
import type { Keys } from '../middleware/authenticate.ts'
import { findOperations } from '../../contract/operation-names.ts'
import { createKeys } from '../binding/keys.ts'
import { createServedStubs, type ServedStubs } from '../binding/stub-book.ts'
import { loadUserHandlers } from '../../resources/user-operations/user-handlers.ts'
import { loadStubs, type StubSources } from '../../resources/user-operations/stubs/load-stubs.ts'
import { chooseValues } from '../../values/asked/choose-values.ts'
import { readDocumentHints } from '../../values/asked/document-hints.ts'
import type { Resource, ResourceFactory, RuleParts } from '../../resources/resource.ts'
import type { StateRules, State } from '../../engine/state.ts'
import { allOrRefused, StartupError } from '../../base/errors/problem.ts'
import { readFiles, compileContract } from '../../contract/load/load-configured.ts'
import { checkOverrides, findMissingLists, withoutLists } from '../../resources/listed-settings.ts'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { isObject, stringifyJson, textOrJson } from '../../base/formats/json.ts'
import { readFixtures } from '../../resources/fixtures/fixtures.ts'
import { createModel, createResources } from '../resources.ts'
import { MACHINE_CLOCK } from '../../engine/clock/clock.ts'
import { packagedFixtures, withPrecision } from '../../resources/fixtures/packaged-fixtures.ts'

/** What the settings name. */
export interface LoadedParts {
  readonly config: Config
  readonly resources: readonly Resource[]
  readonly behaviours: Behaviours
  readonly contract: Contract
  readonly bindings: Bindings
  /** Undefined for the package's own contract, for which the built-in operations need no adapter. */
  readonly contractAdapter: ContractAdapter | undefined
  /** What was learnt of the service; undefined where nothing was. */
  readonly learned: LearnedResponses | undefined
  readonly keys: Keys
  /** Ids of the operations that the user's handlers handle. */
  readonly ownOperations: readonly string[]
  /** The user's fixtures. */
  readonly ownFixtures: readonly SourceFile[]
  /** The files of the user's stubs. */
  readonly ownStubs: readonly SourceFile[]
  /** All stubs, and what reads those that are declared while the server runs. */
  readonly stubs: ServedStubs
  /** Messages about what was loaded, such as features of the contract that are not enforced. */
  readonly notes: readonly string[]
}

/** The same, and what a stand-in begins with. */
export interface LoadedSetup extends LoadedParts {
  readonly initialState: State
  /** How its files were read. */
  readonly rules: StateRules
  /** The fixtures that it was created from: those of the package, then the user's. */
  readonly fixtures: readonly SourceFile[]
  /** The settings of the behaviours that its things were made by. */
  readonly generatedBy: Readonly<Record<string, string>>
}

/** What is given besides the settings. */
interface Given {
  /** The contract, when it is not a file. */
  readonly contract?: SourceFile | undefined
  /** The kinds of resources; those of Standin when absent. */
  readonly resources?: readonly ResourceFactory[] | undefined
}

/** Where an initial state begins. */
interface StateOrigin {
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
  /** The midnight that an earlier initial state began at, epoch ms; a frozen clock has its own. */
  readonly firstMoment?: number | undefined
  /** An earlier initial state, whose generated file sets are reused where they are the same. */
  readonly known?: State | undefined
}

/** Loads everything that the settings name, and creates the initial state. @throws StartupError with everything that is wrong */
export function load(config: Config, given: Given, origin: StateOrigin): LoadedSetup {
  // Handlers are loaded before the initial state, but its rules read their events.
  const loaded: LoadedSetup = loadInitialState(
    loadParts(config, given, () => loaded.rules),
    origin,
  )
  return loaded
}

/**
 * Loads catalogue, contract, handlers and fixtures, and binds the operations.
 *
 * @param rulesOf how events of users' handlers are read, once there is a state
 * @throws StartupError with file, line and remedy
 */
export function loadParts(config: Config, given: Given = {}, rulesOf: () => StateRules = noRules): LoadedParts {
  const resources = createResources(given.resources)
  const [behaviours, bound, ownFixtures] = allOrRefused<[Behaviours, BoundContract, SourceFile[]]>([
    () => loadBehaviours(config, resources),
    () => loadOperations(config, given.contract, resources, rulesOf),
    () => [...fixtureOfProfile(config), ...readFiles(config, 'fixtures')],
  ])
  return { config, resources, behaviours, ...bound, ownFixtures }
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
  const resources = createResources()
  const tasks: (() => unknown)[] = [() => loadBehaviours(config, resources)]
  if (isRead('contract', 'overlay'))
    tasks.push(() =>
      isBound
        ? loadOperations(config, undefined, resources, noRules)
        : compileContract(config, undefined, changesOf(config)),
    )
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

type BoundContract = Pick<
  LoadedParts,
  'contract' | 'bindings' | 'contractAdapter' | 'learned' | 'keys' | 'ownOperations' | 'ownStubs' | 'stubs' | 'notes'
>

function loadOperations(
  config: Config,
  given: SourceFile | undefined,
  resources: readonly Resource[],
  rulesOf: () => StateRules,
): BoundContract {
  const change = changesOf(config)
  if (!given && !isOwnContract(config)) refuseValues(config)
  const contract = compileContract(config, given, change)
  if (config.upstream !== undefined) refuseUnknownOperations(contract, config)
  const own = loadUserHandlers(config, contract, rulesOf)
  const ownStubs = readStubs(config)
  const bound = bind(contract, { own, resources, documents: config.documents })
  const sources: StubSources = {
    contract,
    rules: rulesOf,
    collections: [
      ...new Set([...bound.values()].flatMap((one) => (one.kind === 'stateful' ? (one.builtin.collection ?? []) : []))),
    ],
    isGenerated: (operationId) => bound.get(operationId)?.kind === 'generated',
    readFault: readDeclaredFault,
  }
  const unpaired: string[] = []
  const bindings = withStubs(
    bound,
    loadStubs(ownStubs, sources, (text) => void unpaired.push(text)),
  )
  const contractAdapter =
    given || isOwnContract(config) ? createContractAdapter(contract, bindings, config.seed) : undefined
  const notes = [...contract.notes, ...unpaired, ...(contractAdapter ? notesOf(contract, bindings) : [])]
  return {
    contract,
    bindings,
    contractAdapter,
    learned: loadLearned(config, contract),
    keys: createKeys(config, bindings),
    ownOperations: [...own.keys()],
    ownStubs,
    stubs: createServedStubs(bindings, sources, config),
    notes: [...contract.leftOut, ...notes.map((note) => `${contract.file}: ${note}`)],
  }
}

/** What a profile says that there is at first. */
function fixtureOfProfile({ profile }: Config): SourceFile[] {
  if (typeof profile === 'string') return []
  const { source } = profile
  const { fixture } = isObject(source.value) ? source.value : {}
  if (fixture === undefined) return []
  const within = (pointer: string) => `/fixture${pointer}`
  const lineOf = (pointer: string) => source.lineOf(within(pointer))
  return [{ ...source, value: fixture, lineOf, placeOf: (pointer) => placeIn(source, within(pointer)) }]
}

/** What a profile has of a service beyond the settings of behaviours. */
function loadLearned({ profile }: Config, contract: Contract): LearnedResponses | undefined {
  const learned = typeof profile === 'string' ? undefined : readLearned(profile.source, contract)
  return learned && createLearnedResponses(contract, learned)
}

/** What changes a contract: what was learnt that it does not say, its own hints of values, and the settings of values. */
function changesOf(config: Config): ContractChange {
  const amended = typeof config.profile === 'string' ? undefined : readAmendments(config.profile.source)
  const changes = [amended, readDocumentHints(config), chooseValues(config)].filter((one) => one !== undefined)
  return {
    key: stringifyJson(changes.map(({ key }) => key)),
    apply(document) {
      const notes: string[] = []
      const changed = changes.reduce((present, change) => {
        const made = change.apply(present)
        notes.push(...made.notes)
        return made.document
      }, document)
      return { document: changed, notes }
    },
  }
}

/** Nothing of the package's own contract is made up. @throws StartupError */
function refuseValues({ values, names }: Config): void {
  if (Object.keys(values).length > 0)
    throw new StartupError([
      `${names.values?.('') ?? 'values'}: they are for a contract of your own. Give it with --contract.`,
    ])
}

/** The files of the stubs, and those that stand in the configuration. */
function readStubs(config: Config): SourceFile[] {
  return allOrRefused<SourceFile[]>(
    config.stubs.map((one, index) => () => {
      const nameOf = (at: string) => config.names.stubs?.(`/${index}${at}`) ?? 'stubs'
      if (typeof one === 'string') return readShared(one, { namedBy: nameOf('') })
      // A configuration file has lines.
      const placeOf = (at: string) =>
        nameOf(at).includes(':') ? nameOf(at).replace(/: stubs$/, '') : `${nameOf(at)}[${index}]`
      return { ...inlineSourceFile(one, 'stubs'), placeOf }
    }),
  )
}

/** A fault as the control API takes it. @throws Problem with what is wrong */
function readDeclaredFault(given: unknown, id: string): Fault {
  const [first] = checkControlValue('FaultRequest', given)
  if (first) throw new StartupError([first.message])
  return readFault(given as FaultRequest, id)
}

/** Requests for a misspelt operation would go to the service, which may be a real one. @throws StartupError */
function refuseUnknownOperations(contract: Contract, config: Config): void {
  const complaints = (['mock', 'pass'] as const).flatMap((setting) =>
    findOperations(contract, config[setting]).unknown.map(
      (what) => `${config.names[setting]?.('') ?? setting}: ${what}`,
    ),
  )
  if (complaints.length > 0) throw new StartupError(complaints)
}

/** When keys are listed, no others are accepted, unless a behaviour says otherwise. */
function loadBehaviours({ profile, behaviours, keys, names }: Config, resources: readonly Resource[]): Behaviours {
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

/**
 * Reads the fixtures and creates the initial state.
 *
 * @throws StartupError for what is wrong in a fixture
 */
export function loadInitialState(
  parts: LoadedParts,
  { realNow, firstMoment: before, known }: StateOrigin,
): LoadedSetup {
  const { config, contract, contractAdapter, behaviours, bindings, keys, resources, ownFixtures } = parts
  const { settings } = behaviours
  const rules = createRules(parts, config.clock ?? before ?? realNow())
  const unbound = resources.filter((resource) => !isBound(resource, bindings))
  const unused = new Set(unbound.flatMap(({ fixtures }) => fixtures?.members ?? []))
  const packaged = packagedFixtures(config.files, unused)
  const cut = withPrecision(packaged, settings['file.created-precision'])
  const isPackagedContract = contractAdapter === undefined
  const sections = resources.flatMap((resource) => resource.fixtures ?? [])
  // The user's own may replace file sets of the same name.
  const { profile } = config
  const learnt = new Set(ownFixtures.filter(({ file }) => typeof profile === 'object' && file === profile.source.file))
  const options = { rules, sections, packaged: new Set(cut), learnt, isPackagedContract }
  const read = readFixtures([...cut, ...ownFixtures], options)
  const missing = findMissingLists(settings, { keys: config.keys, resources })
  if (missing.length > 0) {
    const { notes, ...kept } = withoutLists(behaviours, missing, config)
    return loadInitialState({ ...parts, ...kept, notes: [...parts.notes, ...notes] }, { realNow, firstMoment: before })
  }
  const clock = config.clock === undefined ? MACHINE_CLOCK : { mode: 'frozen' as const, at: config.clock }
  const initialState = createModel(resources).initial(
    {
      seed: config.seed,
      firstMoment: rules.firstMoment,
      clock,
      settings,
      rules,
      fixtures: read.fixtures,
      ownerId: keys.anyone.userId,
    },
    known,
  )
  const fixtures = [...packaged, ...ownFixtures]
  const notes = [...parts.notes, ...read.notes]
  const generatedBy = settingsOfGenerated(resources, settings)
  const loaded = { ...parts, initialState, rules, fixtures, generatedBy, notes }
  if (isPackagedContract) return loaded
  const leftOut = [...read.leftOut].map(
    ([file, { count, first }]) =>
      `${file}: ${count} of its entries and schedules do not fit ${contract.file} and are left out. The first: ${first}`,
  )
  const found = resources.flatMap((resource) => [...(resource.notes?.(initialState, rules, contract.file) ?? [])])
  return { ...loaded, notes: [...notes, ...found, ...leftOut] }
}

function settingsOfGenerated(resources: readonly Resource[], settings: BehaviourSettings): Record<string, string> {
  const ids = resources.flatMap(({ generatedBy = [] }) => generatedBy)
  return Object.fromEntries(
    ids.map((id) => {
      const value = settings[id]
      return [id, textOrJson(value)]
    }),
  )
}

/** What is created beside a service must not have an id that the service has. */
const IDS_OF_A_SERVICE = 1_000_000

const DAY = 86_400_000

/** @param moment epoch ms on the first day */
function createRules(
  { config, contract, bindings, contractAdapter, behaviours, resources }: LoadedParts,
  moment: number,
): StateRules {
  const { keys, seed, documents } = config
  // The day, not the moment, so that two starts on one day create the same state.
  const firstMoment = Math.floor(moment / DAY) * DAY
  const parts: RuleParts = {
    contract,
    behaviours,
    firstMoment,
    documents,
    locale: config.locale,
    idsAfter: config.upstream === undefined ? 0 : IDS_OF_A_SERVICE,
    seed,
    hasOwnHandlers: [...bindings.values()].some(({ kind }) => kind === 'own'),
    isPackaged: contractAdapter === undefined,
    operation: (name) => [...bindings.values()].find(({ handlerKind }) => handlerKind === name)?.operation,
    adapter: (name) => contractAdapter?.as(name),
  }
  const rules: Pick<StateRules, 'firstMoment' | 'checkOverrides'> = {
    firstMoment,
    checkOverrides: (overrides) => checkOverrides(behaviours, overrides, { keys, resources }),
  }
  return Object.assign(rules, ...resources.map((resource) => resource.createRules?.(parts))) as StateRules
}
