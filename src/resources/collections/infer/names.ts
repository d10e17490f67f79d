import pluralize from 'pluralize'

/** `customer_id`, `customerId` and `Customer-Id` are one name. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** One of what a path segment names: `order` of `orders`. */
export function singular(name: string): string {
  return pluralize.singular(name)
}

/** Whether a name is the plural of a noun. @param name as `plainName` gives it */
export function isPluralOf(name: string, noun: string): boolean {
  return plainName(pluralize.plural(noun)) === name
}
