import pluralize from 'pluralize'
import { createCache } from '../../../engine/cache.ts'

/** `customer_id`, `customerId` and `Customer-Id` are one name. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** One of what a path segment names: `order` of `orders`. */
export function singular(name: string): string {
  return pluralize.singular(name)
}

/** Plurals as plain names: every member of every schema is compared with one. */
const plurals = createCache<string, string>({ most: 1000 })

/** Whether a name is the plural of a noun. @param name as `plainName` gives it */
export function isPluralOf(name: string, noun: string): boolean {
  const known = plurals.get(noun) ?? plainName(pluralize.plural(noun))
  plurals.set(noun, known)
  return known === name
}
