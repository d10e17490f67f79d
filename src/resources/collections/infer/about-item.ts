import { type Shape, shapeOf } from '../../../contract/schemas/shape.ts'
import { encodePointer } from '../../../formats/json.ts'
import type { Located, Output, Role } from './plan.ts'
import { isSameItem } from './same-item.ts'

/** What is known of an operation when its collection is. */
interface Described {
  readonly role: Role
  /** The schema of the whole body. */
  readonly body: unknown
  readonly input: Located | undefined
  readonly output: Output
}

/**
 * An operation with the items in its body and its response where the item of the collection tells them to be; undefined when its
 * response is about something else.
 */
export function aboutItem<T extends Described>(document: unknown, schema: unknown, operation: T): T | undefined {
  const { role, output } = operation
  const input = operation.input && relocated(document, schema, operation.input, operation.body)
  const located = output.located && relocated(document, schema, output.located, output.schema)
  const isSame = located !== undefined && isSameItem(document, located.schema, schema)
  if (role === 'delete')
    return {
      ...operation,
      output: { ...output, located: isSame && !isReceipt(document, located, schema) ? located : undefined },
    }
  if (!located || isSame) return { ...operation, input, output: { ...output, located } }
  if (!['create', 'merge', 'replace'].includes(role) || !isAcknowledgement(document, located.schema)) return undefined
  return { ...operation, input, output: { ...output, located: undefined } }
}

/** Where the item is found already, or where a member of the body is more like it. */
function relocated(document: unknown, schema: unknown, located: Located, body: unknown): Located {
  if (located.isList || isSameItem(document, located.schema, schema)) return located
  const members = [...shapeOf(document, body, 'any').properties]
  const [name, member] =
    members.find(([, one]) => isObjectShape(shapeOf(document, one, 'any')) && isSameItem(document, one, schema)) ?? []
  return name === undefined ? located : { pointer: `/${encodePointer(name)}`, schema: member, isList: false }
}

function isObjectShape({ properties }: Shape): boolean {
  return properties.size > 0
}

/** `{"id": "1", "deleted": true}`: it names what was deleted, and does not show it. */
function isReceipt(document: unknown, { schema: shown }: Located, schema: unknown): boolean {
  const [few, all] = [shown, schema].map((one) => shapeOf(document, one, 'any').properties)
  return (
    few !== undefined &&
    all !== undefined &&
    (few.size * 2 < all.size || [...few.keys()].some((name) => !all.has(name)))
  )
}

/** `{"success": true}`: few plain members, and nothing that could be another thing. */
function isAcknowledgement(document: unknown, schema: unknown): boolean {
  const { properties } = shapeOf(document, schema, 'any')
  const isPlain = [...properties.values()].every((one) => shapeOf(document, one, 'any').properties.size === 0)
  return properties.size <= MOST_MEMBERS && isPlain
}

const MOST_MEMBERS = 5
