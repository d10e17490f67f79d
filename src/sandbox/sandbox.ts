import type { WorldEvent } from '../world/event.ts'
import { evolve } from '../world/event.ts'
import { type Clock, moveClock, readClock } from '../world/clock.ts'
import type { CursorCodec } from '../world/file-sets/cursor.ts'
import { chanceKey, draw } from '../world/random.ts'
import type { CalendarChoices } from '../world/report-schedules/next-run-date.ts'
import { randomUuid } from '../world/uuid.ts'
import { copyWorld, type OwnedWorld, type World } from '../world/world.ts'
import { createFeed, type Feed } from './feed.ts'
import type { Journal, Journals } from './journal.ts'
import { createRateLimit, type RateLimit } from './rate-limit.ts'
import { createRunner, type RunEvent } from './runner.ts'

/** One live world, and the only way to change it. */
export interface Sandbox {
  readonly name: string
  readonly world: World
  readonly cursors: CursorCodec
  readonly rateLimit: RateLimit
  /** What was asked and answered lately. A reset empties it. */
  readonly journal: Journal
  /** What happens here, for listeners. */
  readonly feed: Feed
  /** Epoch ms by the sandbox's clock. What fell due since it was last asked has run when it answers. */
  now(): number
  /** An id for the next exchange, from the seed and a counter. */
  nextRequestId(): string
  /** Stores events, all of them or, when storing fails, none that anybody saw: nothing else runs meanwhile. */
  commit(events: readonly WorldEvent[]): void
  /** Back to its beginning, counters included. It begins now: what fell due meanwhile has not run. */
  reset(): void
  /** Sets the clock, and makes the runs that it passes on its way forward. @throws Problem 409 when they are too many */
  setClock(clock: Clock): readonly RunEvent[]
  /** Moves the clock forward to a moment, epoch ms. @throws Problem 409 when there would be too many runs */
  advance(to: number): readonly RunEvent[]
  /** Epoch ms of the first run to come, of all schedules or of one; undefined when there is none. */
  nextRun(reportScheduleId?: number): number | undefined
  /** How many request ids were given out since its beginning. */
  readonly requests: number
  /** All that it is at this moment. */
  snapshot(): Snapshot
  /** Becomes what a snapshot holds. Where its clock runs, it catches up with what fell due since. */
  restore(snapshot: Omit<Snapshot, 'taken'>): void
  /** Snapshots that were given a name. A reset leaves them. */
  readonly checkpoints: Map<string, Snapshot>
}

/** A world at a moment, which nobody changes any more. */
export interface Snapshot {
  readonly world: World
  /** How many request ids were given out. */
  readonly requests: number
  /** Epoch ms by the world's clock. */
  readonly taken: number
}

export interface SandboxParts {
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
  /** The calendar's open questions, as the ledger answers them. */
  readonly choices: CalendarChoices
  /** The codec of a seed; making one takes longer than all the rest of a sandbox. */
  readonly cursorsOf: (seed: number) => CursorCodec
  readonly journals: Journals
  /** To be told of each run after it was stored. */
  readonly onRun?: ((sandbox: string, event: RunEvent) => void) | undefined
}

/** @param beginning where it starts, and what a reset goes back to */
export function createSandbox(name: string, beginning: Omit<Snapshot, 'taken'>, parts: SandboxParts): Sandbox {
  const { realNow, choices, cursorsOf, journals, onRun } = parts
  const rateLimit = createRateLimit()
  const journal = journals.create()
  const feed = createFeed(realNow().toString(36))
  let world: OwnedWorld = copyWorld(beginning.world)
  let { requests } = beginning
  let nextId = createRequestIds(world.seed)
  /** Nothing falls due before this, epoch ms: until then there is nothing to be looked after. */
  let quietUntil = -Infinity
  const runner = createRunner(() => world, choices)
  const store = (events: readonly WorldEvent[]) => {
    for (const event of events) {
      evolve(world, event)
      runner.heed(event)
      feed.tellEvent(event)
      if (event.type === 'report-schedule.ran') onRun?.(name, event)
    }
    const isTurnedBack = events.some((event) => event.type === 'clock.moved' && event.to < event.from)
    if (isTurnedBack) quietUntil = -Infinity
    else if (runner.isAwake()) quietUntil = runner.next() ?? Infinity
  }
  const become = (snapshot: Omit<Snapshot, 'taken'>) => {
    world = copyWorld(snapshot.world)
    requests = snapshot.requests
    nextId = createRequestIds(world.seed)
    quietUntil = -Infinity
    runner.forget()
  }
  const now = () => {
    const shown = readClock(world.clock, realNow())
    // With nothing due this still wakes the runner, which tells how long it will be quiet.
    if (shown >= quietUntil) store(runner.due(shown))
    return shown
  }
  const setClock = (clock: Clock) => {
    const from = now()
    const to = readClock(clock, realNow())
    const runs = to >= from ? runner.plan(to) : []
    store([...runs, { type: 'clock.moved', clock, from, to }])
    return runs
  }
  return {
    name,
    get world() {
      return world
    },
    get cursors() {
      return cursorsOf(world.seed)
    },
    rateLimit,
    journal,
    feed,
    now,
    nextRequestId: () => nextId(requests++),
    commit: store,
    reset() {
      become(beginning)
      const present = readClock(world.clock, realNow())
      world.runsSince = Math.max(world.runsSince, present)
      quietUntil = firstPossibleRun(present, choices)
      rateLimit.reset()
      journal.clear()
      feed.tell({ kind: 'world', change: { type: 'sandbox.begun' } })
    },
    setClock,
    advance: (to) => setClock(moveClock(world.clock, to, realNow())),
    nextRun(reportScheduleId) {
      now()
      return runner.next(reportScheduleId)
    },
    get requests() {
      return requests
    },
    snapshot() {
      const taken = now()
      return { world: copyWorld(world), requests, taken }
    },
    restore(snapshot) {
      become(snapshot)
      feed.tell({ kind: 'world', change: { type: 'sandbox.restored' } })
    },
    checkpoints: new Map(),
  }
}

/**
 * Schedules run at whole minutes, so it need not be known yet when each of them does: working that out would be most of the time of
 * a first answer. Until 1972 some clocks were not whole minutes away from UTC.
 */
function firstPossibleRun(after: number, { when }: CalendarChoices): number {
  return after < WHOLE_MINUTES_SINCE || when === 'inclusive' ? after : (Math.floor(after / MINUTE) + 1) * MINUTE
}

const MINUTE = 60_000
const WHOLE_MINUTES_SINCE = Date.UTC(1973, 0, 1)

function createRequestIds(seed: number): (request: number) => string {
  const key = (word: string) => chanceKey(seed, `request id ${word}`)
  const [a, b, c, d] = [key('a'), key('b'), key('c'), key('d')]
  return (request) => randomUuid(draw(a, request), draw(b, request), draw(c, request), draw(d, request))
}
