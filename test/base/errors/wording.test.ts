import { expect, test } from 'vitest'
import { withArticle } from '../../../src/base/errors/wording.ts'

test.each(['a pet', 'a user', 'a unit', 'a url', 'an order', 'an hour', 'an update', 'an Author'])(
  'a noun has the article of its sound: %s',
  (text) => {
    const [, noun = ''] = text.split(' ')
    expect(withArticle(noun)).toBe(text)
  },
)
