/**
 * Random values without a stream: each is a pure function of (seed, purpose, index). So the millionth file can be generated without the
 * others, and another draw in one place changes nothing elsewhere.
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
