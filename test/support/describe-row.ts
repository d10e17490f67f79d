import { describe, expect, test } from 'vitest'
import { createTester, type Tester } from './tester.ts'
import { readCatalog } from '../../src/behaviours/catalog.ts'
import type { BehaviourId } from '../../src/behaviours/settings.ts'
import { parseOverride } from '../../src/behaviours/behaviours.ts'
import { readPackaged } from '../../src/formats/source-file.ts'
import type { StandinOptions } from '../../src/index.ts'

const ledger = readCatalog(readPackaged('spec/behaviours.yaml').value)

export type RowTest = (tester: Tester) => Promise<void>

/**
 * One row of the ledger, shown by usage: a test for the default, and one for each value that may be chosen instead. The keys are
 * values as on a command line; `default` runs the default of a row that has no words to choose from. A value that nobody shows
 * fails the suite.
 *
 * @example describeRow('page.last', { absent: async ({ search }) => { … }, null: async …, empty: async … }, { fixtures: [tiny] })
 */
export function describeRow(
  id: BehaviourId,
  cases: Readonly<Record<string, RowTest>>,
  options: StandinOptions = {},
): void {
  const row = ledger.rows.find((one) => one.id === id)
  if (!row) throw new Error(`no row ${id}`)
  describe(id, () => {
    for (const [value, run] of Object.entries(cases)) {
      const isDefault = value === 'default' && !wordsOf(id).includes('default')
      test(`${row.question} ${isDefault ? 'By default' : value}: ${value === String(row.default) || isDefault ? row.answer : ''}`, async () => {
        const behaviours =
          isDefault || value === String(row.default) ? {} : { [id]: parseOverride(`${id}=${value}`).value }
        await run(createTester({ ...options, behaviours: { ...options.behaviours, ...behaviours } }))
      })
    }
    test('every value that may be chosen is shown', () => {
      const shown = Object.keys(cases)
      for (const word of wordsOf(id))
        expect(
          shown.some((value) => fits(value, word)),
          `${id} = ${word}`,
        ).toBe(true)
      if (row.switch === undefined) expect(shown).toEqual(['default'])
      else if (wordsOf(id).length === 0) expect(shown.length, `${id}: the default and another value`).toBeGreaterThan(1)
    })
  })
}

/** The words of a row's switch: `none`, `clamp:N`. */
function wordsOf(id: BehaviourId): readonly string[] {
  const form = ledger.rows.find((one) => one.id === id)?.switch
  return form && 'choice' in form ? form.choice : []
}

/** Whether `clamp:5` is an instance of `clamp:N`. */
function fits(value: string, word: string): boolean {
  return new RegExp(`^${word.replaceAll(/\b[NKS]\b/g, '\\d+').replaceAll(/\bP\b/g, '[\\dPTDHMS.]+')}$`).test(value)
}
