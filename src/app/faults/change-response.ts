import { removeHeader, setHeaders, type TextResponse } from '../../http/response.ts'
import type { FaultOf } from '../../engine/faults/fault.ts'
import { textOrJson } from '../../base/formats/json.ts'
import type { RequestContext } from '../middleware/request-context.ts'

/** Statuses of responses that have no body (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
const BODILESS = new Set([204, 205, 304])

/** The response as a fault changes its head or replaces its body; an empty text for none, of a header too. A fault changes responses of the class of its status. */
export function changeResponse(context: RequestContext, given: TextResponse): TextResponse {
  const isPossible = (fault: FaultOf<'changed-response'>) => classOf(fault.status) === classOf(given.status)
  const { value: hit } = context.faults?.strikes(['changed-response'], isPossible).next() ?? {}
  if (!hit) return given
  const { status, headers, body } = hit.fault
  setHeaders(context, headers)
  for (const [name, value] of Object.entries(headers)) if (value === '') removeHeader(context, name)
  const { 'content-type': named = '' } = headers
  const contentType = named === '' ? given.contentType : named
  if (BODILESS.has(status)) return { status, contentType, text: '' }
  if (body === undefined) return { ...given, status, contentType }
  return { status, contentType, text: textOrJson(body) }
}

function classOf(status: number): number {
  return Math.floor(status / 100)
}
