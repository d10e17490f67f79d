import type { ControlHandler } from '../engine/control-route.ts'
import { iso } from '../engine/instant.ts'
import { type Listeners, type Message, sendStream } from '../journal/stream.ts'
import { showExchange } from '../journal/show-exchange.ts'
import { showRunFacts } from './show.ts'
import { writeDelivery, writeReportSchedule } from '../resources/report-schedules/report-schedule-document.ts'
import type { Feed, Happening, StateChange } from '../journal/feed.ts'
import type { Redactor } from '../journal/redact.ts'
import type { Sandbox } from '../engine/sandbox.ts'

export interface StreamNeeds {
  readonly listeners: Listeners
  readonly redactor: Redactor
}

/** Starts with the next event, or after the event that the listener received last. */
export const openStream: ControlHandler<StreamNeeds> = (call) => {
  const sandbox = call.sandbox()
  const { feed } = sandbox
  const known = call.query.lastEventId ?? call.lastEventId
  const after = known === undefined ? feed.last : placeOf(String(known), feed)
  const stream = { feed, after, render: rendererOf(sandbox, call.redactor) }
  return { status: 200, stream: (context) => sendStream(context, stream, call.listeners) }
}

/** An id of another feed, which an earlier process had, is before everything. */
function placeOf(eventId: string, { fingerprint, last }: Feed): number {
  const [, of, number] = /^([\da-z]{1,16})-(\d{1,15})$/.exec(eventId) ?? []
  const place = Number(number)
  return of === fingerprint && place <= last ? place : 0
}

function rendererOf(sandbox: Sandbox, redactor: Redactor): (happening: Happening) => Message | undefined {
  return (happening) => {
    switch (happening.kind) {
      case 'exchange': {
        const exchange = sandbox.journal.find(happening.exchangeId)
        return exchange && { event: 'exchange', data: showExchange(exchange, sandbox.name, redactor) }
      }
      case 'run':
        return { event: 'run', data: showRunFacts(happening.run) }
      case 'delivery':
        return { event: 'delivery', data: writeDelivery(happening.delivery) }
      case 'state':
        return { event: 'state', data: showChange(happening.change) }
    }
  }
}

/** As the rest of the control API shows such things. */
function showChange(change: StateChange): unknown {
  switch (change.type) {
    case 'report-schedule.created':
    case 'report-schedule.updated':
      return { type: change.type, reportSchedule: writeReportSchedule(change.reportSchedule) }
    case 'report-schedule.removed':
      return { type: change.type, scheduleId: change.reportScheduleId }
    case 'clock.moved': {
      const { type, from, to, clock } = change
      return { type, from: iso(from), to: iso(to), mode: clock.mode, rate: clock.mode === 'frozen' ? 0 : clock.rate }
    }
    case 'fault.armed':
      return { type: change.type, fault: change.fault }
    // The rest, events of other resources included, are shown as they are.
    default:
      return change
  }
}
