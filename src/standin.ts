import type { RequestListener } from 'node:http'
import { createAnswersOf } from './answers-of.ts'
import { bind, type Bindings, naturesOf } from './binding.ts'
import { chooseBehaviours, type Behaviours } from './behaviours/behaviours.ts'
import { checkLedger } from './behaviours/ledger.ts'
import { type Config, createConfig, type KeySetting, type LogMode } from './config.ts'
import { createControlHouse } from './control-house.ts'
import type { Contract } from './contract/contract.ts'
import { loadContract } from './contract/load.ts'
import { createRouter } from './contract/router.ts'
import { describeBindings, describeKinds } from './describe-bindings.ts'
import { type Document, readDocument, readPackaged } from './document.ts'
import { warmUp } from './generated/generator.ts'
import { type DataDirectory, openDataDirectory } from './history/data-directory.ts'
import { createApp } from './http/app.ts'
import { exampleRequest } from './example-request.ts'
import { createFollowing } from './http/following.ts'
import type { House } from './http/house.ts'
import { type Log, SILENT } from './http/log.ts'
import { createRefusedOrigins } from './http/refused-origins.ts'
import { rememberRoutes } from './http/remember-routes.ts'
import { createMetrics } from './http/metrics.ts'
import { createServer } from './http/server.ts'
import { birthOf, replaySettings } from './birth-of.ts'
import { type Birth, differences } from './history/birth.ts'
import { writeReplay } from './history/write-replay.ts'
import { withoutSandbox } from './http/choose-sandbox.ts'
import { createListeners } from './http/stream.ts'
import { createFirstWorld } from './first-world.ts'
import { infoOf } from './info.ts'
import { createKeys } from './keys.ts'
import type { MailOf } from './control/call.ts'
import { createOutbox, type Outbox } from './mail/outbox.ts'
import { createPost } from './mail/post.ts'
import { chooseSelfCheck, createOwnHandlers } from './own-operations.ts'
import type { OwnOperation } from './own/define-operation.ts'
import { createFragments } from './operations/fragments.ts'
import { shown, StartRefused } from './problem.ts'
import { findInvalid, type Reload, settle } from './reload.ts'
import { createRedactor } from './sandbox/redact.ts'
import { createSandboxes } from './sandbox/sandboxes.ts'
import { type FixtureRules, readFiles } from './seed/fixtures.ts'
import type { Entries } from './world/file-sets/entries.ts'
import type { World } from './world/world.ts'

export interface StandinOptions {
  /** Governs every id, file and token; 42 when absent. */
  readonly seed?: number
  /** How many files the set `demo` has, up to 10,000,000; 1,000 when absent. */
  readonly files?: number
  /** Where the clock stands still: an ISO 8601 instant, a Date, or epoch milliseconds. The machine's clock when absent. */
  readonly clock?: string | Date | number
  /** Fixture files by path, or fixtures themselves. */
  readonly fixtures?: readonly unknown[]
  /** Path of an OpenAPI document instead of the one that comes with the package. */
  readonly contract?: string
  /** `default`, `document-only` or `observed`. */
  readonly profile?: string
  /** Answers of the ledger that shall be otherwise: `{ 'page.last': 'null' }`. */
  readonly behaviours?: Readonly<Record<string, unknown>>
  /** The keys that are known; any that is not blank when absent. */
  readonly keys?: readonly KeySetting[] | string
  /** Origins of web pages that may call besides the local ones. */
  readonly origins?: readonly string[]
  /** Host names that browsers may use besides the local ones. */
  readonly hosts?: readonly string[]
  readonly host?: string
  /** Port for `start()`; 0 picks a free one, which is the default here. */
  readonly port?: number
  readonly log?: LogMode
  /** How many sandboxes there may be, the default one included; 256 when absent. */
  readonly maxSandboxes?: number
  /** False switches the control API off. */
  readonly control?: boolean
  /** What callers of the control API must bear; without it only this machine may call. */
  readonly controlToken?: string
  /** Address of a mail catcher that gets each delivery as a message: `smtp://127.0.0.1:1025`. */
  readonly smtp?: string
  /** Path of a directory that keeps every change, and that the next stand-in goes on from. It is this one's until it was stopped. */
  readonly data?: string
  /** Whether each change waits until the disk has it. */
  readonly fsync?: boolean
  /** Operations of one's own, made with `defineOperation`: one or a list, such as what a file of handlers exports. */
  readonly handlers?: OwnOperation | readonly OwnOperation[]
  /** Whether the answers of the built-in operations too are held against the contract; those of `handlers` always are. */
  readonly selfCheck?: boolean
  /** The machine's clock, epoch milliseconds; for tests that want to move time. */
  readonly now?: () => number
}

