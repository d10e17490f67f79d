import type { Routed } from './find-route.ts'
import type { House } from './house.ts'
import type { Exchange } from './underway.ts'
import type { Binding } from '../binding.ts'
import type { Role } from '../operations/roles.ts'
import { Problem } from '../problem.ts'

/**
 * Who answers a request.
 *
 * @throws Problem 501 for an operation that nobody can answer
 */
export function bindingOf({ bindings }: House, { operation }: Routed): Exclude<Binding, { readonly kind: 'refused' }> {
  const binding = bindings.get(operation.operationId)
  if (!binding) throw new Error(`operation ${operation.operationId} is not bound`)
  if (binding.kind !== 'refused') return binding
  throw new Problem(501, 'operation-refused', 'The mock does not answer this operation', {
    detail: `${operation.method} ${operation.path} is not answered: ${binding.reason}.`,
  })
}

/** What the operation of a request is to the service, if it is anything. */
export function roleOf({ house }: Pick<Exchange, 'house'>, { operation }: Routed): Role | undefined {
  const binding = house.bindings.get(operation.operationId)
  return binding?.kind === 'stateful' ? binding.role : undefined
}

/** What the path names, as it was sent: a file set, or a report schedule. */
export function namedByPath({ house }: Pick<Exchange, 'house'>, route: Routed): string | undefined {
  const binding = house.bindings.get(route.operation.operationId)
  return binding?.kind === 'stateful' && binding.parameter !== undefined
    ? route.parameters[binding.parameter]
    : undefined
}

/** The statuses that a generated operation can be asked for; none for any other. */
export function statusesOf({ house }: Pick<Exchange, 'house'>, { operation }: Routed): Statuses | undefined {
  const binding = house.bindings.get(operation.operationId)
  return binding?.kind === 'generated' ? binding.generator : undefined
}

export interface Statuses {
  readonly statuses: readonly string[]
  documents(status: number): boolean
}
