import { createAnswersOf } from './answers-of.ts'
import { naturesOf, servedOperations } from './binding.ts'
import { birthOf, replaySettings } from './birth-of.ts'
import type { Config } from './config.ts'
import { createControlHouse } from './control-house.ts'
import { createRouter } from './contract/router.ts'
import type { Document } from './document.ts'
import { createFirstWorld, type FirstWorld, OF_THE_PACKAGE } from './first-world.ts'
import { type Birth, differences } from './history/birth.ts'
import { type DataDirectory, inspectDataDirectory, openDataDirectory } from './history/data-directory.ts'
import { writeReplay } from './history/write-replay.ts'
import { createAllowedHosts } from './http/allowed-hosts.ts'
import { withoutSandbox } from './http/choose-sandbox.ts'
import type { ControlHouse, House } from './http/house.ts'
import { type Log, SILENT } from './http/log.ts'
import { createMetrics } from './http/metrics.ts'
import { createPreparedRequests } from './http/prepared-requests.ts'
import { createRefusedOrigins } from './http/refused-origins.ts'
import { rememberRoutes } from './http/remember-routes.ts'
import { createSilentRetries } from './http/silent-retries.ts'
import { createListeners } from './http/stream.ts'
import { wait } from './http/wait.ts'
import { infoOf } from './info.ts'
import { type LoadedParts, loadParts } from './load-parts.ts'
import { createOutbox, type Outbox } from './mail/outbox.ts'
import { createPost } from './mail/post.ts'
import { createFragments } from './operations/fragments.ts'
import { createPreparedListings } from './operations/prepared-listings.ts'
import { chooseSelfCheck } from './own-operations.ts'
import { Problem, StartRefused } from './problem.ts'
import { createSlices } from './slices.ts'
import { createRedactor } from './sandbox/redact.ts'
import { createSandboxes, type Sandboxes } from './sandbox/sandboxes.ts'
import type { FixtureRules } from './seed/fixtures.ts'
import type { World } from './world/world.ts'

/** The machine's clocks. */
export interface Machine {
  /** Epoch ms. */
  readonly now: () => number
  /** Milliseconds of a steady clock, from anywhere. */
  readonly elapsed: () => number
  /** Lets real milliseconds pass, or until the response's connection is gone; the machine's timer when absent. */
  readonly wait?: House['wait']
}

/** What a stand-in is put together from, besides its settings. */
export interface Surroundings {
  readonly machine: Machine
  readonly log?: Log | undefined
  /** Where the sandboxes of an earlier life are, when it is not `config.data`. */
  readonly data?: DataDirectory | undefined
  /** The contract, when it is no file. */
  readonly contract?: Document | undefined
  /** Whether `config.data` is only read, so that nothing is created or changed. */
  readonly isDryRun?: boolean | undefined
  /** What runs already, and shall go on under other settings. */
  readonly around?: Assembled | undefined
}

/** A stand-in without its door. */
export interface Assembled {
  readonly config: Config
  readonly birth: () => Birth
  /** Epoch ms. */
  readonly started: number
  readonly outbox: Outbox | undefined
  readonly house: House
  readonly rules: FixtureRules
  readonly data: DataDirectory | undefined
  /** The world at its first moment. */
  readonly born: World
  /** The fixtures of the user's own that it was made from. */
  readonly ownFixtures: readonly Document[]
  /** What people should know of what was loaded. */
  readonly notes: readonly string[]
}

/**
 * Load, compile, refuse, and only then be ready.
 *
 * @throws StartRefused for all that is wrong in the settings, or in what they name
 */
export function assembleHouse(config: Config, surroundings: Surroundings): Assembled {
  const found: string[] = []
  const data = surroundings.data ?? openData(config, surroundings.isDryRun ? found : undefined)
  try {
    const assembled = assembleWith(data, config, surroundings)
    return { ...assembled, notes: [...assembled.notes, ...found] }
  } catch (error) {
    data?.close()
    // What a request would be refused for, such as a full disk, refuses the start.
    throw error instanceof Problem ? new StartRefused([error.message]) : error
  }
}

/** @param found takes the notes when the directory is only to be read; otherwise they are printed */
function openData({ data, fsync }: Config, found: string[] | undefined): DataDirectory | undefined {
  if (data === undefined) return undefined
  if (found) return inspectDataDirectory(data, (text) => void found.push(text))
  return openDataDirectory(data, { fsync, note: (text) => void process.stderr.write(`standin: ${text}\n`) })
}

