import type { Routed } from '../request-context.ts'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { Recorded } from '../../behaviours/tracker.ts'
import type { Own, Stateful } from '../binding/binding.ts'
import type { Call, Reading } from '../../resources/handler.ts'

/** What was read of a request: parameters, body, and the header `X-Mock-Ignored`. */
export interface RequestParts extends Pick<Call, 'path' | 'query' | 'body'> {
  readonly ignored: string | undefined
}

/** A request that was understood. */
interface PreparedRequest extends RequestParts {
  /** The behaviours that reading it depended on. */
  readonly recorded: readonly Recorded<unknown>[]
  readonly repeat: NonNullable<Reading['repeat']>
}

/** All besides the body that the meaning of a request depends on. */
interface Asked {
  readonly route: Routed
  readonly binding: Stateful | Own
  readonly search: string
  readonly settings: BehaviourSettings
}

/** Requests of the same bytes need to be read and validated only once. */
export interface PreparedRequests {
  find(body: unknown, asked: Asked): PreparedRequest | undefined
  keep(body: unknown, asked: Asked, request: PreparedRequest): void
}

/** Requests kept for each body, which differ in their path or query: the pages of a walk, for instance. */
const MOST_EACH = 4

/** Requests are kept with the values of their bodies, which `readBody` reuses for equal texts, so they need no bound of their own. */
export function createPreparedRequests(): PreparedRequests {
  const prepared = new WeakMap<object, { asked: Asked; request: PreparedRequest }[]>()
  return {
    find: (body, asked) =>
      typeof body === 'object' && body !== null
        ? prepared.get(body)?.find((one) => isSame(one.asked, asked))?.request
        : undefined,
    keep(body, asked, request) {
      if (typeof body !== 'object' || body === null || !dependsOnAskedAlone(asked.route)) return
      const known = prepared.get(body) ?? []
      if (known.length >= MOST_EACH) known.shift()
      known.push({ asked, request })
      prepared.set(body, known)
    },
  }
}

function isSame(one: Asked, other: Asked): boolean {
  return (
    one.route === other.route &&
    one.search === other.search &&
    one.settings === other.settings &&
    one.binding === other.binding
  )
}

function dependsOnAskedAlone({ operation }: Routed): boolean {
  return operation.parameters.every((parameter) => parameter.in === 'path' || parameter.in === 'query')
}
