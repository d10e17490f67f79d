import { Problem, type Violation } from '../../base/errors/problem.ts'
import type { Call, Handler, ParameterValue, Reading } from '../../resources/handler.ts'

/** A path parameter under the name that a handler knows it by, and under the contract's. */
interface Renaming {
  readonly known: string
  readonly called: string
  /** Whether the handler needs an integer where the contract has a text. */
  readonly asInteger: boolean
}

/** A handler for a contract that calls the path parameter otherwise: it reads its own name, and its refusals have the contract's. */
export function renamed(handler: Handler, renaming: Renaming): Handler {
  return {
    ...handler,
    assertExists: (state, call) =>
      withOwnNames(renaming, () => handler.assertExists(state, translated(call, renaming))),
    read(state, call) {
      const reading = withOwnNames(renaming, () => handler.read(state, translated(call, renaming)))
      return {
        violations: reading.violations.map((violation) => withOwnName(violation, renaming)),
        decide: () => withOwnNames(renaming, () => reading.decide()),
        ...(reading.repeat ? { repeat: renamedRepeat(reading.repeat, renaming) } : {}),
      }
    },
  }
}

/** A function of its own, so that what is kept for later requests does not hold the state of this one. */
function renamedRepeat(repeat: NonNullable<Reading['repeat']>, renaming: Renaming): NonNullable<Reading['repeat']> {
  return (state, call) => withOwnNames(renaming, () => repeat(state, translated(call, renaming)))
}

function translated(call: Call, { known, called, asInteger }: Renaming): Call {
  const value = call.path[called]
  if (value === undefined) return call
  return { ...call, path: { ...call.path, [known]: asInteger ? integerOf(value) : value } }
}

/** A text of at most fifteen digits as an integer; anything else stays, and is the id of nothing. */
function integerOf(value: ParameterValue): ParameterValue {
  return typeof value === 'string' && /^(0|[1-9]\d{0,14})$/.test(value) ? Number(value) : value
}

/** Decisions in steps name no path parameter, so what they throw needs no translation. */
function withOwnNames<Result>(renaming: Renaming, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof Problem) || renaming.known === renaming.called) throw error
    throw error.with({ violations: error.violations.map((violation) => withOwnName(violation, renaming)) })
  }
}

function withOwnName(violation: Violation, { known, called }: Renaming): Violation {
  const { message, parameter } = violation
  if (parameter !== known || known === called) return violation
  const said = message.startsWith(`${known}:`) ? called + message.slice(known.length) : message
  return { ...violation, parameter: called, message: said }
}
