import type { FaultRecord } from '../../../../src/control/client/types.ts'
import { FAULT_KINDS } from './fault-kinds.ts'

/** What the client sees. */
export function titleOf({ kind }: FaultRecord): string {
  return FAULT_KINDS.find((one) => one.kind === kind)?.title ?? kind
}

/** What a fault applies to, and how often. */
export function limitsOf({ kind, status, match, chance, times, after }: FaultRecord): readonly string[] {
  const { operationId, method, path, page } = match
  const where = [operationId, method, path, page === undefined ? undefined : `page ${page}`].filter(isGiven)
  const limits = [
    times === undefined ? undefined : times === 1 ? 'once' : `${times} times`,
    after > 0 ? `after ${after} others` : undefined,
    chance < 1 ? `${Math.round(chance * 100)} % of them` : undefined,
  ]
  const what = kind === 'status' && status !== undefined ? `Status ${status}` : undefined
  return [what, ...(where.length === 0 ? ['every request'] : where), ...limits].filter(isGiven)
}

function isGiven(part: string | undefined): part is string {
  return part !== undefined
}
