import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilePattern, linearPattern } from '../../../src/contract/schemas/patterns.ts'
import { cases } from '../../support/cases.ts'

const ATOMS = [
  ...[
    'a',
    'b',
    '-',
    '.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\.',
    '\\/',
    '\\x61',
    '\\u0061',
    '\\cJ',
    '\\t',
    'é',
    '€',
  ],
  ...[
    '[ab]',
    '[^ab]',
    '[a-c-]',
    '[\\w-]',
    '[\\s.]',
    '[^\\S-]',
    '[^\\]]',
    '[]',
    '[^]',
    '[\\b-\\t]',
    '[é-€]',
    '\\p{Lu}',
    '\\_',
    '[\\-_[]',
  ],
  ...['\\u{1F600}', '\\uD83D\\uDE00', '\\0', '\\b', '^', '$', ']', '}'],
]

const arbitraryPattern = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(...ATOMS),
    fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, two]) => `${one}|${two}`),
  ),
  part: fc
    .tuple(
      fc.oneof(
        fc.constantFrom(...ATOMS),
        tie('pattern').map((pattern) => `(?:${pattern})`),
        tie('pattern').map((pattern) => `(?<n>${pattern})`),
      ),
      fc.constantFrom('', '', '*', '+', '?', '+?', '{2}', '{1,}', '{0,2}'),
    )
    .map((pieces) => pieces.join('')),
})).pattern

const arbitraryText = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'c',
      'A',
      '1',
      '-',
      '_',
      '.',
      ' ',
      '\n',
      '\u2028',
      '\u00a0',
      'é',
      '€',
      '[',
      ']',
      '/',
      '\b',
      '\t',
    ),
    {
      maxLength: 8,
    },
  )
  .map((characters) => characters.join(''))

const isValid = (pattern: string) => compilePattern(pattern) !== undefined

test('a pattern finds in linear time what the engine finds', () => {
  let linear = 0
  fc.assert(
    fc.property(arbitraryPattern.filter(isValid), fc.array(arbitraryText, { minLength: 8 }), (source, texts) => {
      const pattern = linearPattern(source)
      if (!(pattern instanceof RegExp)) linear++
      for (const text of texts) expect([text, pattern.test(text)]).toEqual([text, compilePattern(source)?.test(text)])
    }),
    { numRuns: cases(2000) },
  )
  expect(linear).toBeGreaterThan(cases(1000, 150))
})
