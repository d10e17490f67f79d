import { hash } from 'node:crypto'
import { chanceKey, draw } from './random.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** UUID version 5 (RFC 9562, SHA-1): the same namespace and name always give the same id. */
export function nameUuid(namespace: string, name: string): string {
  // One buffer for both: a set of a million files has forty thousand directories, each with such an id.
  const bytes = Buffer.allocUnsafe(NAMESPACE_BYTES + Buffer.byteLength(name))
  bytes.write(namespace.replaceAll('-', ''), 'hex')
  bytes.write(name, NAMESPACE_BYTES)
  const digest = hash('sha1', bytes)
  const variant = ((parseInt(digest.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(18, 20)}-${digest.slice(20, 32)}`
}

const NAMESPACE_BYTES = 16

/**
 * Four random words as a UUID version 4 (RFC 9562). The first word is kept whole, so distinct first words give distinct ids.
 * It is written digit by digit: a concatenated string would keep its parts in memory as long as the id.
 */
export function randomUuid(first: number, second: number, third: number, fourth: number): string {
  const variant = (third & 0x3fffffff) | 0x80000000
  writeHex(first, 0, 8)
  writeHex(second >>> 16, 9, 13)
  writeHex((second & 0xfff) | 0x4000, 14, 18)
  writeHex(variant >>> 16, 19, 23)
  writeHex(variant, 24, 28)
  writeHex(fourth, 28, 36)
  return WRITTEN.toString('latin1')
}

const WRITTEN = Buffer.alloc(36, '-')
const DIGITS = Buffer.from('0123456789abcdef')

/** Writes the last digits of a word from one place up to another. */
function writeHex(word: number, from: number, to: number): void {
  for (let at = to - 1, rest = word; at >= from; at--, rest >>>= 4) WRITTEN[at] = DIGITS[rest & 15] ?? 0
}

/** Gives each request of a sandbox its id, by its number. */
export function createRequestIds(seed: number): (request: number) => string {
  const key = (word: string) => chanceKey(seed, `request id ${word}`)
  const [a, b, c, d] = [key('a'), key('b'), key('c'), key('d')]
  return (request) => randomUuid(draw(a, request), draw(b, request), draw(c, request), draw(d, request))
}
