/**
 * Serves public OpenAPI documents and walks the life of an item of each of their collections over HTTP: create, read, list, replace,
 * merge, delete, and what is read and listed after each. What a collection is, is told by the paths alone. Run
 * `checks/public-documents/install.sh` first.
 *
 *   node checks/lifecycle/check.ts [--only REGEXP] [--sample] [--verbose] [--jobs N]
 *
 * `--sample` tries every third document alone, as CI does. Which these are is told by the order of the lists, not by how they do.
 *
 * A step whose response is generated is counted apart. A collection is inferred if its create or its read is not generated; it passes
 * whole if every step that its document has an operation for is right.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installed, type Listed } from '../public-documents/installed.ts'
import { readContract } from '../public-documents/read-contract.ts'
import { serve } from '../public-documents/serve.ts'
import { createSession } from './session.ts'
import { isInferred, type Life, type Verdict, walkDocument } from './walk.ts'

interface Figures {
  readonly name: string
  readonly collections: number
  readonly inferred: number
  readonly whole: number
  readonly wrong: number
  /** Operations of steps that were generated. */
  readonly generated: number
  /** Why the document was not served. */
  readonly refusal?: string
}

/** Below this share of inferred collections that pass whole the check fails. */
const LEAST = 90

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sample: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
  },
})
const packages = fileURLToPath(new URL('../public-documents/', import.meta.url))
const own = fileURLToPath(new URL('./', import.meta.url))
const lists = [packages, own].map((directory) => installed(directory, flags.only))
const waiting = lists
  .flatMap(({ documents }, index) => documents.map((one) => ({ ...one, directory: [packages, own][index] ?? '' })))
  .filter((_, index) => !flags.sample || index % 3 === 0)
const results: Figures[] = []
await Promise.all(Array.from({ length: Number(flags.jobs) }, work))
report()

async function work(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const figures = await check(next)
    results.push(figures)
    process.stderr.write(`${line(figures)}\n`)
  }
}

async function check({ name, file, directory }: Listed & { readonly directory: string }): Promise<Figures> {
  const path = `${directory}${file}`
  const refused = (refusal: string) => ({
    name,
    collections: 0,
    inferred: 0,
    whole: 0,
    wrong: 0,
    generated: 0,
    refusal,
  })
  if (!existsSync(path)) return refused(`${path} is not there. Run checks/public-documents/install.sh.`)
  const contract = await readContract(path)
  const served = await serve('standin', path, Infinity)
  const lives: Life[] = []
  try {
    if (served.base === undefined) return refused(served.output)
    for await (const life of walkDocument(createSession(contract, served.base))) {
      lives.push(life)
      if (flags.verbose) process.stdout.write(described(name, life))
    }
  } finally {
    await served.stop()
  }
  const inferred = lives.filter(isInferred)
  return {
    name,
    collections: lives.length,
    inferred: inferred.length,
    whole: inferred.filter(isWhole).length,
    wrong: lives.filter((life) => has(life, 'wrong')).length,
    generated: lives.flatMap(({ steps }) => steps).filter(({ verdict }) => verdict === 'generated').length,
  }
}

function has({ steps }: Life, verdict: Verdict): boolean {
  return steps.some((step) => step.verdict === verdict)
}

function isWhole({ steps }: Life): boolean {
  return steps.every(({ verdict }) => verdict === 'passed' || verdict === 'skipped')
}

/** The steps of a collection that were not right; one line for a collection that passed. */
function described(name: string, life: Life): string {
  const { collection, steps } = life
  const state = isInferred(life) ? (isWhole(life) ? 'whole' : 'not whole') : 'generated'
  const bad = steps.filter(({ verdict }) => verdict !== 'passed' && (verdict !== 'generated' || isInferred(life)))
  const reasons = bad.map(
    (step) => `    ${step.verdict} ${step.name}${step.why === undefined ? '' : `: ${step.why}`}\n`,
  )
  return `${name}  ${collection.path}: ${state} (${steps.map((step) => step.name).join(', ')})\n${reasons.join('')}`
}

function line({ name, collections, inferred, whole, wrong, generated, refusal }: Figures): string {
  const cells = [collections, inferred, whole, wrong, generated].map((count) => String(count).padStart(11))
  return [name.padEnd(40), ...cells, ...(refusal === undefined ? [] : [`  NOT SERVED: ${refusal.slice(0, 200)}`])].join(
    '',
  )
}

function report(): void {
  const sum = (count: (one: Figures) => number) => results.reduce((total, one) => total + count(one), 0)
  const [inferred, whole, wrong] = [sum((one) => one.inferred), sum((one) => one.whole), sum((one) => one.wrong)]
  const head = ['collections', 'inferred', 'whole', 'wrong', 'generated'].map((title) => title.padStart(11))
  const rows = results.sort((a, b) => a.name.localeCompare(b.name)).map(line)
  process.stdout.write(`\n${'document'.padEnd(40)}${head.join('')}\n${rows.join('\n')}\n`)
  const documents = results.filter((one) => one.inferred > 0).length
  const share = inferred === 0 ? 0 : (100 * whole) / inferred
  process.stdout.write(
    `\n${results.length} documents, ${sum((one) => one.collections)} collections; ${inferred} are inferred, in ${documents} documents. ` +
      `${whole} of them pass whole: ${share.toFixed(1)} %. ${wrong} respond wrongly.\n`,
  )
  const missing = lists.flatMap((list) => list.missing)
  if (missing.length > 0) process.stdout.write(`Left out without Python: ${missing.join(', ')}\n`)
  const unserved = results.filter(({ refusal }) => refusal !== undefined).length
  if (share >= LEAST && wrong === 0 && unserved === 0) return
  process.stdout.write(
    `Expected at least ${LEAST} % and none wrong. Run with --verbose --only NAME to see the reasons.\n`,
  )
  process.exitCode = 1
}
