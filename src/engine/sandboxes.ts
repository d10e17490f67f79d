import { sandboxNeeded } from '../base/errors/control-errors.ts'
import { Problem } from '../base/errors/problem.ts'
import type { State } from './state.ts'
import { readClock } from './clock/clock.ts'
import { createLifetimes, type Lifetimes } from './lifetimes.ts'
import { IN_MEMORY, type LogStore } from './stores/log-store.ts'
import { type Beginning, createImage } from './snapshot.ts'
import { untilStored } from './stores/shared-log.ts'
import { type RestoredSandbox, createSandbox, type Sandbox, type SandboxParts } from './sandbox.ts'
import type { Steps } from './slices.ts'
import {
  DEFAULT_SANDBOX,
  nameTaken,
  refuseBadName,
  sandboxLimitReached,
  tooManyFound,
  unknownSandbox,
} from './sandbox-names.ts'

interface NewSandbox {
  /** Milliseconds that it lives without a request; null for no end, and the usual time when absent. */
  readonly ttl?: number | null | undefined
}

interface ForkOptions extends NewSandbox {
  /** The sandbox to start like; the baseline when absent. */
  readonly from?: string | undefined
  /** Governs request ids, tokens and chance from here on; the seed of what it starts like when absent. */
  readonly seed?: number | undefined
}

/** A sandbox after one of its events. */
interface PastMoment {
  readonly from: string
  /** The number of the event. */
  readonly at: number
  /** The time of its clock, epoch ms; that of the event when absent. */
  readonly shows?: number | undefined
}

interface MakeOptions extends Omit<ForkOptions, 'from'> {
  /** Whether another process must not have one of this name. */
  readonly mustBeNew?: boolean
}

type PastForkOptions = ForkOptions & PastMoment

interface SandboxesOptions {
  /** The state that sandboxes begin with. */
  readonly baseline: State
  /** How many there may be, the default one included. */
  readonly most: number
  /** Milliseconds after which a sandbox expires that no request uses; undefined for never. */
  readonly ttl?: number | undefined
  /** Called when a sandbox has expired. @param after milliseconds without a request */
  readonly onExpired?: ((name: string, after: number) => void) | undefined
  readonly parts: SandboxParts
  readonly logs?: LogStore | undefined
}

/** All sandboxes, in the order they were made. Each began with the baseline, or as a copy of another one. */
export class Sandboxes {
  readonly most: number
  readonly default: Sandbox
  readonly #all = new Map<string, Sandbox>()
  /** Names of those that began as a copy of another one. */
  readonly #forks = new Set<string>()
  /** Those that are still in a store of several processes. */
  readonly #removed: Sandbox[] = []
  readonly #parts: SandboxParts
  readonly #logs: LogStore
  readonly lifetimes: Pick<Lifetimes, 'find'>
  readonly #lifetimes: Lifetimes
  readonly #onExpired: SandboxesOptions['onExpired']
  #baseline: State
  #behavioursOf: SandboxParts['behavioursOf']

