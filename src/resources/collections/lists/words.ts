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
  return singular(words.join(''))
}

/** English plurals, as far as names need them. */
function singular(word: string): string {
  if (word.length < 3 || /(ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}
