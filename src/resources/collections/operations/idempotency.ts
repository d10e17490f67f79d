import { hash } from 'node:crypto'
import { readDocumented } from '../../../contract/schemas/documented.ts'
import { idempotencyKeyReused } from '../../../base/errors/resource-errors.ts'
import { isObject, stringifyJson } from '../../../base/formats/json.ts'
import type { State, StateEvent } from '../../../engine/state.ts'
import type { Call, Outcome } from '../../handler.ts'
import { IDEMPOTENCY_KEYS } from '../collection-state.ts'
import { storeDocument, LIMITS } from '../documents/stored-document.ts'
import type { OperationWork } from './work.ts'

/** The oldest are forgotten. */
const MOST_KEYS = 1000

interface KeyedRequest {
  readonly state: State
  readonly call: Call
  readonly key: string
}

/**
 * Decides a write once for each idempotency key: the same request gets the same response again.
 *
 * @throws Problem 409, or 422 where that is documented, for another request with the same key
 */
export function decideOnce(work: OperationWork, { state, call, key }: KeyedRequest, decide: () => Outcome): Outcome {
  const { operation } = work.plan
  const id = hash('sha256', stringifyJson([operation.pointer, call.identity.userId, key]), 'base64url')
  const request = hash('sha256', stringifyJson([call.path, call.query, call.body ?? null]), 'base64url')
  const known = state.collections.get(IDEMPOTENCY_KEYS)?.get(id)?.value
  if (!known) {
    const outcome = decide()
    return { ...outcome, events: [...outcome.events, ...remember(state, id, { request, outcome })] }
  }
  if (known.request !== request) {
    const { statuses } = readDocumented(work.document, operation)
    throw idempotencyKeyReused({
      detail: `${work.headers().idempotencyKey}: expected a key that no other request had, got ${stringifyJson(key)} again. Send a new key with each new request.`,
      ...(!statuses.includes('409') && statuses.includes('422') ? { status: 422 } : {}),
    })
  }
  const { status, headers, json } = known
  return {
    status: Number(status),
    headers: isObject(headers) ? (headers as Record<string, string>) : {},
    body: json === undefined ? { empty: true } : { json },
    events: [],
  }
}

interface Decided {
  readonly request: string
  readonly outcome: Outcome
}

function remember({ collections }: State, id: string, { request, outcome }: Decided): StateEvent[] {
  const { status, headers = {}, body } = outcome
  const value = { request, status, headers, ...('json' in body ? { json: body.json } : {}) }
  const document = storeDocument(value)
  if (document.length > LIMITS.document) return []
  const known = collections.get(IDEMPOTENCY_KEYS)
  const [oldest] = known && known.size >= MOST_KEYS ? known : []
  return [
    ...(oldest ? [{ type: 'document.removed', collection: IDEMPOTENCY_KEYS, id: oldest[0] } as const] : []),
    { type: 'document.created', collection: IDEMPOTENCY_KEYS, id, document },
  ]
}
