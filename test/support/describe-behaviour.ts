import { describe, expect, test } from 'vitest'
import type { Response } from 'supertest'
import { createTester, rowsOf, type Tester } from './tester.ts'
import { readCatalog } from '../../src/behaviours/catalog.ts'
import type { BehaviourId } from '../../types/behaviour-settings.d.ts'
import { parseOverride } from '../../src/behaviours/behaviours.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import type { StandinOptions } from '../../src/index.ts'

const catalog = readCatalog(readPackaged('spec/behaviours.yaml').value)

export type BehaviourTest = (tester: Tester) => Promise<void>

/**
 * Shows one behaviour by usage: a test for the default, and one for each other setting. The keys are settings as on a command line;
 * `default` stands for the default of a behaviour that has no words to choose from. A setting without a test fails the suite.
 *
 * @param options a function for those that are made for each test, such as a contract file
 *
 * @example describeBehaviour('page.last', { absent: async ({ search }) => { … }, null: async …, empty: async … }, { fixtures: [tiny] })
 */
export function describeBehaviour(
  id: BehaviourId,
  cases: Readonly<Record<string, BehaviourTest>>,
  options: StandinOptions | (() => StandinOptions) = {},
): void {
  const behaviour = catalog.behaviours.find((one) => one.id === id)
  if (!behaviour) throw new Error(`no behaviour ${id}`)
  describe(id, () => {
    const recorded: Recorded = new Map()
    for (const [value, run] of Object.entries(cases)) {
      const isDefault = value === 'default' && !wordsOf(id).includes('default')
      test(`${behaviour.question} ${isDefault ? 'By default' : value}: ${value === String(behaviour.default) || isDefault ? behaviour.answer : ''}`, async () => {
        const chosen =
          isDefault || value === String(behaviour.default) ? {} : { [id]: parseOverride(`${id}=${value}`).value }
        const common = typeof options === 'function' ? options() : options
        const tester = createTester({ ...common, behaviours: { ...common.behaviours, ...chosen } })
        await run(recording(tester, value, recorded))
      })
    }
    test('a refusal that depends on the setting lists it', () => {
      const standard = Object.keys(cases).find((one) => one === 'default' || one === String(behaviour.default)) ?? ''
      for (const [request, byValue] of recorded) {
        const usual = byValue.get(standard) ?? []
        for (const [value, responses] of byValue) {
          const differs = responses.every((one) => one.status >= 400 && usual.every(({ status }) => status < 400))
          if (value === standard || usual.length === 0 || !differs) continue
          for (const one of responses) expect(rowsOf(one), `${value}: ${request}`).toContain(id)
        }
      }
    })
    test('every value that may be chosen is shown', () => {
      const shown = Object.keys(cases)
      for (const word of wordsOf(id))
        expect(
          shown.some((value) => fits(value, word)),
          `${id} = ${word}`,
        ).toBe(true)
      if (behaviour.options === undefined) expect(shown).toEqual(['default'])
      else if (wordsOf(id).length === 0) expect(shown.length, `${id}: the default and another value`).toBeGreaterThan(1)
    })
  })
}

/** Responses by request, then by setting. */
type Recorded = Map<string, Map<string, Response[]>>

/** A tester whose searches, creates and updates are recorded. */
function recording(tester: Tester, value: string, recorded: Recorded): Tester {
  const record =
    <Given extends unknown[]>(name: string, send: (...given: Given) => Promise<Response>) =>
    async (...given: Given) => {
      const response = await send(...given)
      const request = `${name} ${JSON.stringify(given)}`
      const byValue = recorded.get(request) ?? new Map<string, Response[]>()
      recorded.set(request, byValue.set(value, [...(byValue.get(value) ?? []), response]))
      return response
    }
  return {
    ...tester,
    search: record('search', tester.search),
    create: record('create', tester.create),
    update: record('update', tester.update),
  }
}

/** The words that a behaviour can be set to: `none`, `clamp:N`. */
function wordsOf(id: BehaviourId): readonly string[] {
  const form = catalog.behaviours.find((one) => one.id === id)?.options
  return form && 'choice' in form ? form.choice : []
}

/** Whether `clamp:5` is an instance of `clamp:N`. */
function fits(value: string, word: string): boolean {
  return new RegExp(`^${word.replaceAll(/\b[NKS]\b/g, '\\d+').replaceAll(/\bP\b/g, '[\\dPTDHMS.]+')}$`).test(value)
}
