import { type FaultOf, type FaultStrikes, isSpent } from '../../engine/faults/fault.ts'
import type { State } from '../../engine/state.ts'
import { isJson } from '../../contract/media-type.ts'
import { stringifyJson, tryParseJson } from '../../base/formats/json.ts'
import { changeValue } from '../../base/formats/change-value.ts'
import type { TextResponse } from '../../http/response.ts'

/** Whether a fault that is armed may change bodies. */
export function changesBody({ faults }: Pick<State, 'faults'>): boolean {
  return faults.values().some((armed) => armed.fault.kind === 'changed-body' && !isSpent(armed))
}

/** The response as the faults change its body. An error stays as it is. */
export function changeBody(faults: FaultStrikes, ready: TextResponse): TextResponse {
  const { status, contentType, text } = ready
  if (status >= 300 || !isJson(contentType)) return ready
  const before = tryParseJson(text)
  if (before === undefined) return ready
  let body: unknown = before
  const isPossible = ({ changes }: FaultOf<'changed-body'>) => changes.some((one) => changeValue(body, one) !== body)
  for (const { fault } of faults.strikes(['changed-body'], isPossible))
    for (const change of fault.changes) body = changeValue(body, change)
  return body === before ? ready : { status, contentType, text: stringifyJson(body) }
}
