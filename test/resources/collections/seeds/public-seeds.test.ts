import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { loadContract } from '../../../../src/contract/load/load.ts'
import { createSchemas } from '../../../../src/contract/schemas/schemas.ts'
import { readSourceFile } from '../../../../src/base/formats/source-file.ts'
import { inferCollections } from '../../../../src/resources/collections/infer/infer.ts'
import { createSeeds } from '../../../../src/resources/collections/seeds/create-seeds.ts'
import { CONTRACT_TOOLS } from '../../../support/contracts/contract-tools.ts'

const DOCUMENTS = ['3.0', '3.1'].flatMap((version) =>
  readdirSync(`${CONTRACT_TOOLS}@readme/oas-examples/${version}/json`)
    .filter((name) => name.endsWith('.json') && name !== 'webhooks.json')
    .map((name) => `@readme/oas-examples/${version}/json/${name}`),
)

const COUNT = 12

describe('the first documents of the collections of public documents', () => {
  const found = { collections: 0, empty: [] as string[] }

  test.each([...DOCUMENTS, '@scalar/galaxy/dist/3.1.yaml'])('are valid: %s', { timeout: 60_000 }, (file) => {
    const contract = loadContract(readSourceFile(CONTRACT_TOOLS + file))
    const inference = inferCollections(contract)
    const items = inference.collections.map(({ schema }) => schema)
    const schemas = createSchemas({ ...contract.document, items }, () => '')
    const seeds = createSeeds({ contract, inference, count: COUNT, firstMoment: Date.UTC(2026, 2, 5) })
    for (const [index, { name, isSingleton }] of inference.collections.entries()) {
      const instance = name.replaceAll(/\{[^{}]+\}/g, '1')
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
  })

  test('are found for nearly all', () => {
    console.log(`${found.collections} collections, ${found.empty.length} of them begin empty`, found.empty)
    expect(found.collections).toBeGreaterThan(15)
    expect(found.empty.length).toBeLessThanOrEqual(found.collections / 20)
  })
})
