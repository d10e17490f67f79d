export function fileURLToPath(url: URL): string {
  return decodeURIComponent(url.pathname)
}

/** Express's router then keeps the parts of an address in a plain object. */
export const Url = undefined
