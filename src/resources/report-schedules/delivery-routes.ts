import {
  type ControlCall,
  type ControlHandler,
  type ControlRoutes,
  LIMIT,
  ok,
  readCount,
} from '../../engine/control-route.ts'
import { readInstant } from '../../formats/instant.ts'
import { writeDelivery } from './report-schedule-document.ts'
import type { DeliveryRecord } from '../../../types/control-api.d.ts'
import { lazily } from '../../formats/json-pieces.ts'
import type { Delivery } from './calendar/run.ts'

declare module '../../engine/control-route.ts' {
  interface ControlNeeds {
    /** What became of the message of a delivery; undefined when none was sent. */
    readonly mailOf: (delivery: Delivery) => DeliveryRecord['mail']
  }
}

const listDeliveries: ControlHandler = (call) => {
  const limit = readCount(call, 'limit', LIMIT)
  const found = findDeliveries(call)
  return ok({ total: found.length, deliveries: lazily(found.slice(-limit), (one) => showSent(one, call)) })
}

function showSent(delivery: Delivery, { mailOf }: ControlCall): DeliveryRecord {
  const mail = mailOf(delivery)
  return { ...writeDelivery(delivery), ...(mail ? { mail } : {}) }
}

const deleteDeliveries: ControlHandler = (call) => {
  const found = findDeliveries(call)
  if (found.length > 0) call.sandbox().commit([{ type: 'deliveries.removed', ids: found.map(({ id }) => id) }])
  return ok({ removed: found.length })
}

/** The deliveries that meet all filters of the query. */
function findDeliveries(call: ControlCall): Delivery[] {
  const { scheduleId, recipientType, recipient, since, until } = call.query
  const first = typeof since === 'string' ? readInstant(since, { parameter: 'since' }) : -Infinity
  const last = typeof until === 'string' ? readInstant(until, { parameter: 'until' }) : Infinity
  const sandbox = call.sandbox()
  sandbox.now()
  return [...sandbox.state.deliveries].filter(
    (delivery) =>
      (scheduleId === undefined || delivery.reportScheduleId === scheduleId) &&
      (recipientType === undefined || delivery.recipient.type === recipientType) &&
      (recipient === undefined || delivery.recipient.value === recipient) &&
      delivery.at >= first &&
      delivery.at <= last,
  )
}

export const deliveryRoutes: ControlRoutes = { listDeliveries, deleteDeliveries }
