import { types } from 'node:util'
import type { UserOperation } from './define-operation.ts'
import { isObject } from '../formats/json.ts'
import { nearest } from '../errors/wording.ts'
import { shown, StartupError } from '../errors/problem.ts'

/**
 * The user's own operations, by operationId.
 *
 * @param given what `--handlers` or `createStandin` was given: definitions, one or a list
 * @param known the operationIds of the contract
 * @param where how to name the place in messages
 * @throws StartupError with everything that is wrong
 */
export function readHandlers(
  given: unknown,
  known: readonly string[],
  where: string,
): ReadonlyMap<string, UserOperation> {
  if (!Array.isArray(given) && !isDefinition(given)) {
    const expected = "an operation made with defineOperation('operationId', …), or a list of them"
    throw new StartupError([`${where}: expected ${expected}; got ${shown(given)}.`])
  }
  const complaints: string[] = []
  const operations = new Map<string, UserOperation>()
  for (const [index, one] of (Array.isArray(given) ? given : [given]).entries()) {
    const say = (complaint: string) => void complaints.push(`${where}: ${complaint}`)
    if (!isDefinition(one)) say(`element ${index + 1} is no operation. Make it with defineOperation('operationId', …).`)
    else if (!known.includes(one.operationId)) say(unknownOperation(one.operationId, known))
    else if (operations.has(one.operationId)) say(`the operation ${one.operationId} is there twice. Remove one.`)
    else if (isDeferred(one.handle)) say(deferred(one))
    else operations.set(one.operationId, one)
  }
  if (complaints.length > 0) throw new StartupError(complaints)
  return operations
}

function isDefinition(one: unknown): one is UserOperation {
  return isObject(one) && typeof one.operationId === 'string' && typeof one.handle === 'function'
}

/** An async or generator function is recognised before it is called. */
function isDeferred(handle: UserOperation['handle']): boolean {
  return types.isAsyncFunction(handle) || types.isGeneratorFunction(handle)
}

function deferred({ operationId, handle }: UserOperation): string {
  const kind = types.isGeneratorFunction(handle) ? 'a generator' : 'async'
  const remedy =
    'Make it an ordinary function that returns { status, body }, and load what it needs at the top of the file.'
  return `the handler of ${operationId} is ${kind}. ${remedy}`
}

function unknownOperation(operationId: string, known: readonly string[]): string {
  const meant = nearest(operationId, known)
  const hint = meant === undefined ? `Operations: ${known.slice(0, 20).join(', ')}.` : `Did you mean ${shown(meant)}?`
  return `the contract has no operation ${shown(operationId)}. ${hint}`
}
