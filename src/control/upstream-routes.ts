import { type ControlHandler, type ControlRoutes, ok } from '../engine/control-route.ts'
import { noUpstream } from '../base/errors/proxy-errors.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'
import { violation } from '../base/errors/problem.ts'
import type { AnswererChange, AnswererList } from './client/types.ts'
import type { Answerers, ControlNeeds } from './control-needs.ts'

const getUpstream: ControlHandler<ControlNeeds> = ({ answerers }) => ok(listOf(answerers))

/** Changes who handles the operations that it names. */
const changeUpstream: ControlHandler<ControlNeeds> = ({ answerers, body }) => {
  if (!answerers) throw noUpstream({ detail: 'All operations are handled here. Start the server with --upstream URL.' })
  const change = Object.entries((body as AnswererChange).operations)
  const known = new Set(answerers.operations.map(({ operationId }) => operationId))
  const unknown = change.filter(([operationId]) => !known.has(operationId))
  if (unknown.length > 0)
    throw requestInvalid(
      unknown.map(([id]) =>
        violation({ pointer: `/operations/${id}` }, 'operation', 'an operation of the contract', id),
      ),
    )
  for (const [operationId, answeredBy] of change) answerers.choose(operationId, answeredBy)
  return ok(listOf(answerers))
}

function listOf(answerers: Answerers | undefined): AnswererList {
  return { url: answerers?.url ?? null, operations: [...(answerers?.operations ?? [])] }
}

export const upstreamRoutes: ControlRoutes<ControlNeeds> = { getUpstream, changeUpstream }
