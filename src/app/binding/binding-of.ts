import type { Routed } from '../request/route-operation.ts'
import type { AppDependencies } from '../dependencies.ts'
import type { RequestContext } from '../request-context.ts'
import { documentedStatus } from '../adapter/contract-adapter.ts'
import type { Binding } from './binding.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import type { BuiltinOperation } from '../../resources/builtin-operations.ts'
import { operationRefused } from '../../errors/response-errors.ts'

/**
 * Who answers a request.
 *
 * @throws Problem 501 for an operation that nobody can answer
 */
export function bindingOf(
  { bindings }: AppDependencies,
  { operation }: Routed,
): Exclude<Binding, { readonly kind: 'refused' }> {
  const binding = bindings.get(operation.operationId)
  if (!binding) throw new Error(`operation ${operation.operationId} is not bound`)
  if (binding.kind !== 'refused') return binding
  throw operationRefused({
    detail: `${operation.method} ${operation.path} is not answered: ${binding.reason}.`,
  })
}

/** What the operation of a request is to the service, if it is anything. */
export function builtinOperationOf(
  { deps }: Pick<RequestContext, 'deps'>,
  { operation }: Routed,
): BuiltinOperation | undefined {
  const binding = deps.bindings.get(operation.operationId)
  return binding?.kind === 'stateful' ? binding.role : undefined
}

/** What the path names, as it was sent: a file set, or a report schedule. */
export function namedByPath({ deps }: Pick<RequestContext, 'deps'>, route: Routed): string | undefined {
  const binding = deps.bindings.get(route.operation.operationId)
  return binding?.kind === 'stateful' && binding.parameter !== undefined
    ? route.parameters[binding.parameter]
    : undefined
}

/** The statuses that `Prefer: code` may ask an operation for, besides those that are faults. */
export function statusesOf(
  { deps, tracker: { answers } }: Pick<RequestContext, 'deps' | 'tracker'>,
  { operation }: Routed,
): Statuses | undefined {
  const binding = deps.bindings.get(operation.operationId)
  if (binding?.kind === 'generated') return binding.generator
  const documented = readDocumented(deps.contract.document, operation)
  const usual =
    binding?.kind === 'stateful' && binding.role === 'createReportSchedule' ? Number(answers['create.status']) : 200
  const successes =
    binding?.kind === 'own'
      ? documented.statuses.filter((status) => /^2\d\d$/.test(status))
      : [String(deps.following ? documentedStatus(usual, documented) : usual)]
  return { statuses: successes, documents: (status) => successes.includes(String(status)) }
}

export interface Statuses {
  readonly statuses: readonly string[]
  /** Whether the operation sends such a status by itself, or makes a documented response of it. */
  documents(status: number): boolean
}
