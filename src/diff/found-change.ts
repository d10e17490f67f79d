import type { Contract } from '../contract/contract.ts'
import type { Side } from '../contract/schemas/split-schema.ts'
import type { Level, Part } from './change.ts'
import type { Pair } from './compare-operations.ts'
import type { Compare, Direction, SchemaChange } from './schema-change.ts'

/** A difference in one operation. */
export interface FoundChange {
  readonly kind: string
  readonly level: Level
  readonly side: Side
  readonly words: string
  readonly part: Part
  /** In the value. */
  readonly pointer?: string
  /** Pointers in the documents; undefined where that one has nothing. */
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** The contracts, and an operation of both. */
export interface PairContext extends Pair {
  readonly contracts: { readonly old: Contract; readonly now: Contract }
  readonly compare: Compare
}

/** The changes of a schema as those of the part of an operation that has it. */
export function inPart(changes: readonly SchemaChange[], side: Side, part: Part): FoundChange[] {
  return changes.map(({ direction, level, ...change }) => ({
    ...change,
    level: level ?? levelOf(direction, side),
    side,
    part,
  }))
}

/** NEW has to accept all requests that OLD accepts, and to send only responses that OLD may send. */
function levelOf(direction: Direction, side: Side): Level {
  return direction === (side === 'request' ? 'widened' : 'narrowed') ? 'compatible' : 'breaking'
}
