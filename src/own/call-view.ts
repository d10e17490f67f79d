import type { BodyOf, ParametersOf, UntypedOperation } from './typed.ts'
import type { Call } from '../operations/handler.ts'
import { freezeJson } from '../world/documents.ts'
import { chanceKey, draw } from '../world/random.ts'
import { randomUuid } from '../world/uuid.ts'

/** A request as a handler of the user's own sees it. It holds to the contract, and cannot be changed. */
export interface CallView<Operation> {
  readonly operationId: string
  /** Parameters are decoded by the types that the contract gives them; absent ones are not there. */
  readonly path: ParametersOf<Operation, 'path'>
  readonly query: ParametersOf<Operation, 'query'>
  /** JSON; integers beyond 2^53 are bigints. Undefined when there was none. */
  readonly body: BodyOf<Operation>
  header(name: string): string | undefined
  readonly identity: { readonly userId: number | bigint }
  /** Epoch ms by the sandbox's clock, the same for all of the request. */
  readonly now: number
  readonly seed: number
  readonly requestId: string
  /** Chance from the seed and the number of the request: the next number from 0 up to 1. */
  random(): number
  /** An id by the same chance. */
  uuid(): string
}

export function createCallView(call: Call, seed: number): CallView<never> {
  const { operationId, path, query, body, identity, now, requestId } = call
  const key = chanceKey(seed, `own ${requestId}`)
  let drawn = 0
  const next = () => draw(key, drawn++)
  const view: CallView<UntypedOperation> = {
    operationId,
    path: Object.freeze({ ...path }) as CallView<UntypedOperation>['path'],
    query: Object.freeze({ ...query }) as CallView<UntypedOperation>['query'],
    // Equal bodies are read once, so a handler that changed its own would change those of others.
    body: (body === undefined ? undefined : freezeJson(body)) as CallView<UntypedOperation>['body'],
    header: call.header,
    identity: Object.freeze({ userId: identity.userId }),
    now,
    seed,
    requestId,
    random: () => next() / 2 ** 32,
    uuid: () => randomUuid(next(), next(), next(), next()),
  }
  return Object.freeze(view) as unknown as CallView<never>
}
