import { applyPatch, type Operation } from 'rfc6902'
import { shown, violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { patchTestFailed } from '../../../base/errors/resource-errors.ts'
import { isObject, type Members } from '../../../base/formats/json.ts'

/** RFC 7396: null removes a member, objects are merged, anything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch))
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  return Object.fromEntries(merged) satisfies Members
}

/** An item after a JSON Patch (RFC 6902). @throws Problem 400 for an operation that cannot be applied, 409 for a test that fails */
export function jsonPatch(item: Members, patch: readonly unknown[]): Members {
  // The library mutates its input.
  const whole = { item: structuredClone(item) as unknown }
  for (const [at, operation] of patch.entries()) {
    const place = `/${at}`
    if (!isObject(operation) || typeof operation.op !== 'string')
      throw requestInvalid([violation({ pointer: place }, 'json-patch', 'an operation of a JSON Patch', operation)])
    // Some contracts document `Replace`.
    const op = operation.op.toLowerCase()
    const [failure] = applyPatch(whole, [inside({ ...operation, op }, place)])
    if (!failure) continue
    const { path, value } = operation
    if (op === 'test')
      throw patchTestFailed({
        detail: `${place}: expected ${shown(value)} at ${String(path)}. Nothing was changed.`,
        violations: [violation({ pointer: place }, 'json-patch', `${shown(value)} at ${String(path)}`)],
      })
    throw requestInvalid([
      violation({ pointer: place }, 'json-patch', `an operation that can be applied (${failure.message})`, operation),
    ])
  }
  if (isObject(whole.item)) return whole.item
  throw requestInvalid([violation({ pointer: '' }, 'json-patch', 'a patch that leaves an object', whole.item)])
}

/** The same operation on the member that holds the item, so that the item itself may be replaced. */
function inside(operation: Members, place: string): Operation {
  const moved = Object.fromEntries(
    ['path', 'from'].flatMap((name): [string, string][] => {
      const pointer = operation[name]
      if (pointer === undefined) return []
      if (
        typeof pointer !== 'string' ||
        !/^(\/|$)/.test(pointer) ||
        /(^|\/)(__proto__|constructor|prototype)(\/|$)/.test(pointer)
      )
        throw requestInvalid([violation({ pointer: `${place}/${name}` }, 'json-patch', 'a JSON pointer', pointer)])
      return [[name, `/item${pointer}`]]
    }),
  )
  return { ...operation, ...moved } as unknown as Operation
}
