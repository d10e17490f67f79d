/**
 * How much closer does a stand-in come that has learnt from recordings of a service? Learns from a part of the recorded sessions, sends all of
 * their requests in their order to a stand-in with the profile, and compares the responses to the others.
 *
 *   node checks/fidelity/learned.ts [--only REGEXP] [--update]
 *
 * Fails when fewer responses are right than `learned.json` says. `--update` writes that file and the table of docs/fidelity.md.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { LoadedParts } from '../../src/app/setup/load.ts'
import { readPackaged } from '../../src/base/formats/source-file.ts'
import { readCatalog } from '../../src/behaviours/catalog.ts'
import { createConfig } from '../../src/config/create-config.ts'
import { initialData } from '../../src/truth/learn/initial-data.ts'
import { learn } from '../../src/truth/learn/learn.ts'
import type { LearntResponse, ComparedExchange } from '../../src/truth/learn/compared-exchange.ts'
import { findApi } from '../../src/truth/learn/contract/api-traffic.ts'
import { writeContract } from '../../src/truth/learn/contract/write-contract.ts'
import { createTrials } from '../../src/truth/learn/trial.ts'
import { makeFixture } from '../../src/truth/recordings/import-recordings.ts'
import { findService, readHar } from '../../src/truth/recordings/read-har.ts'
import { chosenServices } from './recording.ts'
import { columnsOf, fallen, type Figures, figuresOf, type Judged, row, sumOf, totalsTable } from './report.ts'
import { compareAnswers } from './score.ts'
import { archiveOf, sentTo } from './sent.ts'
import type { Answer } from './session.ts'
import { writtenPaths } from './written-paths.ts'
import { documentOf } from './targets.ts'

const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: '' }, update: { type: 'boolean', default: false } },
})
const here = new URL('./', import.meta.url)
const names = chosenServices(flags)
const { behaviours: catalog } = readCatalog(readPackaged('spec/behaviours.yaml').value)

interface Part {
  /** Which sessions are learnt from, by their number; the others are what is compared. */
  readonly folds: readonly ((session: number) => boolean)[]
  /** Whether the contract is that of the service, or the one that its recordings show. */
  readonly contract: 'given' | 'written'
}

const PARTS: Readonly<Record<string, Part>> = {
  'learnt from the other sessions': {
    folds: [0, 1].map((half) => (session: number) => session % 2 === half),
    contract: 'given',
  },
  'learnt from the same requests': { folds: [() => true], contract: 'given' },
  'learnt from the same requests, contract too': { folds: [() => true], contract: 'written' },
}
/** Operations whose paths are written as the documents of the services have them. */
const LEAST_PATHS = 403
const ALONE = { given: 'by the contract', written: 'by the contract that they show' }

const results: Record<string, Record<string, Figures>> = {}
for (const [part, { folds, contract }] of Object.entries(PARTS)) {
  process.stdout.write(columnsOf(part))
  for (const name of names) {
    const { before, after } = await judge(name, { folds, contract })
    ;(results[ALONE[contract]] ??= {})[name] = figuresOf(before)
    ;(results[part] ??= {})[name] = figuresOf(after)
    process.stdout.write(row(name, figuresOf(after)))
  }
  process.stdout.write(row('all', sumOf(Object.values(results[part] ?? {}))))
}
const paths = names.map(writtenPaths)
const sumOfPaths = (of: 'right' | 'all') => paths.reduce((sum, one) => sum + one[of], 0)
process.stdout.write(`paths as in the document: ${sumOfPaths('right')} of ${sumOfPaths('all')} operations\n`)
for (const one of Object.values(ALONE)) process.stdout.write(row(one, sumOf(Object.values(results[one] ?? {}))))

const file = new URL('learned.json', here)
const compared = Object.fromEntries(
  Object.keys(PARTS).map((part) => {
    const figures = Object.entries(results[part] ?? {}).map(([name, { right }]) => [name, { right }])
    return [part, Object.fromEntries(figures) as Record<string, Pick<Figures, 'right'>>]
  }),
)
if (flags.update) {
  writeFileSync(file, `${JSON.stringify(compared)}\n`)
  const page = new URL('../../docs/fidelity.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const [BEGIN, END] = ['<!-- learnt: begin -->', '<!-- learnt: end -->']
  const [head = ''] = text.split(BEGIN)
  writeFileSync(page, `${head}${BEGIN}\n\n${totalsTable(results)}\n\n${text.slice(text.indexOf(END))}`)
} else {
  const before = JSON.parse(readFileSync(file, 'utf8')) as typeof compared
  const fell = Object.keys(PARTS).flatMap((part) =>
    fallen(before[part] ?? {}, results[part] ?? {}).map((one) => `${part}: ${one}`),
  )
  if (
    names.length === Object.keys(before[Object.keys(PARTS)[0] ?? ''] ?? {}).length &&
    sumOfPaths('right') < LEAST_PATHS
  )
    fell.push(`paths as in the document: ${sumOfPaths('right')} of the operations; there were ${LEAST_PATHS}.`)
  for (const one of fell) process.stderr.write(`${one}\n`)
  if (fell.length > 0) process.exitCode = 1
}

async function judge(name: string, { folds, contract }: Part) {
  const sent = sentTo(name)
  const archived = readHar(archiveOf(name, sent))
  const document = contract === 'given' ? documentOf(name) : writeContract(findApi(archived)).document
  // The services began empty.
  const values = { contract: document, documents: 0, log: 'silent' }
  const trials = createTrials(createConfig([{ nameOf: () => name, values }]), new AbortController().signal)
  const { exchanges } = findService(archived, trials.contract)
  const [before, after]: [Judged[], Judged[]] = [[], []]
  for (const isPart of folds) {
    const isUsed = (index: number) => isPart(sent[index]?.number ?? 0)
    const used = exchanges.filter((_one, index) => isUsed(index))
    const fixtureOf = (parts: LoadedParts) =>
      makeFixture(initialData(used, parts), parts, { url: name, realNow: () => 0 }).fixture
    const lessons = await learn(exchanges, { trials, catalog, fixtureOf, isUsed, report: () => undefined })
    for (const [index, { session, step, recorded }] of sent.entries()) {
      if (folds.length > 1 && isUsed(index)) continue
      const judgeOne = (one: ComparedExchange | undefined): Judged[] => {
        if (!one) throw new Error(`${name}: request ${index + 1} got no response.`)
        const [expected, received] = [{ ...answerOf(one.theirs), varies: recorded.varies }, answerOf(one.ours)]
        return [{ session, step, expected, received, likeness: compareAnswers(expected, received, recorded.varies) }]
      }
      before.push(...judgeOne(lessons.before[index]))
      after.push(...judgeOne(lessons.after[index]))
    }
  }
  return { before, after }
}

function answerOf({ status, json }: LearntResponse): Answer {
  return { status, headers: {}, took: 0, ...(json !== undefined && { body: json }) }
}
