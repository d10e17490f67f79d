/**
 * The most collections of a state, documents of a collection, and characters of JSON of one document and of all. Each parent has
 * collections of its own.
 */
export const LIMITS = { collections: 10_000, documents: 200_000, document: 2 ** 20, all: 256 * 2 ** 20 } as const
export type Limit = keyof typeof LIMITS

/** The limits that sizes exceed. Fixtures, imported states and users' handlers report them in their own words. */
export function findExceeded(
  sizes: Partial<Record<Limit, number>>,
): readonly (readonly [limit: Limit, size: number])[] {
  const limits = Object.keys(LIMITS) as Limit[]
  return limits.flatMap((limit) => {
    const size = sizes[limit] ?? 0
    return size > LIMITS[limit] ? [[limit, size] as const] : []
  })
}

/** What `isCollectionName` accepts, in words. */
export const COLLECTION_NAME = "up to 300 letters, digits and -._~%!'()*, in parts with / between them"
/** What `isDocumentId` accepts, in words. */
export const DOCUMENT_ID = 'a text of 1 to 200 characters'

/** A nested collection is named by its path, ids as `encodeURIComponent` writes them: `customers/1/orders`. */
export function isCollectionName(name: unknown): name is string {
  return typeof name === 'string' && name.length <= 300 && /^[\w.~%!'()*-]+(?:\/[\w.~%!'()*-]+)*$/.test(name)
}

export function isDocumentId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= 200
}
