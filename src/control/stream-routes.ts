import { type ControlHandler, type ControlRoutes, ok } from '../engine/control-route.ts'
import { iso } from '../base/formats/instant.ts'
import type { ControlNeeds } from './control-needs.ts'
import type { StreamList } from './client/types.ts'

const listStreams: ControlHandler<ControlNeeds> = (call) => {
  const { name } = call.sandbox()
  const { redactor } = call
  const own = call.streams.open().filter(({ sandbox }) => sandbox === name)
  const list: StreamList = {
    streams: own.map(({ requestId, operationId, method, url, headers, since, sent }) => ({
      requestId,
      operationId,
      method,
      url: redactor.text(redactor.url(url), redactor.keysOf({ url, requestHeaders: headers })),
      since: iso(since),
      sent: sent ?? null,
    })),
  }
  return ok(list)
}

/** Clients see that the connection ends, and may connect again. */
const endStreams: ControlHandler<ControlNeeds> = (call) => {
  const { name } = call.sandbox()
  const ended = call.streams.open().filter(({ sandbox }) => sandbox === name).length
  call.streams.hangUp(name)
  return ok({ removed: ended })
}

export const streamRoutes: ControlRoutes<ControlNeeds> = { listStreams, endStreams }
