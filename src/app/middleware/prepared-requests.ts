import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import type { Recorded } from '../../behaviours/tracker.ts'
import type { Reading } from '../../resources/handler.ts'
import type { Own, Stateful } from '../binding/binding.ts'
import type { RequestParts } from './read-request.ts'
import type { Routed } from './request-context.ts'

/** A request that was validated and read. */
interface PreparedRequest extends RequestParts {
  /** The behaviours that reading it depended on. */
  readonly recorded: readonly Recorded<unknown>[]
  readonly repeat: NonNullable<Reading['repeat']>
}

/** All that the meaning of a request depends on besides its body. */
interface RequestKey {
  readonly route: Routed
  readonly binding: Stateful | Own
  readonly search: string
  readonly settings: BehaviourSettings
}

/** Requests of the same bytes are read and validated only once. */
export interface PreparedRequests {
  find(body: unknown, key: RequestKey): PreparedRequest | undefined
  keep(body: unknown, key: RequestKey, request: PreparedRequest): void
}

/** Requests kept for each body, which differ in their path or query, such as the pages of a search. */
const MAX_EACH = 4

/** Requests are kept with the values of their bodies, which `readBody` reuses for equal texts, so they need no bound of their own. */
export function createPreparedRequests(): PreparedRequests {
  const prepared = new WeakMap<object, { readonly key: RequestKey; readonly request: PreparedRequest }[]>()
  return {
    find: (body, { route, binding, search, settings }) =>
      typeof body === 'object' && body !== null
        ? prepared
            .get(body)
            ?.find(
              ({ key }) =>
                key.route === route && key.search === search && key.settings === settings && key.binding === binding,
            )?.request
        : undefined,
    keep(body, key, request) {
      const { parameters } = key.route.operation
      // Requests that also depend on headers or cookies are not kept.
      if (parameters.some((parameter) => parameter.in !== 'path' && parameter.in !== 'query')) return
      if (typeof body !== 'object' || body === null) return
      const known = prepared.get(body) ?? []
      if (known.length >= MAX_EACH) known.shift()
      known.push({ key, request })
      prepared.set(body, known)
    },
  }
}
