// Runs `standin mutate` on clients whose weaknesses are known: one with twenty planted assumptions and its twin without them, a test that does not
// look at twenty of forty values, the client of `examples/client`, and ten classic bugs. Fails when one is missed, or when something is reported that is none.
// `node checks/mutate/check.ts faults gaps` runs these parts alone; `PARTS` below has all of them.
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SavedRun } from '../../src/control/client/mutation-report.ts'
import { PAIRS } from './pairs.ts'
import { BUGS, CONTRACT as ORDERS, FORMAT_BUGS } from './orders.ts'
import { CONTRACT, LOOKED_AT, STATUS } from './status.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const directory = mkdtempSync(join(tmpdir(), 'standin-mutate-'))

interface ReportedMutant {
  readonly id: string
  readonly statusReason: string
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly ReportedMutant[] }>>
  readonly config: SavedRun
  readonly performance: { readonly initialRun: number; readonly mutation: number }
}

async function mutate(suite: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const out = join(directory, 'report.json')
  const tests = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'checks/mutate/vitest.config.ts', suite]
  const command = [
    'dist/cli.js',
    'mutate',
    ...args,
    '--format',
    'stryker',
    '--out',
    out,
    '--',
    process.execPath,
    ...tests,
  ]
  await run(process.execPath, command, {
    cwd: ROOT,
    env: { ...process.env, STANDIN_ARTIFACTS: directory, ...env },
    maxBuffer: 2 ** 26,
  })
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report
  const mutants = Object.values(report.files).flatMap((file) => file.mutants)
  const idsOf = (words: RegExp) => mutants.filter(({ statusReason }) => words.test(statusReason)).map(({ id }) => id)
  return {
    count: mutants.length,
    assumptions: idsOf(/^(the client relies|a test did not end)/),
    gaps: idsOf(/^no test would notice/),
    /** Whether a test turned red under a mutant. */
    isRed: (id: string, test: string) =>
      report.config.mutants[id]?.outcomes.some((one) => one.test.endsWith(` > ${test}`) && one.outcome !== 'passed') ===
      true,
    times: (report.performance.initialRun + report.performance.mutation) / report.performance.initialRun,
  }
}

