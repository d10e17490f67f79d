import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto'

/** Opaque texts for clients to send back, such as cursors. */
export interface TokenCodec {
  encrypt(text: string): string
  /** Undefined for anything but an unchanged token of this codec. */
  decrypt(token: string): string | undefined
}

const VERSION = 1
const HEADER = Buffer.of(VERSION)
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
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce).setAAD(HEADER)
      const parts = [HEADER, nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat(parts).toString('base64url')
    },
    decrypt(token) {
      const bytes = Buffer.from(token, 'base64url')
      // The decoder ignores other characters and spare bits; a token is only valid exactly as issued.
      if (bytes.length <= 1 + NONCE_BYTES + TAG_BYTES || bytes[0] !== VERSION || bytes.toString('base64url') !== token)
        return undefined
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(HEADER).setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const content = [decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]
        return Buffer.concat(content).toString()
      } catch {
        return undefined
      }
    },
  }
}
