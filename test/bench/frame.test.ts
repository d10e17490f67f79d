import { describe, expect, test } from 'vitest'
import { drawChart } from '../../bench/frame/chart.ts'
import { compare } from '../../bench/frame/compare.ts'
import { renderSummary, renderTables, renderTablesSection } from '../../bench/frame/markdown.ts'
import { replaceSection, whyUnpublished } from '../../bench/frame/publish.ts'
import { createTable } from '../../bench/frame/result.ts'
import type { Result } from '../../bench/frame/result.ts'
import { createVersus } from '../../bench/frame/versus.ts'
import { formatNumber, formatRatio, median, spread } from '../../bench/frame/spread.ts'

const SPEED = createTable(
  { title: 'page of 1', unit: 'responses/s', better: 'more', reference: 'bare', notes: { Standin: 'a | b' } },
  { bare: [100, 400, 200], Standin: [90, 100, 200], Absent: 'it <did> not start' },
)
const SIZE = createTable(
  { title: 'at rest', unit: 'MiB', better: 'less', chart: false, detail: true },
  { Standin: [70.5] },
)
const RESULT: Result = {
  bench: 'speed',
  about: 'Responses a second & more.',
  date: '2026-03-05T14:30:00.000Z',
  node: 'v26.10.0',
  machine: 'Machine × 2, 4 GiB',
  commit: 'abc1234',
  flags: [],
  versions: { express: '5.3.0' },
  notes: ['A note.'],
  tables: [SPEED, SIZE],
  details: {},
}

test('the median is the middle one, or the mean of the two in the middle', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([9, 1, 5, 7])).toBe(6)
  expect(spread([10, 9, 100])).toEqual({ median: 10, min: 9, max: 100 })
  expect(() => spread([])).toThrow(RangeError)
})

test('numbers are written as people read them', () => {
  expect([28_400.4, 12.34, 3.074, 0.04153, 0].map(formatNumber)).toEqual(['28,400', '12.3', '3.07', '0.0415', '0.00'])
  expect([15.34, 0.618, 0.0746].map(formatRatio)).toEqual(['15.3 ×', '0.62 ×', '0.075 ×'])
})

test('a ratio is the median of the ratios of each round, and what was not measured says why', () => {
  const [bare, standin, absent] = SPEED.rows
  expect(bare?.ratio?.median).toBe(1)
  // 90/100, 100/400, 200/200; the ratio of the medians would be 0.5.
  expect(standin?.ratio).toEqual({ median: 0.9, min: 0.25, max: 1 })
  expect(absent).toEqual({ contender: 'Absent', value: null, ratio: null, samples: [], note: 'it <did> not start' })
})

test('the same samples can be seen from one contender', () => {
  const [bare, absent] = createVersus(SPEED, 'Standin', 'Standin, times as fast as').rows
  expect(bare).toMatchObject({ contender: 'bare', samples: [0.9, 0.25, 1], value: { median: 0.9 } })
  expect(absent).toMatchObject({ contender: 'Absent', value: null, note: 'it <did> not start' })
})

describe('a comparison', () => {
  test('measures in turn, each round beginning with the next one, and does not count the first', async () => {
    const asked: string[] = []
    const take = (name: string) => () => asked.push(name)
    const contenders = { a: take('a'), b: take('b'), c: take('c') }
    const progress = () => undefined
    const table = await compare({ title: '', unit: '', better: 'less', rounds: 2, contenders, progress })
    expect(asked.join('')).toBe('abcbcacab')
    expect(table.rows.map(({ samples }) => samples)).toEqual([
      [6, 8],
      [4, 9],
      [5, 7],
    ])
  })

  test('leaves out a contender that fails, and says so', async () => {
    const steps: string[] = []
    let left = 2
    const table = await compare({
      title: 'page of 1',
      unit: 'responses/s',
      better: 'more',
      rounds: 3,
      contenders: { good: () => 1, bad: () => (left-- > 0 ? 1 : Promise.reject(new Error('12 answers of 404'))) },
      progress: (step) => steps.push(step),
    })
    expect(table.rows.map(({ samples }) => samples)).toEqual([[1, 1, 1], []])
    expect(table.rows[1]?.note).toBe('12 answers of 404')
    expect(steps).toContain('page of 1: bad IS LEFT OUT: 12 answers of 404')
  })
})

