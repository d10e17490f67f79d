import pluralize from 'pluralize'
import { createCache } from '../../../base/cache.ts'
import { plainName } from '../../../base/formats/names.ts'

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
