import { shown, StartupError } from '../../base/errors/problem.ts'
import type { Config } from '../../config/config.ts'
import type { SavedRun } from '../../control/client/mutation-report.ts'
import type { MutantServer } from './mutant-server.ts'
import { type EndedCommand, runCommand } from './run-command.ts'
import type { Mistake } from './mistakes.ts'
import { noiseBetween, type SeenExchange } from './seen.ts'
import type { Attempt, Session } from './session.ts'
import type { UsualTest } from './verdict.ts'

export interface MutateOptions {
  readonly config: Config
  /** The test command and its arguments. */
  readonly command: readonly string[]
  /** Milliseconds that the tests may take without a mutant. */
  readonly timeout: number
  /** How many mutants run at the same time where a test has no sandbox of its own. */
  readonly jobs: number
  /** Tries at most so many mutants, chosen by the seed. */
  readonly max: number | undefined
  /** An earlier run, whose outcomes are kept where the tests are as they were. */
  readonly saved: SavedRun | undefined
  /** Whether changes that break the contract are tried too. */
  readonly breaking: boolean
  /** Whether settings of behaviours are tried in pairs too. */
  readonly pairs: boolean
  /** The most schedules of faults that are tried for each test, and nothing else; undefined for none. */
  readonly faults: number | undefined
  /** Whether a mutant is tried, by its id. */
  readonly isChosen: (id: string) => boolean
  /** Milliseconds by the machine's monotonic clock. */
  elapsed(): number
  readonly signal: AbortSignal
  /** @param share from 0 to 1; undefined while it is not known */
  readonly onProgress: (text: string, share?: number) => void
}

/** What runs of a test command need. */
export interface RunnerParts extends MutateOptions {
  readonly server: MutantServer
  readonly session: Session
}

/** The tests without a mutant. */
export interface UsualRun {
  readonly tests: readonly UsualTest[]
  readonly flaky: readonly string[]
  /** Whether the tests have no sandboxes of their own: there is one "test" then, the whole command. */
  readonly isShared: boolean
  readonly strays: number
  readonly milliseconds: number
}

/** One run of the command without a mutant. */
interface PlainRun {
  readonly attempts: readonly Attempt[]
  readonly inAll: ReadonlyMap<string, readonly SeenExchange[]>
  readonly mistakes: readonly Mistake[]
  readonly ended: EndedCommand
  readonly milliseconds: number
}

/** The variables that point the tests at a stand-in. */
export function environmentOf(url: string, { config }: Pick<MutateOptions, 'config'>): Record<string, string> {
  const { controlToken, keys } = config
  return {
    STANDIN_URL: url,
    NO_COLOR: '1',
    STANDIN_KEY: keys[0]?.key ?? 'mutate',
    ...(controlToken === undefined ? {} : { STANDIN_CONTROL_TOKEN: controlToken }),
  }
}

/** Runs the tests twice, to name those that are flaky. @throws StartupError for a command that cannot be judged */
export async function runUsual(parts: RunnerParts): Promise<UsualRun> {
  const first = await runPlain(parts)
  if (first.ended.isStopped) refuseEndless(first, parts)
  const second = await runPlain(parts)
  refuseUnusable(first, second, parts)
  const { milliseconds } = first
  const isShared = first.attempts.length === 0
  const strays = first.inAll.get('default')?.length ?? 0
  if (isShared) {
    const [seen, again] = [joined(first.inAll), joined(second.inAll)]
    const noise = noiseBetween(seen, again)
    const test = { id: parts.command.join(' '), seen: again, noise, mistakes: second.mistakes, milliseconds }
    return { tests: [test], flaky: [], isShared, strays: 0, milliseconds }
  }
  const ids = [...new Set(first.attempts.map(({ test }) => test))].sort()
  const pairs = ids.map((id) => [first, second].map(({ attempts }) => attempts.findLast(({ test }) => test === id)))
  const tests = pairs.flatMap(([one, other]): UsualTest[] => {
    if (one?.outcome !== 'passed' || other?.outcome !== 'passed') return []
    // The sandbox of the first run is gone.
    const { test: id, seen, mistakes, milliseconds } = other
    return [{ id, seen, mistakes, noise: noiseBetween(one.seen, seen), milliseconds }]
  })
  const green = new Set(tests.map(({ id }) => id))
  return { tests, flaky: ids.filter((id) => !green.has(id)), isShared, strays, milliseconds }
}

