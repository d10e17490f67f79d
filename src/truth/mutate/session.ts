import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isAbsolute, relative } from 'node:path'
import { json } from 'node:stream/consumers'
import { stringifyJson } from '../../base/formats/json.ts'
import type { NamedTest } from '../../testing/mutation.ts'
import type { Attempted } from './mistakes.ts'
import type { Mutant } from './mutants/mutant.ts'
import type { MutantServer } from './mutant-server.ts'

/** One run of one test in a sandbox of its own. */
export interface Attempt extends Attempted {
  /** The file and the whole name of the test. */
  readonly test: string
  readonly mutant: Mutant | undefined
  readonly outcome: 'passed' | 'failed' | 'timed-out'
  /** Why it failed. */
  readonly message: string | undefined
  /** Whether its process ended before it did. */
  readonly isCutOff: boolean
  /** Writes the file for `standin replay`. Has to be called before the next attempt begins. */
  replay(): string
  readonly milliseconds: number
}

/** When an attempt is stopped: a client that follows pages without an end would go on for as long as its runner lets it. */
export interface AttemptLimit {
  readonly milliseconds: number
  readonly requests: number
}

/** Whether an attempt is over its limit: why, in words. */
export function overLimit(limit: AttemptLimit, milliseconds: number, requests: number): string | undefined {
  if (requests > limit.requests) return `it had sent ${requests.toLocaleString('en')} requests when it was stopped`
  return milliseconds > limit.milliseconds ? `it had not ended after ${Math.round(milliseconds / 1000)} s` : undefined
}

/** Milliseconds between two looks. */
export const LOOK = 200

/** What the tests of a run try. */
interface RunPlan {
  /** How many attempts of a test are left. */
  left(test: string): number
  /** The mutant of the next attempt; undefined for one without. Called while there are some left. */
  take(test: string): Mutant | undefined
  limitOf(test: string): AttemptLimit
  ended(attempt: Attempt): void
  /** Called when an attempt that was over its limit goes on. */
  stop(): void
}

/** Hands out sandboxes to the fixtures of tests that run in other processes, and learns how each attempt ended. */
export interface Session {
  readonly url: string
  /** @returns what ends the plan: attempts that are still under way are over then */
  use(plan: RunPlan): () => void
  close(): void
}

interface RunningAttempt {
  readonly plan: RunPlan
  readonly test: string
  readonly mutant: Mutant | undefined
  readonly began: number
  readonly limit: AttemptLimit
  isOver: boolean
}

interface SessionParts {
  readonly server: Pick<MutantServer, 'open' | 'seenIn' | 'mistakesIn' | 'replayOf' | 'requestsIn' | 'end'>
  /** Milliseconds by the machine's monotonic clock. */
  elapsed(): number
}

export async function openSession({ server, elapsed }: SessionParts): Promise<Session> {
  const running = new Map<string, RunningAttempt>()
  let plan: RunPlan | undefined
  const finish = (sandbox: string, outcome: Attempt['outcome'], message?: string, isCutOff = false) => {
    const one = running.get(sandbox)
    if (!one || one.isOver) return
    one.isOver = true
    const { test, mutant } = one
    one.plan.ended({
      test,
      mutant,
      outcome,
      message,
      isCutOff,
      seen: server.seenIn(sandbox),
      mistakes: server.mistakesIn(sandbox),
      replay: () => server.replayOf(sandbox),
      milliseconds: elapsed() - one.began,
    })
    // Those without a mutant stay as they are, for the tests that are written of them.
    if (mutant) server.end(sandbox)
  }
  const begin = ({ file, fullName, name }: NamedTest) => {
    const test = testId(file, fullName)
    const isSpare = plan === undefined || plan.left(test) <= 0
    const mutant = isSpare ? undefined : plan?.take(test)
    const sandbox = server.open(name, mutant)
    if (isSpare || !plan) return { sandbox, isSpare }
    running.set(sandbox, { plan, test, mutant, began: elapsed(), limit: plan.limitOf(test), isOver: false })
    return { sandbox, isSpare }
  }
  const look = () => {
    for (const [sandbox, { plan, began, limit, isOver }] of running) {
      const milliseconds = elapsed() - began
      const why = isOver ? undefined : overLimit(limit, milliseconds, server.requestsIn(sandbox))
      // Its requests fail from now on. A test that goes on all the same makes none.
      if (why !== undefined) finish(sandbox, 'timed-out', why)
      else if (isOver && milliseconds > 2 * limit.milliseconds) plan.stop()
    }
  }
  const looking = setInterval(look, LOOK)
  const end = ({ sandbox, failure }: EndRequest) => {
    finish(sandbox, failure === undefined ? 'passed' : 'failed', failure)
    running.delete(sandbox)
    return {}
  }
  const attempts = ({ file, names }: AttemptsRequest) =>
    Object.fromEntries(names.map((name) => [name, plan?.left(testId(file, name)) ?? 1]))
  const actions: Readonly<Record<string, (body: never) => object>> = { begin, end, attempts }
  const listener = createServer((request, response) => {
    respond(request, actions).then(
      (body) => response.setHeader('content-type', 'application/json').end(stringifyJson(body)),
      () => response.writeHead(400).end(),
    )
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    use(next) {
      plan = next
      return () => {
        plan = undefined
        for (const sandbox of running.keys())
          finish(sandbox, 'timed-out', 'its process ended, or was stopped, before the test did', true)
        running.clear()
      }
    },
    close() {
      clearInterval(looking)
      listener.close()
    },
  }
}

interface EndRequest {
  readonly sandbox: string
  readonly failure?: string
}

interface AttemptsRequest {
  readonly file: string
  readonly names: readonly string[]
}

async function respond(
  request: IncomingMessage,
  actions: Readonly<Record<string, (body: never) => object>>,
): Promise<object> {
  const action = actions[(request.url ?? '').slice(1)]
  if (!action) throw new Error(`no action ${request.url ?? ''}`)
  return action((await json(request)) as never)
}

function testId(file: string, name: string): string {
  return `${isAbsolute(file) ? relative('', file) : file} > ${name}`
}
