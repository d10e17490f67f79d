import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

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