/** The exchanges of all sandboxes, sandbox after sandbox. */
export function joined(inAll: ReadonlyMap<string, readonly SeenExchange[]>): SeenExchange[] {
  return [...inAll].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, seen]) => seen)
}

async function runPlain(parts: RunnerParts): Promise<PlainRun> {
  const { server, session, command, timeout, elapsed, signal } = parts
  const attempts: Attempt[] = []
  server.install(undefined)
  const began = elapsed()
  const late = AbortSignal.timeout(timeout)
  const close = session.use({
    left: () => 1,
    take: () => undefined,
    limitOf: () => ({ milliseconds: timeout, requests: Infinity }),
    ended: (attempt) => void attempts.push(attempt),
    stop: () => undefined,
  })
  const environment = { ...environmentOf(server.url, parts), STANDIN_MUTATE: session.url }
  const ended = await runCommand(command, { environment, signal: AbortSignal.any([signal, late]) }).catch(
    (error: unknown) => {
      throw new StartupError([`The test command cannot be run: ${whyNotRun(command, error)}`])
    },
  )
  close()
  if (signal.aborted) throw new StartupError(['Interrupted before the tests had run without a change.'])
  return { attempts, inAll: server.seenInAll(), mistakes: server.mistakesIn(), ended, milliseconds: elapsed() - began }
}

/** Lines of the output of the tests that a message shows. */
const SHOWN_LINES = 30

function refuse({ ended: { output } }: PlainRun, sentence: string): never {
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')
  throw new StartupError([lines === '' ? sentence : `${sentence} The end of what they print:\n${lines}`])
}

function refuseEndless(run: PlainRun, { command, timeout }: RunnerParts): never {
  refuse(
    run,
    `\`${command.join(' ')}\` had not ended after ${timeout / 1000} s, without any change of the service. Pass a command that ends, such as \`vitest run\` in place of \`vitest\`, or a longer --timeout.`,
  )
}

function refuseUnusable(first: PlainRun, second: PlainRun, { command, server }: RunnerParts): void {
  const words = command.join(' ')
  const exchanges = [...first.inAll.values(), ...first.attempts.map(({ seen }) => seen)].flat()
  const unsent = `sent no request to the stand-in at ${server.url}. Their client has to call the address in the variable STANDIN_URL, and to send the key in STANDIN_KEY; the fixtures standin/vitest, standin/playwright and standin/node-test do both.`
  const isGreen = [first, second].map(({ ended }) => ended.code === 0)
  if (!isGreen[0] && !isGreen[1]) {
    const red = `The tests are red without any change of the service: \`${words}\` exits with ${first.ended.code ?? 'a signal'}. Make them green first.`
    // Who calls another address finds no service there.
    refuse(first, exchanges.length === 0 ? `${red} They also ${unsent}` : red)
  }
  if (exchanges.length === 0) refuse(first, `The tests ${unsent}`)
  if (exchanges.every(({ operationId }) => operationId === undefined)) {
    const [{ method, url } = { method: '', url: '' }] = exchanges
    refuse(
      first,
      `The tests requested no operation of the contract; their first request was ${method} ${url}. Name the contract of their service with --contract, and check the path that their client puts before its requests.`,
    )
  }
  if (first.attempts.length === 0 && isGreen.includes(false))
    refuse(first, `The tests are flaky: \`${words}\` was red in one of two runs without any change of the service.`)
}

function whyNotRun([program = '']: readonly string[], error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT') return `${message}.`
  const remedy = program.includes(' ')
    ? `Leave out the quotes: standin mutate -- ${program}`
    : 'Check its name, or run it by npx: standin mutate -- npx vitest run'
  return `expected a program after --, and there is none of the name ${shown(program)}. ${remedy}`
}