export interface Standin {
  /** The app without a socket, for supertest or a server of your own. */
  readonly app: RequestListener
  /** Takes requests. Resolves to the address, for instance `http://127.0.0.1:4010`. @throws StartRefused when the port is not to be had */
  start(): Promise<string>
  /** Lets open answers finish for up to two seconds and closes. */
  stop(): Promise<void>
  /** The address once started; undefined before. */
  readonly url: string | undefined
  /** Back to the world's first moment: everything that was created, changed or added is gone. */
  reset(): void
  /** Adds files, or directories, to a file set, each as in a fixture file. @throws StartRefused for what a fixture would be refused for */
  addFiles(fileSetId: string, files: readonly unknown[]): void
  /** Removes files, or explicit directories, by path. @throws StartRefused when there is none at a path */
  removeFiles(fileSetId: string, paths: readonly string[]): void
  /** What was loaded, for people: `3 operations, 3 file sets, 1,136 files, …`. */
  readonly summary: string
  /** Who answers each operation, for people: `POST /items/search  searchItems  stateful (by x-standin)`. */
  readonly operations: readonly string[]
  /** A request to begin with, as a command line. */
  exampleRequest(url: string): string
}

/**
 * A stand-in of its own: two in one process never meet.
 *
 * @throws StartRefused with file, line and remedy when contract, ledger, fixtures or options are wrong
 * @example const { app } = createStandin({ clock: '2026-03-01T09:00:00Z' })
 */
export function createStandin(options: StandinOptions = {}): Standin {
  const { now, ...values } = options
  const config = createConfig([
    { nameOf: () => 'defaults of the library', values: { log: 'silent', port: 0 } },
    { nameOf: (setting) => `options.${setting}`, values },
  ])
  return assemble(config, { now })
}

/** @internal */
interface Parts {
  readonly now?: (() => number) | undefined
  readonly log?: Log
  /** Where the sandboxes of an earlier life are, when it is not `config.data`. */
  readonly data?: DataDirectory
  /** The contract, when it is no file. */
  readonly contract?: Document
  /** What runs already, and shall go on under other settings. */
  readonly around?: Assembled
}

/** A stand-in that can take up other settings while it runs. @internal */
export interface ReloadableStandin extends Standin {
  /**
   * Takes up settings, and the files that they name, between two requests. State and sandboxes stay.
   *
   * @throws StartRefused for what is wrong in them; then everything stays as it was
   */
  reload(config: Config): Reload
}

/** A stand-in without its door. @internal */
interface Assembled {
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
}

/**
 * Load, compile, refuse, and only then be ready.
 *
 * @internal
 */
export function assemble(config: Config, parts: Parts = {}): ReloadableStandin {
  return createDoor(assembleHouse(config, parts), parts)
}

/** @internal */
export function assembleHouse(config: Config, parts: Parts = {}): Assembled {
  const note = (text: string) => void process.stderr.write(`standin: ${text}\n`)
  const data =
    parts.data ??
    (config.data === undefined ? undefined : openDataDirectory(config.data, { fsync: config.fsync, note }))
  try {
    return assembleIn(data, config, parts)
  } catch (error) {
    data?.close()
    throw error
  }
}

