import { beforeAll, expect, test } from 'vitest'
import { CATALOG, recover, recoverFrom, type Recovery } from '../../../checks/calibrate/recover.ts'
import { cases } from '../../support/cases.ts'

/** What filters, sorts and dates do is deduced from the same searches, so it is recovered together. */
const SECTIONS = ['Sort', 'Filters', 'Date filters']
const behaviours = CATALOG.behaviours.filter(({ section }) => SECTIONS.includes(section))
const only = new Set(behaviours.map(({ id }) => id))

/** Settings that all together have each choice at least once, where it can be seen. */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 11, 12]
const taken = SEEDS.slice(0, cases(SEEDS.length, 3))
let recoveries: Recovery[]

beforeAll(async () => {
  recoveries = []
  for (const seed of taken) recoveries.push(await recover(seed, { only }))
})

test('nothing is settled wrongly, from a recording neither', () => {
  for (const recovery of recoveries) {
    expect(recovery.wrong).toEqual([])
    expect(recoverFrom(recovery).wrong).toEqual([])
  }
})

/** What can never be seen from outside. */
const HIDDEN = ['like.engine', 'filter.work']

test.for(
  behaviours
    .filter(({ id }) => !HIDDEN.includes(id))
    .map(({ id, options, default: usual }) => ({ id, options, usual })),
)('each setting of $id is recovered', ({ id, options, usual }) => {
  const found = recoveries.flatMap(({ calibration: { results } }) => {
    const finding = results.find((result) => result.id === id)?.finding
    return finding?.kind === 'settled' ? [finding] : []
  })
  const settings = options && 'choice' in options ? options.choice : options ? [] : [usual]
  if (taken.length === SEEDS.length)
    expect(found.map(({ value }) => value)).toEqual(expect.arrayContaining([...settings]))
  expect(found).not.toEqual([])
  for (const { evidence } of found) expect(evidence).not.toEqual([])
})
