import { createTable } from './result.ts'
import type { Row, Table } from './result.ts'

/**
 * The same samples seen from one contender (`Standin`; `Standin, …` is no other): how many times its figure is that of each other,
 * round by round. `unit` is the head of the table, which the names of the others complete: `Standin, times as fast as`.
 */
export function createVersus(table: Table, ours: string, unit: string): Table {
  const own = table.rows.find(({ contender }) => contender === ours)
  const others = table.rows.filter(({ contender }) => !contender.startsWith(ours))
  return createTable(
    { title: table.title, unit, better: table.better, chart: false },
    Object.fromEntries(others.map((other) => [other.contender, divide(own, other)])),
  )
}

function divide(own: Row | undefined, other: Row): number[] | string {
  if (!own?.value) return own?.note ?? 'not measured'
  if (!other.value) return other.note ?? 'not measured'
  return own.samples.flatMap((sample, round) => {
    const against = other.samples[round]
    return against === undefined || against === 0 ? [] : [sample / against]
  })
}
