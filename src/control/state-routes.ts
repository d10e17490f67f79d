import type { HistoryEvent, HistoryPage, StateDocument } from '../../types/control-api.d.ts'
import { type ControlHandler, type ControlRoutes, LIMIT, ok, readCount } from '../engine/control-route.ts'
import type { ControlNeeds } from './control-needs.ts'
import type { LoggedEvent } from '../engine/stores/event-log.ts'
import { partsOf } from '../engine/stores/memory/memory-log.ts'
import { iso } from '../base/formats/instant.ts'
import { outlineEvent, readStateDocument, STATE_VERSION, writeStateDocument } from '../engine/sandbox-document.ts'
import { inSlices } from '../engine/slices.ts'
import type { State } from '../engine/state.ts'
import { stateTooNew } from '../base/errors/control-errors.ts'
import { asObject } from '../base/formats/json.ts'
import { lazily } from '../base/formats/json-pieces.ts'
import { momentBefore } from '../journal/journal-routes.ts'
import { showSandbox } from './sandbox-routes.ts'

const getState: ControlHandler = function* (call) {
  const sandbox = call.sandbox()
  const { initial, before, beside } = call.query
  const compared = beside === undefined ? undefined : call.sandboxes.get(String(beside)).state
  const past = before === undefined ? undefined : momentBefore(sandbox, Number(before))
  const snapshot = past
    ? yield* sandbox.stateAfter(past.at, past.shows)
    : initial === true
      ? sandbox.beginning
      : sandbox.snapshot()
  const { state } = snapshot
  state.model.refuseTooLarge(state)
  yield* state.model.prepare(state)
  return ok(writeStateDocument(snapshot, { list: lazily, beside: compared }))
}

const putState: ControlHandler = function* (call) {
  // A request that names no possible sandbox is refused before the document is read.
  const { model } = call.sandbox().state
  const state = yield* readStateDocument(call.body as StateDocument, { model, rules: call.rules })
  const sandbox = call.sandbox()
  sandbox.restore(state)
  return ok(showSandbox(sandbox, call.sandboxes))
}

/** A document of a newer Standin may have members that this one does not know. @throws Problem 409 */
function refuseNewerState(body: unknown): void {
  const version = asObject(body).version
  if (typeof version !== 'number' || version <= STATE_VERSION) return
  throw stateTooNew({
    detail: `The document is of version ${version}; this Standin reads up to ${STATE_VERSION}. Use the Standin that made it, or a newer one.`,
  })
}

/** The members that the contract lists are those of Standin's own resources; others may be registered. */
function isStateMember(state: State, pointer: string): boolean {
  return pointer.lastIndexOf('/') === 0 && Object.hasOwn(state.model.write(state, { list: lazily }), pointer.slice(1))
}

/** A page of the history ends with the event that brings it to this many files, paths and deliveries. */
const MAX_PARTS = 20_000

const FROM = { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: 0 }

const getHistory: ControlHandler = (call) => {
  const limit = readCount(call, 'limit', LIMIT)
  const from = readCount(call, 'from', FROM)
  const sandbox = call.sandbox()
  sandbox.now()
  const recent = sandbox.history()
  const events: LoggedEvent[] = []
  let parts = 0
  let next = Math.min(Math.max(from, recent.first), recent.next)
  for (const logged of recent.from(next)) {
    if (events.length >= limit || parts >= MAX_PARTS) break
    events.push(logged)
    parts += partsOf(logged.event, sandbox)
    next = logged.number + 1
  }
  return ok({
    first: recent.first,
    next,
    events: lazily(events, (one) => showEvent(one, sandbox.state)),
  } satisfies HistoryPage)
}

/** Of an imported state only the size is shown. */
function showEvent({ number, at, requestId, event }: LoggedEvent, { model }: State): HistoryEvent {
  const facts = { number, at: iso(at), ...(requestId === undefined ? {} : { requestId }) }
  if (event.type !== 'state.imported') return { ...facts, ...outlineEvent(event, model) }
  return { ...facts, type: event.type, counts: model.count(event.state.state) }
}

const getReplay: ControlHandler<ControlNeeds> = async (call) => {
  const sandbox = call.sandbox()
  sandbox.now()
  return ok(await inSlices(call.writeReplay(sandbox), call.pause))
}

export const stateRoutes: ControlRoutes<ControlNeeds> = {
  getState,
  putState: {
    handle: putState,
    precheck: refuseNewerState,
    accepts(pointer, { rules, sandboxes }) {
      const { state } = sandboxes.default
      return isStateMember(state, pointer) || state.model.accepts(pointer, rules)
    },
  },
  getHistory,
  getReplay,
}
