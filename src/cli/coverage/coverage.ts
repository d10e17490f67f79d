import { connect, refusalOf, type ServerFlags } from '../address.ts'
import { EXIT } from '../exit-codes.ts'
import type { CoverageReport } from '../../control/client/types.ts'
import { checkLimits, type Limits, type MinLimit } from '../../truth/coverage-report/check-limits.ts'
import { renderGithub, renderJunit, renderMarkdown, type RenderedReport } from '../../truth/coverage-report/renderers.ts'
import { renderHtml } from '../../truth/coverage-report/html.ts'
import { mergeReports } from '../../truth/coverage-report/merge-reports.ts'
import { readReport } from '../../truth/coverage-report/read-report.ts'
import { renderText } from '../../truth/coverage-report/text.ts'
import { shown, StartupError } from '../../base/errors/problem.ts'
import { visible } from '../../base/errors/wording.ts'
import { writeText } from '../../base/formats/source-file.ts'

export interface CoverageFlags extends ServerFlags {
  readonly min: readonly string[]
  readonly maxAssumed?: string
  readonly format: keyof typeof RENDERERS
  readonly out?: string
}

/** `standin coverage`: exits with status 3 where a limit is missed. */
export async function coverage(files: readonly string[], flags: CoverageFlags): Promise<void> {
  const limits = readLimits(flags)
  const report = printable(mergeReports([...files.map(readReport), ...(await askServer(files, flags))]))
  const checks = checkLimits(report, limits)
  const text = RENDERERS[flags.format]({ report, checks })
  if (flags.out === undefined) process.stdout.write(text)
  else {
    writeText(flags.out, [text])
    process.stderr.write(`wrote ${flags.out}\n`)
  }
  const missed = checks.filter(({ passed }) => !passed)
  if (missed.length === 0) return
  process.exitCode = EXIT.belowLimit
  // The text says so itself.
  if (flags.format === 'text' && flags.out === undefined) return
  for (const { name, expected, received } of missed)
    process.stderr.write(`standin: coverage: ${name}: expected ${expected}, received ${received}\n`)
}

/** The report without characters that would move the cursor of a terminal, and that XML cannot have. */
function printable(report: CoverageReport): CoverageReport {
  const escape = (_name: string, value: unknown) => (typeof value === 'string' ? visible(value) : value)
  return JSON.parse(JSON.stringify(report), escape) as CoverageReport
}

const RENDERERS = {
  text: (rendered: RenderedReport) => {
    const { isTTY, columns } = process.stdout
    return renderText(rendered, { hasColours: isTTY && process.stdout.hasColors(), width: isTTY ? columns : 100 })
  },
  markdown: renderMarkdown,
  html: renderHtml,
  junit: renderJunit,
  json: ({ report, checks }: RenderedReport) => `${JSON.stringify({ ...report, checks }, null, 1)}\n`,
  github: renderGithub,
}

/** @throws StartupError */
function readLimits({ min, maxAssumed }: CoverageFlags): Limits {
  if (maxAssumed !== undefined && !/^\d{1,9}$/.test(maxAssumed))
    throw new StartupError([`--max-assumed: Expected how many behaviours, such as 10; got ${shown(maxAssumed)}.`])
  return { min: min.map(readMin), maxAssumed: maxAssumed === undefined ? undefined : Number(maxAssumed) }
}

function readMin(text: string): MinLimit {
  const [, kind, percent = ''] = /^(?:([^=]+)=)?(\d{1,3}(?:\.\d+)?)%?$/.exec(text) ?? []
  if (percent !== '' && Number(percent) <= 100) return { kind, percent: Number(percent) }
  throw new StartupError([`--min: Expected a share from 0 to 100, such as 80 or operations=100; got ${shown(text)}.`])
}

/** The report of the server that the flags name; where there are files, a server has to be named. */
async function askServer(files: readonly string[], flags: CoverageFlags): Promise<CoverageReport[]> {
  if (files.length > 0 && flags.url === undefined) return []
  const server = await connect(flags, ', or name the files of reports')
  try {
    return [await server.control.getCoverage()]
  } catch (error) {
    throw refusalOf(server, error)
  }
}
