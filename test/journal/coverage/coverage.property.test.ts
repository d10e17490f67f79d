import fc from 'fast-check'
import { expect } from 'vitest'
import { mergeReports } from '../../../src/truth/coverage-report/merge-reports.ts'
import type { CoverageReport } from '../../../src/control/client/types.ts'
import { type ControlledTester, createControlledTester } from '../../support/control.ts'
import { KEY_HEADER, weekly } from '../../support/tester.ts'
import { cases } from '../../support/cases.ts'
import { withoutStore } from '../../support/store.ts'

/** However requests are spread over sandboxes that are kept or deleted, the server and the merged reports of shards have what one sandbox has. */

const SEARCH = fc.record({
  query: fc.constantFrom('', 'limit=3', 'limit=0', 'limit=400&directoryPath=finance', 'immediateChildren=true', 'colour=red'),
  body: fc.record(
    {
      filters: fc.array(
        fc.record({
          field: fc.constantFrom('name', 'size', 'path', 'nothing'),
          operator: fc.constantFrom('LIKE', 'EQUALS', 'LESS_THAN'),
          value: fc.constant(['7']),
          not: fc.boolean(),
        }),
        { maxLength: 2 },
      ),
      fieldSort: fc.constantFrom([{ field: 'size', order: 'ASC' }], [{ field: 'name', order: 'DESC' }]),
    },
    { requiredKeys: [] },
  ),
})
const CREATE = fc.constantFrom(weekly(), weekly({ attachmentInclude: true }), { title: 7 }, {})
const STEP = fc.record({
  request: fc.oneof(SEARCH, CREATE),
  sandbox: fc.constantFrom('a', 'b', 'c'),
  isDeleted: fc.boolean(),
})

type Step = typeof STEP extends fc.Arbitrary<infer One> ? One : never

async function send({ search, create }: ControlledTester, { request }: Step, sandbox: string): Promise<void> {
  const headers = { [KEY_HEADER]: `any@${sandbox}` }
  if ('query' in request && 'body' in request) {
    const { query, body } = request as { query: string; body: object }
    await search({ set: 'demo', query, body, headers })
  } else await create(request, headers)
}

/** What does not depend on where and in which order requests were sent. */
function contentOf({ operations, behaviours, total, kinds, unmatched, requests }: CoverageReport) {
  // Whether a create may be a duplicate depends on what its sandbox has.
  const used = behaviours.filter(({ id }) => id !== 'create.duplicate')
  const byName = <Named extends { readonly name: string }>(list: readonly Named[]) =>
    list.toSorted((one, other) => one.name.localeCompare(other.name))
  return {
    ...{ total, kinds, requests, unmatched },
    operations: operations.map((one) => ({ ...one, undocumented: byName(one.undocumented) })),
    behaviours: used
      .map((one) => ({ ...one, name: one.id, operations: one.operations.toSorted() }))
      .toSorted((one, other) => one.id.localeCompare(other.id)),
  }
}

withoutStore('a server, and merged shards, cover what one sandbox covers', async () => {
  const [alone, spread] = [createControlledTester(), createControlledTester()]
  const shards = new Map(['a', 'b', 'c'].map((name) => [name, createControlledTester()]))
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const { control } of [alone, spread, ...shards.values()]) await control.deleteCoverage()
      for (const step of steps) {
        await send(alone, step, 'one')
        await send(spread, step, step.sandbox)
        if (step.isDeleted) await spread.control.deleteSandbox(step.sandbox)
        await send(shards.get(step.sandbox) ?? alone, step, 'one')
      }
      const whole = contentOf(await alone.control.getCoverage())
      expect(contentOf(await spread.control.getCoverage())).toEqual(whole)
      const reports = await Promise.all([...shards.values()].map(({ control }) => control.getCoverage()))
      expect(contentOf(mergeReports(reports))).toEqual(whole)
    }),
    { numRuns: cases(25, 3) },
  )
})
