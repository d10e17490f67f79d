import type { Operation } from '../../contract/contract.ts'
import type { Binding, Bindings } from './binding.ts'
import { describeBindings, kindOf } from './describe-bindings.ts'
import { counted } from '../../base/errors/wording.ts'
import type { OperationMeaning, ParameterMeaning } from '../../resources/resource.ts'

interface OperationRow {
  readonly binding: Binding
  /** Undefined for an operation that was not inferred. */
  readonly meaning: OperationMeaning | undefined
  readonly parameters: readonly ParameterMeaning[]
}

/**
 * What each operation was taken for and why, for `standin check`: grouped by collection, with the meaning of each parameter, and then
 * by the reason why it is of no collection. Without inferred operations it is the table of all.
 */
export function reportOperations(bindings: Bindings): string[] {
  const rows = [...bindings.values()].map(rowOf)
  if (rows.every(({ meaning }) => meaning === undefined)) return describeBindings(bindings)
  const usual = usualReasons(rows)
  const groups = [...Map.groupBy(rows, (row) => titleOf(row, usual))]
  const sorted = groups.toSorted(([, [one]], [, [other]]) => rankOf(one) - rankOf(other))
  const repeated = findRepeated(rows)
  return [
    ...sorted.flatMap(([title, group]) => [
      `${title}: ${counted(group.length, 'operation')}`,
      ...table(group.map((row) => cellsOf(row, usual))).flatMap((line, index) => [
        `  ${line}`,
        ...parameterLines(group[index]?.parameters ?? [], repeated),
      ]),
      '',
    ]),
    ...legend(repeated),
  ]
}

/** A line for each stub, in the order of precedence of its operation: `stub no credit: POST /orders (stubs.yaml:1)`. */
export function reportStubs(bindings: Bindings): string[] {
  return [...bindings.values()].flatMap(({ operation: { method, path }, stubs = [] }) =>
    stubs.map(({ name, place }) => `stub ${name}: ${method} ${path} (${place})`),
  )
}

/** What an operation was taken for, for programs. */
export interface OperationReport extends Pick<Operation, 'operationId' | 'method' | 'path'> {
  /** `collection`, `action`, `stateful`, `own`, `generated` or `refused`. */
  readonly handledBy: ReturnType<typeof kindOf>
  /** Undefined where it is of none. */
  readonly collection?: string
  /** What it does with the collection, or which built-in operation it is. */
  readonly role?: string
  readonly reason: string
  readonly parameters: readonly { readonly name: string; readonly meaning: string }[]
}

/** The same as the report, as data: what each operation was taken for and why, in the order of the contract. */
export function listOperations(bindings: Bindings): OperationReport[] {
  return [...bindings.values()].map((binding) => {
    const { meaning, parameters } = rowOf(binding)
    const { operation, handlerKind, reason, kind } = binding
    const role = meaning?.role ?? (kind === 'stateful' ? handlerKind : undefined)
    return {
      operationId: operation.operationId,
      method: operation.method,
      path: `${operation.basePath}${operation.path}`,
      handledBy: kindOf(binding),
      ...(meaning && { collection: meaning.collection }),
      ...(role !== undefined && { role }),
      reason,
      parameters: parameters.map(({ name, says }) => ({ name, meaning: says })),
    }
  })
}

function rowOf(binding: Binding): OperationRow {
  if (binding.kind !== 'stateful') return { binding, meaning: undefined, parameters: [] }
  const meaning = binding.builtin.describe?.()
  return { binding, meaning, parameters: meaning?.parameters ?? [] }
}

function titleOf({ binding: { kind, reason }, meaning }: OperationRow, usual: ReadonlySet<string>): string {
  if (meaning) return `${meaning.collection} (${meaning.items})`
  return usual.has(reason) ? `${kind}, ${reason}` : kind
}

/** Operations that have a reason in common are a group of their own. */
const MIN_GROUP = 3

/** The reasons that several operations without a collection have. */
function usualReasons(rows: readonly OperationRow[]): ReadonlySet<string> {
  const others = rows.filter(({ meaning }) => meaning === undefined)
  const byReason = [...Map.groupBy(others, ({ binding }) => binding.reason)]
  return new Set(byReason.flatMap(([reason, alike]) => (alike.length < MIN_GROUP ? [] : [reason])))
}

/** Collections first, and at the end what remembers nothing. */
function rankOf(row: OperationRow | undefined): number {
  if (row?.meaning) return 0
  return ['own', 'stateful', 'generated', 'refused'].indexOf(row?.binding.kind ?? '') + 1
}

function cellsOf({ binding, meaning }: OperationRow, usual: ReadonlySet<string>): string[] {
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

/** A parameter that has one meaning in more operations is explained once, at the end. */
const MAX_REPEATED = 5

/** The parameters that many operations have, by name and meaning, and how many. */
type Repeated = ReadonlyMap<string, ParameterMeaning & { readonly count: number }>

function findRepeated(rows: readonly OperationRow[]): Repeated {
  const all = rows.flatMap(({ parameters }) => parameters)
  const known = [...Map.groupBy(all, keyOf)].flatMap(([key, alike]) => {
    const [parameter] = alike
    return parameter && alike.length > MAX_REPEATED ? [[key, { ...parameter, count: alike.length }] as const] : []
  })
  return new Map(known)
}

function keyOf({ name, says }: ParameterMeaning): string {
  return `${name} ${says}`
}

function parameterLines(parameters: readonly ParameterMeaning[], repeated: Repeated): string[] {
  const usual = parameters.filter((one) => repeated.has(keyOf(one))).map(({ name }) => shownName(name))
  const special = parameters.filter((one) => !repeated.has(keyOf(one)))
  const lines = [...table(special.map(({ name, says }) => [shownName(name), says]))]
  if (usual.length > 0) lines.push(`${usual.join(' ')} (see the end)`)
  return lines.map((line) => `      ${line}`)
}

function legend(repeated: Repeated): string[] {
  if (repeated.size === 0) return []
  const counts = [...repeated.values()].toSorted((a, b) => b.count - a.count)
  const rows = counts.map(({ name, says, count }) => [shownName(name), `${says} (${counted(count, 'operation')})`])
  return ['parameters of many operations:', ...table(rows).map((line) => `  ${line}`), '']
}

/** `?status` in the query; a JSON pointer is a member of the body. */
function shownName(name: string): string {
  return name.startsWith('/') ? name : `?${name}`
}