  /** @throws StartupError when the logs have more sandboxes than there may be */
  constructor({ baseline, most, ttl, onExpired, parts, logs = IN_MEMORY }: SandboxesOptions) {
    this.most = most
    this.#logs = logs
    this.lifetimes = this.#lifetimes = createLifetimes(ttl, parts.realNow)
    this.#onExpired = onExpired
    this.#baseline = baseline
    this.#behavioursOf = parts.behavioursOf
    this.#parts = { ...parts, behavioursOf: (overrides) => this.#behavioursOf(overrides) }
    for (const [name, remembered] of logs.found) this.#add(name, remembered)
    if (this.#all.size > most) throw tooManyFound(most, this.#all.size)
    this.default = this.use(DEFAULT_SANDBOX)
  }

  /** Whether other processes change them too. */
  get areShared(): boolean {
    return this.#logs.list !== undefined
  }

  /** Those that have not expired. */
  get all(): ReadonlyMap<string, Sandbox> {
    if (!this.areShared) for (const name of this.#lifetimes.expired()) this.#expire(name)
    return this.#all
  }

  /** The sandbox of a name for a request that uses it, which starts its time to live again; undefined when there is none. */
  find(name: string): Sandbox | undefined {
    if (!this.areShared && !this.#lifetimes.use(name)) this.#expire(name)
    return this.#all.get(name)
  }

  /** The same, made from the baseline if there is none. @throws Problem 400 for a bad name, 409 when there are too many */
  use(name: string, options: NewSandbox = {}): Sandbox {
    return this.find(name) ?? this.#make(name, this.#fromBaseline(), options)
  }

  /**
   * Reads which sandboxes there are, and what other processes or the time changed in some of them. Undefined where no other process has them.
   *
   * @param used the one that the caller uses, which starts its time to live again
   * @throws Problem 503 when their store is away
   */
  refresh(names: (all: readonly string[]) => readonly string[], used?: string): Promise<void> | undefined {
    return this.#logs.list?.().then(async (stored) => {
      const streams = new Map(stored.map((one) => [one.name, one]))
      for (const [name, sandbox] of this.#all)
        if (name !== DEFAULT_SANDBOX && sandbox.shared?.isStored === true && !streams.has(name)) this.#drop(sandbox)
      for (const { name, ttl } of stored) if (!this.#all.has(name)) this.#make(name, this.#fromBaseline(), { ttl })
      const read = names([...streams.keys()])
      await Promise.all(read.map((name) => refreshOne(this.#all.get(name), name === used)))
      for (const { name, ttl, usedAt } of stored)
        if (name !== DEFAULT_SANDBOX) this.#lifetimes.begin(name, ttl, name === used ? undefined : usedAt)
    })
  }

  /** Stores what waits in sandboxes that other processes change too. @throws Overtaken, Problem 503 */
  async confirm(): Promise<void> {
    const removed = this.#removed.splice(0)
    const results = await Promise.allSettled([
      ...[...this.#all.values()].map((sandbox) => this.#confirmOne(sandbox)),
      ...removed.map((sandbox) => sandbox.shared?.remove()),
    ])
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }

  async #confirmOne(sandbox: Sandbox): Promise<void> {
    try {
      await sandbox.shared?.confirm()
    } catch (error) {
      // Another process has made one of the same name, or there are too many.
      if (sandbox.shared?.isStored === false && sandbox.name !== DEFAULT_SANDBOX) this.#drop(sandbox)
      throw error
    }
  }

  /** @throws Problem 404 */
  get(name: string): Sandbox {
    const sandbox = this.all.get(name)
    if (!sandbox) throw unknownSandbox(name, this.#all)
    return sandbox
  }

  /** @throws Problem 400 for a bad name, 409 when the name is taken or there are too many, 404 for an unknown `from` */
  create(name: string, { from, ...options }: ForkOptions = {}): Sandbox {
    this.#refuseNew(name)
    const beginning = from === undefined ? this.#fromBaseline() : this.get(from).snapshot()
    const made = this.#make(name, beginning, { ...options, mustBeNew: true })
    if (from !== undefined) this.#forks.add(name)
    return made
  }

  /**
   * Creates a fork of a sandbox as it was after one of its events.
   *
   * @throws Problem as `create` and `Sandbox.stateAfter`
   */
  *createAt(name: string, { from, at, shows, ...options }: PastForkOptions): Steps<Sandbox> {
    this.#refuseNew(name)
    const made = this.#make(name, yield* this.#past({ from, at, shows }), { ...options, mustBeNew: true })
    this.#forks.add(name)
    return made
  }

  /** A sandbox as it was after one of its events, to be read: only its reader has it. @throws Problem as `Sandbox.stateAfter` */
  *readAt(moment: PastMoment): Steps<Sandbox> {
    const past = yield* this.#past(moment)
    const parts = { ...this.#parts, observe: () => [] }
    return createSandbox(
      moment.from,
      { image: createImage(past), log: IN_MEMORY.begin({ name: moment.from }, past) },
      parts,
    )
  }

  *#past({ from, at, shows }: PastMoment): Steps<Beginning> {
    const past = yield* this.get(from).stateAfter(at, shows)
    // The events of a log in a file may be older than the configuration.
    const baseline = this.#baseline
    if (past.state.model !== baseline.model) baseline.model.rebase(past.state, baseline)
    return past
  }

  /** @throws Problem 404, or 409 for the default one */
  delete(name: string): void {
    const sandbox = this.get(name)
    if (name === DEFAULT_SANDBOX)
      throw sandboxNeeded({
        detail: 'The sandbox default cannot be deleted: requests that name no sandbox use it. Reset it instead.',
      })
    this.#remove(sandbox)
  }

  /** Applies a changed configuration. The states stay; a new baseline is where sandboxes begin, and where a reset goes back to. */
  rebase({ behavioursOf, baseline }: ChangedConfiguration): void {
    this.#behavioursOf = behavioursOf
    this.#baseline = baseline ?? this.#baseline
    for (const [name, sandbox] of this.#all)
      sandbox.rebase(baseline, baseline && !this.#forks.has(name) ? this.#fromBaseline() : undefined)
  }

  /** What fell due before the sandbox began does not run. */
  #fromBaseline(): Beginning {
    const { model, clock } = this.#baseline
    const state = model.copy(this.#baseline)
    model.begin(state, readClock(clock, this.#parts.realNow()))
    return { state, requests: 0 }
  }

  #refuseNew(name: string): void {
    const { all } = this
    if (all.has(name)) throw nameTaken(name)
    refuseBadName(name)
    if (all.size < this.most) return
    if (!this.areShared) throw sandboxLimitReached(this.most, all)
    // The store knows how many there are. This one may have been deleted by another process, and if not, it is found again.
    const oldest = [...all.values()].find(
      (one) => one !== this.default && !one.isBusy && one.shared?.isWaiting === false,
    )
    if (oldest) this.#drop(oldest)
  }

  #make(name: string, from: Beginning, { seed = from.state.seed, ttl, mustBeNew = false }: MakeOptions): Sandbox {
    this.#refuseNew(name)
    const beginning = { state: { ...from.state, seed }, requests: from.requests }
    return this.#add(name, {
      image: createImage(beginning),
      log: this.#logs.begin({ name, ttl, mustBeNew, again: () => this.#fromBaseline() }, beginning),
      ttl,
    })
  }

  #add(name: string, remembered: RestoredSandbox): Sandbox {
    const sandbox = createSandbox(name, remembered, this.#parts)
    this.#all.set(name, sandbox)
    if (name !== DEFAULT_SANDBOX) this.#lifetimes.begin(name, remembered.ttl)
    return sandbox
  }

  #remove(sandbox: Sandbox): void {
    this.#logs.remove(sandbox.name)
    if (sandbox.shared) this.#removed.push(sandbox)
    this.#drop(sandbox)
  }

  /** Forgets a sandbox. */
  #drop(sandbox: Sandbox): void {
    const { name } = sandbox
    this.#all.delete(name)
    this.#forks.delete(name)
    this.#lifetimes.end(name)
    sandbox.close()
  }

  /** An advance of its clock is use, and ends by itself. Where the log cannot be removed, the sandbox stays until it can. */
  #expire(name: string): void {
    const sandbox = this.#all.get(name)
    const { ttl = 0 } = this.#lifetimes.find(name) ?? {}
    if (!sandbox || sandbox.isBusy) return
    try {
      this.#remove(sandbox)
    } catch (error) {
      if (error instanceof Problem) return
      throw error
    }
    this.#onExpired?.(name, ttl)
  }
}

/** Reads what other processes changed in a sandbox, and stores what fell due. */
export async function refreshOne(sandbox: Sandbox | undefined, isUse = false): Promise<void> {
  const { shared } = sandbox ?? {}
  if (!sandbox || !shared) return
  await shared.refresh({ isUse })
  await untilStored(
    () => sandbox.now(),
    () => shared.confirm(),
  )
}

interface ChangedConfiguration extends Pick<SandboxParts, 'behavioursOf'> {
  /** Undefined where it has not changed. */
  readonly baseline?: State | undefined
}
