import { createApp } from '../../app/app.ts'
import type { AppInstance } from '../../app/app-instance.ts'
import { createReloadableStandin } from '../../app/setup/create-standin.ts'
import { type Behaviours, createBehavioursOf } from '../../behaviours/behaviours.ts'
import type { ControlClient } from '../../control/client/client.ts'
import type { Config } from '../../config/config.ts'
import { NEW_TALLY } from '../../engine/faults/fault.ts'
import { readFault } from '../../engine/faults/read-fault.ts'
import { digestOf } from '../../engine/stores/fingerprint.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { DEFAULT_SANDBOX } from '../../engine/sandbox-names.ts'
import type { State } from '../../engine/state.ts'
import { runSteps } from '../../engine/slices.ts'
import { nameOfTest } from '../../base/formats/names.ts'
import { jsonPieces } from '../../base/formats/json-pieces.ts'
import type { Contract } from '../../contract/contract.ts'
import { type Mistake, mistakesIn } from './mistakes.ts'
import type { Mutant } from './mutants/mutant.ts'
import { rememberingEach } from '../../base/cache.ts'
import { passTime } from './pass-time.ts'
import { type SeenExchange, seenFrom } from './seen.ts'

/** A stand-in whose sandboxes have mutants. */
export interface MutantServer {
  readonly url: string
  readonly contract: Contract
  readonly control: ControlClient
  readonly behaviours: Behaviours
  /** A digest of what is served, for runs that are compared later. */
  readonly served: string
  /** Ids of behaviours that only the initial state depends on, which no sandbox can change. */
  readonly initialBehaviours: ReadonlySet<string>
  /** Creates a sandbox for an attempt of a test. A reset of it keeps the mutant. @returns its name */
  open(test: string, mutant: Mutant | undefined): string
  /** What was received from a sandbox. */
  seenIn(name: string): SeenExchange[]
  /** What the client of a sandbox did wrong, or of all together. */
  mistakesIn(name?: string): Mistake[]
  /** The file for `standin replay`: of a sandbox, or of the one that received most. */
  replayOf(name?: string): string
  /** How many requests a sandbox has received, or all together. */
  requestsIn(name?: string): number
  /** Ends all further requests to a sandbox: its test is over, and a client that never stops must not go on. */
  end(name: string): void
  /** Makes all sandboxes begin with a mutant, the default one included, and removes the others. */
  install(mutant: Mutant | undefined): void
  /** What was received from each sandbox, by name. */
  seenInAll(): ReadonlyMap<string, readonly SeenExchange[]>
  stop(): Promise<void>
}

/** Sandboxes of tests that are over, which stay for late requests. */
const MAX_ENDED = 200
const MAX_SANDBOXES = 100_000
const DEADLINES = { headers: 10_000, request: 30_000, idle: 60_000 }

/** Starts a stand-in on a free port. @throws StartupError for what is wrong in the settings */
export async function startMutantServer(given: Config): Promise<MutantServer> {
  const config = { ...given, data: undefined, artifacts: undefined, smtp: undefined, watch: false, port: 0 }
  let parts: AppInstance | undefined
  const standin = createReloadableStandin(
    { ...config, maxSandboxes: MAX_SANDBOXES, control: true },
    {
      front: {
        createApp: (instance) => createApp((parts = instance)),
        deadlines: DEADLINES,
        sendsContinue: false,
      },
    },
  )
  const url = await standin.start()
  if (!parts) throw new Error('the app was not created')
  const { control, stop } = standin
  return { ...createSandboxKeeper(parts), url, contract: parts.contract, served: servedBy(parts), control, stop }
}

/** Without the moment: the dates of generated things follow it, and tell a client the same tomorrow. */
function servedBy({ fingerprint, behaviours }: AppInstance): string {
  return digestOf([{ ...fingerprint(), firstMoment: '' }, behaviours.settings])
}

type SandboxKeeper = Omit<MutantServer, 'url' | 'contract' | 'served' | 'control' | 'stop'>

function createSandboxKeeper(instance: AppInstance): SandboxKeeper {
  const { sandboxes, behaviours, resources } = instance
  const named = (name: string | undefined) => (name === undefined ? [...sandboxes.all.values()] : [sandboxes.get(name)])
  const plain = sandboxes.default.beginning.state
  const behavioursOf = createBehavioursOf(behaviours)
  const ended: string[] = []
  let opened = 0
  let stopTime: () => void = () => undefined
  let templates = 0
  const templateOf = rememberingEach((mutant: Mutant): string => {
    const name = `mutant-${++templates}`
    apply(mutant, sandboxes.create(name))
    return name
  })
  return {
    behaviours,
    initialBehaviours: new Set(resources.flatMap((one) => Object.keys(one.initialBehaviours ?? {}))),
    open(test, mutant) {
      const name = `${nameOfTest(test, LONGEST_NAME)}-${++opened}`
      sandboxes.create(name, mutant ? { from: templateOf(mutant) } : {})
      if (mutant) passTime(sandboxes.get(name), mutant)
      return name
    },
    seenIn: (name) => seenFrom(sandboxes.get(name)),
    mistakesIn: (name) => named(name).flatMap(({ journal }) => mistakesIn(journal, instance)),
    replayOf(name) {
      const [most] = named(name).toSorted((a, b) => b.requests - a.requests)
      return [...jsonPieces(runSteps(instance.writeReplay(most ?? sandboxes.default)))].join('')
    },
    requestsIn: (name) => named(name).reduce((sum, { requests }) => sum + requests, 0),
    end(name) {
      const fault = readFault({ kind: 'reset' }, 'over')
      const sandbox = sandboxes.get(name)
      if (!sandbox.state.faults.has(fault.id))
        sandbox.commit([{ type: 'fault.armed', fault, nextFaultId: sandbox.state.nextFaultId }])
      ended.push(name)
      if (ended.length > MAX_ENDED) sandboxes.delete(ended.shift() ?? '')
    },
    install(mutant) {
      for (const name of [...sandboxes.all.keys()]) if (name !== DEFAULT_SANDBOX) sandboxes.delete(name)
      sandboxes.rebase({ behavioursOf, baseline: mutant ? withMutant(plain, mutant) : plain })
      sandboxes.default.reset()
      stopTime()
      if (mutant) stopTime = passTime(sandboxes.default, mutant)
    },
    seenInAll: () => new Map([...sandboxes.all].map(([name, sandbox]) => [name, seenFrom(sandbox)])),
  }
}

function faultsOf({ faults = [] }: Mutant) {
  return faults.map((fault, index) => readFault(fault, `mutant-${index + 1}`))
}

function apply(mutant: Mutant, sandbox: Sandbox): void {
  const { overrides, nextFaultId } = sandbox.state
  sandbox.commit([
    ...(mutant.overrides
      ? [{ type: 'behaviours.changed', overrides: { ...overrides, ...mutant.overrides } } as const]
      : []),
    ...faultsOf(mutant).map((fault) => ({ type: 'fault.armed', fault, nextFaultId }) as const),
  ])
}

/** An initial state with a mutant. */
function withMutant(state: State, mutant: Mutant): State {
  const armed = faultsOf(mutant).map((fault) => [fault.id, { fault, tally: NEW_TALLY }] as const)
  return {
    ...state,
    overrides: { ...state.overrides, ...mutant.overrides },
    faults: new Map([...state.faults, ...armed]),
  }
}

/** Characters; a number follows. */
const LONGEST_NAME = 40
