import { expect, test } from 'vitest'
import { createQuestions, SORTS } from '../../bench/questions.ts'
import { compareSearches } from '../../bench/search.ts'
import { refuseDifference } from '../../bench/turns.ts'
import { longTest } from '../support/cases.ts'

longTest('Standin and SQLite give the same answer to every question, row by row', () => {
  const compared = compareSearches({ files: 2_000, rounds: 1, patience: 0, steps: 40, progress: () => undefined })
  const asked = new Set(compared.map(({ question }) => question))
  for (const { name } of [...SORTS, ...createQuestions({ nameAt: () => '', author: 1 })]) expect(asked).toContain(name)
  expect(asked).toContain('page 10 by date')
  for (const { question, heat, times } of compared) {
    expect([...times.keys()].length, question).toBeGreaterThan(1)
    for (const [contender, all] of times) {
      expect(all.length, `${question}, ${heat}, ${contender}`).toBeGreaterThan(0)
      expect(
        all.every((took) => took > 0),
        `${question}, ${heat}, ${contender}`,
      ).toBe(true)
    }
  }
})

test('answers that differ are refused with the place and both rows', () => {
  const [one, other] = ['{"id":"1","size":2}', '{"id":"1","size":3}']
  const compare = (some: string[], others: string[]) => () => refuseDifference('A and B', some, others)
  expect(compare([one], [other])).toThrow(/^A and B differ in row 1:\n {2}.*"size":2.*\n {2}.*"size":3/)
  expect(compare([one, one], [one])).toThrow(/differ in row 2:\n.*\n {2}nothing/)
  expect(compare([one, other], [other, one])).toThrow('differ in row 1')
  // What a directory does not show is null in SQLite.
  expect(compare(['{"id":"1"}'], ['{"id":"1","size":null,"hash":null}'])).not.toThrow()
})
