/**
 * Serves public OpenAPI documents, sends each operation a request that its document allows, and counts the responses that the
 * document allows too. Documents that are refused whole count with all of their operations. Run `install.sh` first.
 *
 *   node checks/public-documents/check.ts [--only REGEXP] [--verbose] [--prism] [--jobs N] [--limit SECONDS]
 *
 * `--prism` measures Prism's own server in the same way and writes the figures to prism.json, which later runs print for comparison.
 * `--limit` ends a document after that time, the start of its server included; it counts by the operations that were called until then.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installed, type Listed } from './installed.ts'
import { judge, type Verdict } from './judge.ts'
import { type PublicContract, readContract } from './read-contract.ts'
import { requestOf } from './request.ts'
import { send } from './send.ts'
import { serve, type Target } from './serve.ts'
import { createValidator } from './validator.ts'

interface Figures {
  readonly name: string
  readonly operations: number
  /** How many were called before the limit; absent when all were. */
  readonly called?: number
  readonly valid: number
  readonly refused: number
  readonly wrong: number
  /** How many of the wrong ones are failures of the mock itself. */
  readonly failures?: number
  /** Why the document was refused whole. */
  readonly refusal?: string
}

/** Below this share of valid responses the check fails. */
const LEAST = 98
const NO_FIGURE = '      –'

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    prism: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    limit: { type: 'string', default: 'Infinity' },
  },
})
const target: Target = flags.prism ? 'prism' : 'standin'
const { documents, missing } = installed(here('./'), flags.only)
let prism = existsSync(here('prism.json')) ? (JSON.parse(readFileSync(here('prism.json'), 'utf8')) as Figures[]) : []

const waiting = [...documents]
const results: Figures[] = []
await Promise.all(Array.from({ length: Number(flags.jobs) }, work))
report()

async function work(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    process.stdout.write(flags.verbose ? `\n== ${next.name}\n` : '')
    const figures = await check(next)
    results.push(figures)
    if (target === 'prism') record(figures)
    process.stderr.write(`${line(figures)}\n`)
  }
}

async function check({ name, file }: Listed): Promise<Figures> {
  const contract = await readContract(here(file))
  const operations = contract.operations.length
  const end = performance.now() + Number(flags.limit) * 1000
  const served = await serve(target, file, Number(flags.limit) * 1000)
  try {
    if (served.base === undefined) {
      const isLate = performance.now() >= end
      const counts = isLate
        ? { called: 0, valid: 0, refused: 0, wrong: 0 }
        : { valid: 0, refused: 0, wrong: operations }
      return { name, operations, ...counts, refusal: reasonIn(served.output) }
    }
    const verdicts = await callAll(contract, served.base, end)
    const count = (kind: Verdict['kind']) => verdicts.filter((one) => one.kind === kind).length
    const failures = verdicts.filter((one) => one.kind === 'wrong' && one.why.startsWith('500')).length
    const called = verdicts.length < operations ? { called: verdicts.length } : {}
    return {
      name,
      operations,
      ...called,
      valid: count('valid'),
      refused: count('refused'),
      wrong: count('wrong'),
      failures,
    }
  } finally {
    await served.stop()
  }
}

/** The first lines of what a server printed, without the paths of this machine. */
function reasonIn(output: string): string {
  return output.replaceAll(here('./'), '').slice(0, 300)
}

async function callAll(contract: PublicContract, base: string, end: number): Promise<Verdict[]> {
  const [allowsRequest, allowsResponse] = (['request', 'response'] as const).map((side) =>
    createValidator(contract.document, side),
  ) as [ReturnType<typeof createValidator>, ReturnType<typeof createValidator>]
  const verdicts: Verdict[] = []
  for (const operation of contract.operations) {
    if (performance.now() > end) break
    // Prism has no base path in front of its own paths.
    const asked = target === 'prism' ? { ...operation, basePath: '' } : operation
    const request = requestOf(contract, asked, allowsRequest)
    const verdict = await send(base, request).then(
      (response) => judge(contract, operation, response, allowsResponse),
      (error: unknown): Verdict => ({ kind: 'wrong', why: String(error) }),
    )
    verdicts.push(verdict)
    if (!flags.verbose || verdict.kind === 'valid') continue
    const flaw = request.flaw === undefined ? '' : ` [the request is not valid: ${request.flaw}]`
    process.stdout.write(`${verdict.kind} ${request.method} ${operation.path}: ${verdict.why}${flaw}\n`)
  }
  return verdicts
}

