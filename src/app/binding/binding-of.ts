import type { RequestContext } from '../request-context.ts'
import { type ContractAdapter, documentedStatus } from '../adapter/contract-adapter.ts'
import type { Contract } from '../../contract/contract.ts'
import { readDocumented } from '../../contract/schemas/documented.ts'

type Handled = Pick<RequestContext, 'route' | 'binding'>

/** The built-in operation that handles a request, if one does. */
export function builtinOperationOf({ binding }: Pick<Handled, 'binding'>): string | undefined {
  return binding.kind === 'stateful' ? binding.role : undefined
}

/** What the path names, as it was sent: a file set, or a report schedule. */
export function namedByPath({ binding, route }: Handled): string | undefined {
  return binding.kind === 'stateful' && binding.parameter !== undefined
    ? route.parameters[binding.parameter]
    : undefined
}

export interface StatusDependencies {
  readonly contract: Pick<Contract, 'document'>
  readonly following: ContractAdapter | undefined
}

/** The statuses that `Prefer: code` may ask an operation for, besides those that are faults. */
export function statusesOf(
  { binding, route, tracker: { answers } }: RequestContext,
  { contract, following }: StatusDependencies,
): Statuses | undefined {
  if (binding.kind === 'generated') return binding.generator
  const documented = readDocumented(contract.document, route.operation)
  const usual =
    binding.kind === 'stateful' && binding.role === 'createReportSchedule' ? Number(answers['create.status']) : 200
  const successes =
    binding.kind === 'own'
      ? documented.statuses.filter((status) => /^2\d\d$/.test(status))
      : [String(following ? documentedStatus(usual, documented) : usual)]
  return { statuses: successes, documents: (status) => successes.includes(String(status)) }
}

export interface Statuses {
  readonly statuses: readonly string[]
  /** Whether the operation sends such a status by itself, or makes a documented response of it. */
  documents(status: number): boolean
}