function assembleIn(
  data: DataDirectory | undefined,
  config: Config,
  { now = () => Date.now(), log = SILENT, contract: given, around }: Parts,
): Assembled {
  const started = around?.started ?? now()
  const behaviours = loadBehaviours(config)
  const contract = compileContract(config, given)
  // The rules that their events are read by come with the first world.
  const own = createOwnHandlers(config, contract, () => ({ files: first.rules, reportSchedules: first.given }))
  const bindings = bind(contract, { own })
  // The package's own contract is what the handlers were written for: there is nothing to take over.
  const following = (given ?? config.contract) ? createFollowing(contract, bindings) : undefined
  const keys = createKeys(config, bindings)
  const ownerId = keys.anyone.userId
  const firstMoment = around?.rules.firstMoment ?? data?.firstMoment
  const parents = { contract, bindings, following, behaviours, ownerId, now, firstMoment, known: around?.born }
  const first = createFirstWorld(config, parents)
  const { rules } = first
  for (const note of first.notes) log.note(note)
  const birth = createLazily(() => birthOf(config, first, contract.document))
  const isSame = around !== undefined && differences(around.birth(), birth()).length === 0
  if (around && data && !isSame) throw bornOtherwise(config)
  const world = isSame ? around.born : first.world
  const redactor = createRedactor(contract.keyHeader)
  const outbox = around
    ? around.outbox
    : config.smtp === undefined
      ? undefined
      : createOutbox(createPost(config.smtp), log.mail)
  const mailOf: MailOf = (delivery) => outbox?.stateOf(delivery)
  const answersOf = createAnswersOf(behaviours)
  const sandboxes =
    around?.house.sandboxes ??
    createSandboxes(
      world,
      config.maxSandboxes,
      { realNow: now, answersOf, onRun: outbox?.take },
      data?.open(birth(), world),
    )
  const house: House = {
    contract,
    router: rememberRoutes(createRouter(contract.operations, contract.basePath)),
    bindings,
    following,
    selfCheck: chooseSelfCheck(config, contract, bindings),
    fragments: following?.entries?.complete ? createFragments(FRAGMENTS_KEPT, following.entries.complete) : FRAGMENTS,
    behaviours,
    sandboxes,
    control: config.control
      ? createLazily(() =>
          createControlHouse({
            ledger: behaviours.ledger,
            token: config.controlToken,
            rules,
            realNow: now,
            mailOf,
            natures: naturesOf(bindings),
            info: () => infoOf({ contract, profile: behaviours.profile, sandboxes, started }),
            writeReplay: (sandbox) =>
              writeReplay(sandbox, {
                birth: birth(),
                born: world,
                redactor,
                settings: (rename) => ({
                  ...replaySettings(config, first.fixtures, rename, contract.document),
                  ...(config.selfCheck ? { selfCheck: true } : {}),
                  ...(own.size > 0 ? { ownOperations: [...own.keys()] } : {}),
                }),
                withoutSandbox: (key) => (keys.listed.has(key) ? key : withoutSandbox(key)),
              }),
          }),
        )
      : undefined,
    keys,
    origins: config.origins,
    refusedOrigins: createRefusedOrigins(log.note),
    hosts: config.hosts,
    log,
    metrics: around?.house.metrics ?? createMetrics(),
    listeners: around?.house.listeners ?? createListeners(),
    redactor,
    elapsed: () => performance.now(),
    realNow: now,
  }
  // All is well with it, and nobody has seen any of it yet.
  if (around) sandboxes.refound({ answersOf, baseline: isSame ? undefined : world })
  return { config, birth, started, house, rules, data, born: world, outbox }
}

function bornOtherwise({ data = '' }: Config): StartRefused {
  return new StartRefused([
    `The worlds in ${data} were begun with another contract, other fixtures or another --files. Stop, and start with another --data.`,
  ])
}

function createLazily<Thing>(create: () => Thing): () => Thing {
  let thing: Thing | undefined
  return () => (thing ??= create())
}

/** Bytes. */
const FRAGMENTS_KEPT = 32 * 2 ** 20

/** Texts of entries that never change, so all stand-ins of a process share them, and their bound. */
const FRAGMENTS = createFragments(FRAGMENTS_KEPT)