test('tables of one unit stand side by side, and bars in a text do not break them', () => {
  const twice = { ...RESULT, tables: [SPEED, { ...SPEED, title: 'page of 10', rows: SPEED.rows.slice(0, 1) }] }
  expect(renderTables(twice)).toBe(
    [
      '| responses/s | page of 1 | page of 10 |',
      '| --- | --: | --: |',
      '| bare | **200**<br><sub>100–400 · 1.00 ×</sub> | **200**<br><sub>100–400 · 1.00 ×</sub> |',
      '| Standin | **100**<br><sub>90.0–200 · 0.90 × · a \\| b</sub> |  |',
      '| Absent | <sub>it &lt;did&gt; not start</sub> |  |',
    ].join('\n'),
  )
})

test('the page of all tables has the chart, the ranges, the notes and the occasion, and folds details', () => {
  const section = renderTablesSection(RESULT)
  expect(section).toContain('](../bench/charts/speed.svg)')
  expect(section).toContain('| bare | **200**<br><sub>100–400 · 1.00 ×</sub> |')
  expect(section).toContain(
    '2026-03-05 · Machine × 2, 4 GiB · Node 26.10.0 · abc1234 · express 5.3.0 · <code>npm run bench -- speed</code>',
  )
  expect(section).toContain('- A note.')
  expect(section).toMatch(/<details><summary>More: MiB<\/summary>\n\n\| MiB \| at rest \|/)
  expect(renderTablesSection({ ...RESULT, flags: ['quick'] })).toContain('short form, for trying out')
})

test('the summary has the tables of the chart, a line for each contender', () => {
  const [about, , head, , ...rows] = renderSummary(RESULT).split('\n')
  expect([about, head]).toEqual(['Responses a second & more.', '| responses/s | page of 1 |'])
  expect(rows.slice(0, 4)).toEqual([
    '| bare | **200** <sub>1.00 ×</sub> |',
    '| Standin | **100** <sub>0.90 × · a \\| b</sub> |',
    '| Absent | <sub>it &lt;did&gt; not start</sub> |',
    '',
  ])
  expect(renderSummary(RESULT)).not.toContain('at rest')
})

test('figures of a later day stay, and a page without the section says what to add', () => {
  const page = (date: string) => `<!-- bench:speed -->\n\n<sub>${date} · Machine</sub>\n\n<!-- /bench:speed -->`
  expect(whyUnpublished(page('2026-03-05'), RESULT)).toBeUndefined()
  expect(whyUnpublished('<!-- bench:speed -->\n<!-- /bench:speed -->', RESULT)).toBeUndefined()
  expect(whyUnpublished(page('2026-03-06'), RESULT)).toBe('the pages have figures of 2026-03-06, which are newer')
  expect(whyUnpublished('# Nothing', RESULT)).toBe(
    'the pages have no section for it. Add <!-- bench:speed --> and <!-- /bench:speed --> to both',
  )
})

test('a section takes its place in the page, again and again', () => {
  const readme = 'above\n<!-- bench:speed -->\nold\n<!-- /bench:speed -->\nbelow\n'
  const once = replaceSection(readme, 'speed', 'new $& one')
  expect(once).toBe('above\n<!-- bench:speed -->\n\nnew $& one\n\n<!-- /bench:speed -->\nbelow\n')
  expect(replaceSection(once, 'speed', 'new $& one')).toBe(once)
  expect(() => replaceSection('nothing', 'speed', '')).toThrow('<!-- bench:speed -->')
})

describe('a chart', () => {
  const chart = drawChart(RESULT)

  test('has a bar for each figure, in proportion to the greatest sample', () => {
    const bars = [...chart.matchAll(/<rect class="(ours|reference|other)" [^>]*width="([\d.]+)"/g)]
    expect(bars.map(([, kind, width]) => [kind, Number(width)])).toEqual([
      ['reference', 170],
      ['ours', 85],
    ])
    expect(chart).not.toContain('at rest')
  })

  test('is well-formed text, with what was not measured, the day and the machine', () => {
    expect(chart).toContain('Responses a second &amp; more.')
    expect(chart).toContain('it &lt;did&gt; not start')
    expect(chart).toContain('2026-03-05 · Machine × 2, 4 GiB')
    expect(chart.match(/<text/g)?.length).toBe(chart.match(/<\/text>/g)?.length)
    expect(chart).toContain('prefers-color-scheme: dark')
  })

  test('breaks a long title at a blank, and says what was different for one contender', () => {
    const long = drawChart({ ...RESULT, about: `${'word '.repeat(30)}end` })
    expect([...long.matchAll(/class="title">([^<]*)</g)].map(([, line]) => line?.length)).toEqual([89, 63])
    expect(chart).toContain('class="quiet">a | b<')
  })

  test('is the same for the same result', () => expect(drawChart(structuredClone(RESULT))).toBe(chart))
})
