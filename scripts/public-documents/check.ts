/**
 * Serves public OpenAPI documents, sends each operation a request that its document allows, and counts the responses that the
 * document allows too. Documents that are refused whole count with all of their operations. Run `install.sh` first.
 *
 *   node scripts/public-documents/check.ts [--only REGEXP] [--verbose] [--prism] [--jobs N]
 *
 * `--prism` measures Prism's own server in the same way and writes the figures to prism.json, which later runs print for comparison.
 * What stands there now is of Prism 5.16.0 and has only documents that Prism was seen to serve.
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

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    prism: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
  },
})
const target: Target = flags.prism ? 'prism' : 'standin'
const { documents, missing } = installed(here('./'), flags.only)
const prism = existsSync(here('prism.json')) ? (JSON.parse(readFileSync(here('prism.json'), 'utf8')) as Figures[]) : []

const waiting = [...documents]
const results: Figures[] = []
await Promise.all(Array.from({ length: Number(flags.jobs) }, work))
report()

async function work(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    process.stdout.write(flags.verbose ? `\n== ${next.name}\n` : '')
    const figures = await check(next)
    results.push(figures)
    process.stderr.write(`${line(figures)}\n`)
  }
}

async function check({ name, file }: Listed): Promise<Figures> {
  const contract = await readContract(here(file))
  const operations = contract.operations.length
  const served = await serve(target, file)
  try {
    if (served.base === undefined)
      return { name, operations, valid: 0, refused: 0, wrong: operations, refusal: served.output.slice(0, 500) }
    const verdicts = await callAll(contract, served.base)
    const count = (kind: Verdict['kind']) => verdicts.filter((one) => one.kind === kind).length
    const failures = verdicts.filter((one) => one.kind === 'wrong' && one.why.startsWith('500')).length
    return { name, operations, valid: count('valid'), refused: count('refused'), wrong: count('wrong'), failures }
  } finally {
    await served.stop()
  }
}

async function callAll(contract: PublicContract, base: string): Promise<Verdict[]> {
  const [allowsRequest, allowsResponse] = (['request', 'response'] as const).map((side) =>
    createValidator(contract.document, side),
  ) as [ReturnType<typeof createValidator>, ReturnType<typeof createValidator>]
  const verdicts: Verdict[] = []
  for (const operation of contract.operations) {
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

function line({ name, operations, valid, refused, refusal }: Figures): string {
  const beside = prism.find((one) => one.name === name)
  const share = (figures: Pick<Figures, 'operations' | 'valid'>) =>
    `${((100 * figures.valid) / Math.max(1, figures.operations)).toFixed(1).padStart(5)} %`
  return [
    name.padEnd(36),
    String(operations).padStart(5),
    share({ operations, valid }),
    beside ? share(beside) : '      –',
    refusal === undefined ? `${refused} refused with a reason` : `REFUSED WHOLE: ${refusal.split('\n')[0] ?? ''}`,
  ].join('  ')
}

function report(): void {
  results.sort((a, b) => a.name.localeCompare(b.name))
  if (target === 'prism' && flags.only === '')
    writeFileSync(here('prism.json'), `${JSON.stringify(results, null, 2)}\n`)
  const sum = (list: readonly Figures[]) => ({
    operations: list.reduce((total, one) => total + one.operations, 0),
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

/** Over the documents that both were measured with. */
function compare(sum: (list: readonly Figures[]) => { readonly operations: number; readonly valid: number }): void {
  const theirs = prism.filter(({ name }) => results.some((one) => one.name === name))
  if (theirs.length === 0) return
  const ours = results.filter(({ name }) => theirs.some((one) => one.name === name))
  const [standin, other] = [ours, theirs]
    .map((list) => sum(list))
    .map(({ operations, valid }) => (100 * valid) / operations)
  process.stdout.write(
    `${theirs.length} of them served by Prism too: Standin ${standin?.toFixed(2) ?? ''} %, Prism ${other?.toFixed(2) ?? ''} %\n`,
  )
}
