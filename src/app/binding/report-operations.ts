import type { Binding, Bindings } from './binding.ts'
import { describeBindings } from './describe-bindings.ts'
import { counted } from '../../errors/wording.ts'
import type { OperationMeaning } from '../../resources/resource.ts'

interface Row {
  readonly binding: Binding
  /** Undefined for an operation that was not inferred. */
  readonly meaning: OperationMeaning | undefined
}

/**
 * What each operation was taken for and why, for `standin check`: grouped by collection, and then by the reason why it is of
 * no collection. Without inferred operations it is the table of all.
 */
export function reportOperations(bindings: Bindings): string[] {
  const rows = [...bindings.values()].map((binding): Row => ({ binding, meaning: meaningOf(binding) }))
  if (rows.every(({ meaning }) => meaning === undefined)) return describeBindings(bindings)
  const usual = usualReasons(rows)
  const groups = [...Map.groupBy(rows, (row) => titleOf(row, usual))]
  const sorted = groups.toSorted(([, [one]], [, [other]]) => rankOf(one) - rankOf(other))
  return sorted.flatMap(([title, group]) => [
    `${title}: ${counted(group.length, 'operation')}`,
    ...table(group.map((row) => cellsOf(row, usual))).flatMap((line, at) => [
      `  ${line}`,
      ...(group[at]?.meaning?.parameters ?? []).map((parameter) => `      ${parameter}`),
    ]),
    '',
  ])
}

function meaningOf(binding: Binding): OperationMeaning | undefined {
  return binding.kind === 'stateful' ? binding.builtin.describe?.() : undefined
}

function titleOf({ binding: { kind, reason }, meaning }: Row, usual: ReadonlySet<string>): string {
  if (meaning) return `${meaning.collection} (${meaning.items})`
  return usual.has(reason) ? `${kind}, ${reason}` : kind
}

/** Operations that have a reason in common are a group of their own. */
const MIN_GROUP = 3

/** The reasons that several operations without a collection have. */
function usualReasons(rows: readonly Row[]): ReadonlySet<string> {
  const others = rows.filter(({ meaning }) => meaning === undefined)
  const byReason = [...Map.groupBy(others, ({ binding }) => binding.reason)]
  return new Set(byReason.flatMap(([reason, alike]) => (alike.length < MIN_GROUP ? [] : [reason])))
}

/** Collections first, and at the end what remembers nothing. */
function rankOf(row: Row | undefined): number {
  if (row?.meaning) return 0
  return ['own', 'stateful', 'generated', 'refused'].indexOf(row?.binding.kind ?? '') + 1
}

function cellsOf({ binding, meaning }: Row, usual: ReadonlySet<string>): string[] {
  const { operation, kind, handlerKind, reason } = binding
  const { method, basePath, path, operationId } = operation
  const cells = [method, `${basePath}${path}`, operationId]
  if (meaning) return [...cells, `${meaning.role} (${reason})`]
  if (kind === 'stateful') return [...cells, `${handlerKind} (${reason})`]
  return usual.has(reason) ? cells : [...cells, reason]
}

/** Rows in columns. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
