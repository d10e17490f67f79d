import type { Learned } from '../../app/learned/learned.ts'
import { createReloadableStandin } from '../../app/setup/create-standin.ts'
import { listOperations } from '../../app/binding/report-operations.ts'
import { type LoadedParts, loadParts } from '../../app/setup/load.ts'
import { MACHINE } from '../../app/setup/machine.ts'
import { inlineSourceFile } from '../../base/formats/source-file.ts'
import type { Config } from '../../config/config.ts'
import type { Contract } from '../../contract/contract.ts'
import { ControlError } from '../../control/client/client.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import { createSecretRemover } from '../recordings/remove-secrets.ts'
import { createTarget } from '../recordings/target.ts'
import { createTrialSandbox } from '../resend/trial-sandbox.ts'
import { sendRecorded } from './send-recorded.ts'
import type { ComparedExchange } from './compared-exchange.ts'

type Overridden = Readonly<Record<string, unknown>>

/** What a stand-in is tried with. */
interface TrialProfile {
  readonly behaviours: Overridden
  readonly learned?: Learned
  /** What there is at first. */
  readonly fixture?: object
}

export interface Trials {
  readonly contract: Contract
  readonly parts: LoadedParts
  /** Whether an operation shows what is kept, by its operationId. */
  isStateful(operationId: string): boolean
  /** Starts a stand-in with a profile. */
  start(profile: TrialProfile): Promise<Trial>
  /** The same with what was learnt that the contract does not say. */
  with(additions: Additions): Trials
}

/** What the contract does not say, and settings of all that is tried. */
type Additions = Partial<Pick<Learned, 'schemas' | 'hints'>> & { readonly settings?: Overridden }

interface TrialRun {
  /** Settings besides those of its profile. */
  readonly behaviours?: Overridden
  /** Whether only the responses count. */
  readonly isQuick?: boolean
  /** Whether changes that the service refused are taken back. */
  readonly undoesRefused?: boolean
  readonly report?: (done: number) => void
}

/** A stand-in that gets the requests of recordings. */
export interface Trial {
  /**
   * What it responds to them, from its beginning.
   *
   * @returns undefined for settings that it cannot have
   */
  run(exchanges: readonly RecordedExchange[], options?: TrialRun): Promise<readonly ComparedExchange[] | undefined>
  stop(): Promise<void>
}

/** Handled by a collection, by a lifecycle, or by a built-in resource. */
const STATEFUL: ReadonlySet<string> = new Set(['collection', 'action', 'stateful'])

/** Milliseconds for a response of the stand-in. */
const PATIENCE = 10_000

const SANDBOX = 'trial'

/** @param config settings of the stand-ins: the contract, and how many documents collections begin with */
export function createTrials(config: Config, signal: AbortSignal, additions: Additions = {}): Trials {
  const { settings, ...lacking } = additions
  const profileOf = ({ behaviours, learned, fixture }: TrialProfile) => {
    const all = Object.entries({ ...settings, ...behaviours })
    const overrides = all.map(([id, value]) => ({ id, value, setBy: 'learn' }))
    const source = inlineSourceFile({ behaviours, learned: { ...learned, ...lacking }, fixture }, 'learn')
    return { file: undefined, behaviours: overrides, source }
  }
  const parts = loadParts({ ...config, fixtures: [], profile: profileOf({ behaviours: {} }) })
  const { contract, bindings } = parts
  const clean = createSecretRemover(contract)
  const create = (profile: TrialProfile) =>
    createReloadableStandin({ ...config, profile: profileOf(profile), port: 0, log: 'silent' })
  const stateful = new Set(
    listOperations(bindings).flatMap(({ operationId, handledBy }) => (STATEFUL.has(handledBy) ? [operationId] : [])),
  )
  return {
    contract,
    parts,
    isStateful: (operationId) => stateful.has(operationId),
    with: (more) => createTrials(config, signal, { ...additions, ...more }),
    async start(profile) {
      const standin = create(profile)
      const url = await standin.start()
      const target = createTarget({ url, rate: Infinity, timeout: PATIENCE, machine: MACHINE, signal })
      const { control } = standin
      return {
        async run(exchanges, { behaviours = {}, isQuick, undoesRefused, report = () => undefined } = {}) {
          const begin = { from: 'default', name: SANDBOX, isReset: true }
          const sandbox = await createTrialSandbox({ ...begin, control, target, contract })
          try {
            const side = await sandbox.prepare({ overrides: behaviours, now: exchanges[0]?.at ?? 0, writes: true })
            const own = { contract, control: control.in(SANDBOX), clean }
            return await sendRecorded(exchanges, side, { ...own, signal, report, isQuick, undoesRefused })
          } catch (error) {
            if (error instanceof ControlError && error.status === 400) return undefined
            throw error
          } finally {
            await sandbox.close()
          }
        },
        stop: () => standin.stop(),
      }
    },
  }
}
