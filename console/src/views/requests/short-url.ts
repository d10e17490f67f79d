/** As in the log of the stand-in: cursors of pages and the like; a UUID has 36 characters. */
const LONG_TOKEN = /[\w%~.-]{41,}/g

/** A URL with its long tokens shortened, for a row. @example shortUrl('/orders?next=eyJ…') // '/orders?next=eyJvIjox…MH0z' */
export function shortUrl(url: string): string {
  return url.replaceAll(LONG_TOKEN, (token) => `${token.slice(0, 8)}…${token.slice(-4)}`)
}
