import pluralize from 'pluralize'
import { createCache } from '../../../engine/cache.ts'

/** Cached because each reference of a document is compared with the nouns of all collections. */
const plainNames = createCache<string, string>({ most: 1000 })

/** `customer_id`, `customerId` and `Customer-Id` are one name. */
export function plainName(name: string): string {
  const known = plainNames.get(name)
  if (known !== undefined) return known
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  plainNames.set(name, plain)
  return plain
}

/** The noun of a path segment in the singular: `order` for `orders`. */
export function singular(name: string): string {
  return pluralize.singular(name)
}

/** Plurals as plain names, cached because every member of every schema is compared with one. */
const plurals = createCache<string, string>({ most: 1000 })

/** The plural of a noun, as a plain name. */
export function plural(noun: string): string {
  const known = plurals.get(noun) ?? plainName(pluralize.plural(noun))
  plurals.set(noun, known)
  return known
}
