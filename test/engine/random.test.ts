import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTokenCodec } from '../../src/engine/random.ts'

const codec = createTokenCodec(1, 'standin cursor')

test('a token gives its text back, and equal texts are equal tokens', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const token = codec.encrypt(text)
      expect(token).toMatch(/^[\w-]+$/)
      expect(codec.decrypt(token)).toBe(text)
      expect(createTokenCodec(1, 'standin cursor').encrypt(text)).toBe(token)
    }),
  )
})

test('a changed token, one of another seed and one of another purpose are refused', () => {
  const token = codec.encrypt('page 2')
  for (const at of token.split('').keys()) {
    const other = token[at] === 'A' ? 'B' : 'A'
    expect(codec.decrypt(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined()
  }
  for (const text of ['', 'page 2', `${token}=`, ` ${token}`, token.slice(0, -2)])
    expect(codec.decrypt(text)).toBeUndefined()
  expect(createTokenCodec(2, 'standin cursor').decrypt(token)).toBeUndefined()
  expect(createTokenCodec(1, 'another purpose').decrypt(token)).toBeUndefined()
})

test('tokens stay the same from version to version, so that clients may keep them', () => {
  expect(codec.encrypt('page 2')).toBe('AZ5Le53dlkBHBpYqn0mrcq-3DgUT8FRZyRSYHvIUN9vBe48')
})
