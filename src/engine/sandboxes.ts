import { counted, nearest } from '../errors/wording.ts'
import { type Problem, shown, StartupError } from '../errors/problem.ts'
import type { State } from './state.ts'
import { readClock } from './clock.ts'
import { createMemoryLog, type EventLog } from './event-log.ts'
import { type Beginning, createImage } from './snapshot.ts'
import { createJournals, type Journals } from '../journal/journal.ts'
import { type Remembered, createSandbox, type Sandbox, type SandboxParts } from './sandbox.ts'
import {
  sandboxExists,
  sandboxNameInvalid,
  sandboxNeeded,
  sandboxNotFound,
  tooManySandboxes,
} from '../errors/control-errors.ts'

/** All sandboxes. Each began with the baseline, which is the initial state, or as a copy of another sandbox. */
export interface Sandboxes {
  /** The one where everybody is who names no other. */
  readonly default: Sandbox
  /** By name, in the order of their making. */
  readonly all: ReadonlyMap<string, Sandbox>
  /** How many there may be. */
  readonly most: number
  readonly journals: Pick<Journals, 'bytes'>
  /** The sandbox of a name, made from the baseline when it is not there yet. @throws Problem 400 for a bad name, 409 when there are too many */
  use(name: string): Sandbox
  /** @throws Problem 404 */
  get(name: string): Sandbox
  /** Makes one. @throws Problem 400 for a bad name, 409 when the name is taken or there are too many, 404 for an unknown `from` */
  create(name: string, options?: ForkOptions): Sandbox
  /** @throws Problem 404, or 409 for the default one, which is always there */
  delete(name: string): void
  /** What the sandboxes live by is otherwise. They stay as they are; a baseline is for those that begin, and begin again, from it. */
  rebase(change: Refounding): void
}

interface Refounding {
  readonly answersOf: SandboxParts['answersOf']
  /** Undefined where it is what it was. */
  readonly baseline?: State | undefined
}

/** Where the logs of sandboxes outlive the process. */
export interface LogStore {
  /** The sandboxes that are there already, in the order of their making. */
  readonly found: ReadonlyMap<string, Remembered>
  /** The log of a sandbox that begins. */
  begin(name: string, beginning: Beginning): EventLog
  /** Forgets a sandbox and its log. */
  remove(name: string): void
}

/** Keeps logs in memory alone. */
export const IN_MEMORY: LogStore = {
  found: new Map(),
  begin: (_name, beginning) => createMemoryLog(createImage(beginning)),
  remove() {
    // It was nowhere else.
  },
}

interface ForkOptions {
  /** The sandbox to start like; the baseline when absent. */
  readonly from?: string | undefined
  /** Governs request ids, tokens and chance from here on; the seed of what it starts like when absent. */
  readonly seed?: number | undefined
}

export const DEFAULT_SANDBOX = 'default'

/** No separators and no dot in front, so that a name is also a good part of a path and of a file's name. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/

export function isSandboxName(name: string): boolean {
  return NAME.test(name)
}

/**
 * @param firstBaseline the initial state
 * @param most how many there may be, the default one included
 * @throws StartupError when there are more already
 */
export function createSandboxes(
  firstBaseline: State,
  most: number,
  { realNow, answersOf: firstAnswersOf, onRun }: Omit<SandboxParts, 'journals'>,
  logs: LogStore = IN_MEMORY,
): Sandboxes {
  let baseline = firstBaseline
  let answersOf = firstAnswersOf
  const forks = new Set<string>()
  const journals = createJournals()
  const parts: SandboxParts = { realNow, answersOf: (overrides) => answersOf(overrides), journals, onRun }
  const all = new Map<string, Sandbox>()
  for (const [name, remembered] of logs.found) all.set(name, createSandbox(name, remembered, parts))
  if (all.size > most) throw tooManyFound(most, all.size)
  /** What lies in the baseline's past has not run in a state that begins now. */
  const fromBaseline = () => {
    const runsSince = Math.max(baseline.runsSince, readClock(baseline.clock, realNow()))
    return { state: { ...baseline, runsSince }, requests: 0 }
  }
  const make = (name: string, from: Beginning, seed = from.state.seed) => {
    refuseBadName(name)
    if (all.size >= most) throw sandboxLimitReached(most, all)
    const beginning = { state: { ...from.state, seed }, requests: from.requests }
    const sandbox = createSandbox(name, { image: createImage(beginning), log: logs.begin(name, beginning) }, parts)
    all.set(name, sandbox)
    return sandbox
  }
  const get = (name: string) => {
    const sandbox = all.get(name)
    if (!sandbox) throw unknownSandbox(name, all)
    return sandbox
  }
  return {
    journals,
    default: all.get(DEFAULT_SANDBOX) ?? make(DEFAULT_SANDBOX, fromBaseline()),
    all,
    most,
    get,
    use: (name) => all.get(name) ?? make(name, fromBaseline()),
    create(name, { from, seed } = {}) {
      if (all.has(name)) throw nameTaken(name)
      const made = make(name, from === undefined ? fromBaseline() : get(from).snapshot(), seed)
      if (from !== undefined) forks.add(name)
      return made
    },
    delete(name) {
      get(name)
      if (name === DEFAULT_SANDBOX)
        throw sandboxNeeded({
          detail: 'The sandbox default cannot be deleted: requests that name no sandbox use it. Reset it instead.',
        })
      const { journal, feed } = get(name)
      logs.remove(name)
      all.delete(name)
      forks.delete(name)
      journal.clear()
      feed.close()
    },
    rebase(change) {
      answersOf = change.answersOf
      baseline = change.baseline ?? baseline
      for (const [name, sandbox] of all)
        sandbox.rebase(change.baseline && !forks.has(name) ? fromBaseline() : undefined)
    },
  }
}

function refuseBadName(name: string): void {
  if (isSandboxName(name)) return
  const expected = '1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, not beginning with a dot'
  throw sandboxNameInvalid({
    detail: `The name of a sandbox is ${expected}; got ${shown(name)}. In a key it is what follows the last @.`,
  })
}

function unknownSandbox(name: string, all: ReadonlyMap<string, Sandbox>): Problem {
  const meant = nearest(name, all.keys())
  return sandboxNotFound({
    detail:
      `There is no sandbox ${shown(name)}. ${meant === undefined ? '' : `Did you mean ${meant}? `}` +
      'GET /__mock/sandboxes lists them; POST /__mock/sandboxes makes one.',
  })
}

function nameTaken(name: string): Problem {
  const remedy = name === DEFAULT_SANDBOX ? '.' : `, or DELETE /__mock/sandboxes/${name} first.`
  return sandboxExists({
    detail: `There is a sandbox ${name} already. Take another name${remedy}`,
  })
}

function sandboxLimitReached(most: number, all: ReadonlyMap<string, Sandbox>): Problem {
  const oldest = [...all.keys()].find((name) => name !== DEFAULT_SANDBOX)
  const remedy = oldest === undefined ? '' : ` Free one with DELETE /__mock/sandboxes/${oldest} (the oldest).`
  return tooManySandboxes({
    detail: `There ${all.size === 1 ? 'is' : 'are'} ${counted(all.size, 'sandbox', 'sandboxes')}; ${allowed(most)}.${remedy} Allow more with --max-sandboxes.`,
  })
}

function allowed(most: number): string {
  return most === 1 ? 'one is allowed' : `${most} are allowed`
}

function tooManyFound(most: number, found: number): StartupError {
  return new StartupError([
    `There are ${counted(found, 'sandbox', 'sandboxes')}; ${allowed(most)}. Allow more with --max-sandboxes.`,
  ])
}
