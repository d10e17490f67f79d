import { expect, test } from 'vitest'
import { parseJson } from '../../../src/base/formats/json.ts'

const LONG = 9007199254740993n

test.each([
  ['9007199254740993', LONG],
  [' -9007199254740993.0', -LONG],
  ['[1,9007199254740993]', [1, LONG]],
  ['{"a":-9007199254740993}', { a: -LONG }],
  ['{"a": 9007199254740993}', { a: LONG }],
  ['[\n9007199254740993]', [LONG]],
  ['["9007199254740993", "a:9007199254740993"]', ['9007199254740993', 'a:9007199254740993']],
  ['["\\\\", "a\\"]", [9007199254740993]]', ['\\', 'a"]', [LONG]]],
  ['0.12345678901234567', 0.12345678901234567],
])('no digit of an integer is lost: %s', (text, value) => {
  expect(parseJson(text)).toEqual(value)
})

test.each([
  ['arrays', '['.repeat(2001) + ']'.repeat(2001)],
  ['objects', '{"a":'.repeat(2001) + '1' + '}'.repeat(2001)],
  ['behind a text with quotes', `["\\\\\\"]",${'['.repeat(2000)}${']'.repeat(2000)}]`],
])('deeper nesting than 2,000 levels is refused: %s', (_, text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})

test('brackets in texts are no nesting', () => {
  expect(parseJson(`["${'['.repeat(5000)}"]`)).toEqual(['['.repeat(5000)])
})
