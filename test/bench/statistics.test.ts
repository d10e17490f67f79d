import { expect, test } from 'vitest'
import { exponentOf, quantile } from '../../bench/statistics.ts'

test('a quantile is one of the values, and no share of them larger than asked exceeds it', () => {
  const values = Array.from({ length: 200 }, (_, at) => 200 - at)
  expect(quantile(values, 0.99)).toBe(198)
  expect(quantile(values, 0.5)).toBe(100)
  expect(quantile([3], 0.99)).toBe(3)
})

test.each([
  [0, [7, 7, 7]],
  [1, [20, 200, 2_000]],
  [2, [1, 100, 10_000]],
])('an exponent of %d is fitted to what grows so', (exponent, costs) => {
  expect(exponentOf(costs.map((cost, at) => [10 ** (4 + at), cost]))).toBeCloseTo(exponent, 9)
})
