import pluralize from 'pluralize'
import { remembering } from '../cache.ts'
import { plainName } from './names.ts'

/** The noun of a path segment in the singular: `order` for `orders`. */
export function singular(name: string): string {
  return pluralize.singular(name)
}

/** The singular of a name as a plain name: `lineitem` of `line_items`. */
export function plainSingular(name: string): string {
  return plainName(singular(plainName(name)))
}

/** The plural of a noun, written as the noun: `line-items` of `line-item`. */
export function pluralOf(noun: string): string {
  return pluralize.plural(noun)
}

/** The plural of a noun as a plain name, `lineitems`. Every member of every schema is compared with one. */
export const plural = remembering(1000, (noun: string) => plainName(pluralOf(noun)))

/** Names with the same key are treated as one: `statuses` and `status`, `customerIds` and `customer_id`. */
export function keyOf(words: readonly string[]): string {
  const name = words.join('')
  // Two letters, such as `os`, are not a plural.
  return name.length < 3 ? name : singular(name)
}
