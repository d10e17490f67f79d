import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Work } from '../../bench/work.ts'

const COUNTED = fileURLToPath(new URL('counted.ts', import.meta.url))

/** Counting replaces methods of the language and keeps code slow, so it has a process of its own. */
const counted = JSON.parse(execFileSync(process.execPath, [COUNTED], { encoding: 'utf8' })) as Record<
  string,
  Omit<Work, 'where' | 'movedWhere'> & Record<'where' | 'movedWhere', readonly [string, number][]>
>

test('every turn of a loop in the sources is a step, and the function is named with its place', () => {
  const { short, long } = counted
  expect(long!.steps - short!.steps).toBeGreaterThanOrEqual(900)
  expect(long!.where.find(([name]) => name.startsWith('compareCodePoints '))?.[0]).toMatch(
    /^compareCodePoints \(src\/base\/formats\/.+\.ts:\d+\)$/,
  )
})

test('the same work is counted alike, however often it was done before', () => {
  expect(counted['long, again']!.steps).toBe(counted.long!.steps)
  expect(counted['long, after ten thousand times']!.steps).toBe(counted.long!.steps)
})

test('what a built-in method moved is put down to the function of ours that called it', () => {
  const [place, count] = counted['folding a text']!.movedWhere[0]!
  expect(place).toMatch(/^fold \(src\/base\/formats\/.+\.ts:\d+\)$/)
  expect(count).toBeGreaterThanOrEqual(1_000)
})

test.each([
  ['slice of an array', 1_000],
  ['slice of a typed array', 1_000],
  ['set of a typed array', 1_000],
  ['a typed array made', 1_000],
  ['a typed array from a list', 1_000],
  ['a view on a typed array', 0],
  ['filling a tenth', 100],
  ['spreading', 1_000],
  ['a map of a map', 1_000],
  ['looking for what is not there', 1_000],
  ['finding at the front', 1],
  ['sorting by itself', 1_000],
  ['text in lower case', 1_000],
  ['keys of an object', 1_000],
])('%s moves at least %d elements', (name, moved) => {
  const work = counted[name]!
  expect(work.moved).toBeGreaterThanOrEqual(moved)
  // Not many times as much either: a thousand spread by the iterator is also a thousand read by the one who makes the list.
  expect(work.moved).toBeLessThanOrEqual(moved * 3 + 20)
})
