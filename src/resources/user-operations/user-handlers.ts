import { createCallView } from './call-view.ts'
import type { UserOperation } from './define-operation.ts'
import type { OwnedState, State, StateEvent, StateRules } from '../../engine/state.ts'
import { readOutcome } from './read-outcome.ts'
import { createStateView } from './state-view.ts'
import { type Call, EventDefect, type Handler, NotReady, type Outcome } from '../handler.ts'
import { Defect, shown, StartupError } from '../../base/errors/problem.ts'
import { createDocumentReader, type DocumentEvent } from '../collections/documents/read-document-event.ts'
import { type FileEvent, readFileEvent } from '../file-sets/read-file-event.ts'
import {
  type EventOrigin,
  readReportScheduleEvent,
  type ReportScheduleEvent,
} from '../report-schedules/given-report-schedules.ts'
import type { HandlersSetting, Config } from '../../config/config.ts'
import type { UserEvent } from './events.ts'
import { asObject, isObject } from '../../base/formats/json.ts'
import { types } from 'node:util'
import { nearest } from '../../base/errors/wording.ts'
import type { Contract } from '../../contract/contract.ts'

/**
 * A user's handler as a `Handler`. Requests are validated against the contract before.
 *
 * @param from its file, or the option that named it
 * @param rules check its events
 * @param called what messages call it
 */
export function createUserHandler(
  { operationId, handle }: UserOperation,
  from: string,
  rules: () => StateRules,
  called = `The handler of ${operationId}`,
): Handler {
  return {
    takesNothing: true,
    assertExists() {
      // The user's handler checks itself whether things exist.
    },
    read: (state, call) => ({
      violations: [],
      decide: () => decide(handle, { state, call, from, rules: rules(), called }),
    }),
  }
}

interface HandlerCall {
  readonly state: State
  readonly call: Call
  readonly from: string
  readonly rules: StateRules
  /** What messages call it. They are part of responses, so no file is named. */
  readonly called: string
}

/** @throws Problem for an error response, NotReady for documents that are to be made first, Defect for anything else that is no response */
function decide(handle: UserOperation['handle'], { state, call, from, rules, called }: HandlerCall): Outcome {
  const returned = run(handle, { state, call, from, called })
  const { outcome, events } = readOutcome(called, from, returned)
  const { now, identity } = call
  try {
    return { ...outcome, events: readEvents(events, state, { rules, origin: { now, userId: identity.userId } }) }
  } catch (error) {
    if (!(error instanceof EventDefect)) throw error
    throw new Defect(`${called} returned what cannot happen. ${error.message}`, { handlers: from })
  }
}

function run(handle: UserOperation['handle'], { state, call, from, called }: Omit<HandlerCall, 'rules'>): unknown {
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
    throw new Defect(`${called} threw ${what}`, { handlers: from, cause: error })
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
  switch (asObject(event).type) {
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
      throw new EventDefect('it is not an event. Make events with the makers in `events`.')
  }
}

/** The reader of document events keeps track of documents itself, so they need not be copied. */
function copyWithoutDocuments(state: State): OwnedState {
  return state.model.copy({ ...state, collections: new Map() })
}

/**
 * The handlers of the user's own operations, by operationId.
 *
 * @param setting definitions, one or a list, and how to name their place in messages
 * @param known the operationIds of the contract
 * @param rules how their events are read; needed with the first request
 * @throws StartupError with everything that is wrong
 */
function createUserHandlers(
  { definitions: given, from: where }: HandlersSetting,
  known: readonly string[],
  rules: () => StateRules,
): ReadonlyMap<string, Handler> {
  if (!Array.isArray(given) && !isDefinition(given)) {
    const expected = "an operation made with defineOperation('operationId', …), or a list of them"
    throw new StartupError([`${where}: expected ${expected}; got ${shown(given)}.`])
  }
  const complaints: string[] = []
  const handlers = new Map<string, Handler>()
  for (const [index, one] of (Array.isArray(given) ? given : [given]).entries()) {
    const say = (complaint: string) => void complaints.push(`${where}: ${complaint}`)
    if (!isDefinition(one))
      say(`element ${index + 1} is not an operation. Make it with defineOperation('operationId', …).`)
    else if (!known.includes(one.operationId)) say(unknownOperation(one.operationId, known))
    else if (handlers.has(one.operationId)) say(`the operation ${one.operationId} is there twice. Remove one.`)
    else if (isDeferred(one.handle)) say(deferred(one))
    else handlers.set(one.operationId, createUserHandler(one, where, rules))
  }
  if (complaints.length > 0) throw new StartupError(complaints)
  return handlers
}

function isDefinition(one: unknown): one is UserOperation {
  return isObject(one) && typeof one.operationId === 'string' && typeof one.handle === 'function'
}

/** An async or generator function is recognised before it is called. */
function isDeferred(handle: UserOperation['handle']): boolean {
  return types.isAsyncFunction(handle) || types.isGeneratorFunction(handle)
}

function deferred({ operationId, handle }: UserOperation): string {
  const kind = types.isGeneratorFunction(handle) ? 'a generator' : 'async'
  const remedy =
    'Make it an ordinary function that returns { status, body }, and load what it needs at the top of the file.'
  return `the handler of ${operationId} is ${kind}. ${remedy}`
}

function unknownOperation(operationId: string, known: readonly string[]): string {
  const meant = nearest(operationId, known)
  const hint = meant === undefined ? `Operations: ${known.slice(0, 20).join(', ')}.` : `Did you mean ${shown(meant)}?`
  return `the contract has no operation ${shown(operationId)}. ${hint}`
}

const NONE: ReadonlyMap<string, Handler> = new Map()

/**
 * The user's own handlers, by operationId.
 *
 * @param rules how their events are read; needed with the first request
 * @throws StartupError for values that are not handlers, and for handlers without an operation in the contract
 */
export function loadUserHandlers(
  { handlers }: Config,
  { operations }: Contract,
  rules: () => StateRules,
): ReadonlyMap<string, Handler> {
  if (handlers === undefined) return NONE
  if (typeof handlers === 'string') {
    const file = /^(\.|\/|file:)/.test(handlers) ? handlers : `./${handlers}`
    const remedy = `Give what it exports: (await import(${JSON.stringify(file)})).default.`
    throw new StartupError([
      `handlers: createStandin cannot import a file, because an import needs an await. ${remedy}`,
    ])
  }
  const known = operations.map(({ operationId }) => operationId)
  return createUserHandlers(handlers, known, rules)
}
