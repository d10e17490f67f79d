import { readDocumented } from '../../../../contract/schemas/documented.ts'
import { shapeOf } from '../../../../contract/schemas/shape.ts'
import { canMakeId } from '../../documents/ids.ts'
import type { DraftOperation } from '../draft-operation.ts'
import { type Draft, hasPages } from '../draft.ts'
import type { ItemIdentity } from '../plan.ts'
import { parameterOf } from '../routes.ts'
import { plainName } from '../../../../base/formats/names.ts'

/** Why clients cannot learn the id of an item, as the end of a sentence; undefined where they can. */
export function whyUnreachable(document: unknown, draft: Draft, identity: ItemIdentity): string | undefined {
  const { item, noun, operations, isSingleton } = draft
  if (isSingleton || !item) return undefined
  const { pointer } = identity
  const parameter = parameterOf(item.segments.at(-1)) ?? ''
  if (!canMakeId(identity, document))
    return `no id fits both {${parameter}} and ${pointer === undefined ? 'a path' : `the member ${pointer}`}`
  // Without an id in lists, clients cannot identify the items.
  const isListed = operations.some(({ role }) => role === 'list')
  if (pointer !== undefined || (!isListed && operations.some((one) => tellsId(document, one, parameter))))
    return undefined
  return `no response tells the id of a ${noun} that its path asks for`
}

/** Whether a client names the item, or the response says where it is: `Location` is sent with a 201, and where no item is shown. */
function tellsId(document: unknown, { role, input, output, operation }: DraftOperation, parameter: string): boolean {
  if (role === 'replace') return readDocumented(document, operation).statuses.includes('201')
  if (role !== 'create') return false
  const isSent = [...shapeOf(document, input?.schema, 'any').properties.keys()].some(
    (name) => plainName(name) === plainName(parameter),
  )
  return isSent || output.status === 201 || !output.located
}

/** The operations of such a collection that need no id and contradict nothing: a list with pages that nothing writes to. */
export function withoutIds({ operations }: Draft): DraftOperation[] {
  const lists = operations.filter(({ role, operation }) => role === 'list' && hasPages(operation))
  return operations.every(({ role }) => READING.has(role)) ? lists : []
}

const READING = new Set(['list', 'search', 'read', 'exists'])
