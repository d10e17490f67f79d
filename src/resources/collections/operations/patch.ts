import { refusal } from '../../../behaviours/refusal.ts'
import { allowsNull, shapeOf } from '../../../contract/schemas/shape.ts'
import { shown, violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { patchTestFailed } from '../../../base/errors/resource-errors.ts'
import { isObject, type Members, parseJson, stringifyJson } from '../../../base/formats/json.ts'
import { loadJsonP3 } from '../../../contract/json-p3.ts'
import { mergePatch } from '../../../base/formats/merge-patch.ts'
import { withShownNulls } from '../related/refer-to-items.ts'
import type { Item, OperationWork } from './work.ts'
import { refuseUnknownReferences } from './references.ts'
import { readOnlyMembers } from '../items/server-members.ts'

/** An item after a JSON Patch (RFC 6902). @throws Problem 400 for an operation that cannot be applied, 409 for a test that fails */
function jsonPatch(item: Members, patch: readonly unknown[]): Members {
  const { JSONPatch, JSONPatchTestFailure } = loadJsonP3()
  let whole: unknown = item
  for (const [at, operation] of patch.entries()) {
    const place = `/${at}`
    if (!isObject(operation) || typeof operation.op !== 'string')
      throw requestInvalid([violation({ pointer: place }, 'json-patch', 'an operation of a JSON Patch', operation)])
    checkPointers(operation, place)
    // Some contracts document `Replace`.
    const op = operation.op.toLowerCase()
    try {
      // The library changes its input, and `copy` leaves one value in two places, as a structured clone would.
      const copy = parseJson(stringifyJson(whole))
      whole = new JSONPatch([{ ...operation, op } as never]).apply(copy as never)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      const { path, value } = operation
      if (error instanceof JSONPatchTestFailure)
        throw patchTestFailed({
          detail: `${place}: expected ${shown(value)} at ${String(path)}. Nothing was changed.`,
          violations: [violation({ pointer: place }, 'json-patch', `${shown(value)} at ${String(path)}`)],
        })
      // The library ends its messages with the operation: `missing property 'value' (add:0)`.
      const reason = error.message.replace(/ \(\S*:0\)$/, '')
      throw requestInvalid([
        violation({ pointer: place }, 'json-patch', `an operation that can be applied (${reason})`, operation),
      ])
    }
  }
  if (isObject(whole)) return whole
  throw requestInvalid([violation({ pointer: '' }, 'json-patch', 'a patch that leaves an object', whole)])
}

function checkPointers(operation: Members, place: string): void {
  for (const name of ['path', 'from']) {
    const pointer = operation[name]
    if (pointer === undefined) continue
    if (
      typeof pointer !== 'string' ||
      !/^(\/|$)/.test(pointer) ||
      /(^|\/)(__proto__|constructor|prototype)(\/|$)/.test(pointer)
    )
      throw requestInvalid([violation({ pointer: `${place}/${name}` }, 'json-patch', 'a JSON pointer', pointer)])
  }
}

/** A merge patch with the nulls that stay, as `collections.merge-null` says. @throws Problem 400 for null in a member that is required */
export function merged(work: OperationWork, { call, stored }: Item, given: Members): Members {
  const patch = withShownNulls(work, given)
  const { schema } = work.plan.collection
  const { properties, required } = shapeOf(work.document, schema, 'any')
  const nulls = Object.keys(patch).filter((name) => patch[name] === null)
  const isNullable = (name: string) => allowsNull(work.document, properties.get(name))
  const stays = (name: string) =>
    isNullable(name) && (required.has(name) || call.tracker.ask('collections.merge-null') === 'store')
  const impossible = nulls.filter((name) => required.has(name) && !isNullable(name))
  const sent = shapeOf(work.document, work.plan.input?.schema, 'any').properties
  const refused = impossible.filter((name) => !allowsNull(work.document, sent.get(name)))
  if (refused.length > 0)
    throw requestInvalid(
      refused.map((name) =>
        refusal('collections.merge-null', { pointer: `/${name}` }, 'a value, since it is required', null),
      ),
    )
  const kept = nulls.filter(stays).map((name): [string, null] => [name, null])
  const same = impossible.map((name): [string, unknown] => [name, stored.value[name]])
  return { ...(mergePatch(stored.value, patch) as Members), ...Object.fromEntries([...kept, ...same]) }
}

/** RFC 6902. Read-only members stay unchanged. */
export function patched(work: OperationWork, item: Item, patch: readonly unknown[]): Members {
  const before = item.stored.value
  const after = jsonPatch(before, patch)
  const kept = readOnlyMembers(work.document, work.plan.collection.schema)
  const own = Object.entries(before).filter(([name]) => kept.has(name))
  const others = Object.entries(after).filter(([name]) => !kept.has(name))
  refuseUnknownReferences(work, item, { given: Object.fromEntries(others), before })
  return Object.fromEntries([...own, ...others])
}
