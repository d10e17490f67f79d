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
