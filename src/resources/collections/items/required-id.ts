import { memberAt, shapeOf } from '../../../contract/schemas/shape.ts'
import { splitPointer } from '../../../base/formats/json.ts'
import type { OperationPlan } from '../infer/plan.ts'

/**
 * The pointer of the id in the body of a create that must have it, where it is called `id`: often the contract has one schema for items and for
 * new ones, and the service sets the id. Undefined elsewhere, as for a required `slug`.
 */
export function requiredId(document: unknown, { role, input, collection }: OperationPlan): string | undefined {
  const [name = '', ...inner] = splitPointer(collection.identity.pointer ?? '')
  if (role !== 'create' || !input || inner.length > 0 || !/^_?(id|uuid|guid)$/i.test(name)) return undefined
  if (!shapeOf(document, input.schema, 'any').required.has(name)) return undefined
  const { readOnly } = shapeOf(document, memberAt(document, input.schema, [name])).keywords
  return readOnly === true ? undefined : `${input.pointer}/${name}`
}

export const MARK_READ_ONLY = 'If the server sets it, mark it readOnly in the contract.'
