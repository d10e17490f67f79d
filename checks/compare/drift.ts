/**
 * Records a session with a service that drifted in ten ways, holds the recording against a stand-in with `standin compare` and against
 * the contract with Redocly's `drift`, and says which of the ten each finds.
 *
 *   node checks/compare/drift.ts [session.har]
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ComparisonReport } from '../../src/truth/compare/report.ts'
import { createStandin } from '../../src/index.ts'
import { installTools } from '../../scripts/install-tools.ts'
import { DRIFTED_BEHAVIOURS, DRIFTED_SHAPES, startDriftedService } from './drifted-service.ts'
import { recordSession } from './record-session.ts'

const ROOT = join(import.meta.dirname, '../..')
const TOOLS = join(ROOT, 'scripts/contract-tools')
const REDOCLY = join(TOOLS, 'node_modules/@redocly/cli')

/** Where a check against the contract could see a behaviour. */
const BEHAVIOUR_PLACES: Readonly<Record<string, string>> = { 'page.last': '/pageContext/next' }

const service = await startDriftedService()
const har = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), 'drift-')), 'session.har')
writeFileSync(har, JSON.stringify(await recordSession(service.url)))
await service.stop()

const report = JSON.parse(await runCompare(har)) as ComparisonReport
installTools('contract-tools')
const { findings, version } = await runRedocly(har)

process.stdout.write(`| The service | \`standin compare\` | Redocly ${version} \`drift\` |\n|---|---|---|\n`)
for (const [id, value] of Object.entries(DRIFTED_BEHAVIOURS)) {
  const found = report.behaviours.find((one) => one.id === id)
  row(`${id}=${value}`, found?.flag, findings(BEHAVIOUR_PLACES[id] ?? ''))
}
for (const { what, where } of DRIFTED_SHAPES) {
  const found = report.others.find((one) => one.where === where)
  row(what, found && `${where}: ${found.standin} here, ${found.target} there`, findings(where))
}
const extra = report.behaviours.filter(({ id }) => !(id in DRIFTED_BEHAVIOURS)).map(({ flag }) => flag)
const others = report.others.filter(({ where }) => !DRIFTED_SHAPES.some((one) => one.where === where))
process.stdout.write(
  `\nbesides, compare said: ${JSON.stringify([...extra, ...others.map(({ operation, where, kind }) => `${operation} ${kind} ${where}`)])}\n${report.notes.join('\n')}\n`,
)

function row(what: string, ours: string | undefined, theirs: string | undefined): void {
  process.stdout.write(`| ${what} | ${ours ?? 'not found'} | ${theirs ?? 'not found'} |\n`)
}

async function runCompare(file: string): Promise<string> {
  const standin = createStandin()
  const url = await standin.start()
  try {
    return await run([join(ROOT, 'src/cli.ts'), 'compare', '--url', url, '--har', file, '--format', 'json'])
  } finally {
    await standin.stop()
  }
}

/** Which member of which response its findings are about. */
async function runRedocly(file: string) {
  const { version } = JSON.parse(readFileSync(join(REDOCLY, 'package.json'), 'utf8')) as { readonly version: string }
  const output = await run([
    join(REDOCLY, 'bin/cli.js'),
    'drift',
    file,
    '--api',
    join(ROOT, 'spec/openapi.yaml'),
    '--server',
    service.url,
    '--format',
    'json',
    '--ignore-headers',
    'x-*,vary,cache-control,date,connection,keep-alive',
  ])
  writeFileSync(`${file}.redocly.json`, output)
  const { problems } = JSON.parse(output.slice(output.indexOf('{'))) as {
    readonly problems: readonly { readonly message: string; readonly dataPath?: string }[]
  }
  return {
    version,
    findings: (where: string) =>
      problems.find(({ dataPath = '' }) => dataPath.replaceAll(/\/\d+/g, '/*') === where)?.message,
  }
}

/** The output, whatever the exit code is. */
async function run(args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, args, { maxBuffer: 1e9 })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    if (stdout === '') throw new Error(stderr, { cause: error })
    return stdout
  }
}
