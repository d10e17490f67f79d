import type { Behaviours, Overrides } from '../behaviours/behaviours.ts'
import { type Clock, moveClock, readClock } from './clock/clock.ts'
import { type ClockedSandbox, ClockSetter } from './clock/clock-setter.ts'
import { joinSchedulers } from './clock/scheduler.ts'
import type { EventLog, Recent, Shared, SharedSandbox } from './stores/event-log.ts'
import { type PastState, stateAfter } from './past-state.ts'
import type { Pause, Steps } from './slices.ts'
import {
  type Beginning,
  copyImage,
  evolveImage,
  type Image,
  isStateEvent,
  rebaseImage,
  type OwnedImage,
  replacesState,
  type SandboxEvent,
  type Snapshot,
} from './snapshot.ts'
import type { DueEvent, Scheduler, State, StateEvent } from './state.ts'
import { createRequestIds } from './random.ts'

/** A sandbox: its state, the methods that change it, and what observers add. */
export type Sandbox = LiveSandbox & SandboxObservers

/** What observers add to each sandbox, by declaration merging: its journal, for example. @public */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface SandboxObservers {}

/** Follows what happens in one sandbox. */
export interface SandboxObserver {
  /** The members that it adds to the sandbox. */
  readonly members?: Partial<SandboxObservers>
  /** Called after an event was stored. @param isOwn whether this process decided it, and not another one of the same store */
  onEvent?(event: SandboxEvent, state: State, isOwn: boolean): void
  /** The events that it is called for; all when absent. */
  readonly types?: readonly SandboxEvent['type'][]
  /** Called when the sandbox was deleted. */
  onDelete?(): void
}

export interface SandboxParts {
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
  /** The behaviours of a state with these overrides. */
  readonly behavioursOf: (overrides: Overrides) => Behaviours
  /** Creates the observers of a sandbox. */
  readonly observe: (name: string) => readonly SandboxObserver[]
}

/** A sandbox as read from its log. */
export interface RestoredSandbox {
  readonly image: Image
  readonly log: EventLog
  /** Milliseconds that it lives without a request; null for no end. Undefined for the usual time. */
  readonly ttl?: number | null | undefined
}

/** A sandbox that continues from its log and appends every change to it. */
export function createSandbox(name: string, restored: RestoredSandbox, parts: SandboxParts): Sandbox {
  const observers = parts.observe(name)
  const sandbox = new LiveSandbox(name, restored, { ...parts, observers })
  return Object.assign(sandbox, ...observers.map(({ members }) => members)) as Sandbox
}

interface ObservedParts extends Omit<SandboxParts, 'observe'> {
  readonly observers: readonly SandboxObserver[]
}

class LiveSandbox {
  readonly name: string
  #image: OwnedImage
  readonly #log: EventLog
  readonly #parts: ObservedParts
  /** By the name of the state part. */
  #schedulers: ReadonlyMap<string, Scheduler>
  #scheduler: Scheduler
  #behaviours: Behaviours
  /** Milliseconds for which former versions of things are kept. */
  #keepFor: number
  #requestIdOf: (request: number) => string
  #nextEvent: number
  /** Epoch ms before which no event falls due. */
  #quietUntil: number
  /** Made when its clock is first set. */
  #clockSetter: ClockSetter | undefined

