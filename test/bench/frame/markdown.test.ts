import { expect, test } from 'vitest'
import { renderTables } from '../../../bench/frame/markdown.ts'
import { createTable } from '../../../bench/frame/result.ts'

const table = (title: string) =>
  createTable({ title, unit: 'ms', better: 'less' }, { Standin: [1, 2, 3], SQLite: [40] })

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
