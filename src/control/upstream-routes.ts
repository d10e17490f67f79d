import { type ControlHandler, type ControlRoutes, ok } from '../engine/control-route.ts'
import { findOperations } from '../contract/operation-names.ts'
import { encodePointer } from '../base/formats/json.ts'
import { noUpstream } from '../base/errors/proxy-errors.ts'
import { requestInvalid } from '../base/errors/request-errors.ts'
import { violation } from '../base/errors/problem.ts'
import type { AnswererChange, AnswererList } from './client/types.ts'
import type { Answerers, ControlNeeds } from './control-needs.ts'

const getUpstream: ControlHandler<ControlNeeds> = ({ answerers }) => ok(listOf(answerers))

/** Changes who handles the operations that it names. */
const changeUpstream: ControlHandler<ControlNeeds> = ({ answerers, body, served }) => {
  if (!answerers) throw noUpstream({ detail: 'All operations are handled here. Start the server with --upstream URL.' })
  const change = Object.entries((body as AnswererChange).operations).map(([name, answeredBy]) => ({
    name,
    answeredBy,
    ...findOperations(served, [name]),
  }))
  const wrong = change.flatMap(({ name, unknown }) =>
    unknown.map((message) => ({
      ...violation(
        { pointer: `/operations/${encodePointer(name)}` },
        'operation',
        'an operation of the contract',
        name,
      ),
      message,
    })),
  )
  if (wrong.length > 0) throw requestInvalid(wrong)
  for (const { found, answeredBy } of change)
    for (const { operationId } of found) answerers.choose(operationId, answeredBy)
  return ok(listOf(answerers))
}

function listOf(answerers: Answerers | undefined): AnswererList {
  return { url: answerers?.url ?? null, operations: [...(answerers?.operations ?? [])] }
}

export const upstreamRoutes: ControlRoutes<ControlNeeds> = { getUpstream, changeUpstream }
