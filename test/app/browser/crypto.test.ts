import * as node from 'node:crypto'
import { expect, test } from 'vitest'
import { Buffer as PageBuffer } from '../../../src/app/browser/node/buffer.ts'
import * as page from '../../../src/app/browser/node/crypto.ts'

const TEXTS = ['', 'a', 'page 2 of “Ä”', 'x'.repeat(1000)]
const KEY = node.hash('sha256', 'key', 'buffer')
const NONCE = KEY.subarray(0, 12)
const HEADER = Buffer.of(1)

test.each(['md5', 'sha1', 'sha256', 'sha512'])('%s is that of Node', (algorithm) => {
  for (const text of TEXTS) {
    expect(page.hash(algorithm, text)).toBe(node.hash(algorithm, text))
    expect(page.hash(algorithm, Buffer.from(text), 'base64url')).toBe(node.hash(algorithm, text, 'base64url'))
    const [one, other] = [page.createHash(algorithm), node.createHash(algorithm)]
    expect(one.update(text).update('more').digest('hex')).toBe(other.update(text).update('more').digest('hex'))
    expect(page.createHmac(algorithm, KEY).update(text).digest()).toEqual(
      node.createHmac(algorithm, KEY).update(text).digest(),
    )
  }
})

test('keys are derived as in Node', () => {
  expect(Buffer.from(page.hkdfSync('sha256', '42', '', 'standin cursor', 64))).toEqual(
    Buffer.from(node.hkdfSync('sha256', '42', '', 'standin cursor', 64)),
  )
})

test('what one side encrypts, the other decrypts', () => {
  for (const text of TEXTS) {
    const ours = page.createCipheriv('aes-256-gcm', KEY, NONCE).setAAD(HEADER)
    const theirs = node.createCipheriv('aes-256-gcm', KEY, NONCE).setAAD(HEADER)
    const sealed = theirs.update(text)
    theirs.final()
    expect(ours.update(Buffer.from(text))).toEqual(sealed)
    expect(ours.getAuthTag()).toEqual(theirs.getAuthTag())
    const decipher = page.createDecipheriv('aes-256-gcm', KEY, NONCE).setAAD(HEADER)
    expect(decipher.setAuthTag(Buffer.from(theirs.getAuthTag())).update(sealed).toString()).toBe(text)
  }
})

test('a changed tag is refused', () => {
  const cipher = page.createCipheriv('aes-256-gcm', KEY, NONCE)
  const sealed = cipher.update(Buffer.from('page 2'))
  const tag = Buffer.from(cipher.getAuthTag()).fill(0, 3, 4)
  expect(() => page.createDecipheriv('aes-256-gcm', KEY, NONCE).setAuthTag(tag).update(sealed)).toThrow('tag')
})

test.each(['utf8', 'latin1', 'hex', 'base64', 'base64url'] as const)('texts in %s are those of Node', (encoding) => {
  for (const text of [...TEXTS, 'þÿûïë']) {
    const written = Buffer.from(text).toString(encoding)
    expect(PageBuffer.from(text).toString(encoding)).toBe(written)
    expect([...PageBuffer.from(written, encoding)]).toEqual([...Buffer.from(written, encoding)])
    expect(PageBuffer.byteLength(text)).toBe(Buffer.byteLength(text))
  }
})
