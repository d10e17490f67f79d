import { remembering } from '../cache.ts'

/** Each member and reference of a document is compared with the names of many others. */
const MOST_NAMES = 1000

/**
 * The words of a name, in lower case, however they are joined.
 *
 * @example wordsOf('orderID') // ['order', 'id'], as for order_id, order-id and order[id]
 */
export const wordsOf = remembering(MOST_NAMES, (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== ''),
)

/** The member that a word of a path names: `slug` of `/posts/by-slug/{slug}`. As `plainName`. */
export function keyName(word: string): string {
  return plainName(word).replace(/^by/, '')
}

/** `customer_id`, `customerId` and `Customer-Id` are one name: `customerid`. */
export const plainName = remembering(MOST_NAMES, (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))

/** What objects call their own id. */
export const ID_NAMES = ['id', 'gid']

/** The name of a test as that of a sandbox, of at most so many characters. */
export function nameOfTest(test: string, longest: number): string {
  const name = test.normalize('NFKD').replaceAll(/[^A-Za-z\d]+/g, '-')
  return name.replace(/^-/, '').slice(0, longest).replace(/-$/, '') || 'test'
}
