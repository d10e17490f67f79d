import { counted, visible } from '../../base/errors/wording.ts'
import { shown } from '../../base/errors/problem.ts'
import { type MutantVerdict, type TestOutcome, VERDICT_WORDS } from '../../control/client/mutation-report.ts'
import { againCommand } from './saved-run.ts'
import { listed } from '../reports/listed.ts'
import { countedTests, isUncounted, scoreOf, type MutantResult, type Mutated } from './verdict.ts'

/** Tests that are named under a mutant. */
const MAX_TESTS = 3

/** @param settings the flags that say what is served, for the commands that are shown */
export function renderText(mutated: Mutated, settings: readonly string[] = []): string {
  const { contract, tests, results, schedules, flaky, untried, strays, milliseconds, isInterrupted } = mutated
  const isSearch = schedules !== undefined
  const tried = isSearch
    ? `${counted(schedules, 'schedule')} of faults`
    : `${counted(results.length, 'change')} of the service`
  const section = (verdict: MutantVerdict, title: string, show: (found: readonly MutantResult[]) => string[]) => {
    const found = mostWorthFirst(results.filter((one) => one.verdict === verdict))
    return found.length === 0 ? [] : ['', `${title} (${found.length})`, ...show(found)]
  }
  const again = ({ mutant }: MutantResult) => `      try again:   ${againCommand(mutated, settings, mutant)}`
  const describeEach = (found: readonly MutantResult[]) =>
    found.flatMap((one) => [...describe(one), ...fileLines(one), again(one)])
  const sections = [
    ...section('relies', 'Your client relies on an assumption', describeEach),
    ...section('timed-out', 'Your client does not come to an end', describeEach),
    ...section('gap', 'No test would notice another value', (found) => describeGaps(found, again)),
  ]
  const lines = [
    `${contract}: ${tried}, ${counted(tests.length, 'test')}, ${seconds(milliseconds.all)} (one run takes ${seconds(milliseconds.usual)})`,
    ...sections,
    '',
    ...tableOf(results),
    ...(isSearch ? [] : [scoreWords(results)]),
    ...(flaky.length > 0 ? ['', `Flaky without any change, and left out: ${flaky.join(', ')}`] : []),
    ...(isInterrupted && untried === 0 ? ['', 'The search was interrupted.'] : []),
    ...(untried > 0 ? ['', `${counted(untried, 'change was', 'changes were')} not tried.`] : []),
    ...(strays > 0
      ? [
          '',
          `${counted(strays, 'request')} went to the sandbox default, where nothing is changed. Send the key of the fixture with each request.`,
        ]
      : []),
    '',
  ]
  return lines.map(visible).join('\n')
}

/** A survivor that ten tests met says more than one that one test met. */
function mostWorthFirst(results: readonly MutantResult[]): readonly MutantResult[] {
  return results.toSorted((a, b) => countedTests(b).length - countedTests(a).length)
}

function describe(result: MutantResult): string[] {
  const { mutant, verdict } = result
  const leadOf = ({ outcome }: TestOutcome) =>
    verdict !== 'relies' ? 'goes on:' : outcome === 'mistaken' ? 'green, but:' : 'turns red:'
  const red = countedTests(result).filter(({ outcome }) => outcome !== 'passed')
  const [first] = red
  const others = red.length - MAX_TESTS
  return [
    `  ${mutant.id}: ${mutant.change}`,
    `      usually:     ${firstLine(mutant.usual)}`,
    ...(first?.difference ? [`      showed in:   ${differenceWords(first.difference)}`] : []),
    ...red
      .slice(0, MAX_TESTS)
      .flatMap((one) => [
        `      ${leadOf(one).padEnd(12)} ${one.test}`,
        ...(one.message === undefined ? [] : [`${' '.repeat(19)}${firstLine(one.message)}`]),
      ]),
    ...(others > 0 ? [`${' '.repeat(19)}and ${counted(others, 'other test')}`] : []),
  ]
}

/** Those of one operation that the same tests met are shown together: a response has many members. */
function describeGaps(found: readonly MutantResult[], again: (result: MutantResult) => string): string[] {
  const testsOf = (result: MutantResult) => countedTests(result).map(({ test }) => test)
  const groups = Map.groupBy(found, (one) => [one.mutant.operationId, ...testsOf(one)].join('\n'))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { operationId = '' } = first.mutant
    const nameOf = ({ mutant: { id } }: MutantResult) => id.slice(operationId.length + 1)
    const width = Math.max(...group.map((one) => nameOf(one).length))
    return [
      `  ${operationId}, in ${listed(testsOf(first), MAX_TESTS)}`,
      ...group.map((one) => {
        const { before, after } = countedTests(one)[0]?.difference ?? {}
        return `      ${nameOf(one).padEnd(width)}  ${valueWords(before)} → ${valueWords(after)}`
      }),
      ...fileLines(first),
      again(first),
    ]
  })
}

function fileLines({ files }: MutantResult): string[] {
  return [
    ...(files?.test === undefined ? [] : [`      a test:      ${files.test}`]),
    ...(files?.replay === undefined ? [] : [`      replay:      standin replay ${files.replay}`]),
  ]
}

/** Characters; tokens of pages can be long. */
const LONGEST_REQUEST = 100

function differenceWords({ request, place, before, after }: NonNullable<TestOutcome['difference']>): string {
  const cut = request.length > LONGEST_REQUEST ? `${request.slice(0, LONGEST_REQUEST)}…` : request
  return `${cut === '' ? '' : `${cut}: `}${place === '' ? 'body' : place} ${valueWords(before)} → ${valueWords(after)}`
}

function valueWords(value: unknown): string {
  return value === undefined ? 'absent' : shown(value)
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? ''
}

function tableOf(results: readonly MutantResult[]): string[] {
  const width = String(results.length).length
  return (Object.keys(VERDICT_WORDS) as MutantVerdict[]).flatMap((verdict) => {
    const count = results.filter((one) => one.verdict === verdict).length
    return count === 0 ? [] : [`${String(count).padStart(width)}  ${VERDICT_WORDS[verdict]}`]
  })
}

function scoreWords(results: readonly MutantResult[]): string {
  const all = results.filter((one) => !isUncounted(one))
  return `Score: ${scoreOf(results)} % of ${all.length}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
