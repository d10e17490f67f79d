import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createControlledTester } from '../../support/control.ts'
import {
  CREATE,
  type Json,
  packagedContract,
  type Paths,
  SEARCH,
  writeContract,
} from '../../support/contracts/small-contract.ts'
import type { StandinOptions } from '../../../src/index.ts'
import { createTester } from '../../support/tester.ts'

const GREETING = {
  get: { responses: { 200: { description: 'OK', content: { 'application/json': { schema: { const: 'hi' } } } } } },
}

/** What an instance begins with that serves some paths of the packaged contract. */
async function begin(choose: (paths: Paths) => Json, options: StandinOptions = {}) {
  const document = packagedContract()
  const contract = writeContract({ ...document, paths: choose(document.paths) })
  const { standin, control } = createControlledTester({ contract, ...options })
  const { fileSets, reportSchedules } = await control.getState()
  const { summary, notes } = standin
  return { summary, notes, fileSets: fileSets.map(({ id }) => id), reportSchedules: reportSchedules.length }
}

test('a contract with neither a search nor report schedules begins without any', async () => {
  const { summary, notes, fileSets, reportSchedules } = await begin(() => ({ '/greeting': GREETING }))
  expect({ notes, fileSets, reportSchedules }).toEqual({ notes: [], fileSets: [], reportSchedules: 0 })
  expect(summary).toMatch(/^1 operation: 1 generated, validators made on first use, contract \S+, seed 42$/)
})

test('a contract begins with the data of those built-in operations that it has', async () => {
  const search = await begin((paths) => ({ '/greeting': GREETING, [SEARCH]: paths[SEARCH] }))
  expect([search.fileSets, search.reportSchedules]).toEqual([['demo', 'awkward', 'empty'], 0])
  expect(search.summary).toMatch(/^2 operations: 1 stateful, 1 generated, .*, 3 file sets, [\d,]+ files, contract /)
  const schedules = await begin((paths) => ({ [CREATE]: paths[CREATE] }))
  expect([schedules.fileSets, schedules.reportSchedules]).toEqual([[], 6])
  expect(schedules.summary).toMatch(/^1 operation, \d+ validators, 6 report schedules, contract /)
})

test('fixtures of the user are there whatever the contract has', async () => {
  const fixtures = [{ fileSets: [{ id: 'mine', files: [{ path: 'a.txt' }] }] }]
  const { fileSets, summary } = await begin(() => ({ '/greeting': GREETING }), { fixtures })
  expect(fileSets).toEqual(['mine'])
  expect(summary).not.toContain('file set')
})

test('the fixtures of the package fit its contract, for a start takes that for granted', () => {
  const files = ['fixtures/awkward.yaml', 'fixtures/report-schedules.yaml']
  expect(() =>
    createTester({ fixtures: files.map((file) => fileURLToPath(new URL(`../../../${file}`, import.meta.url))) }),
  ).not.toThrow()
})
