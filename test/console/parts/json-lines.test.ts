import { expect, test } from 'vitest'
import { lineOf, linesOfJson } from '../../../console/src/parts/json-lines.ts'
import { parseJson } from '../../../src/base/formats/json.ts'

const BODY = { filters: [{ field: 'nam', 'a/b': [] }, {}], limit: 3 }

test('lines are what JSON.stringify writes', () => {
  const written = linesOfJson(BODY).map(({ text }) => text)
  expect(written.join('\n')).toBe(JSON.stringify(BODY, null, 2))
})

test('no digit of a long integer is lost', () => {
  const [, line] = linesOfJson(parseJson('{"id":9007199254740993}'))
  expect(line?.text).toBe('  "id": 9007199254740993')
})

test('a pointer leads to the line of its value, or of the nearest around it', () => {
  const lines = linesOfJson(BODY)
  const at = (pointer: string) => lines[lineOf(lines, pointer)]?.text.trim()
  expect(at('/filters/0/field')).toBe('"field": "nam",')
  expect(at('/filters/0/a~1b')).toBe('"a/b": []')
  expect(at('/filters/1/operator')).toBe('{}')
  expect(at('/limit')).toBe('"limit": 3')
  expect(at('/missing/below')).toBe('{')
})