/** The same for who has a directory already. */
export function assembleWith(
  data: DataDirectory | undefined,
  config: Config,
  { machine, log = SILENT, contract: given, around }: Surroundings,
): Assembled {
  const { now } = machine
  const started = around?.started ?? now()
  // The rules that the events of own handlers are read by come with the first world.
  const loaded = loadParts(config, given, () => ({ files: first.rules, reportSchedules: first.given }))
  const ownerId = loaded.keys.anyone.userId
  const firstMoment = around?.rules.firstMoment ?? data?.firstMoment
  const first = createFirstWorld(config, { ...loaded, ownerId, now, firstMoment, known: around?.born })
  const notes = [...loaded.notes, ...first.notes]
  for (const note of notes.slice(0, MOST_LOGGED)) log.note(note)
  const more = notes.length - MOST_LOGGED
  if (more > 0) log.note(`… and ${more} more. \`standin check\` prints all of them.`)
  const birth = createLazily(() => birthOf(config, first, loaded.contract.document))
  const different = around === undefined ? [] : differences(around.birth(), birth())
  const isSame = around !== undefined && different.length === 0
  if (data && different.length > 0) throw bornOtherwise(config, different)
  const born = isSame ? around.born : first.world
  const outbox = around ? around.outbox : createOutboxOf(config, log)
  const answersOf = createAnswersOf(loaded.behaviours)
  const sandboxes =
    around?.house.sandboxes ??
    createSandboxes(
      born,
      config.maxSandboxes,
      { realNow: now, answersOf, onRun: outbox?.take },
      data?.open(birth(), born),
    )
  const { rules } = first
  const parts = { config, loaded, first, birth, born, sandboxes, outbox, started, machine }
  const house = joinHouse(parts, log, around?.house)
  // All is well with it, and nobody has seen any of it yet.
  if (around) sandboxes.refound({ answersOf, baseline: isSame ? undefined : born })
  const ownFixtures = first.fixtures.slice(OF_THE_PACKAGE)
  return { config, birth, started, house, rules, data, born, outbox, ownFixtures, notes }
}

interface HouseParts {
  readonly config: Config
  readonly loaded: LoadedParts
  readonly first: FirstWorld
  readonly birth: () => Birth
  readonly born: World
  readonly sandboxes: Sandboxes
  readonly outbox: Outbox | undefined
  readonly started: number
  readonly machine: Machine
}

/** @param before the house that goes on in this one */
function joinHouse(parts: HouseParts, log: Log, before: House | undefined): House {
  const { config, loaded, sandboxes, machine } = parts
  const { contract, bindings, following, behaviours, keys } = loaded
  const complete = following?.entries?.complete
  return {
    contract,
    router: rememberRoutes(createRouter(contract.operations)),
    bindings,
    following,
    selfCheck: chooseSelfCheck(config, contract, bindings),
    knownIds: parts.first.knownIds,
    fragments: complete ? createFragments(FRAGMENTS_KEPT, complete) : FRAGMENTS,
    listings: LISTINGS,
    requests: createPreparedRequests(),
    behaviours,
    sandboxes,
    control: config.control ? createLazily(() => createControl(parts)) : undefined,
    keys,
    origins: config.origins,
    refusedOrigins: createRefusedOrigins(log.note),
    hosts: createAllowedHosts(config.hosts, config.host),
    health: before?.health ?? { status: 'ready' },
    log,
    metrics: before?.metrics ?? createMetrics(),
    listeners: before?.listeners ?? createListeners(),
    redactor: createRedactor(contract.keyPlaces, keys),
    silentRetries: createSilentRetries(machine.elapsed),
    slices: before?.slices ?? createSlices(machine.elapsed),
    elapsed: machine.elapsed,
    wait: machine.wait ?? wait,
    realNow: machine.now,
  }
}

function createControl(parts: HouseParts): ControlHouse {
  const { config, loaded, first, birth, born, sandboxes, outbox, started, machine } = parts
  const { contract, bindings, behaviours, keys, ownOperations } = loaded
  const redactor = createRedactor(contract.keyPlaces, keys)
  const settings = (rename: (key: string) => string) => ({
    ...replaySettings(config, first.fixtures, rename, contract.document),
    ...(config.selfCheck ? { selfCheck: true } : {}),
    ...(ownOperations.length > 0 ? { ownOperations } : {}),
  })
  return createControlHouse({
    ledger: behaviours.ledger,
    token: config.controlToken,
    rules: first.rules,
    realNow: machine.now,
    mailOf: (delivery) => outbox?.stateOf(delivery),
    natures: naturesOf(bindings),
    operations: servedOperations(bindings),
    info: () => infoOf({ contract, profile: behaviours.profile, sandboxes, started }),
    writeReplay: (sandbox) =>
      writeReplay(sandbox, {
        birth: birth(),
        born,
        redactor,
        settings,
        withoutSandbox: (key) => (keys.listed.has(key) ? key : withoutSandbox(key)),
      }),
  })
}

function createOutboxOf({ smtp }: Config, log: Log): Outbox | undefined {
  return smtp === undefined ? undefined : createOutbox(createPost(smtp), log.mail)
}

/** @param different in what, as sentences */
function bornOtherwise({ data = '' }: Config, different: readonly string[]): StartRefused {
  return new StartRefused([
    ...different.map((difference) => `--data ${data}: ${difference}`),
    `--data ${data}: what is kept there belongs to what it was begun with. To use the changed files, stop, and start with another --data directory, or remove ${data} to begin anew there. To take the state along, GET /__mock/state of each sandbox before, and PUT it after, if it fits them.`,
  ])
}

function createLazily<Thing>(create: () => Thing): () => Thing {
  let thing: Thing | undefined
  return () => (thing ??= create())
}

/** A document of a thousand faults has so many of them logged at start. */
const MOST_LOGGED = 50

/** Bytes. */
const FRAGMENTS_KEPT = 32 * 2 ** 20

/** Listings of entries that never change, shared like the texts. */
const LISTINGS = createPreparedListings()

/** Texts of entries that never change, so all stand-ins of a process share them, and their bound. */
const FRAGMENTS = createFragments(FRAGMENTS_KEPT)
