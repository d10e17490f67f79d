import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createSubject } from '../../../../bench/subject.ts'
import { heapMiB } from '../../../support/heap.ts'
import { longTest } from '../../../support/cases.ts'

const COUNTED = fileURLToPath(new URL('counted-searches.ts', import.meta.url))

/** Counting keeps code slow, so it has a process of its own. */
const counted = JSON.parse(execFileSync(process.execPath, [COUNTED], { encoding: 'utf8' })) as Record<
  'unfiltered' | 'repeated' | 'renewed' | 'nextPage' | 'changed',
  number
>

test('a search that was asked before costs what a page without filters costs', () => {
  // Reading the filter of the request itself is in it.
  expect(counted.repeated).toBeLessThan(3 * counted.unfiltered)
})

test('so does the next page of it', () => {
  expect(counted.nextPage).toBeLessThan(6 * counted.unfiltered)
})

test('a search for the same word since another date tests nothing but the entries that have the word', () => {
  expect(counted.renewed).toBeLessThan(8 * counted.unfiltered)
})

test('after a change of the file set it is looked for again', () => {
  expect(counted.changed).toBeGreaterThan(1.5 * counted.repeated)
})

/** Asks so many searches, each since another moment, and returns what they left in memory. */
function leftBySearches(count: number): number {
  const subject = createSubject(1_000)
  const searchSince = (moment: number) =>
    subject.page({
      limit: 10,
      fieldSort: [{ field: 'created', order: 'ASC' }],
      filters: [{ field: 'name', operator: 'LIKE', value: ['report', 'x'.repeat(500)], not: false }],
      dateFilters: [
        { field: 'created', start: new Date(moment).toISOString(), end: '2099-01-01T00:00:00.000Z', not: false },
      ],
    })
  for (let moment = 0; moment < 10; moment++) searchSince(moment)
  const before = heapMiB()
  for (let moment = 10; moment < count; moment++) searchSince(moment)
  const left = heapMiB() - before
  // It is still in use, or it would have been collected with all that it keeps.
  searchSince(count)
  return left
}

longTest('searches that are asked once leave nothing behind', () => {
  // The first time also leaves compiled code.
  leftBySearches(1_000)
  expect(leftBySearches(1_000)).toBeLessThan(0.2)
})
