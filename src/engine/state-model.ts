import { encodePointer } from '../base/formats/json.ts'
import { shown, violation } from '../base/errors/problem.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'
import type { Clock } from './clock/clock.ts'
import { readInstant, iso } from '../base/formats/instant.ts'
import {
  type AnyStatePart,
  type EventDocument,
  type EventKind,
  type EventTime,
  type InitialStateOptions,
  type ScheduledSandbox,
  type Scheduler,
  type StateRules,
  type StreamMessage,
  type Writing,
  NO_OVERRIDES,
  type Origin,
  type OwnedState,
  type State,
  type StateEvent,
  stateChange,
  type StateModel,
  type StatePart,
} from './state.ts'
import type { Overrides } from '../behaviours/behaviours.ts'
import { isSteps, type Steps } from './slices.ts'
import type { BehaviourSettings } from '../../types/behaviour-settings.d.ts'

/**
 * Joins the parts of the state.
 *
 * @throws Error when two parts have the same name, or the same type of event
 */
export function createStateModel(parts: readonly AnyStatePart[]): StateModel {
  return new JoinedParts([OF_THE_ENGINE, ...parts])
}

class JoinedParts implements StateModel {
  readonly #parts: readonly AnyStatePart[]
  readonly #kinds: ReadonlyMap<string, AnyKind>

  constructor(parts: readonly AnyStatePart[]) {
    this.#parts = parts
    this.#kinds = kindsOf(parts)
  }

  initial(options: InitialStateOptions, known?: State): State {
    return assemble(
      this,
      options.seed,
      this.#parts.map((part) => part.initial(options, known)),
    )
  }

