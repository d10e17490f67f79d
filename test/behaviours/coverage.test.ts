import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCatalog } from '../../src/behaviours/catalog.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'

test('every behaviour is shown by usage, once', () => {
  const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  const shown = sources.flatMap((source) =>
    [...source.matchAll(/describeBehaviour\(\s*'([^']+)'/g)].map(([, id]) => id),
  )
  const rows = readCatalog(readPackaged('spec/behaviours.yaml').value).behaviours.map(({ id }) => id)
  expect(shown.toSorted()).toEqual(rows.toSorted())
})
