import { hash, createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto'
import { PADDING } from '../base/formats/change-value.ts'

/**
 * What follows from the seed: draws, ids and the keys of tokens. Draws have no stream: each is a pure function of (seed, purpose, index).
 * So the millionth file can be generated without the others, and another draw in one place changes nothing elsewhere.
 */

/** A 32-bit key for one purpose under one seed. Two purposes, or two seeds, give unrelated draws. */
export function chanceKey(seed: number, purpose: string): number {
  const text = `${seed}/${purpose}`
  let hash = OFFSET_BASIS
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Encoding a text takes longer than hashing it, and most are ASCII.
    if (code > 127) return scramble(hashOf(new TextEncoder().encode(text)))
    hash = Math.imul(hash ^ code, PRIME)
  }
  return scramble(hash)
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, PRIME), OFFSET_BASIS)
}

const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/**
 * The draw number `index` under `key`: an integer from 0 to 2^32-1. For one key it is a bijection of the 32-bit index, so draws
 * of different indexes never collide; identifiers rely on that.
 */
export function draw(key: number, index: number): number {
  return scramble(key ^ Math.imul(index, STEP))
}

/** The index whose draw this is. */
export function indexOf(key: number, drawn: number): number {
  return Math.imul(unscramble(drawn) ^ key, INVERSE_OF_STEP) >>> 0
}

/** MurmurHash3's 32-bit finaliser (public domain, Austin Appleby): every input bit changes about half of the output bits. */
function scramble(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Each step of `scramble` undone, the last one first. */
function unscramble(value: number): number {
  let mixed = value ^ (value >>> 16)
  mixed = Math.imul(mixed, 0x7ed1b41d)
  mixed ^= (mixed >>> 13) ^ (mixed >>> 26)
  mixed = Math.imul(mixed, 0xa5cb9243)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Odd, so that steps of it meet every 32-bit number; and what undoes it modulo 2^32. */
const STEP = 0x9e3779b1
const INVERSE_OF_STEP = 0x0e8b2f51

/** A 32-bit word as eight hexadecimal digits. From bytes this is several times faster than from a number above 2^31. */
export function hex32(word: number): string {
  return (
    (BYTES[word >>> 24] ?? '') +
    (BYTES[(word >>> 16) & 255] ?? '') +
    (BYTES[(word >>> 8) & 255] ?? '') +
    (BYTES[word & 255] ?? '')
  )
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

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

/** Opaque texts for clients to send back, such as cursors. */
export interface TokenCodec {
  encrypt(text: string): string
  /** Undefined for anything but a token of this codec, unchanged or as the fault `lengthen` shows it. */
  decrypt(token: string): string | undefined
}

const TOKEN_VERSION = 1
const TOKEN_HEADER = Buffer.of(TOKEN_VERSION)
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Tokens of one purpose: one version byte, a nonce, the encrypted text and its tag, in base64url. The nonce is a keyed hash of the
 * content (as in SIV, RFC 5297), so equal texts are equal tokens and no nonce is ever used for two contents. The keys come from the
 * seed: a token survives a restart and works on every replica.
 *
 * @example createTokenCodec(1, 'standin cursor').encrypt('page 2')
 */
export function createTokenCodec(seed: number, purpose: string): TokenCodec {
  const keys = Buffer.from(hkdfSync('sha256', String(seed), '', purpose, 64))
  const cipherKey = createSecretKey(keys.subarray(0, 32))
  const nonceKey = createSecretKey(keys.subarray(32))
  return {
    encrypt(text) {
      const content = Buffer.from(text)
      const nonce = createHmac('sha256', nonceKey).update(content).digest().subarray(0, NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce).setAAD(TOKEN_HEADER)
      const parts = [TOKEN_HEADER, nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat(parts).toString('base64url')
    },
    decrypt(given) {
      // The fault `changed-body` lengthens what clients read, and they send it back in a query, a path, a header or a body. All of these come together here.
      const token = given.endsWith(PADDING) ? given.slice(0, -PADDING.length) : given
      const bytes = Buffer.from(token, 'base64url')
      // The decoder ignores other characters and spare bits; a token is only valid as it was issued.
      if (
        bytes.length <= 1 + NONCE_BYTES + TAG_BYTES ||
        bytes[0] !== TOKEN_VERSION ||
        bytes.toString('base64url') !== token
      )
        return undefined
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(TOKEN_HEADER).setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const content = [decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]
        return Buffer.concat(content).toString()
      } catch {
        return undefined
      }
    },
  }
}
