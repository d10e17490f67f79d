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
import { inlineSourceFile, readPackaged } from '../../src/base/formats/source-file.ts'
import { readCatalog } from '../../src/behaviours/catalog.ts'
import { createConfig } from '../../src/config/create-config.ts'
import { initialData } from '../../src/truth/learn/initial-data.ts'
import { learn } from '../../src/truth/learn/learn.ts'
import type { LearntResponse, ComparedExchange } from '../../src/truth/learn/compared-exchange.ts'
import { createTrials, type Trials } from '../../src/truth/learn/trial.ts'
import { makeFixture } from '../../src/truth/recordings/import-recordings.ts'
import { findService, readHar } from '../../src/truth/recordings/read-har.ts'
import type { RecordedExchange } from '../../src/truth/recordings/recorded-exchange.ts'
import { chosenServices, type Recorded, readRecording } from './recording.ts'
import { columnsOf, fallen, type Figures, figuresOf, type Judged, row, sumOf, totalsTable } from './report.ts'
import { compareAnswers } from './score.ts'
import { type Answer, readService, sentSteps, type Step, textOf } from './session.ts'
import { documentOf } from './targets.ts'

const { values: flags } = parseArgs({
  options: { only: { type: 'string', default: '' }, update: { type: 'boolean', default: false } },
})
const here = new URL('./', import.meta.url)
const names = chosenServices(flags)
const { behaviours: catalog } = readCatalog(readPackaged('spec/behaviours.yaml').value)

/** Which sessions are learnt from, by their number. */
const PARTS: Readonly<Record<string, ((session: number) => boolean)[]>> = {
  'learnt from the other sessions': [0, 1].map((half) => (session) => session % 2 === half),
  'learnt from the same requests': [() => true],
}
const BY_CONTRACT = 'by the contract'

const results: Record<string, Record<string, Figures>> = {}
for (const [part, folds] of Object.entries(PARTS)) {
  process.stdout.write(columnsOf(part))
  for (const name of names) {
    const { before, after } = await judge(name, folds)
    ;(results[BY_CONTRACT] ??= {})[name] = figuresOf(before)
    ;(results[part] ??= {})[name] = figuresOf(after)
    process.stdout.write(row(name, figuresOf(after)))
  }
  process.stdout.write(row('all', sumOf(Object.values(results[part] ?? {}))))
}
process.stdout.write(row(BY_CONTRACT, sumOf(Object.values(results[BY_CONTRACT] ?? {}))))

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
  for (const one of fell) process.stderr.write(`${one}\n`)
  if (fell.length > 0) process.exitCode = 1
}

async function judge(name: string, folds: readonly ((session: number) => boolean)[]) {
  // The services began empty.
  const values = { contract: documentOf(name), documents: 0, log: 'silent' }
  const trials = createTrials(createConfig([{ nameOf: () => name, values }]), new AbortController().signal)
  const sent = sentOf(name)
  const exchanges = exchangesOf(name, sent, trials)
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

interface SentStep {
  readonly session: string
  /** Of the session, from 0. */
  readonly number: number
  readonly step: Step
  readonly recorded: Recorded
}

function sentOf(name: string): SentStep[] {
  const { sessions } = readService(name)
  const { answers } = readRecording(name)
  return sessions.flatMap((session, number) => {
    const recorded = answers.get(session.name) ?? []
    return sentSteps(session, recorded).flatMap((step, at) => {
      const answer = recorded[at]
      return answer ? [{ session: session.name, number, step, recorded: answer }] : []
    })
  })
}

/** As a HAR file has them. */
function exchangesOf(name: string, sent: readonly SentStep[], { contract }: Trials): readonly RecordedExchange[] {
  const { base } = readService(name)
  const { day } = readRecording(name)
  const entries = sent.map(({ step: { method, path, headers, body }, recorded }) => ({
    startedDateTime: `${day}T12:00:00Z`,
    request: {
      method,
      url: `http://service.example${base}${path}`,
      headers: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: textOf(body) } }),
    },
    response: {
      status: recorded.status,
      headers: Object.entries(recorded.headers).map(([header, value]) => ({ name: header, value })),
      content: recorded.body === undefined ? { size: 0 } : { text: textOf(recorded.body) },
    },
  }))
  return findService(readHar(inlineSourceFile({ log: { entries } }, name)), contract).exchanges
}

function answerOf({ status, json }: LearntResponse): Answer {
  return { status, headers: {}, took: 0, ...(json !== undefined && { body: json }) }
}
