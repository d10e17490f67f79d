/** What the engine uses of node:crypto, in JavaScript: Web Crypto has no synchronous functions. */
import { gcm } from '@noble/ciphers/aes.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import type { CHash } from '@noble/hashes/utils.js'

const HASHES: Readonly<Record<string, CHash>> = { md5, sha1, sha256, sha512 }

type Data = string | Uint8Array

export function hash(algorithm: string, data: Data, encoding: BufferEncoding = 'hex'): string {
  return Buffer.from(hashOf(algorithm)(bytesOf(data))).toString(encoding)
}

export function createHash(algorithm: string) {
  return digester(hashOf(algorithm).create())
}

export function createHmac(algorithm: string, key: Uint8Array) {
  return digester(hmac.create(hashOf(algorithm), key))
}

export function createSecretKey(key: Uint8Array): Uint8Array {
  return key
}

export function hkdfSync(algorithm: string, key: Data, salt: Data, info: Data, length: number): Uint8Array {
  return hkdf(hashOf(algorithm), bytesOf(key), bytesOf(salt), bytesOf(info), length)
}

/** Compares without a secret to protect: whoever runs the page has all of it. */
export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

const TAG_BYTES = 16

/** AES-256-GCM. The content is given in one piece. */
export function createCipheriv(_algorithm: string, key: Uint8Array, nonce: Uint8Array) {
  let header: Uint8Array | undefined
  let tag = Buffer.alloc(0)
  const cipher = {
    setAAD(bytes: Uint8Array) {
      header = bytes
      return cipher
    },
    update(content: Uint8Array): Buffer {
      const sealed = Buffer.from(gcm(key, nonce, header).encrypt(content))
      tag = sealed.subarray(-TAG_BYTES)
      return sealed.subarray(0, -TAG_BYTES)
    },
    final: () => Buffer.alloc(0),
    getAuthTag: () => tag,
  }
  return cipher
}

/** AES-256-GCM. The content is given in one piece, and is refused at once rather than at the end. */
export function createDecipheriv(_algorithm: string, key: Uint8Array, nonce: Uint8Array) {
  let header: Uint8Array | undefined
  let tag = new Uint8Array()
  const decipher = {
    setAAD(bytes: Uint8Array) {
      header = bytes
      return decipher
    },
    setAuthTag(bytes: Uint8Array<ArrayBuffer>) {
      tag = bytes
      return decipher
    },
    update: (content: Uint8Array): Buffer =>
      Buffer.from(gcm(key, nonce, header).decrypt(Buffer.concat([content, tag]))),
    final: () => Buffer.alloc(0),
  }
  return decipher
}

function digester(state: { update(bytes: Uint8Array): unknown; digest(): Uint8Array }) {
  const made = {
    update(data: Data) {
      state.update(bytesOf(data))
      return made
    },
    digest(encoding?: BufferEncoding): string | Buffer {
      const bytes = Buffer.from(state.digest())
      return encoding === undefined ? bytes : bytes.toString(encoding)
    },
  }
  return made
}

function hashOf(algorithm: string): CHash {
  const found = HASHES[algorithm]
  if (!found) throw new Error(`There is no ${algorithm} in a page.`)
  return found
}

function bytesOf(data: Data): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data) : data
}
