import { expect, test } from 'vitest'
import {
  heightOf,
  isStuck,
  reached,
  type Scroll,
  scrolled,
  settled,
} from '../../../../console/src/parts/rows/scaled-scroll.ts'

const START: Scroll = { top: 0, shift: 0 }
/** A million rows of 32 pixels, and some more: higher than Firefox draws an element. */
const LARGE = { total: 33_478_720, viewport: 640 }
const SMALL = { total: 32_000, viewport: 640 }

const positionOf = ({ top, shift }: Scroll) => top + shift

test('a list that browsers can draw is scrolled as any other', () => {
  expect(heightOf(SMALL.total)).toBe(32_000)
  expect(positionOf(scrolled(START, 20_000, SMALL))).toBe(20_000)
  expect(positionOf(reached(START, 20_000, SMALL))).toBe(20_000)
})

test('a higher list gets an element that browsers draw, and its scroll bar leads from the first row to the last', () => {
  const height = heightOf(LARGE.total)
  expect(height).toBeLessThan(16_000_000)
  const end = scrolled(START, height - LARGE.viewport, LARGE)
  expect(positionOf(end)).toBeCloseTo(LARGE.total - LARGE.viewport, 3)
  expect(positionOf(scrolled(end, 0, LARGE))).toBe(0)
})

test('short ways are scrolled pixel by pixel anywhere', () => {
  const middle = scrolled(START, 4_000_000, LARGE)
  const further = scrolled(middle, 4_000_100, LARGE)
  expect(positionOf(further) - positionOf(middle)).toBe(100)
})

test('after many short ways the element is put in proportion, and the list stays where it is', () => {
  let scroll = scrolled(START, 4_000_000, LARGE)
  for (let step = 0; step < 1000; step++) scroll = scrolled(scroll, scroll.top + 400, LARGE)
  const put = settled(scroll, LARGE)
  expect(positionOf(put)).toBe(positionOf(scroll))
  expect(put.top).toBeLessThan(scroll.top - 200_000)
})

test('an element at its end is stuck while the list is not at its own', () => {
  let scroll = reached(START, 100_000, LARGE)
  expect(isStuck(scroll, LARGE)).toBe(false)
  while (scroll.top > 0) scroll = scrolled(scroll, Math.max(0, scroll.top - 600), LARGE)
  expect(positionOf(scroll)).toBeGreaterThan(0)
  expect(isStuck(scroll, LARGE)).toBe(true)
  expect(isStuck(START, LARGE)).toBe(false)
})

test('the arrow keys move by a row even in a list of ten million', () => {
  const huge = { total: 320_000_000, viewport: 640 }
  const middle = reached(START, 160_000_000, huge)
  const next = reached(middle, 160_000_032, huge)
  expect(positionOf(next)).toBe(160_000_032)
  expect(next.top).not.toBe(middle.top)
})
