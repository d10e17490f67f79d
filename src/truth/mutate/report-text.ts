import { counted, visible } from '../../base/errors/wording.ts'
import { shown } from '../../base/errors/problem.ts'
import type { Mutated } from './mutate.ts'
import type { MutantResult, TestOutcome, MutantVerdict } from './verdict.ts'

/** What is shown of each verdict, in the order of how much it says. */
const SECTIONS: readonly { readonly verdict: MutantVerdict; readonly title: string; readonly lead: string }[] = [
  { verdict: 'relies', title: 'Your client relies on an assumption', lead: 'turns red' },
  { verdict: 'timed-out', title: 'Your client does not come to an end', lead: 'goes on' },
  { verdict: 'gap', title: 'Nobody would notice', lead: 'stays green' },
]

/** Tests that are named under a mutant. */
const MAX_TESTS = 3

export function renderText(mutated: Mutated): string {
  const { contract, command, tests, results, flaky, untried, strays, milliseconds } = mutated
  const sections = SECTIONS.flatMap(({ verdict, title, lead }) => {
    const found = mostWorthFirst(results.filter((one) => one.verdict === verdict))
    return found.length === 0
      ? []
      : ['', `${title} (${found.length})`, ...found.flatMap((one) => describe(one, lead, command))]
  })
  const lines = [
    `${contract}: ${counted(results.length, 'change')} of the service, ${counted(tests.length, 'test')}, ${seconds(milliseconds.all)} (one run takes ${seconds(milliseconds.usual)})`,
    ...sections,
    '',
    ...tableOf(results),
    ...(flaky.length > 0 ? ['', `Flaky without any change, and left out: ${flaky.join(', ')}`] : []),
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

/** The tests that received something else. */
function countedTests({ tests }: MutantResult): readonly TestOutcome[] {
  return tests.filter(({ difference }) => difference !== undefined)
}

function describe(result: MutantResult, lead: string, command: readonly string[]): string[] {
  const { mutant, verdict } = result
  const met = countedTests(result)
  const telling = verdict === 'gap' ? met : met.filter(({ outcome }) => outcome !== 'passed')
  const [first] = telling
  const others = telling.length - MAX_TESTS
  return [
    `  ${mutant.id}: ${mutant.change}`,
    `      usually:     ${firstLine(mutant.usual)}`,
    ...(first?.difference ? [`      showed in:   ${differenceWords(first.difference)}`] : []),
    ...telling
      .slice(0, MAX_TESTS)
      .flatMap(({ test, message }) => [
        `      ${`${lead}:`.padEnd(12)} ${test}`,
        ...(message === undefined ? [] : [`${' '.repeat(19)}${firstLine(message)}`]),
      ]),
    ...(others > 0 ? [`${' '.repeat(19)}and ${counted(others, 'other test')}`] : []),
    `      try again:   standin mutate --only ${quoted(mutant.id)} -- ${command.join(' ')}`,
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

function quoted(id: string): string {
  return /^[\w.=,:/-]+$/.test(id) ? id : `'${id.replaceAll("'", String.raw`'\''`)}'`
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? ''
}

const WORDS: Readonly<Record<MutantVerdict, string>> = {
  relies: 'the client relies on an assumption',
  'timed-out': 'a test did not end',
  gap: 'nobody would notice',
  noticed: 'a test notices',
  copes: 'the client copes',
  equivalent: 'no test received anything else',
}

function tableOf(results: readonly MutantResult[]): string[] {
  const width = String(results.length).length
  return (Object.keys(WORDS) as MutantVerdict[]).flatMap((verdict) => {
    const count = results.filter((one) => one.verdict === verdict).length
    return count === 0 ? [] : [`${String(count).padStart(width)}  ${WORDS[verdict]}`]
  })
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
