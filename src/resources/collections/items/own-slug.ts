import type { Members } from '../../../base/formats/json.ts'
import type { Documents } from '../documents/documents.ts'
import { selectNow } from '../documents/select.ts'

/** Looking for a free slug takes a search for each number. */
const MOST_TRIES = 20

/**
 * A slug that another item has gets a number: `launch-2`. Where the first numbers are taken, it is how many items there have been.
 *
 * @param fixed the pointers of members that were sent
 * @throws NotReady where an index is to be made first
 */
export function withOwnSlug(documents: Documents | undefined, fixed: readonly string[], item: Members): Members {
  const slug = documents && !fixed.includes('/slug') ? item.slug : undefined
  if (!documents || typeof slug !== 'string') return item
  const isFree = (one: string) =>
    selectNow(documents, { conditions: [{ pointer: '/slug', oneOf: [one] }], order: [] }).count === 0
  const tried = Array.from({ length: MOST_TRIES }, (_, at) => (at === 0 ? slug : `${slug}-${at + 1}`))
  return { ...item, slug: tried.find(isFree) ?? `${slug}-${documents.made + 1}` }
}
