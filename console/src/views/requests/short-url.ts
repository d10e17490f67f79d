/** As in the log of the stand-in: cursors of pages and the like; a UUID has 36 characters. */
const LONG_TOKEN = /[\w%~.-]{41,}/g

/** A URL with its long tokens shortened, for a row. @example shortUrl('/orders?next=eyJ…') // '/orders?next=eyJvIjox…MH0z' */
export function shortUrl(url: string): string {
  return url.replaceAll(LONG_TOKEN, (token) => `${token.slice(0, 8)}…${token.slice(-4)}`)
}

/** Characters that the end of a path may take. */
const LONGEST_END = 14

/** A path in two parts, of which the first may be cut: what an operation is about stands at the end. @example splitPath('/api/v1/orders/7/lines') // ['/api/v1/orders', '/7/lines'] */
export function splitPath(path: string): readonly [start: string, end: string] {
  let at = path.length
  for (;;) {
    const slash = path.lastIndexOf('/', at - 1)
    if (slash <= 0 || path.length - slash > LONGEST_END) break
    at = slash
  }
  // A last part that is longer is cut as a whole.
  return at === path.length ? [path, ''] : [path.slice(0, at), path.slice(at)]
}
