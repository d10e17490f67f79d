import { expect, test } from 'vitest'
import { renderSection, renderTables } from '../../../bench/frame/markdown.ts'
import { createTable } from '../../../bench/frame/result.ts'

const table = (title: string, detail = false) =>
  createTable({ title, unit: 'ms', better: 'less', detail }, { Standin: [1, 2, 3], SQLite: [40] })

test('a few tables of one unit stand side by side, with a row for each contender', () => {
  expect(renderTables({ tables: [table('first page'), table('deep page')] })).toBe(
    [
      '| ms | first page | deep page |',
      '| --- | --: | --: |',
      '| Standin | **2.00**<br><sub>1.00–3.00</sub> | **2.00**<br><sub>1.00–3.00</sub> |',
      '| SQLite | **40.0** | **40.0** |',
    ].join('\n'),
  )
})

test('many tables of one unit stand below each other, with a column for each contender', () => {
  const tables = Array.from({ length: 7 }, (_, at) => table(`page ${at + 1}`))
  expect(renderTables({ tables }).split('\n').slice(0, 4)).toEqual([
    '| ms | Standin | SQLite |',
    '| --- | --: | --: |',
    '| page 1 | **2.00**<br><sub>1.00–3.00</sub> | **40.0** |',
    '| page 2 | **2.00**<br><sub>1.00–3.00</sub> | **40.0** |',
  ])
})

test('details stay out of the page', () => {
  const result = {
    bench: 'search',
    about: 'Pages.',
    date: '2026-03-05T00:00:00.000Z',
    node: 'v26.10.0',
    machine: 'a machine',
    commit: 'e64e4af',
    flags: [],
    versions: {},
    notes: [],
    details: {},
    tables: [table('first page'), table('page 2', true)],
  }
  expect(renderSection(result)).toContain('first page')
  expect(renderSection(result)).not.toContain('page 2')
})
