import type { Contract, Operation } from '../../contract/contract.ts'
import { templateShape } from '../../contract/template.ts'

/** An operation of each contract that are the same one. */
export interface OperationPair {
  readonly old: Operation
  readonly now: Operation
}

export interface Paired {
  readonly pairs: readonly OperationPair[]
  readonly removed: readonly Operation[]
  readonly added: readonly Operation[]
}

/** `GET /orders/{id}`, with the base path. */
export function titleOf({ method, basePath, path }: Operation): string {
  return `${method} ${basePath}${path}`
}

/**
 * Pairs the operations of two contracts: by method and whole path, whatever its parameters are called; else by the path without that of
 * the server; else by the id.
 */
export function pairOperations(old: Contract, now: Contract): Paired {
  const removed = [...old.operations]
  const added = [...now.operations]
  const pairs: OperationPair[] = []
  for (const signOf of SIGNS) {
    const bySign = new Map(added.map((operation) => [signOf(operation), operation]))
    for (const operation of [...removed]) {
      const other = bySign.get(signOf(operation))
      if (!other || !added.includes(other)) continue
      pairs.push({ old: operation, now: other })
      removed.splice(removed.indexOf(operation), 1)
      added.splice(added.indexOf(other), 1)
    }
  }
  const order = new Map(old.operations.map((operation, index) => [operation, index]))
  pairs.sort((a, b) => (order.get(a.old) ?? 0) - (order.get(b.old) ?? 0))
  return { pairs, removed, added }
}

const SIGNS: readonly ((operation: Operation) => string)[] = [
  ({ method, basePath, path }) => `${method} ${templateShape(basePath + path)}`,
  ({ method, path }) => `${method} ${templateShape(path)}`,
  ({ operationId }) => operationId,
]