function createDoor(first: Assembled, parts: Parts): ReloadableStandin {
  const { config, house, data, outbox } = first
  let present = first
  const sandbox = house.sandboxes.default
  let listener = createApp(house)
  // Who never takes up anything need not ask who answers now.
  const app: RequestListener = config.watch ? (request, response) => listener(request, response) : listener
  const server = createServer(app)
  let url: string | undefined
  let isOver = false
  return {
    app,
    get summary() {
      return summarise(present)
    },
    get operations() {
      return describeBindings(present.house.contract, present.house.bindings)
    },
    get exampleRequest() {
      const { contract, bindings } = present.house
      return exampleRequest(contract, bindings, present.config.keys[0]?.key ?? 'any')
    },
    get url() {
      return url
    },
    async start() {
      if (isOver) throw new StartRefused(['A stand-in with data starts once: create another on the same directory.'])
      const port = await server.start(config.host, config.port)
      // The first request should not wait for what it takes half a second to load; should that fail, the request tells why.
      if (hasGenerated(house.bindings)) void warmUp().catch(() => undefined)
      const name =
        config.host === '0.0.0.0' || config.host === '::'
          ? 'localhost'
          : config.host.includes(':')
            ? `[${config.host}]`
            : config.host
      return (url = `http://${name}:${port}`)
    },
    async stop() {
      // A stream has no end of its own to wait for.
      house.listeners.hangUp()
      await Promise.all([server.stop(STOP_PATIENCE), outbox?.stop(STOP_PATIENCE)])
      if (data && !isOver) data.close()
      isOver = data !== undefined
      url = undefined
    },
    reload(next) {
      const { config: settled, needStart } = settle(present.config, next)
      present = assembleIn(data, settled, { ...parts, around: present })
      listener = createApp(present.house)
      return { summary: summarise(present), needStart, invalid: findInvalid(house.sandboxes, present.rules) }
    },
    reset: () => sandbox.reset(),
    addFiles(fileSetId, files) {
      const records = readFiles(fileSetId, files, getEntries(sandbox.world, fileSetId), present.rules)
      sandbox.commit([{ type: 'files.added', fileSetId, files: records }])
    },
    removeFiles(fileSetId, paths) {
      const entries = getEntries(sandbox.world, fileSetId)
      const missing = paths.filter((path) => !entries.toldAt(path))
      if (missing.length > 0)
        throw new StartRefused(missing.map((path) => `${fileSetId} has no file ${JSON.stringify(path)}.`))
      sandbox.commit([{ type: 'files.removed', fileSetId, paths }])
    },
  }
}

function hasGenerated(bindings: Bindings): boolean {
  return [...bindings.values()].some(({ kind }) => kind === 'generated')
}

/** Milliseconds; with the rest of a stop it stays below two seconds. */
const STOP_PATIENCE = 1500

function getEntries({ fileSets }: World, fileSetId: string): Entries {
  const fileSet = fileSets.get(fileSetId)
  if (!fileSet)
    throw new StartRefused([
      `There is no file set ${JSON.stringify(fileSetId)}. File sets: ${[...fileSets.keys()].join(', ')}.`,
    ])
  return fileSet.entries
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

function summarise({ house, config }: Assembled): string {
  const { contract, bindings, sandboxes } = house
  const { seed, contract: own, profile, behaviours } = config
  const { fileSets, reportSchedules } = sandboxes.default.world
  const files = [...fileSets.values()].reduce((sum, { entries }) => sum + entries.fileCount, 0)
  return [
    `${contract.operations.length} operations${own === undefined ? '' : ` of ${own}`}${describeKinds(bindings)}`,
    `${contract.validators} validators`,
    `${fileSets.size} file sets`,
    `${String(files).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')} files`,
    `${reportSchedules.size} report schedules`,
    `seed ${seed}`,
    ...(profile === 'default' ? [] : [`profile ${profile}`]),
    ...behaviours.map(({ id, value }) => `${id} ${typeof value === 'string' ? value : shown(value)}`),
  ].join(', ')
}
