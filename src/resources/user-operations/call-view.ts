import type { BodyOf, ParametersOf, UntypedOperation } from './typed.ts'
import type { Call } from '../handler.ts'
import { chanceKey, draw, randomUuid } from '../../engine/random.ts'

/** A request as a user's handler sees it. It is valid by the contract, and read-only except for its body. */
export interface CallView<Operation> {
  readonly operationId: string
  /** Parameters are decoded by the types that the contract gives them; absent ones are not there. */
  readonly path: ParametersOf<Operation, 'path'>
  readonly query: ParametersOf<Operation, 'query'>
  /**
   * JSON, in which integers beyond 2^53 are bigints; the fields of a form, a text, or bytes. Undefined when there was none. It is a
   * copy: typed by the contract, and free to be changed and kept.
   */
  readonly body: BodyOf<Operation>
  header(name: string): string | undefined
  readonly identity: { readonly userId: number | bigint }
  /** Epoch ms by the sandbox's clock, the same for the whole request. */
  readonly now: number
  readonly seed: number
  readonly requestId: string
  /** The next random number from 0 up to 1, from the seed and the number of the request. */
  random(): number
  /** A random UUID from the same source. */
  uuid(): string
}

export function createCallView(call: Call, seed: number): CallView<never> {
  const { operationId, path, query, body, identity, now, requestId } = call
  const key = chanceKey(seed, `own ${requestId}`)
  let drawn = 0
  const next = () => draw(key, drawn++)
  const view: CallView<UntypedOperation> = {
    operationId,
    path: frozen(path) as CallView<UntypedOperation>['path'],
    query: frozen(query) as CallView<UntypedOperation>['query'],
    // Equal bodies are read once, so a handler that changed its body would change that of other requests.
    body: copied(body) as CallView<UntypedOperation>['body'],
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

/** Parameters may be lists and objects too, so they are copied deeply. */
function frozen(value: unknown): unknown {
  return copied(value, Object.freeze)
}

/** A deep copy, except for the bytes of a file, which are read for each request. */
function copied(value: unknown, finish: (copy: object) => unknown = (copy) => copy): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return finish(value.map((inner) => copied(inner, finish)))
  return finish(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copied(inner, finish)])))
}
