import type { Side } from '../../contract/schemas/split-schema.ts'
import type { Contract } from '../../contract/contract.ts'
import type { OperationPair } from './compare-operations.ts'
import type { Conjunction, SchemaView } from './schema-view.ts'

/**
 * `breaking`: a client that OLD allows may fail with NEW. `warning`: whether it may cannot be told, or it should be looked at.
 * `compatible`: it cannot.
 */
export type Severity = 'breaking' | 'warning' | 'compatible'

export const LEVELS: readonly Severity[] = ['breaking', 'warning', 'compatible']

/** The part of an operation that changed. */
export type OperationPart =
  | { readonly kind: 'operation' }
  | { readonly kind: 'parameter'; readonly in: string; readonly name: string }
  | { readonly kind: 'request-body'; readonly mediaType?: string }
  | { readonly kind: 'response'; readonly status: string; readonly mediaType?: string; readonly header?: string }

/** Where in the interface a change shows. */
export interface Use {
  /** In OLD, or in NEW for what is new there: `GET /orders`. */
  readonly operation: string
  readonly part: OperationPart
  /** In the value: a JSON pointer in which `*` is any element, and any member without a name of its own. */
  readonly pointer: string
}

/** One difference between two contracts. A part that several operations refer to has several uses. */
export interface Change {
  readonly level: Severity
  /** Such as `member-removed`; see `docs/truth.md`. */
  readonly kind: string
  readonly side: Side
  /** What follows the place: `is required now`. */
  readonly words: string
  /** `file:line` in OLD; in NEW where OLD has nothing. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly uses: readonly Use[]
}

/** A difference in one operation. */
export interface FoundChange extends Pick<Change, 'kind' | 'level' | 'side' | 'words'> {
  readonly part: OperationPart
  /** In the value. */
  readonly pointer?: string
  /** Pointers in the documents; undefined where that one has nothing. */
  readonly before?: string | undefined
  readonly after?: string | undefined
}

type ChangePlace = Pick<FoundChange, 'side' | 'part' | 'before' | 'after'>

/** A difference that is not one of schemas. */
export function found(kind: string, level: Severity, words: string, place: ChangePlace): FoundChange {
  return { kind, level, words, ...place }
}

/** The contracts, and an operation of both. */
export interface PairContext extends OperationPair {
  readonly contracts: { readonly old: Contract; readonly now: Contract }
  readonly compare: Compare
}

/** The changes of a schema as those of the part of an operation that has it. */
export function inPart(changes: readonly SchemaChange[], side: Side, part: OperationPart): FoundChange[] {
  return changes.map(({ direction, level, ...change }) => ({
    ...change,
    level: level ?? levelOf(direction, side),
    side,
    part,
  }))
}

/** NEW has to accept all requests that OLD accepts, and to send only responses that OLD may send. */
function levelOf(direction: Direction, side: Side): Severity {
  return direction === (side === 'request' ? 'widened' : 'narrowed') ? 'compatible' : 'breaking'
}

/** Whether fewer values are allowed than before, more, or others. */
export type Direction = 'narrowed' | 'widened' | 'changed'

/** A difference between two schemas. */
export interface SchemaChange extends Pick<Change, 'kind' | 'words'> {
  readonly direction: Direction
  /** Where the direction does not decide it. */
  readonly level?: Severity
  /** In the value, with `*` for any element and any other member. */
  readonly pointer: string
  /** Pointers in the documents; undefined where that one has nothing. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Compares what two schemas allow on one side of an exchange. */
export type Compare = (old: Conjunction, now: Conjunction, side: Side) => readonly SchemaChange[]

/** What the comparisons of parts of schemas need. */
export interface ComparisonContext {
  readonly old: ContractReading
  readonly now: ContractReading
  readonly compare: Compare
}

export interface ContractReading {
  readonly document: unknown
  readonly viewOf: (conjunction: Conjunction) => SchemaView
}
