import type { Operation } from '../../../contract/contract.ts'
import { statusFor, statusMembers } from '../lifecycles/status-words.ts'
import { hintOfOperation } from './hints.ts'
import type { Located } from './plan.ts'
import { isSameItem } from './same-item.ts'

interface Below {
  readonly operation: Operation
  /** The last segment of its path. */
  readonly word: string
  /** Of an item of the collection. */
  readonly schema: unknown
  /** What its response shows. */
  readonly item: Located | undefined
  readonly list: Located | undefined
}

/** What the response of an action shows, and why the operation counts as one. */
interface Action {
  readonly shows: Located | undefined
  readonly reason: string
}

/** Finds whether an operation on a word below an item acts on it, such as `/orders/{id}/cancel`. */
export function findAction(document: unknown, { operation, word, schema, item, list }: Below): Action | undefined {
  const { method } = operation
  if (method !== 'POST' && method !== 'PUT') return undefined
  const reason = `${method} on a word below an item`
  if (item && isSameItem(document, item.schema, schema)) return { shows: item, reason: `${reason}, which it shows` }
  const { role, set } = hintOfOperation(operation)
  if (role === 'action' || set !== undefined) return { shows: undefined, reason }
  // A response without the item is about another resource.
  if (item ?? list) return undefined
  const isStatus = statusMembers(document, schema).some(({ values }) => statusFor(word, values) !== undefined)
  return isStatus ? { shows: undefined, reason: `${reason} that means a status of it` } : undefined
}
