import { type ControlHandler, LIMIT, ok, readCount } from '../../engine/control-route.ts'
import type { HistoryEvent, HistoryPage } from '../../../types/control-api.d.ts'
import { iso } from '../../engine/instant.ts'
import { outlineEvent } from '../../engine/sandbox-document.ts'
import type { State } from '../../engine/state.ts'
import { lazily } from '../../formats/json-pieces.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { inSlices } from '../../engine/slices.ts'
import { type LoggedEvent, partsOf } from '../../engine/event-log.ts'

const FROM = { least: 0, most: Number.MAX_SAFE_INTEGER, otherwise: 0 }

/** A page ends with the event that brings it to so many files, paths and deliveries. */
const MOST_PARTS = 20_000

export const getHistory: ControlHandler = (call) => {
  const limit = readCount(call, 'limit', LIMIT)
  const from = readCount(call, 'from', FROM)
  const sandbox = call.sandbox()
  sandbox.now()
  const recent = sandbox.history()
  const events: LoggedEvent[] = []
  let parts = 0
  let next = Math.min(Math.max(from, recent.first), recent.next)
  for (const logged of recent.from(next)) {
    if (events.length >= limit || parts >= MOST_PARTS) break
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

/** An event as the history shows it. Of an imported state only the size is shown. */
function showEvent({ number, at, requestId, event }: LoggedEvent, { model }: State): HistoryEvent {
  const facts = { number, at: iso(at), ...(requestId === undefined ? {} : { requestId }) }
  if (event.type !== 'state.imported') return { ...facts, ...outlineEvent(event, model) }
  return { ...facts, type: event.type, counts: model.count(event.state.state) }
}

export interface ReplayNeeds {
  /** Writes what it takes to replay a sandbox. @throws Problem 409 when it is too large */
  writeReplay(sandbox: Sandbox): Generator<undefined, object>
}

export const getReplay: ControlHandler<ReplayNeeds> = async (call) => {
  const sandbox = call.sandbox()
  sandbox.now()
  return ok(await inSlices(call.writeReplay(sandbox), call.pause))
}
