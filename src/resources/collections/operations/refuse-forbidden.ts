import { memberAt, shapeOf } from '../../../contract/schemas/shape.ts'
import type { Violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import { type Members, splitPointer, withNumbers } from '../../../base/formats/json.ts'
import { showItem, type Showing, showWhole } from '../items/show.ts'
import { statusFor, valuesOf } from '../lifecycles/status-words.ts'
import type { OperationWork } from './work.ts'

/**
 * Constraints on the value of a member. A wrong type is not one of them: bodies and responses may document different types, so the member is
 * converted, or left out.
 */
const CONSTRAINTS =
  /^(enum|const|minLength|maxLength|minimum|maximum|exclusiveM|multipleOf|minItems|maxItems|uniqueItems)/

/**
 * @returns the members with a value that the body documents and the response does not, as one of its own or as any text, with what the
 * response has for it: `running` for `start`; undefined for nothing
 * @throws Problem 400 for others that no response could show, though they are of the right type
 */
export function refuseForbidden(
  { plan, views, document }: OperationWork,
  item: Members,
  given: readonly string[],
  showing: Showing,
): Members {
  const view = views.find(({ role, output }) => role === 'read' && output.located) ?? plan
  const { operation, output } = view
  if (!output.located || output.located.isList) return {}
  const { pointer, schema } = output.located
  const shown = showWhole(output, showItem(schema, item, showing), showing)
  const violations = operation.checkResponse(output.status, withNumbers(shown)).flatMap((one) => {
    const place = one.pointer?.startsWith(pointer) ? one.pointer.slice(pointer.length) : ''
    const [name = ''] = splitPointer(place)
    return given.includes(name) && CONSTRAINTS.test(one.code) ? [{ ...one, pointer: place }] : []
  })
  const sent = shapeOf(document, plan.input?.schema, 'any').properties
  const nameOf = (place: string) => splitPointer(place)[0] ?? ''
  // The request was checked by its own schema.
  const isDocumented = ({ pointer: place = '', code }: Violation) => {
    const { keywords, types } = shapeOf(document, sent.get(nameOf(place)))
    return /^(enum|const)$/.test(code) && ((keywords.enum ?? keywords.const) !== undefined || types.has('string'))
  }
  const [others, known] = [violations.filter((one) => !isDocumented(one)), violations.filter(isDocumented)]
  if (others.length > 0) throw requestInvalid(others)
  return Object.fromEntries(
    known.map(({ pointer: place }): [string, unknown] => {
      const name = nameOf(place)
      return [name, statusFor(String(item[name]), valuesOf(document, memberAt(document, schema, [name])))]
    }),
  )
}
