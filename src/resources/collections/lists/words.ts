import { singular } from '../infer/names.ts'

/** Names of one key are taken for the same: `statuses` and `status`, `customerIds` and `customer_id`. */
export function keyOf(words: readonly string[]): string {
  const name = words.join('')
  // Two letters, such as `os`, are no plural.
  return name.length < 3 ? name : singular(name)
}
