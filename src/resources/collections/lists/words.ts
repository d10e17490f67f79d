import { singular } from '../infer/names.ts'

/**
 * The words of a name, in lower case, however they are joined.
 *
 * @example wordsOf('createdAt') // ['created', 'at'], as for created_at, created-at and created[at]
 */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Names of one key are taken for the same: `statuses` and `status`, `customerIds` and `customer_id`. */
export function keyOf(words: readonly string[]): string {
  const name = words.join('')
  // Two letters, such as `os`, are no plural.
  return name.length < 3 ? name : singular(name)
}