  copy(state: State): OwnedState {
    // What `own` does not replace is never changed in place.
    const copy = { ...state } as OwnedState
    for (const part of this.#parts) part.own(copy)
    return copy
  }

  begin(state: OwnedState, at: number): void {
    for (const part of this.#parts) part.begin?.(state, at)
  }

  rebase(state: OwnedState, initial: State): void {
    state.model = this
    for (const part of this.#parts) part.rebase?.(state, initial)
  }

  evolve(state: OwnedState, event: StateEvent, time: EventTime): void {
    this.#kindOf(event.type).evolve(state, event, time)
    if (event.type === 'clock.moved') for (const part of this.#parts) part.clockMoved?.(state, event)
  }

  createSchedulers(sandbox: ScheduledSandbox): ReadonlyMap<string, Scheduler> {
    const schedulers = new Map<string, Scheduler>()
    for (const part of this.#parts) {
      const scheduler = part.createScheduler?.(sandbox)
      if (scheduler) schedulers.set(part.name, scheduler)
    }
    return schedulers
  }

  keepFor(settings: BehaviourSettings): number {
    return Math.max(...this.#parts.map((part) => part.keepFor?.(settings) ?? 0))
  }

  count(state: State): Record<string, number> {
    return Object.assign({}, ...this.#parts.map((part) => part.count?.(state))) as Record<string, number>
  }

  partsOf(event: StateEvent): number {
    return 1 + (this.#kindOf(event.type).parts?.(event) ?? 0)
  }

  publish(event: StateEvent): readonly StreamMessage[] {
    const kind = this.#kindOf(event.type)
    return kind.publish?.(event) ?? [{ event: 'state', data: kind.write ? () => this.writeEvent(event) : event }]
  }

  writeEvent(event: StateEvent, initialState?: State): EventDocument {
    const kind = this.#kindOf(event.type)
    return (kind.write ? { type: event.type, ...kind.write(event, initialState) } : event) as EventDocument
  }

  readEvent(document: EventDocument, origin: Origin): StateEvent {
    const { type } = document
    const kind = this.#kindOf(type)
    // Without a reader its members are JSON as they are.
    return (kind.read ? { ...kind.read(document as never, origin), type } : document) as unknown as StateEvent
  }

  write(state: State, writing: Writing): object {
    return Object.assign({}, ...this.#parts.map((part) => part.write(state, writing))) as object
  }

  *read(document: object, origin: Origin): Steps<State> {
    const members: Partial<State>[] = []
    for (const part of this.#parts) {
      const work = part.read(document as never, origin)
      members.push(isSteps(work) ? yield* work : work)
    }
    return assemble(this, (document as { readonly seed: number }).seed, members)
  }

  accepts(pointer: string, rules: StateRules): boolean {
    return this.#parts.some((part) => part.accepts?.(pointer, rules) === true)
  }

  *prepare(state: State, initialState?: State): Steps<undefined> {
    for (const part of this.#parts) if (part.prepare) yield* part.prepare(state, initialState)
    return undefined
  }

  refuseTooLarge(state: State, initialState?: State): void {
    for (const part of this.#parts) part.refuseTooLarge?.(state, initialState)
  }

  #kindOf(type: string): AnyKind {
    const kind = this.#kinds.get(type)
    if (kind) return kind
    throw new Error(`there is no event of the type ${shown(type)}: no registered resource has it`)
  }
}

/** Every part has given its members, in the order of the parts, so that all states have one shape. */
function assemble(model: StateModel, seed: number, members: readonly Partial<State>[]): State {
  return Object.assign({ model, seed }, ...members) as State
}

type AnyKind = EventKind<StateEvent>

function kindsOf(parts: readonly AnyStatePart[]): ReadonlyMap<string, AnyKind> {
  const kinds = new Map<string, AnyKind>()
  const names = new Set<string>()
  for (const { name, events } of parts) {
    if (names.has(name)) throw new Error(`two resources are called ${name}. Rename one.`)
    names.add(name)
    for (const [type, kind] of Object.entries(events as Readonly<Record<string, AnyKind>>)) {
      if (kinds.has(type)) throw new Error(`two resources have events of the type ${type}. Rename one.`)
      kinds.set(type, kind)
    }
  }
  return kinds
}

interface WrittenClock {
  readonly mode: Clock['mode']
  readonly at: string
  readonly since?: string | undefined
  readonly rate?: number | undefined
}

interface MovedClock {
  readonly clock: WrittenClock
  readonly from: string
  readonly to: string
}

/** The clock and the overrides of behaviours, which belong to no resource. */
const OF_THE_ENGINE: StatePart<'clock.moved' | 'behaviours.changed'> = {
  name: 'engine',
  events: {
    'clock.moved': {
      evolve(state, { clock }) {
        state.clock = clock
      },
      write: ({ clock, from, to }) => ({ clock: writeClock(clock), from: iso(from), to: iso(to) }),
      read: ({ clock, from, to }: MovedClock) => ({
        clock: readWrittenClock(clock),
        from: readInstant(from, { pointer: '/from' }),
        to: readInstant(to, { pointer: '/to' }),
      }),
      publish({ clock, from, to }) {
        const rate = clock.mode === 'frozen' ? 0 : clock.rate
        return [stateChange('clock.moved', { from: iso(from), to: iso(to), mode: clock.mode, rate })]
      },
    },
    'behaviours.changed': {
      evolve(state, { overrides }) {
        state.overrides = overrides
      },
    },
  },
  initial: ({ clock }) => ({ clock, overrides: NO_OVERRIDES }),
  own() {
    // Its members are never changed in place.
  },
  write: ({ seed, clock, overrides }) => ({ seed, clock: writeClock(clock), behaviours: overrides }),
  read: ({ clock, behaviours = NO_OVERRIDES }: { clock: WrittenClock; behaviours?: Overrides }, origin) => ({
    clock: readWrittenClock(clock),
    overrides: readOverrides(origin, behaviours, '/behaviours'),
  }),
}

/** Settings of behaviours. @throws Problem 400 for those that do not exist */
export function readOverrides({ rules }: Pick<Origin, 'rules'>, overrides: Overrides, pointer: string): Overrides {
  const complaints = rules?.checkOverrides(overrides) ?? []
  if (complaints.length === 0) return overrides
  throw requestInvalid(
    complaints.map(({ id, value, complaint }) => ({
      ...violation(
        { pointer: `${pointer}/${encodePointer(id)}` },
        'behaviour',
        'a setting that the behaviour has',
        value,
      ),
      message: complaint,
    })),
  )
}

function writeClock(clock: Clock): WrittenClock {
  const { mode, at } = clock
  return mode === 'frozen' ? { mode, at: iso(at) } : { mode, at: iso(at), since: iso(clock.since), rate: clock.rate }
}

function readWrittenClock({ mode, at, since, rate }: WrittenClock): Clock {
  const shows = readInstant(at, { pointer: '/clock/at' })
  if (mode === 'frozen') return { mode, at: shows }
  if (since === undefined || rate === undefined)
    throw requestInvalid([violation({ pointer: '/clock' }, 'clock', 'since and rate for a clock that runs')])
  return { mode, at: shows, since: readInstant(since, { pointer: '/clock/since' }), rate }
}
