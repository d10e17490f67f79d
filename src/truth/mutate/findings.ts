import { join, relative } from 'node:path'
import { makePrivateFolder, PRIVATE_FILE, writeText } from '../../base/formats/source-file.ts'
import { iso } from '../../base/formats/instant.ts'
import { toCode } from '../../control/client/as-code.ts'
import type { ControlClient } from '../../control/client/client.ts'
import { frameTest, loadTest, type CodeRunner } from '../../control/client/test-code/test-code.ts'
import { type Mutant, shouldBeNoticed } from './mutants/mutant.ts'
import { hasFailed, isOpen, countedTests, type MutantResult, type Mutated, type UsualTest } from './verdict.ts'

interface ReadyTestParts {
  /** Of the server, where the sandboxes of the tests without a mutant still are. */
  readonly control: ControlClient
  readonly command: readonly string[]
  readonly tests: readonly UsualTest[]
}

/** Findings that get a test; a response has many members. */
const MOST = 200

/**
 * Adds a test to each finding: for a value that no test looks at, one that looks at the whole response; for an assumption, the frame of one in which the service
 * does what the client does not cope with.
 */
export async function withReadyTests(
  results: readonly MutantResult[],
  { control, command, tests }: ReadyTestParts,
): Promise<MutantResult[]> {
  const runner = runnerOf(command)
  const byId = new Map(tests.map((test) => [test.id, test]))
  const { options } = await control.getInfo()
  const loaded = new Map<string, Promise<string | undefined>>()
  const ofExchange = (result: MutantResult) => {
    const [{ test, difference } = { test: '', difference: undefined }] = countedTests(result)
    const { sandbox = '', id = 0 } = byId.get(test)?.seen[difference?.at ?? -1] ?? {}
    const key = `${sandbox} ${id}`
    const code = loaded.get(key) ?? (id === 0 ? Promise.resolve(undefined) : loadTestOf(control, sandbox, id, runner))
    loaded.set(key, code)
    return code
  }
  let left = MOST
  const add = async (result: MutantResult): Promise<MutantResult> => {
    if (!isOpen(result) || left-- <= 0) return result
    const { clock, ...rest } = options as { readonly clock: string }
    const readyTest =
      shouldBeNoticed(result.mutant) || result.verdict === 'looks-on'
        ? await ofExchange(result)
        : frameTest(runner, { name: nameOf(result), options: rest, clock, lines: linesFor(result) })
    return readyTest === undefined ? result : { ...result, readyTest }
  }
  return Promise.all(results.map(add))
}

async function loadTestOf(
  control: ControlClient,
  sandbox: string,
  id: number,
  runner: CodeRunner,
): Promise<string | undefined> {
  const own = control.in(sandbox)
  // What a test received first may be forgotten where it received very much.
  return own
    .getExchange(id)
    .then((exchange) => loadTest(own, exchange, runner))
    .catch(() => undefined)
}

function runnerOf(command: readonly string[]): CodeRunner {
  const words = command.join(' ')
  return words.includes('playwright') ? 'playwright' : words.includes('vitest') ? 'vitest' : 'node:test'
}

function nameOf({ mutant, tests }: MutantResult): string {
  return `${shorten(redTest(mutant, tests)?.test.split(' > ').at(-1) ?? '')}: ${mutant.id}`
}

/** A command that is taken for one test may be long, and have several lines. */
function shorten(name: string): string {
  const line = name.replaceAll(/\s+/g, ' ')
  return line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL)}…` : line
}

const LONGEST_LABEL = 80

function redTest(mutant: Mutant, tests: MutantResult['tests']) {
  return tests.find((one) => hasFailed(one, mutant))
}

function linesFor({ mutant, tests }: MutantResult): string[] {
  const red = redTest(mutant, tests)
  return [
    ...changesAsCode(mutant),
    `// Here do what ${toCode(shorten(red?.test ?? 'the test'))} does.`,
    ...clockAsCode(mutant),
    ...(red?.outcome === 'mistaken' ? ['await control.expectGoodClient()'] : []),
  ]
}

function clockAsCode({ operationId = '', clock }: Mutant): string[] {
  if (!clock) return []
  const step = clock.to === undefined ? { toNextRun: true } : { to: iso(clock.to) }
  return [`// After its first ${operationId}:`, inTest('advanceClock', step)]
}

function inTest(call: string, body: object): string {
  return `await control.${call}(${toCode(body, '  ')})`
}

/** Calls that make the service do in a test what a mutant does. */
function changesAsCode({ overrides = {}, faults = [] }: Mutant): string[] {
  return [
    ...(Object.keys(overrides).length === 0 ? [] : [inTest('putBehaviours', overrides)]),
    ...faults.map((fault) => inTest('armFaults', fault)),
  ]
}

/** File systems take 255 bytes. */
const LONGEST_NAME = 80

/**
 * Writes the test of each finding, and a file for `standin replay` where faults caused it. Findings with the same test share a file.
 *
 * @returns the run with the names of the files
 */
export function keepFindings(mutated: Mutated, directory: string): Mutated {
  const kept = new Map<string, string>()
  const write = (result: MutantResult, name: string, text: string | undefined) => {
    if (text === undefined) return undefined
    const known = kept.get(text)
    if (known !== undefined) return known
    const folder = join(directory, result.mutant.id.replaceAll(/[^\p{L}\p{N}.]+/gu, '-').slice(0, LONGEST_NAME))
    makePrivateFolder(folder)
    writeText(join(folder, name), [text], PRIVATE_FILE)
    const path = relative('', join(folder, name))
    kept.set(text, path)
    return path
  }
  const results = mutated.results.map((result): MutantResult => {
    if (!isOpen(result)) return result
    const replay = result.tests.find((one) => one.replay !== undefined)?.replay
    // Runners take no file of this name for a test.
    const files = { test: write(result, 'notice.ts', result.readyTest), replay: write(result, 'replay.json', replay) }
    return { ...result, files }
  })
  return { ...mutated, results }
}
