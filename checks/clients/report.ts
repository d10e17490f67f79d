import type { Taken } from './session.ts'

/** What came of the session of one client. */
export interface Result {
  readonly client: string
  readonly steps: readonly Taken[]
}

/** The steps that are missed now and were not before, in a sentence each. */
export function fallen(before: Readonly<Record<string, readonly string[]>>, results: readonly Result[]): string[] {
  return results.flatMap(({ client, steps }) =>
    steps
      .filter(({ step, miss }) => miss !== undefined && !before[client]?.includes(step))
      .map(({ step, miss }) => `${client}: "${step}" was right: ${miss}`),
  )
}

export function tableOf(results: readonly Result[]): string {
  const rows = results.map(({ client, steps }) => [`\`${client}\``, ...cellsOf(steps)])
  const all = ['all', ...cellsOf(results.flatMap(({ steps }) => steps))]
  return table(['Client', 'Steps', 'Right', 'Share'], [...rows, all])
}

function cellsOf(steps: readonly Taken[]): string[] {
  const right = steps.filter(({ miss }) => miss === undefined).length
  return [String(steps.length), String(right), `${((right / steps.length) * 100).toFixed(1)} %`]
}

const [BEGIN, END] = ['<!-- clients: begin -->', '<!-- clients: end -->']

/** The page with new figures between its marks. */
export function pageOf(page: string, results: readonly Result[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`docs/fidelity.md lacks ${BEGIN} or ${END}.`)
  const misses = results.flatMap(({ client, steps }) =>
    steps.filter(({ miss }) => miss !== undefined).map(({ step }) => [`\`${client}\``, step]),
  )
  const missed =
    misses.length === 0
      ? []
      : [`<details><summary>Steps that are missed</summary>\n\n${table(['Client', 'Step'], misses)}\n\n</details>`]
  return [`${page.slice(0, begin)}${BEGIN}`, tableOf(results), ...missed, page.slice(end)].join('\n\n')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