/** Keeps what is known of the other documents, so that a run may be ended and continued with `--only`. */
function record(figures: Figures): void {
  const others = prism.filter(({ name }) => name !== figures.name)
  prism = [...others, figures].sort((a, b) => a.name.localeCompare(b.name))
  writeFileSync(here('prism.json'), `${JSON.stringify(prism, null, 2)}\n`)
}

function line(figures: Figures): string {
  const { name, operations, called, refused, refusal } = figures
  const beside = prism.find((one) => one.name === name)
  const share = (one: Figures) =>
    calledOf(one) === 0 ? NO_FIGURE : `${((100 * one.valid) / calledOf(one)).toFixed(1).padStart(5)} %`
  return [
    name.padEnd(36),
    String(operations).padStart(5),
    share(figures),
    beside ? share(beside) : NO_FIGURE,
    ...(called === undefined ? [] : [`${called} called within the limit`]),
    refusal === undefined ? `${refused} refused with a reason` : `REFUSED WHOLE: ${refusal.split('\n')[0] ?? ''}`,
  ].join('  ')
}

function report(): void {
  results.sort((a, b) => a.name.localeCompare(b.name))
  const sum = (list: readonly Figures[]) => ({
    operations: list.reduce((total, one) => total + calledOf(one), 0),
    valid: list.reduce((total, one) => total + one.valid, 0),
  })
  const { operations, valid } = sum(results)
  const share = (100 * valid) / operations
  const vendors = new Set(documents.map(({ vendor }) => vendor)).size
  process.stdout.write(`\n${results.map(line).join('\n')}\n`)
  process.stdout.write(
    `\n${documents.length} documents of ${vendors} vendors, ${operations} operations: ${share.toFixed(2)} % answered as the document says\n`,
  )
  if (missing.length > 0)
    process.stdout.write(`Left out, since Python with pip was not there to install them: ${missing.join(', ')}\n`)
  if (target === 'standin') compare(sum)
  const failures = results.reduce((total, one) => total + (one.failures ?? 0), 0)
  if (target === 'standin' && (share < LEAST || failures > 0)) {
    process.stdout.write(
      `Expected at least ${LEAST} %, and no status 500 (${failures}). Run with --verbose --only NAME to see the others.\n`,
    )
    process.exitCode = 1
  }
}

function calledOf({ called, operations }: Figures): number {
  return called ?? operations
}

/** Over the documents that were tried with both. */
function compare(sum: (list: readonly Figures[]) => { readonly operations: number; readonly valid: number }): void {
  const theirs = prism.filter(({ name }) => results.some((one) => one.name === name))
  if (theirs.length === 0) return
  const ours = results.filter(({ name }) => theirs.some((one) => one.name === name))
  const [standin, other] = [ours, theirs]
    .map((list) => sum(list))
    .map(({ operations, valid }) => (100 * valid) / operations)
  const partly = theirs.filter((one) => calledOf(one) > 0 && calledOf(one) < one.operations)
  const never = theirs.filter((one) => calledOf(one) === 0)
  process.stdout.write(
    `${theirs.length} of them tried with Prism too: Standin ${standin?.toFixed(2) ?? ''} %, Prism ${other?.toFixed(2) ?? ''} % of ${sum(theirs).operations} operations called within its limit` +
      ` (a part of ${partly.length} documents, nothing of ${never.length}: ${never.map(({ name }) => name).join(', ')})\n`,
  )
}
