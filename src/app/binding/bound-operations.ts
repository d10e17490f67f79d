import { OF_BODIES, OF_KEYS } from '../../behaviours/behaviours-met.ts'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'
import type { CoverableOperation } from '../../journal/coverage/operation-plan.ts'
import type { ServedOperation } from '../../engine/faults/fault-match.ts'
import type { OperationTraits } from '../../journal/match-exchange.ts'
import type { Statuses } from '../faults/prefer.ts'
import type { Binding, Bindings } from './binding.ts'

/** The id in the path, as it was sent: of a file set, or of a report schedule. */
export function namedByPath(binding: Binding, segments: Readonly<Record<string, string>>): string | undefined {
  return binding.kind === 'stateful' && binding.parameter !== undefined ? segments[binding.parameter] : undefined
}

/**
 * The statuses that `Prefer: code` may ask an operation for, besides those that are faults.
 *
 * @param isAdapted whether responses follow a contract of the user
 */
export function preferableStatuses(
  binding: Binding,
  settings: BehaviourSettings,
  { document, isAdapted }: { readonly document: unknown; readonly isAdapted: boolean },
): Statuses | undefined {
  if (binding.kind !== 'own' && binding.kind !== 'refused' && binding.generator) return binding.generator
  const documented = readDocumented(document, binding.operation)
  const usual = binding.kind === 'stateful' ? (binding.builtin.successStatus?.(settings) ?? 200) : 200
  const successes =
    binding.kind === 'own'
      ? documented.statuses.filter((status) => /^2\d\d$/.test(status))
      : [String(isAdapted ? documented.statusFor(usual) : usual)]
  return { statuses: successes, documents: (status) => successes.includes(String(status)) }
}

/** What expectations of the journal need to know of each operation. */
export function operationTraits(bindings: Bindings): ReadonlyMap<string, OperationTraits> {
  return new Map([...bindings].map(([id, binding]) => [id, binding.kind === 'stateful' ? binding.builtin : {}]))
}

/** The operations that coverage is about. */
export function coverableOperations(bindings: Bindings): ReadonlyMap<string, CoverableOperation> {
  return new Map(
    [...bindings].map(([id, binding]) => {
      const { operation, handlerKind: handler } = binding
      return [id, { operation, handler, stateful: binding.kind === 'stateful' ? binding.builtin : undefined }]
    }),
  )
}

/** Each operation with its method and whole path. */
export function servedOperations(bindings: Bindings, forwarding?: FindForwarding): ServedOperation[] {
  return [...bindings].map(([operationId, binding]) => {
    const { method, path, basePath } = binding.operation
    const faults = faultsOf(binding, forwarding?.(operationId))
    return { operationId, method, path: basePath + path, dependsOn: behavioursOf(binding), ...faults }
  })
}

/** Whether a service handles an operation, and whether it is handled here where the service does not; undefined for neither. */
export type FindForwarding = (operationId: string) => 'only' | 'first' | undefined

/** Besides those that every operation depends on. */
function behavioursOf(binding: Binding): readonly string[] {
  const { operation } = binding
  return [
    ...(binding.kind === 'stateful' ? (binding.builtin.dependsOn ?? []) : []),
    ...(['GET', 'HEAD', 'DELETE'].includes(operation.method) ? [] : OF_BODIES),
    ...(operation.securityRequirements.length > 0 ? OF_KEYS : []),
  ]
}

/**
 * The faults that requests to an operation can meet. A user's operation or a service may store something, and then its response may be
 * lost.
 */
export function faultsOf(
  binding: Binding,
  forwarding?: ReturnType<FindForwarding>,
): Pick<ServedOperation, 'canFail' | 'hasPages' | 'meets'> {
  const isHere = forwarding !== 'only'
  const faults = isHere && binding.kind === 'stateful' ? binding.builtin.faults : undefined
  const mayLose = forwarding ? isUnsafe(binding.operation.method) : binding.kind === 'own'
  return {
    canFail: forwarding !== undefined || binding.kind !== 'refused',
    hasPages: faults?.page !== undefined,
    meets: (fault) => faults?.meets(fault) === true || (mayLose && fault.kind === 'lost-answer'),
  }
}

/** Whether a request may change something (RFC 9110, 9.2.1). */
export function isUnsafe(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].includes(method)
}
