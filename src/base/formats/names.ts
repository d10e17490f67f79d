import { createCache } from '../cache.ts'

/**
 * The words of a name, in lower case, however they are joined.
 *
 * @example wordsOf('orderID') // ['order', 'id'], as for order_id, order-id and order[id]
 */
export const wordsOf = remember((name): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== ''),
)

/** `customer_id`, `customerId` and `Customer-Id` are one name: `customerid`. */
export const plainName = remember((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))

/** Each member and reference of a document is compared with the names of many others. */
function remember<Read>(read: (name: string) => Read): (name: string) => Read {
  const known = createCache<string, Read>({ most: 1000 })
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const fresh = read(name)
    known.set(name, fresh)
    return fresh
  }
}
