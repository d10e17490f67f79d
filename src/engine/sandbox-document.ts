import { type Violation, violation } from '../base/errors/problem.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'
import { lazily } from '../base/formats/json-pieces.ts'
import { readInstant, iso } from '../base/formats/instant.ts'
import { type Beginning, type Image, isStateEvent, type SandboxEvent } from './snapshot.ts'
import type { EventDocument, Origin, State, StateModel, Writing } from './state.ts'
import { runSteps, type Steps } from './slices.ts'

/** States and events as documents: for the control API, logs and replays. */

export const STATE_VERSION = 1

/** A sandbox without its checkpoints. The other members come from the parts of the state. */
export interface StateDocument {
  readonly format: 'standin-state'
  readonly version: number
  readonly requests: number
}

const atOnce: typeof lazily = (items, make) => Array.from(items, make)

/** A whole state, however large. */
export function writeStateDocument(
  { state, requests }: Beginning,
  { list = atOnce, ...writing }: Partial<Writing> = {},
): StateDocument {
  const members = state.model.write(state, { ...writing, list })
  return { format: 'standin-state', version: STATE_VERSION, requests, ...members }
}

/** Every part is checked before anything is changed. @throws Problem 400 with what is wrong */
export function* readStateDocument(document: StateDocument, origin: Origin): Steps<Beginning> {
  return { state: yield* origin.model.read(document, origin), requests: document.requests }
}

/** An event of a log. An imported state is written with everything in it. */
export function writeEvent(event: SandboxEvent, initialState: State): EventDocument {
  if (event.type !== 'state.imported') return outlineEvent(event, initialState.model, initialState)
  return { type: event.type, state: writeStateDocument(event.state, { initialState }) }
}

/** The same without an imported state. @param initialState its things are only named */
export function outlineEvent(event: SandboxEvent, model: StateModel, initialState?: State): EventDocument {
  if (isStateEvent(event)) return model.writeEvent(event, initialState)
  switch (event.type) {
    case 'sandbox.reset':
      return { type: event.type, since: iso(event.at) }
    case 'state.imported':
      return { type: event.type }
    case 'checkpoint.taken':
      return { type: event.type, name: event.name, now: iso(event.snapshot.taken) }
    case 'checkpoint.removed':
    case 'checkpoint.restored':
      return event
  }
}

interface WrittenEvent extends EventDocument {
  readonly since: string
  readonly now: string
  readonly name: string
  readonly state: StateDocument
}

/**
 * Reads an event of a log.
 *
 * @param image the sandbox as it was before
 * @throws Problem or Error for what Standin did not write
 */
export function readEvent(document: EventDocument, image: Image, origin: Origin): SandboxEvent {
  const { type, since, now, name, state } = document as WrittenEvent
  switch (type) {
    case 'sandbox.reset':
      return { type: 'sandbox.reset', at: readInstant(since, { pointer: '/since' }) }
    case 'state.imported':
      return { type: 'state.imported', state: runSteps(readStateDocument(state, origin)) }
    case 'checkpoint.taken': {
      const taken = readInstant(now, { pointer: '/now' })
      const snapshot = { state: origin.model.copy(image.state), requests: image.requests, taken }
      return { type: 'checkpoint.taken', name, snapshot }
    }
    case 'checkpoint.removed':
    case 'checkpoint.restored':
      return { type, name }
    default:
      return origin.model.readEvent(document, origin)
  }
}

/**
 * Refuses ids that are there twice, or that are not below the next one.
 *
 * @param name of the member that holds the list
 * @throws Problem 400
 */
export function refuseRepeatedIds(
  list: readonly { readonly id: number | string }[],
  name: string,
  next?: { readonly name: string; readonly id: number },
): void {
  const violations: Violation[] = []
  const ids = new Set<number | string>()
  for (const [index, { id }] of list.entries()) {
    const pointer = `/${name}/${index}/id`
    if (ids.has(id)) violations.push(violation({ pointer }, 'repeated', 'each id once', id))
    if (next && Number(id) >= next.id)
      violations.push(violation({ pointer }, next.name, `an id below ${next.name}`, id))
    ids.add(id)
  }
  if (violations.length > 0) throw requestInvalid(violations)
}
