import { pointerOf, valueAt } from '../../../contract/pointer.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { type Json, type Members, splitPointer, withNumbers } from '../../../base/formats/json.ts'
import { schemaAt } from '../../../values/fit-object.ts'
import { replaceAt } from '../../../values/replace-at.ts'
import { showItem, type Showing, showWhole } from '../items/show.ts'
import { statusFor, valuesOf } from '../lifecycles/status-words.ts'
import type { OperationWork } from './work.ts'

/** Constraints on a value. Bodies and responses may also document different types: the member is converted then, or left out. */
const CONSTRAINTS =
  /^(enum|const|minLength|maxLength|minimum|maximum|exclusiveM|multipleOf|minItems|maxItems|uniqueItems|pattern|format)/

interface WrittenValues {
  /** The members that the request has. */
  readonly names: readonly string[]
  /** The item as it was; undefined for a new one. */
  readonly before: Members | undefined
}

/**
 * What the body may have by its own schema is taken, also where no response could show it: the item gets what is nearest to it, `running`
 * for `start` and the first ten characters of a text that responses limit to ten; else what it had.
 *
 * @returns the members of the request that have such a value, as responses can show them; undefined for nothing
 */
export function replaceForbidden(
  { plan, views, document }: OperationWork,
  item: Members,
  { names, before }: WrittenValues,
  showing: Showing,
): Members {
  const view = views.find(({ role, output }) => role === 'read' && output.located) ?? plan
  const { operation, output } = view
  if (!output.located || output.located.isList) return {}
  const { pointer, schema } = output.located
  const shown = showWhole(output, showItem(schema, item, showing), showing)
  const violations = operation.checkResponse(output.status, withNumbers(shown)).flatMap((one) => {
    const path = one.pointer?.startsWith(pointer) ? splitPointer(one.pointer.slice(pointer.length)) : []
    return names.includes(path[0] ?? '') ? [{ ...one, path }] : []
  })
  let mended = item
  // The last elements first: those after one that is left out move.
  for (const { path, code } of violations.toReversed()) {
    const value = valueAt(mended, pointerOf(path))
    if (!CONSTRAINTS.test(code) || value === undefined) continue
    const nearest = nearestTo(document, schemaAt(mended, path, { document, schema }).schema, value)
    const isElement = path.some((_, at) => Array.isArray(valueAt(mended, pointerOf(path.slice(0, at)))))
    const other = nearest ?? (isElement ? undefined : valueAt(before, pointerOf(path)))
    mended = replaceAt(mended, path, other)
  }
  return Object.fromEntries(names.filter((name) => mended[name] !== item[name]).map((name) => [name, mended[name]]))
}

/** The value that a schema has for one that it does not allow; the same where it is allowed after all, undefined where there is none. */
function nearestTo(document: unknown, schema: unknown, value: unknown): unknown {
  const { keywords } = shapeOf(document, schema)
  const values = keywords.const === undefined ? valuesOf(document, schema) : [keywords.const as Json]
  // Only other alternatives than the one that the value is most like may forbid it.
  if (values.includes(value as Json)) return value
  if (values.length > 0) return typeof value === 'string' ? statusFor(value, values) : undefined
  const { maxLength, maxItems, minimum, maximum, multipleOf } = keywords
  if (typeof value === 'string' && typeof maxLength === 'number') return value.slice(0, maxLength)
  if (Array.isArray(value) && typeof maxItems === 'number') return value.slice(0, maxItems)
  if (typeof value === 'number' && multipleOf === undefined)
    return Math.min(Math.max(value, Number(minimum ?? value)), Number(maximum ?? value))
  return undefined
}
