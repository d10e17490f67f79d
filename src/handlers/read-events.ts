import { createDocumentReader, type DocumentEvent } from '../resources/collections/documents/read-document-event.ts'
import { type FileEvent, readFileEvent } from '../resources/file-sets/read-file-event.ts'
import {
  type EventOrigin,
  readReportScheduleEvent,
  type ReportScheduleEvent,
} from '../resources/report-schedules/given-report-schedules.ts'
import { EventDefect } from '../resources/handler.ts'
import type { UserEvent } from './events.ts'
import { isObject } from '../formats/json.ts'
import type { OwnedState, State, StateEvent, StateRules } from '../engine/state.ts'

/** The most events of a response, and the most files or paths of each. */
const MAX_EVENTS = 1000

/**
 * Turns the events of a user's handler into events of the state. Each is checked against the state after those before it.
 *
 * @throws Defect that names the event and what is wrong with it
 */
export function readEvents(
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
