import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadContract } from '../../../../src/contract/load/load.ts'
import { shapeOf } from '../../../../src/contract/schemas/shape.ts'
import { createSchemas } from '../../../../src/contract/schemas/schemas.ts'
import { readSourceFile } from '../../../../src/base/formats/source-file.ts'
import { inferCollections } from '../../../../src/resources/collections/infer/infer.ts'
import type { CollectionPlan } from '../../../../src/resources/collections/infer/plan.ts'
import { instanceName } from '../../../../src/resources/collections/operations/instance-name.ts'
import { createSeeds } from '../../../../src/resources/collections/seeds/create-seeds.ts'
import { CONTRACT_TOOLS } from '../../../support/contracts/contract-tools.ts'
import { cases, sample } from '../../../support/cases.ts'

const DOCUMENTS = ['3.0', '3.1'].flatMap((version) =>
  readdirSync(`${CONTRACT_TOOLS}@readme/oas-examples/${version}/json`)
    .filter((name) => name.endsWith('.json') && name !== 'webhooks.json')
    .map((name) => `@readme/oas-examples/${version}/json/${name}`),
)

const COUNT = 12

describe('the first documents of the collections of public documents', () => {
  const found = { collections: 0, empty: [] as string[] }

  test.each([...sample(DOCUMENTS, 3, 2), '@scalar/galaxy/dist/3.1.yaml'])(
    'are valid: %s',
    { timeout: 60_000 },
    (file) => {
      const contract = loadContract(readSourceFile(CONTRACT_TOOLS + file))
      const inference = inferCollections(contract)
      const items = inference.collections.map(({ schema }) => schema)
      const schemas = createSchemas({ ...contract.document, items }, () => '')
      const seeds = createSeeds({ contract, inference, count: COUNT, idsAfter: 0, firstMoment: Date.UTC(2026, 2, 5) })
      // Only parents that there are have children.
      const idsOf = (plan: CollectionPlan): string[] => {
        const above = plan.parent ? [...idsOf(plan.parent), firstOf(plan.parent)] : []
        const { operation, parents = [] } =
          [...inference.operations.values()].find((one) => one.collection === plan) ?? {}
        const others = parents.slice(above.length).map((parent) => {
          const schema = operation?.parameters.find((one) => one.name === parent)?.schema
          const { enum: values = ['1'] } = shapeOf(contract.document, schema).keywords
          return String((values as unknown[])[0])
        })
        return [...above, ...others]
      }
      const firstOf = (plan: CollectionPlan) =>
        [...(seeds.get(42, instanceName(plan, idsOf(plan))) ?? [])][0]?.[0] ?? '1'
      for (const [index, plan] of inference.collections.entries()) {
        const { name, isSingleton } = plan
        const instance = instanceName(plan, idsOf(plan))
        const documents = seeds.get(42, instance)
        const check = schemas.compile(`/items/${index}`, 'response')
        found.collections++
        if (!documents || documents.size === 0) found.empty.push(`${file} ${name}`)
        expect(documents?.size).toBeLessThanOrEqual(isSingleton ? 1 : COUNT)
        for (const [id, { value }] of documents ?? []) {
          expect([id, check(value)]).toEqual([id, []])
          expect([id, seeds.has(42, instance, id)]).toEqual([id, true])
        }
        expect(seeds.has(42, instance, 'none')).toBe(false)
      }
    },
  )

  test('are found for nearly all', () => {
    console.log(`${found.collections} collections, ${found.empty.length} of them begin empty`, found.empty)
    expect(found.collections).toBeGreaterThan(cases(15, 5))
    expect(found.empty.length).toBeLessThanOrEqual(found.collections / 20)
  })
})
