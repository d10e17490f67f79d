import type { Call, Handler, ParameterValue, Reading } from './handler.ts'
import { Problem, type Violation } from '../errors/problem.ts'

/** A parameter of a path under the name that a handler knows it by, and under the contract's. */
export interface Renaming {
  readonly known: string
  readonly called: string
  /** Whether the handler needs an integer where the contract has a text. */
  readonly asInteger: boolean
}

/** A handler for a contract that calls the parameter of the path otherwise: it reads its own name, and its refusals tell the contract's. */
export function renamed(handler: Handler, renaming: Renaming): Handler {
  return {
    normalizeBody: handler.normalizeBody,
    find: (state, call) => told(renaming, () => handler.find(state, translated(call, renaming))),
    read(state, call) {
      const reading = told(renaming, () => handler.read(state, translated(call, renaming)))
      return {
        violations: reading.violations.map((violation) => toldViolation(violation, renaming)),
        decide: () => told(renaming, () => reading.decide()),
        ...(reading.repeat ? { repeat: renamedRepeat(reading.repeat, renaming) } : {}),
      }
    },
  }
}

/** Made apart from `decide`: functions of one scope keep all that any of them needs, and this one is kept longer than a state. */
function renamedRepeat(repeat: NonNullable<Reading['repeat']>, renaming: Renaming): NonNullable<Reading['repeat']> {
  return (state, call) => told(renaming, () => repeat(state, translated(call, renaming)))
}

function translated(call: Call, { known, called, asInteger }: Renaming): Call {
  const value = call.path[called]
  if (value === undefined) return call
  const path = { ...call.path, [known]: asInteger ? integerOf(value) : value }
  return { ...call, path }
}

/** A text of at most fifteen digits is the integer that it writes; anything else stays, and is the id of nothing. */
function integerOf(value: ParameterValue): ParameterValue {
  return typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value
}

/** Decisions in steps name no parameter of the path, so what they throw needs no other words. */
function told<Result>(renaming: Renaming, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Problem) || renaming.known === renaming.called) throw error
    const violations = error.violations.map((violation) => toldViolation(violation, renaming))
    throw error.with({ violations })
  }
}

function toldViolation(violation: Violation, { known, called }: Renaming): Violation {
  if (violation.parameter !== known || known === called) return violation
  const { message } = violation
  return {
    ...violation,
    parameter: called,
    message: message.startsWith(`${known}:`) ? called + message.slice(known.length) : message,
  }
}