  constructor(name: string, { image, log }: RestoredSandbox, parts: ObservedParts) {
    this.name = name
    this.#image = copyImage(image)
    this.#log = log
    this.#parts = parts
    const { model, overrides, seed } = this.state
    this.#behaviours = parts.behavioursOf(overrides)
    this.#keepFor = model.keepFor(this.settings)
    this.#requestIdOf = createRequestIds(seed)
    this.#nextEvent = log.recent().next
    this.#schedulers = model.createSchedulers(this)
    this.#scheduler = joinSchedulers([...this.#schedulers.values()])
    this.#quietUntil = this.#scheduler.quietUntil()
    log.shared?.belongTo(this.#asShared())
  }

  get state(): State {
    return this.#image.state
  }

  /** The behaviours of the configuration, with the overrides of the state. */
  get behaviours(): Behaviours {
    return this.#behaviours
  }

  get settings(): Behaviours['settings'] {
    return this.#behaviours.settings
  }

  /** How many request ids were given out since the state that a reset returns to. */
  get requests(): number {
    return this.#image.requests
  }

  /** What a reset returns to. */
  get beginning(): Beginning {
    return this.#image.beginning
  }

  /** Snapshots by name, the latest last. A reset keeps them. */
  get checkpoints(): ReadonlyMap<string, Snapshot> {
    return this.#image.checkpoints
  }

  /** The number that the next event of its history gets. */
  get nextEvent(): number {
    return this.#nextEvent
  }

  /** Whether its clock is being advanced. */
  get isBusy(): boolean {
    return this.#clockSetter?.isAdvancing ?? false
  }

  /** Stores the events that fell due, then returns the time, epoch ms. */
  now(): number {
    const shown = this.#shows()
    // An advance stores what falls due itself.
    if (!this.isBusy && shown >= this.#quietUntil) {
      this.#store(this.#scheduler.due(shown).map((due) => due.toEvent()))
      this.#quietUntil = this.#scheduler.quietUntil()
    }
    return shown
  }

  /** An id for the next exchange, from the seed and a counter. */
  nextRequestId(): string {
    const number = this.#log.shared?.takeNumber() ?? this.#image.requests
    if (number >= 0) this.#image.requests = number + 1
    const id = this.#requestIdOf(number)
    this.#log.countRequests?.(this.requests, this.#currentImage)
    return id
  }

  /** What a sandbox needs that other processes change too; undefined for one of this process alone. */
  get shared(): Omit<Shared, 'belongTo' | 'takeNumber'> | undefined {
    return this.#log.shared
  }

  /**
   * Stores events: all of them, or none when storing fails. Those of a shared sandbox are stored by `shared.confirm`.
   *
   * @param requestId the request that they come from
   */
  commit(events: readonly StateEvent[], requestId?: string): void {
    this.#store(events, requestId)
  }

  /** Returns to the initial state, counters included. What fell due meanwhile does not run. */
  reset(): void {
    // The clock of the initial state may differ from the present one.
    const { clock } = this.#image.beginning.state
    this.#store([{ type: 'sandbox.reset', at: readClock(clock, this.#parts.realNow()) }])
  }

  /** A copy of the state and the request counter. */
  snapshot(): Snapshot {
    const taken = this.now()
    return { state: this.state.model.copy(this.state), requests: this.requests, taken }
  }

  /**
   * The state after an event of its history, or before the first.
   *
   * @param shows the time of its clock, epoch ms; that of the event when absent
   * @throws Problem 409 when that is no longer kept, 404 when it never was
   */
  *stateAfter(number: number, shows?: number): Steps<PastState> {
    this.now()
    const { realNow, behavioursOf } = this.#parts
    const keepForOf = ({ model, overrides }: State) => model.keepFor(behavioursOf(overrides).settings)
    return yield* stateAfter(number, this.#log.recent(), { sandbox: this.name, realNow, keepForOf, shows })
  }

  /** Replaces the state by a snapshot. If its clock runs, what fell due since then is stored next. */
  restore(state: Beginning): void {
    this.#store([{ type: 'state.imported', state }])
  }

  /** Replaces a checkpoint of the same name. */
  takeCheckpoint(name: string): Snapshot {
    const snapshot = this.snapshot()
    this.#store([{ type: 'checkpoint.taken', name, snapshot }])
    return snapshot
  }

  /** @throws Error when there is no checkpoint of that name */
  restoreCheckpoint(name: string): void {
    this.#store([{ type: 'checkpoint.restored', name }])
  }

  removeCheckpoint(name: string): void {
    this.#store([{ type: 'checkpoint.removed', name }])
  }

  /** Its latest events. */
  history(): Recent {
    return this.#log.recent()
  }

  /** Epoch ms of the next event that falls due: of everything, or of one thing of a part of the state. */
  nextDue(part?: string, id?: number): number | undefined {
    this.now()
    return part === undefined ? this.#scheduler.next() : this.#schedulers.get(part)?.next(id)
  }

  /** Resolves when an advance of the clock is over; undefined when there is none. @throws Problem 503 when too many wait */
  whenFree(): Promise<void> | undefined {
    return this.#clockSetter?.whenFree()
  }

  /**
   * Moves the clock forward to a moment, epoch ms, in steps: each stores some of the events that fall due and moves the clock to the
   * last of them. Other requests to the sandbox wait meanwhile; see `whenFree`.
   *
   * @returns what fell due
   * @throws Problem 409 when there would be too many events; then nothing has changed
   */
  advance(to: number, pause: Pause): Promise<readonly DueEvent[]> {
    return this.setClock(moveClock(this.state.clock, to, this.#parts.realNow()), pause)
  }

  /** Sets the clock; forward as `advance` does. */
  async setClock(clock: Clock, pause: Pause): Promise<readonly DueEvent[]> {
    this.#clockSetter ??= new ClockSetter(this.#clocked())
    return this.#clockSetter.set(clock, this.now(), pause)
  }

  /** Stores an event of a history again, and sets how many request ids were given out by then. */
  replayEvent(event: SandboxEvent | undefined, requests: number): void {
    if (event) {
      this.#store([event])
      if (isStateEvent(event)) this.#scheduler.onRepeat(event)
      this.#quietUntil = this.#scheduler.quietUntil()
    }
    this.#image.requests = requests
  }

  /**
   * Applies a changed configuration.
   *
   * @param initial its initial state; undefined where that is as before
   * @param beginning the new state for resets; undefined for a sandbox that keeps its own
   */
  rebase(initial?: State, beginning?: Beginning): void {
    // What fell due before was due by the former settings.
    this.now()
    if (initial) {
      rebaseImage(this.#image, initial)
      this.#schedulers = initial.model.createSchedulers(this)
      this.#scheduler = joinSchedulers([...this.#schedulers.values()])
    }
    this.#refreshDerived()
    if (!initial || !this.#log.restart) return
    const { seed } = this.#image.beginning.state
    if (beginning) this.#image.beginning = { ...beginning, state: { ...beginning.state, seed } }
    // A replay leaves out requests whose events are older than the log. Skipping a number makes all earlier requests older, also those
    // without events: they were handled under the former configuration.
    this.#nextEvent++
    this.#log.restart(copyImage(this.#image), this.#nextEvent)
  }

  /** Called when it is deleted. */
  close(): void {
    for (const observer of this.#parts.observers) observer.onDelete?.()
  }

  readonly #currentImage = () => this.#image

  #shows(): number {
    return readClock(this.state.clock, this.#parts.realNow())
  }

  #store(events: readonly SandboxEvent[], requestId?: string): void {
    if (events.length === 0) return
    this.#append(events, requestId)
    this.#quietUntil = this.#scheduler.quietUntil()
    this.#log.tidy?.(this.#currentImage)
  }

  /** Logs first: an event that does not fit in the log must not be applied. */
  #append(events: readonly SandboxEvent[], requestId: string | undefined): void {
    const at = this.#shows()
    try {
      this.#log.append(this.#nextEvent, { at, requests: this.requests, requestId, events })
    } catch (error) {
      this.#forget()
      throw error
    }
    this.#nextEvent += events.length
    for (const event of events) {
      this.#apply(event, at)
      if (!this.#log.shared) this.#announce(event)
    }
  }

  #apply(event: SandboxEvent, at: number): void {
    this.#evolve(this.#image, event, at)
    if (replacesState(event) || event.type === 'behaviours.changed') this.#refreshDerived()
    else if (isStateEvent(event)) this.#scheduler.onEvent(event)
  }

  #evolve(image: OwnedImage, event: SandboxEvent, at: number): void {
    evolveImage(image, event, { at, ...(this.#keepFor > 0 ? { keptSince: at - this.#keepFor } : {}) })
  }

  #announce(event: SandboxEvent, isOwn = true): void {
    for (const observer of this.#parts.observers)
      if (!observer.types || observer.types.includes(event.type)) observer.onEvent?.(event, this.state, isOwn)
  }

  /** Recomputes what depends on the state and the behaviours. */
  #refreshDerived(): void {
    this.#requestIdOf = createRequestIds(this.state.seed)
    this.#behaviours = this.#parts.behavioursOf(this.state.overrides)
    this.#keepFor = this.state.model.keepFor(this.settings)
    this.#forget()
  }

  /** Drops the plan: what was planned but not stored falls due again. */
  #forget(): void {
    this.#scheduler.forget()
    this.#quietUntil = this.#scheduler.quietUntil()
  }

  #asShared(): SharedSandbox {
    const image = () => this.#image
    return {
      get image() {
        return image()
      },
      replace: (replaced, nextEvent) => {
        this.#image = replaced
        this.#nextEvent = nextEvent
        this.#refreshDerived()
      },
      evolve: (kept, event, at) => this.#evolve(kept, event, at),
      follow: (event, at) => {
        this.#nextEvent++
        this.#apply(event, at)
        if (isStateEvent(event)) this.#scheduler.onRepeat(event)
        this.#quietUntil = this.#scheduler.quietUntil()
      },
      announce: (event, isOwn) => this.#announce(event, isOwn),
    }
  }

  #clocked(): ClockedSandbox {
    return {
      name: this.name,
      isShared: this.#log.shared !== undefined,
      clock: () => this.state.clock,
      nextEvent: () => this.#nextEvent,
      realNow: this.#parts.realNow,
      plan: (until) => this.#scheduler.plan(until),
      store: (events) => this.#store(events),
      forget: () => this.#forget(),
    }
  }
}
