import type { BehaviourId } from '../../behaviours/settings.ts'
import type { Stateful } from '../binding/binding.ts'
import type { Parameter } from '../../contract/contract.ts'

/** What a stateful operation is, and what its contract calls the parameter that it works by. */
export type Bound = Pick<Stateful, 'role' | 'parameter'>

/** The behaviours that govern how one parameter is read. */
export interface ParameterRows {
  readonly form: BehaviourId
  readonly range: BehaviourId
}

export const LIMIT: ParameterRows = { form: 'limit.format', range: 'limit.int32' }
const ID: ParameterRows = { form: 'update.id-form', range: 'update.id-form' }

const BOOLEAN: ParameterRows = { form: 'http.boolean', range: 'http.boolean' }

/**
 * Only the parameters of a stateful operation have behaviours. A `limit` of any other operation is what its contract says, and no more.
 *
 * @param bound undefined for an operation that is not stateful
 */
export function parameterRows(
  { in: place, name, type }: Parameter,
  bound: Bound | undefined,
): ParameterRows | undefined {
  if (!bound) return undefined
  if (type === 'boolean') return BOOLEAN
  if (bound.role === 'searchFiles' && place === 'query' && name === 'limit') return LIMIT
  return bound.role === 'updateReportSchedule' && place === 'path' && name === bound.parameter ? ID : undefined
}
