import { createCache } from '../cache.ts'

/**
 * The words of a name, in lower case, however they are joined.
 *
 * @example wordsOf('orderID') // ['order', 'id'], as for order_id, order-id and order[id]
 */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** Each member and reference of a document is compared with the names of many others. */
const plainNames = createCache<string, string>({ most: 1000 })

/** `customer_id`, `customerId` and `Customer-Id` are one name: `customerid`. */
export function plainName(name: string): string {
  const known = plainNames.get(name)
  if (known !== undefined) return known
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  plainNames.set(name, plain)
  return plain
}
