import { expect, test } from 'vitest'
import { type Delay, delayOf, LONGEST_WAIT, share } from '../../../src/engine/faults/fault.ts'

/** Ten thousand delays, the shortest first. */
function drawn(delay: Delay): number[] {
  const delays = Array.from({ length: 10_000 }, (_, index) =>
    delayOf(delay, [share(42, 'slow', 'one', index), share(42, 'slow', 'two', index)]),
  )
  return delays.sort((a, b) => a - b)
}

const at = (delays: readonly number[], part: number) => delays[Math.floor(delays.length * part)] ?? NaN

test('a fixed delay is always the same', () => {
  expect(new Set(drawn({ milliseconds: 70 }))).toEqual(new Set([70]))
})

test('a uniform delay is anywhere between its bounds', () => {
  const delays = drawn({ from: 100, to: 900 })
  expect([at(delays, 0), at(delays, 0.9999)]).toEqual([100, 900])
  for (const part of [0.1, 0.25, 0.5, 0.75, 0.9])
    expect(Math.abs(at(delays, part) - (100 + 800 * part))).toBeLessThan(25)
})

test('a log-normal delay has its median, and the logarithms have their deviation', () => {
  const delays = drawn({ median: 300, sigma: 0.5 })
  expect(Math.abs(at(delays, 0.5) - 300)).toBeLessThan(8)
  // One deviation to each side holds 68.27 % of a normal distribution, two hold 95.45 %.
  expect(at(delays, 0.8413) / (300 * Math.exp(0.5))).toBeCloseTo(1, 1)
  expect(at(delays, 0.1587) / (300 * Math.exp(-0.5))).toBeCloseTo(1, 1)
  expect(at(delays, 0.9772) / (300 * Math.exp(1))).toBeCloseTo(1, 1)
})

test('no delay is longer than a connection stays open', () => {
  expect(at(drawn({ median: 50_000, sigma: 5 }), 0.9999)).toBe(LONGEST_WAIT)
})
