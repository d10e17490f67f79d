import { createCallView } from './call-view.ts'
import type { UserOperation } from './define-operation.ts'
import type { OwnedState, State, StateEvent, StateRules } from '../engine/state.ts'
import { readOutcome } from './read-outcome.ts'
import { createStateView } from './state-view.ts'
import { type Call, EventDefect, type Handler, NotReady, type Outcome } from '../resources/handler.ts'
import { Defect } from '../errors/problem.ts'
import { createDocumentReader, type DocumentEvent } from '../resources/collections/documents/read-document-event.ts'
import { type FileEvent, readFileEvent } from '../resources/file-sets/read-file-event.ts'
import {
  type EventOrigin,
  readReportScheduleEvent,
  type ReportScheduleEvent,
} from '../resources/report-schedules/given-report-schedules.ts'
import type { UserEvent } from './events.ts'
import { isObject } from '../formats/json.ts'

/**
 * A user's handler as a `Handler`. Requests are validated against the contract before.
 *
 * @param from its file, or the option that named it
 * @param rules check its events
 */
export function createUserHandler(
  { operationId, handle }: UserOperation,
  from: string,
  rules: () => StateRules,
): Handler {
  return {
    takesNothing: true,
    normalizeBody: (body) => body,
    find() {
      // The user's handler checks itself whether things exist.
    },
    read: (state, call) => ({
      violations: [],
      decide: () => decide(operationId, handle, { state, call, from, rules: rules() }),
    }),
  }
}

interface Asked {
  readonly state: State
  readonly call: Call
  readonly from: string
  readonly rules: StateRules
}

/** @throws Problem for an error response, NotReady for documents that are to be made first, Defect for anything else that is no response */
function decide(operationId: string, handle: UserOperation['handle'], { state, call, from, rules }: Asked): Outcome {
  const returned = run(operationId, handle, { state, call, from })
  const { outcome, events } = readOutcome(operationId, from, returned)
  const { now, identity } = call
  try {
    return { ...outcome, events: readEvents(events, state, { rules, origin: { now, userId: identity.userId } }) }
  } catch (error) {
    if (!(error instanceof EventDefect)) throw error
    throw new Defect(`The handler of ${operationId} returned what cannot happen. ${error.message}`, { handlers: from })
  }
}

function run(
  operationId: string,
  handle: UserOperation['handle'],
  { state, call, from }: Omit<Asked, 'rules'>,
): unknown {
  // A handler may catch what `state.collection` throws, and would respond as if there were no documents.
  const waits = new Set<NotReady>()
  const view = createStateView(state, call.tracker, (error) => waits.add(error))
  try {
    const returned = handle(view, createCallView(call, state.seed))
    for (const wait of waits) throw wait
    return returned
  } catch (error) {
    for (const wait of waits) throw wait
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new Defect(`The handler of ${operationId} threw ${what}`, { handlers: from, cause: error })
  }
}

/** The most events of a response, and the most files or paths of each. */
const MAX_EVENTS = 1000

/**
 * Turns the events of a user's handler into events of the state. Each is checked against the state after those before it.
 *
 * @throws Defect that names the event and what is wrong with it
 */
function readEvents(
  given: readonly unknown[],
  state: State,
  { rules, origin }: { readonly rules: StateRules; readonly origin: EventOrigin },
): readonly StateEvent[] {
  if (given.length > MAX_EVENTS) throw new EventDefect(`events: expected at most ${MAX_EVENTS}, got ${given.length}.`)
  const readDocumentEvent = createDocumentReader(state, (collection, written) =>
    rules.collections.factsOf(collection, { ...written, now: origin.now }),
  )
  let draft: OwnedState | undefined
  const read = (event: UserEvent): StateEvent => {
    if (isDocumentEvent(event)) return readDocumentEvent(event)
    const made = readOther(event, draft ?? state, { rules, origin })
    // Later events are checked against the state after this one; most responses have one event.
    if (given.length > 1) state.model.evolve((draft ??= copyWithoutDocuments(state)), made, { at: origin.now })
    return made
  }
  return given.map((one, index) => {
    try {
      return read(one as UserEvent)
    } catch (error) {
      if (!(error instanceof EventDefect)) throw error
      throw new EventDefect(`events[${index}]: ${error.message}`)
    }
  })
}

function isDocumentEvent(event: UserEvent): event is DocumentEvent {
  return isObject(event) && DOCUMENT_EVENTS.has(event.type)
}

const DOCUMENT_EVENTS = new Set<UserEvent['type']>(['create-document', 'update-document', 'remove-document'])

/** A value from JavaScript may be anything. */
function readOther(
  event: Exclude<UserEvent, DocumentEvent>,
  state: State,
  { rules, origin }: { readonly rules: StateRules; readonly origin: EventOrigin },
): StateEvent {
  switch (isObject(event) ? event.type : undefined) {
    case 'create-report-schedule':
    case 'change-report-schedule':
    case 'remove-report-schedule':
    case 'run-report-schedule':
      return readReportScheduleEvent(event as ReportScheduleEvent, state, rules.reportSchedules, origin)
    case 'create-file-set':
    case 'remove-file-set':
    case 'add-files':
    case 'remove-files':
      return readFileEvent(event as FileEvent, state, rules.files)
    case undefined:
    default:
      throw new EventDefect('it is no event. Make events with the makers in `events`.')
  }
}

/** The reader of document events keeps track of documents itself, so they need not be copied. */
function copyWithoutDocuments(state: State): OwnedState {
  return state.model.copy({ ...state, collections: new Map() })
}
