import { shown } from '../../base/errors/problem.ts'
import { counted } from '../../base/errors/wording.ts'
import { stringifyJson } from '../../base/formats/json.ts'
import { packageVersion } from '../../base/formats/source-file.ts'
import { element, junitReport } from '../reports/junit.ts'
import { code, escapeMarkdown, markdownTable } from '../reports/markdown.ts'
import { type MutantVerdict, VERDICT_WORDS } from '../../control/client/mutation-report.ts'
import { toSaved } from './saved-run.ts'
import { countedTests, isOpen, isUncounted, type MutantResult, type Mutated, scoreOf } from './verdict.ts'

/** In the terms of mutation testing, a mutant is killed where all is well. */
const STATUSES: Readonly<Record<MutantVerdict, string>> = {
  relies: 'Survived',
  'timed-out': 'Survived',
  gap: 'Survived',
  'looks-on': 'NoCoverage',
  copes: 'Killed',
  noticed: 'Killed',
  accepted: 'Ignored',
  equivalent: 'Ignored',
  unfinished: 'Pending',
}

/**
 * A report for `mutation-testing-elements`, in the format `mutation-testing-report-schema`. The requests of the client are its
 * source lines, in a file for each operation.
 *
 * @param settings the flags that say what is served
 */
export function renderStryker(mutated: Mutated, settings: readonly string[]): string {
  const { tests, results, milliseconds } = mutated
  const seen = tests.flatMap((test) => test.seen)
  const linesOf = new Map(
    [...Map.groupBy(seen, ({ operationId }) => operationId ?? NO_OPERATION)].map(([operation, exchanges]) => [
      operation,
      [...new Set(exchanges.map(({ method, url }) => `${method} ${url}`))],
    ]),
  )
  const byOperation = Map.groupBy(results, operationOf)
  const files = [...linesOf].map(([operation, lines]) => [
    operation,
    {
      language: 'http',
      source: lines.join('\n'),
      mutants: (byOperation.get(operation) ?? []).map((result) => mutantOf(result, lines)),
    },
  ])
  const byFile = Map.groupBy(tests, ({ id }) => id.split(' > ', 1)[0] ?? '')
  const testFiles = [...byFile].map(([file, inFile]) => [
    file,
    { tests: inFile.map(({ id }) => ({ id, name: id.slice(file.length + 3) || id })) },
  ])
  return `${stringifyJson({
    schemaVersion: '2.0',
    thresholds: { high: 80, low: 60 },
    files: Object.fromEntries(files) as object,
    testFiles: Object.fromEntries(testFiles) as object,
    framework: { name: 'Standin', version: packageVersion() },
    performance: { setup: 0, initialRun: milliseconds.usual, mutation: milliseconds.all - milliseconds.usual },
    config: toSaved(mutated, settings),
  })}\n`
}

/** Requests that the contract does not have. */
const NO_OPERATION = 'no operation'

function operationOf({ mutant, tests }: MutantResult): string {
  const { difference } = tests.find((one) => one.difference) ?? {}
  return mutant.operationId ?? difference?.operationId ?? NO_OPERATION
}

function mutantOf(result: MutantResult, lines: readonly string[]) {
  const { mutant, verdict, tests, reason } = result
  const { difference } = countedTests(result)[0] ?? {}
  const line = Math.max(0, lines.indexOf(difference?.request ?? '')) + 1
  const idsOf = (some: MutantResult['tests']) => some.map(({ test }) => test)
  return {
    id: mutant.id,
    mutatorName: mutant.kind,
    description: mutant.change,
    replacement: difference ? `${difference.place} ${shown(difference.after)}` : mutant.change,
    location: { start: { line, column: 1 }, end: { line, column: (lines[line - 1] ?? '').length + 1 } },
    status: STATUSES[verdict],
    statusReason: [VERDICT_WORDS[verdict], reason ?? messageOf(result)].filter((one) => one !== undefined).join(': '),
    coveredBy: idsOf(tests),
    killedBy: verdict === 'noticed' ? idsOf(countedTests(result).filter(({ outcome }) => outcome !== 'passed')) : [],
    testsCompleted: tests.length,
  }
}

function messageOf(result: MutantResult): string | undefined {
  return countedTests(result).find(({ message }) => message !== undefined)?.message
}

/** A report as JUnit's XML: a test case for each change, which fails where something should be done. */
export function renderMutantsAsJunit({ contract, results }: Mutated): string {
  const cases = results.map((result) => {
    const { mutant, verdict } = result
    const words = `${VERDICT_WORDS[verdict]}${result.reason === undefined ? '' : `: ${result.reason}`}`
    const message = messageOf(result)
    const text = message === undefined ? words : `${words}: ${message}`
    const isSkipped = isUncounted(result)
    const inner = isOpen(result)
      ? [element('failure', { message: `${mutant.change} ${text}` })]
      : isSkipped
        ? [element('skipped', { message: words })]
        : []
    return element('testcase', { classname: contract, name: mutant.id }, inner)
  })
  const skipped = results.filter(isUncounted).length
  return junitReport('mutate', { failures: results.filter(isOpen).length, skipped }, cases)
}

/** A report for a pull request, or for the summary of a job. */
export function renderMutantsAsMarkdown({ contract, tests, results, untried }: Mutated): string {
  const open = results.filter(isOpen)
  const verdicts = (Object.keys(VERDICT_WORDS) as MutantVerdict[]).map(
    (verdict) => [VERDICT_WORDS[verdict], results.filter((one) => one.verdict === verdict).length] as const,
  )
  const parts = [
    [`## Changes of ${escapeMarkdown(contract)} that the tests notice or cope with: ${scoreOf(results)} %`],
    [`${counted(results.length, 'change')}, ${counted(tests.length, 'test')}.`],
    markdownTable(
      ['', { number: 'Changes' }],
      verdicts.filter(([, count]) => count > 0),
    ),
    open.length === 0
      ? []
      : markdownTable(
          ['Change', 'Verdict', 'Test', 'Message'],
          open.slice(0, MAX_ROWS).map((result) => {
            const telling = countedTests(result)
            const first = telling.find(({ outcome }) => outcome !== 'passed') ?? telling[0]
            const message = first?.message?.split('\n', 1)[0]
            return [
              code(result.mutant.id),
              VERDICT_WORDS[result.verdict],
              escapeMarkdown(first?.test ?? ''),
              message === undefined ? '' : code(message),
            ]
          }),
        ),
    open.length > MAX_ROWS ? [`And ${open.length - MAX_ROWS} more.`] : [],
    untried > 0 ? [`${counted(untried, 'change was', 'changes were')} not tried.`] : [],
  ]
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n')
}

/** A comment has room for 65,536 characters. */
const MAX_ROWS = 100
