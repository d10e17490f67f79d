import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figures } from './campaign.ts'
import { CAMPAIGNS } from './campaigns.ts'
import type { Outcome } from './run.ts'
import { describeRun, ROOT } from '../../bench/frame/files.ts'
import { PERFORMANCE_PAGE, replaceSection } from '../../bench/frame/publish.ts'

const FILE = join(ROOT, 'checks/harden/results.json')

/** The last run of a campaign. */
interface Result {
  readonly cases: number
  readonly isRight: boolean
  readonly seconds: number
  readonly seed: number
  readonly figures: Figures
  /** ISO 8601. */
  readonly date: string
  readonly commit: string
  readonly node: string
  readonly machine: string
}

type Results = Readonly<Record<string, Result>>

/** Replaces the results of the campaigns that ran, in the file and in docs/performance.md. */
export function saveResults(outcomes: readonly Outcome[]): void {
  const results = {
    ...readResults(),
    ...Object.fromEntries(outcomes.map((outcome) => [outcome.name, toResult(outcome)])),
  }
  writeFileSync(FILE, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(
    PERFORMANCE_PAGE,
    replaceSection(readFileSync(PERFORMANCE_PAGE, 'utf8'), 'harden', renderResults(results)),
  )
}

function readResults(): Results {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Results
}

function toResult({ cases, seconds, seed, figures, failure }: Outcome): Result {
  return {
    cases,
    isRight: !failure,
    seconds: Math.round(seconds),
    seed,
    figures,
    ...describeRun(),
  }
}

/** A row for each campaign. */
function renderResults(results: Results): string {
  const rows = Object.entries(CAMPAIGNS).map(([name, { about, cases: planned }]) => {
    const result = results[name]
    if (!result) return [`\`${name}\``, about, `0 of ${format(planned)}`, '', 'not run yet']
    const cases = result.cases >= planned ? format(result.cases) : `${format(result.cases)} of ${format(planned)}`
    const last = `${result.date.slice(0, 10)} · ${result.commit} · seed ${result.seed} · ${format(result.seconds)} s`
    const wrong = result.isRight ? '0' : '**1**'
    return [`\`${name}\``, about, cases, wrong, [last, ...describeFigures(result.figures)].join(' · ')]
  })
  const head = ['Campaign', 'What holds', 'Cases', 'Wrong', 'Last run']
  return [head, ['---', '---', '--:', '--:', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

export function describeFigures(figures: Figures): string[] {
  return Object.entries(figures).map(([name, value]) => `${format(value)} ${name}`)
}

export function format(value: number): string {
  return value.toLocaleString('en-US')
}
