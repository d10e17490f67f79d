/** Only compression is made a promise of, which a page's requests never ask for. */
export function promisify() {
  return () => Promise.reject(new Error('A page compresses nothing.'))
}

/** Without colours: a page's console has its own. */
export function styleText(_format: unknown, text: string): string {
  return text
}

const nameOfKind = (value: unknown) => Object.prototype.toString.call(value)

export const types = {
  isAsyncFunction: (value: unknown) => nameOfKind(value) === '[object AsyncFunction]',
  isGeneratorFunction: (value: unknown) => /^\[object (?:Async)?GeneratorFunction\]$/.test(nameOfKind(value)),
}

/** For plain data: objects, arrays and what JSON has besides, bigints included. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const entries = Object.entries(one)
  return (
    entries.length === Object.keys(other).length &&
    entries.every(
      ([name, value]) =>
        Object.hasOwn(other, name) && isDeepStrictEqual(value, (other as Record<string, unknown>)[name]),
    )
  )
}

export function inherits(type: { prototype: object }, parent: { prototype: object }): void {
  Object.setPrototypeOf(type.prototype, parent.prototype)
}
