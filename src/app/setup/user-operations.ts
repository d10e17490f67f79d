import { type Bindings } from '../binding/binding.ts'
import type { Config } from '../../config/config.ts'
import type { Contract } from '../../contract/contract.ts'
import { createSelfCheck, type SelfCheck } from '../adapter/self-check.ts'
import type { Handler } from '../../resources/handler.ts'
import { createUserHandler } from '../../handlers/user-handler.ts'
import type { StateRules } from '../../engine/state.ts'
import { readHandlers } from '../../handlers/read-handlers.ts'
import { StartupError } from '../../errors/problem.ts'

const NONE: ReadonlyMap<string, Handler> = new Map()

/**
 * The handlers of the user's own, by operationId.
 *
 * @param rules by which is checked what they want to happen; asked for when the first request comes
 * @throws StartupError for those that are none, or whose operation the contract does not have
 */
export function createUserHandlers(
  { handlers }: Config,
  { operations }: Contract,
  rules: () => StateRules,
): ReadonlyMap<string, Handler> {
  if (handlers === undefined) return NONE
  if (typeof handlers === 'string') {
    const file = /^(\.|\/|file:)/.test(handlers) ? handlers : `./${handlers}`
    const remedy = `Give what it exports: (await import(${JSON.stringify(file)})).default.`
    throw new StartupError([`handlers: a file cannot be imported at once. ${remedy}`])
  }
  const known = operations.map(({ operationId }) => operationId)
  const own = readHandlers(handlers.definitions, known, handlers.from)
  return new Map([...own].map(([id, operation]) => [id, createUserHandler(operation, handlers.from, rules)]))
}

/** Answers that are not ours are always looked at, those of the built-in operations when it is asked for. */
export function chooseSelfCheck(
  { selfCheck, handlers }: Config,
  contract: Contract,
  bindings: Bindings,
): SelfCheck | undefined {
  const isHeld = (operationId: string) => selfCheck || bindings.get(operationId)?.kind !== 'stateful'
  if (!selfCheck && [...bindings.values()].every(({ kind }) => kind === 'stateful')) return undefined
  const handlersOf = (operationId: string) =>
    bindings.get(operationId)?.kind === 'own' && typeof handlers === 'object' ? handlers.from : undefined
  return createSelfCheck(contract, isHeld, handlersOf)
}