function tell(what: string, isRight: boolean, more: readonly string[] = []): void {
  if (!isRight) process.exitCode = 1
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${what}${more.length > 0 ? `: ${more.join(', ')}` : ''}`)
}

/** Twenty planted assumptions, and the twin of their client without them. */
async function checkAssumptions(): Promise<void> {
  const source = readFileSync(join(import.meta.dirname, 'suites/assumptions.test.ts'), 'utf8')
  const planted = [...source.matchAll(/^(?:test\(|  \[)'([^']+)'/gm)].map(([, id = '']) => id)
  const withThem = await mutate('assumptions', [], { PLANTED: 'yes' })
  const missed = planted.filter((id) => !withThem.assumptions.includes(id) || !withThem.isRed(id, id))
  tell(`${planted.length - missed.length} of ${planted.length} planted assumptions found`, missed.length === 0, missed)
  const without = await mutate('assumptions')
  tellTwin(without.assumptions)
}

/** Twenty planted pairs of settings, and the twin. */
async function checkPairs(): Promise<void> {
  const met = ['--pairs', '--only', 'page,dir,sort,set,limit,error']
  const pairs = await mutate('pairs', met, { PLANTED: 'yes' })
  const inBoth = (a: string, b: string) => (id: string) => [`${a} + ${b}`, `${b} + ${a}`].includes(id)
  const untold = PAIRS.filter(([a, b]) => {
    const id = pairs.assumptions.find(inBoth(a, b))
    return id === undefined || !pairs.isRed(id, `${a} & ${b}`)
  })
  tell(
    `${PAIRS.length - untold.length} of ${PAIRS.length} planted pairs found, each as its two settings`,
    untold.length === 0,
    untold.map(String),
  )
  // Another setting of the same behaviour may look the same: it makes pages short too, or responds to a limit of 0.
  const told = pairs.assumptions.map((id) =>
    id.replace('page.short=random', 'page.short=every-2').replace('limit.zero=default', 'limit.zero=empty'),
  )
  const larger = told.filter((id) => !PAIRS.some(([a, b]) => inBoth(a, b)(id)))
  tell(`other combinations: ${larger.length}`, larger.length === 0, larger)
  const unplanted = await mutate('pairs', met)
  tellTwin(unplanted.assumptions)
}

/** Values that no test looks at. */
async function checkGaps(): Promise<void> {
  const contract = join(directory, 'status.json')
  writeFileSync(contract, JSON.stringify(CONTRACT))
  const unseen = Object.keys(STATUS.summary).filter((name) => !(LOOKED_AT as readonly string[]).includes(name))
  const expected = unseen.flatMap((name) => [`getStatus /summary/${name} other`, `getStatus /areas/*/${name} other`])
  const { gaps } = await mutate('gaps', ['--contract', contract])
  const unnamed = expected.filter((id) => !gaps.includes(id))
  const strange = gaps.filter((id) => !expected.includes(id))
  tell(`${expected.length - unnamed.length} of ${expected.length} gaps found`, unnamed.length === 0, unnamed)
  tell(`gaps that are none: ${strange.length}`, strange.length === 0, strange)
}

/** A client that is known to be right. */
async function checkRight(): Promise<void> {
  const right = await mutate('right')
  tell(
    `examples/client: ${right.assumptions.length} assumptions reported`,
    right.assumptions.length === 0,
    right.assumptions,
  )
  console.log(`     ${right.count} changes took ${right.times.toFixed(1)} times as long as one run`)
}

function writeOrders(): string {
  const orders = join(directory, 'orders.json')
  writeFileSync(orders, JSON.stringify(ORDERS))
  return orders
}

/** Bugs that faults at some requests show, replayed, and their twins. */
async function checkFaults(): Promise<void> {
  const faults = ['--contract', writeOrders(), '--faults', '10']
  const buggy = await mutate('bugs', faults, { PLANTED: 'yes' })
  const unfound = Object.entries(BUGS).filter(([test, id]) => !buggy.assumptions.includes(id) || !buggy.isRed(id, test))
  const bugs = Object.keys(BUGS).length
  tell(`${bugs - unfound.length} of ${bugs} classic bugs found by faults`, unfound.length === 0, unfound.map(String))
  const many = buggy.assumptions.filter((id) => id.split(' + ').length > 3)
  tell(`schedules of more than three faults: ${many.length}`, many.length === 0, many)
  const replays = globSync('mutate/*/replay.json', { cwd: directory })
  const repeated = await Promise.all(
    replays.map((file) => run(process.execPath, ['dist/cli.js', 'replay', join(directory, file)], { cwd: ROOT })),
  )
  const same = repeated.filter(({ stdout }) => stdout.endsWith(': all is the same\n')).length
  tell(`${same} of ${buggy.assumptions.length} schedules replayed to the byte`, same === buggy.assumptions.length)
  const sound = await mutate('bugs', faults)
  tellTwin(sound.assumptions)
}

/** Bugs that changes of a response show, and their twins. */
async function checkFormats(): Promise<void> {
  const formats = ['--contract', writeOrders(), '--only', Object.values(FORMAT_BUGS).join(',')]
  const rigid = await mutate('bugs', formats, { PLANTED: 'yes' })
  const unseen = Object.entries(FORMAT_BUGS).filter(([test, id]) => !rigid.isRed(id, test))
  tell('float ids and a local time zone found by changes of the response', unseen.length === 0, unseen.map(String))
  const flexible = await mutate('bugs', formats)
  tellTwin(flexible.assumptions)
}

function tellTwin(assumptions: readonly string[]): void {
  tell(`the twin without them: ${assumptions.length} reported`, assumptions.length === 0, assumptions)
}

const PARTS = {
  assumptions: checkAssumptions,
  pairs: checkPairs,
  gaps: checkGaps,
  right: checkRight,
  faults: checkFaults,
  formats: checkFormats,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0)
  throw new Error(`Expected parts among ${Object.keys(PARTS).join(', ')}; received ${unknown.join(', ')}.`)
for (const [name, check] of Object.entries(PARTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  const began = performance.now()
  await check()
  console.log(`     ${name}: ${Math.round((performance.now() - began) / 1000)} s`)
}

rmSync(directory, { recursive: true })
