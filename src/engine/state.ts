import type { OverrideError, Overrides } from '../behaviours/behaviours.ts'
import type { Integer } from '../base/formats/json.ts'
import type { lazily } from '../base/formats/json-pieces.ts'
import type { BehaviourSettings } from '../../types/behaviour-settings.d.ts'
import type { Clock } from './clock/clock.ts'
import type { Steps } from './slices.ts'

/**
 * All state of one sandbox, as everybody but `evolve` sees it. Each part of the state (`StatePart`) adds its own members by declaration
 * merging: `declare module '…/engine/state.ts' { interface State { … } }`.
 */
export interface State {
  /** How the state is copied, changed, written and read. */
  readonly model: StateModel
  readonly seed: number
  readonly clock: Clock
  /** Settings of behaviours in this state that differ from the configuration, by behaviour id. */
  readonly overrides: Overrides
}

/** A state that its sandbox owns and `evolve` may change in place. */
export interface OwnedState extends State {
  model: StateModel
  clock: Clock
  overrides: Overrides
}

export const NO_OVERRIDES: Overrides = {}

/** The members of each type of event. Each part of the state adds its own events by declaration merging. @public */
export interface StateEvents {
  /** `from` and `to` are what it showed before and after, epoch ms. */
  'clock.moved': { readonly clock: Clock; readonly from: number; readonly to: number }
  /** All overrides from now on. */
  'behaviours.changed': { readonly overrides: Overrides }
}

/** A change of the state: past tense, and complete, so that storing it needs no decision. */
export type StateEvent = {
  readonly [Type in keyof StateEvents]: { readonly type: Type } & StateEvents[Type]
}[keyof StateEvents]

/** When an event happened, epoch ms by the clock of the sandbox. */
export interface EventTime {
  readonly at: number
  /** Former versions from this moment on are kept, for reads that see changes late. */
  readonly keptSince?: number
}

/** How one type of event is stored in the state, and in logs. Where `write` and `read` are absent its members are JSON as they are. */
export interface EventKind<Event> {
  /** Stores the event in place. It only stores: what the event says was decided, and checked, before. */
  evolve(state: OwnedState, event: Event, time: EventTime): void
  /** The members as JSON. @param initialState the state whose file sets are only named */
  write?(event: Event, initialState?: State): object
  /** @throws Problem for what Standin did not write */
  read?(written: never, origin: Origin): Event
  /** About how much it holds besides itself; 0 when absent. Logs in memory are bounded by it. */
  parts?(event: Event): number
  /** What the stream of a sandbox sends for the event; one message with the event as it is written when absent. */
  publish?(event: Event): readonly StreamMessage[]
}

/** A server-sent event of a sandbox's stream. Thousands are kept, so it must not hold long lists. */
export interface StreamMessage {
  readonly event: string
  /** A function is called when a listener reads it. */
  readonly data: object | (() => object)
}

/** A message that the state has changed. */
export function stateChange(type: string, members: object = {}): StreamMessage {
  return { event: 'state', data: { type, ...members } }
}

/** What writes a state into a document. */
export interface Writing {
  /** File sets of this state, as they are in it, are only named. */
  readonly initialState?: State | undefined
  /** A state to be compared with: what that one has changed is written, also where this one still has it as it began. */
  readonly beside?: State | undefined
  /** How lists are made: at once, or when they are written. */
  readonly list: typeof lazily
}

/** What documents that come from outside are checked by. Parts of the state add their own by declaration merging. @public */
export interface StateRules {
  /** Epoch ms of a midnight: the date of things that have none. */
  readonly firstMoment: number
  checkOverrides(overrides: Overrides): readonly OverrideError[]
}

/** Where a document comes from. */
export interface Origin {
  readonly model: StateModel
  /** Absent for what Standin wrote itself: it was checked before, and other settings may refuse it today. */
  readonly rules?: StateRules | undefined
  /** The state whose file sets are only named. */
  readonly initialState?: State | undefined
  /** Things that were generated already, by what they were generated from; for reading many states. */
  readonly made?: Map<string, unknown>
}

/** What fixture files give. Parts of the state add their own by declaration merging. @public */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface Fixtures {}

/** What an initial state is created from. */
export interface InitialStateOptions {
  readonly seed: number
  readonly settings: BehaviourSettings
  readonly rules: StateRules
  readonly fixtures: Fixtures
  /** The user who owns things that fixtures give no owner. */
  readonly ownerId: Integer
  readonly clock: Clock
  /** Epoch ms of a midnight; generated dates lie before it. */
  readonly firstMoment: number
}

