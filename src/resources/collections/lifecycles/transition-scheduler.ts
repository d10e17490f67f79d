import { type Agenda, createAgenda } from '../../../engine/clock/agenda.ts'
import { runSteps, type Steps } from '../../../engine/slices.ts'
import type { AdvancePlan, DueEvent, ScheduledSandbox, Scheduler, StateEvent } from '../../../engine/state.ts'
import { tooManyTransitions } from '../../../base/errors/resource-errors.ts'
import { iso, LAST_INSTANT } from '../../../base/formats/instant.ts'
import { type HiddenFacts, type StoredDocument, storeDocument, entriesIn } from '../documents/stored-document.ts'
import { withValue } from '../../../contract/pointer.ts'
import { factsAfter, type Lifecycle, nextTransition, type Transition } from './lifecycle.ts'
import type { Members } from '../../../base/formats/json.ts'

/** The statuses that time changes. */
export interface TimedLifecycles {
  /** Those of the items of an instance such as `customers/1/orders`; undefined where time changes none. */
  of(instance: string): InstanceLifecycles | undefined
  readonly isEmpty: boolean
  /** The hidden facts of a document from a fixture, a state or the control API. */
  factsOf(instance: string, written: Parameters<typeof factsAfter>[1]): HiddenFacts | undefined
}

export const NO_LIFECYCLES: TimedLifecycles = {
  of: () => undefined,
  isEmpty: true,
  factsOf: (_, { before }) => before?.hidden,
}

interface InstanceLifecycles {
  readonly lifecycles: readonly Lifecycle[]
  /** A document with what each change sets besides, such as `updated_at`. @param now epoch ms */
  stamp(value: Members, written: { readonly before: Members; readonly now: number }): Members
}

/** For one move of the clock. */
const MAX_TRANSITIONS = 100_000

/** Finds the documents whose status falls due to change. */
export class TransitionScheduler implements Scheduler {
  readonly #sandbox: ScheduledSandbox
  readonly #lifecycles: () => TimedLifecycles
  #agenda: Agenda<string> | undefined

  constructor(sandbox: ScheduledSandbox, lifecycles: () => TimedLifecycles) {
    this.#sandbox = sandbox
    this.#lifecycles = lifecycles
  }

  quietUntil(): number {
    return this.#present().first()?.at ?? Infinity
  }

  next(): number | undefined {
    return this.#present().first()?.at
  }

  due(until: number): readonly DueEvent[] {
    return runSteps(this.#take(this.#present(), until, Infinity)) ?? []
  }

  *plan(until: number): Steps<AdvancePlan> {
    const after = this.#present().copy()
    yield
    const due = yield* this.#take(after, until, MAX_TRANSITIONS)
    if (!due)
      throw tooManyTransitions({
        detail: `Up to ${iso(until)} more than ${MAX_TRANSITIONS.toLocaleString('en')} documents would change. Nothing was changed. Move the clock in smaller steps.`,
      })
    return { due, take: () => void (this.#agenda = after) }
  }

  onEvent(event: StateEvent): void {
    if (!this.#agenda) return
    if (event.type === 'document.removed') this.#agenda.set(keyOf(event.collection, event.id), undefined)
    else if (event.type === 'document.created' || event.type === 'document.updated')
      this.#agenda.set(keyOf(event.collection, event.id), this.#dueOf(event.collection, event.document))
  }

  onRepeat(): void {
    // `onEvent` reads all from the document.
  }

  forget(): void {
    this.#agenda = undefined
  }

  #present(): Agenda<string> {
    return (this.#agenda ??= createAgenda(this.#appointments()))
  }

  *#appointments() {
    for (const [collection, { entries }] of this.#sandbox.state.collections) {
      const timed = this.#lifecycles().of(collection)
      if (!timed) continue
      for (const { id, document } of entriesIn(entries)) {
        const at = nextTransition(timed.lifecycles, document)?.at
        if (at !== undefined) yield { at, key: keyOf(collection, id) }
      }
    }
  }

  #dueOf(collection: string, document: StoredDocument): number | undefined {
    // A status changes some time after the moment since when it holds, which is hidden.
    if (!document.hidden) return undefined
    const timed = this.#lifecycles().of(collection)
    const at = timed && nextTransition(timed.lifecycles, document)?.at
    return at === undefined || at > LAST_INSTANT ? undefined : at
  }

  /** Takes what falls due from an agenda, one in each step; undefined when it is too much. It ends, because lifecycles have no cycles by time. */
  *#take(agenda: Agenda<string>, until: number, most: number): Steps<readonly DueEvent[] | undefined> {
    const { state } = this.#sandbox
    const due: DueEvent[] = []
    /** Documents that this changes more than once. */
    const changed = new Map<string, StoredDocument>()
    for (let first = agenda.first(); first && first.at <= until; first = agenda.first()) {
      const { key } = first
      const [collection, id] = splitKey(key)
      const timed = this.#lifecycles().of(collection)
      const before = changed.get(key) ?? state.collections.get(collection)?.get(id)
      const transition = timed && before && nextTransition(timed.lifecycles, before)
      if (!transition) throw new Error(`the agenda has the document ${id} of ${collection}, which does not change`)
      const document = documentAfter(before, transition, timed)
      changed.set(key, document)
      due.push(new DueTransition(transition, { collection, id, document }))
      if (due.length > most) return undefined
      agenda.set(key, this.#dueOf(collection, document))
      yield
    }
    return due
  }
}

function documentAfter(
  before: StoredDocument,
  { lifecycle, value, at }: Transition,
  { lifecycles, stamp }: InstanceLifecycles,
): StoredDocument {
  const changed = withValue(before.value, lifecycle.pointer, value)
  const after = stamp(changed, { before: before.value, now: at })
  return storeDocument(after, factsAfter(lifecycles, { before, value: after, now: at }))
}

interface DocumentChange {
  readonly collection: string
  readonly id: string
  readonly document: StoredDocument
}

class DueTransition implements DueEvent {
  readonly #transition: Transition
  readonly #event: DocumentChange

  constructor(transition: Transition, event: DocumentChange) {
    this.#transition = transition
    this.#event = event
  }

  readonly listedIn = 'transitions'
  readonly parts = 1

  get at() {
    return this.#transition.at
  }

  toEvent() {
    return { type: 'document.updated', ...this.#event } as const
  }

  show() {
    const { at, lifecycle, from, value } = this.#transition
    const { collection, id } = this.#event
    return { at: iso(at), collection, id, member: lifecycle.pointer, from, to: value }
  }
}

/** The names of collections have no spaces. */
function keyOf(collection: string, id: string): string {
  return `${collection} ${id}`
}

function splitKey(key: string): [collection: string, id: string] {
  const at = key.indexOf(' ')
  return [key.slice(0, at), key.slice(at + 1)]
}
