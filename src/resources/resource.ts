import type { BehaviourId, BehaviourSettings } from '../behaviours/settings.ts'
import type { Operation } from '../contract/contract.ts'
import type { Shape } from '../contract/schemas/shape.ts'
import type { AnyStatePart } from '../engine/state.ts'
import type { Handler } from './handler.ts'

/** A kind of thing that operations are about: what sandboxes keep of it, and the operations that work on it. */
export interface Resource {
  readonly state: AnyStatePart
  readonly operations: readonly BuiltinOperation[]
}

/** An operation that Standin handles itself, under whatever path and operationId a contract has it. */
export interface BuiltinOperation {
  /** The operationId that is bound to it, and what `x-standin` calls it. */
  readonly name: string
  readonly handler: Handler
  /** The status of its success, as the behaviours have it. It is 200 where this is absent. */
  successStatus?(answers: BehaviourSettings): number
  /** What the handler calls the path parameter that names what it works on; absent where it needs none. */
  readonly parameter?: { readonly name: string; readonly isInteger?: true }
  /** Whether an operation of another name is this one. It must distinguish it from the operations of other services. */
  looksLike(operation: OperationOutline): boolean
  /** Whether an operation of its name is checked to fit before it is bound: the name is a usual one. */
  readonly isChecked?: true
  /** How an operation of a contract fits. */
  fit(operation: OperationShapes): Fit
  /** The parts of a request that the handler uses. Others that the contract names have no effect, and responses say so. */
  readonly uses: {
    readonly query: readonly string[]
    readonly body: UsedParts
    /** Whether members of the body that `body` does not name are stored. */
    readonly storesBody?: true
  }
  /** The behaviours that govern how integers are read: in the query by name, and in the path. */
  readonly integers?: {
    readonly query?: Readonly<Record<string, IntegerBehaviours>>
    readonly path?: IntegerBehaviours
  }
  /** A request to begin with, for the start line. */
  readonly example?: { readonly path: string; readonly query: string; readonly body: unknown }
}

/** The behaviours of one integer parameter: how it is written, and how large it may be. */
export interface IntegerBehaviours {
  readonly form: BehaviourId
  readonly range: BehaviourId
}

/** The parts of a value that are used: members by name, elements of a list, or all of it. */
export type UsedParts = { readonly [name: string]: UsedParts } | readonly [UsedParts] | true

/** What an operation looks like without its names. */
export interface OperationOutline {
  /** In upper case. */
  readonly method: string
  readonly segments: readonly string[]
  readonly endsInParameter: boolean
  /** Whether the JSON body has all these members at a JSON pointer. */
  bodyHas(pointer: string, ...names: readonly string[]): boolean
  /** The same of the first documented success. */
  responseHas(pointer: string, ...names: readonly string[]): boolean
}

/** What a contract documents for an operation. */
export interface OperationShapes {
  readonly operation: Pick<Operation, 'method' | 'queryNames'>
  readonly body: Shape
  /** Of the first documented success. */
  readonly response: Shape
  readonly document: unknown
}

export interface Fit {
  /** Why the operation cannot be this one; undefined when it can. */
  readonly obstacle: string | undefined
  /** What the contract does not have of it, as a sentence; undefined when it has all. */
  readonly lack: string | undefined
}

/** What handles an operation: a built-in operation by its name, `own`, `generated` or `refused`. */
export type HandlerKind = string

/** The names of a shape, for messages. */
export function listed(names: Iterable<string>): string {
  return [...names].slice(0, 10).join(', ')
}