/** An event that time brings. It is made when it is stored, because an advance of the clock may plan a million of them. */
export interface DueEvent {
  /** Epoch ms by the sandbox's clock. */
  readonly at: number
  /** About how much the event holds; see `EventKind.parts`. */
  readonly parts: number
  toEvent(): StateEvent
  /** The member of the response to an advance of the clock that lists it. */
  readonly listedIn: 'runs' | 'transitions'
  /** As that member lists it. */
  show(): object
}

/** The events of an advance, in order. */
export interface AdvancePlan {
  readonly due: readonly DueEvent[]
  /** Counts them as done: store them at once, or call `forget`. */
  take(): void
}

/** Works out which events fall due in one sandbox. It has no timer and changes no state: its caller stores what it returns. */
export interface Scheduler {
  /** Epoch ms before which nothing falls due. Cheap: it may be too early. */
  quietUntil(): number
  /** Epoch ms of the next event, of all things or of one; undefined when there is none. */
  next(id?: number): number | undefined
  /** The events up to an instant, in order. */
  due(until: number): readonly DueEvent[]
  /** The same for an advance of the clock, in steps. @throws Problem 409 when there are too many */
  plan(until: number): Steps<AdvancePlan>
  /** Called after any other event was stored. */
  onEvent(event: StateEvent): void
  /** Called after an event of a history was stored again, which may be one that fell due. */
  onRepeat(event: StateEvent): void
  /** Called when the state or the behaviours were replaced. */
  forget(): void
}

/** What a scheduler is created with. Both may change when `forget` is called. */
export interface ScheduledSandbox {
  readonly state: State
  readonly settings: BehaviourSettings
}

/** What a kind of resource, or anything else that sandboxes keep, brings to the state. */
export interface StatePart<Types extends keyof StateEvents = never> {
  readonly name: string
  readonly events: { readonly [Type in Types]: EventKind<StateEvents[Type]> }
  /** Its members of the initial state. @param known an earlier state, whose generated parts may be shared */
  initial(options: InitialStateOptions, known?: State): Partial<State>
  /** How many things of each kind a state has, by the names that the control API gives them. */
  count?(state: State): Readonly<Record<string, number>>
  /** In a state that was just copied, replaces what `evolve` changes in place by copies. */
  own(state: OwnedState): void
  /** Its members of a state document. */
  write(state: State, writing: Writing): object
  /** Whether a state document may have a member that the control API's contract does not list, by its JSON pointer. */
  accepts?(pointer: string, rules: StateRules): boolean
  /** Does in steps what takes long in `write`. */
  prepare?(state: State, initialState?: State): Steps<undefined>
  /** @throws Problem 409 when the state is too large for one document */
  refuseTooLarge?(state: State, initialState?: State): void
  /** Reads its members of a state document. @throws Problem 400 */
  read(document: never, origin: Origin): Partial<State> | Steps<Partial<State>>
  /** The sandbox begins anew at `at`, epoch ms by its clock. */
  begin?(state: OwnedState, at: number): void
  /** Creates what works out which of its events fall due in a sandbox; undefined where none ever will. */
  createScheduler?(sandbox: ScheduledSandbox): Scheduler | undefined
  /** After a change of the configuration, takes from the new initial state what no event changes. */
  rebase?(state: OwnedState, initial: State): void
  /** Milliseconds for which former versions of its things are kept, for reads that see changes late. */
  keepFor?(settings: BehaviourSettings): number
  /** The clock was moved; it shows `to`, epoch ms. */
  clockMoved?(state: OwnedState, moved: StateEvents['clock.moved']): void
}

/** A part whatever its events are. */
export type AnyStatePart = Omit<StatePart, 'events'> & { readonly events: object }

/** All parts of the state as one: a call goes to every part, and a yes of one part is a yes of all. */
export interface StateModel extends Required<
  Pick<AnyStatePart, 'begin' | 'keepFor' | 'count' | 'write' | 'accepts' | 'prepare' | 'refuseTooLarge'>
> {
  /** A state of one's own that starts like another; large parts are shared. */
  copy(state: State): OwnedState
  evolve(state: OwnedState, event: StateEvent, time: EventTime): void
  /** Lets a state of another configuration follow this one. @param initial the initial state of this configuration */
  rebase(state: OwnedState, initial: State): void
  /** By the name of the part. */
  createSchedulers(sandbox: ScheduledSandbox): ReadonlyMap<string, Scheduler>
  initial(options: InitialStateOptions, known?: State): State
  /** About how much an event holds. */
  partsOf(event: StateEvent): number
  writeEvent(event: StateEvent, initialState?: State): EventDocument
  publish(event: StateEvent): readonly StreamMessage[]
  /** @throws Error for a type that no part has */
  readEvent(document: EventDocument, origin: Origin): StateEvent
  read(document: object, origin: Origin): Steps<State>
}

/** An event as data: its type, and the members of that type. */
export interface EventDocument {
  readonly type: string
  readonly [member: string]: unknown
}
