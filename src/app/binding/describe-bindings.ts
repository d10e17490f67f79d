import type { Bindings } from './binding.ts'

const KINDS = ['stateful', 'own', 'generated', 'refused'] as const

/** How many operations are of each kind, for the start line; nothing where all of them are stateful. */
export function describeKinds(bindings: Bindings): string {
  const counts = KINDS.map((kind) => [kind, [...bindings.values()].filter((one) => one.kind === kind).length] as const)
  const told = counts.filter(([, count]) => count > 0)
  if (told.every(([kind]) => kind === 'stateful')) return ''
  return ` (${told.map(([kind, count]) => `${count} ${kind}`).join(', ')})`
}

/** A line for each operation: `POST /items/search  searchItems  stateful (by x-standin)`. */
export function describeBindings(bindings: Bindings): string[] {
  const rows = [...bindings.values()].map((binding) => {
    const { operation, kind, reason } = binding
    const role = kind === 'stateful' && binding.role !== operation.operationId ? ` as ${binding.role}` : ''
    return [
      `${operation.method} ${operation.basePath}${operation.path}`,
      operation.operationId,
      `${kind}${role} (${reason})`,
    ]
  })
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
}
