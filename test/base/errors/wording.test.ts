import { expect, test } from 'vitest'
import { nearest, withArticle } from '../../../src/base/errors/wording.ts'

test.each(['a pet', 'a user', 'a unit', 'a url', 'an order', 'an hour', 'an update', 'an Author'])(
  'a noun has the article of its sound: %s',
  (text) => {
    const [, noun = ''] = text.split(' ')
    expect(withArticle(noun)).toBe(text)
  },
)

test('a word is near one that it shares letters with, and not one that is as short', () => {
  const known = ['id', 'kind', 'delay']
  expect([nearest('ms', known), nearest('di', known), nearest('delya', known)]).toEqual([undefined, 'id', 'delay'])
})
