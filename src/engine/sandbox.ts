import type { Commit, EventLog, Recent } from './event-log.ts'
import {
  type Beginning,
  copyImage,
  evolveImage,
  type Image,
  isStateEvent,
  replacesState,
  type SandboxEvent,
  type Snapshot,
} from './snapshot.ts'
import type { Problem } from '../errors/problem.ts'
import { inSlices, type Pause } from './slices.ts'
import type { Behaviours } from '../behaviours/behaviours.ts'
import { type Clock, moveClock, readClock } from './clock.ts'
import { chanceKey, draw } from './random.ts'
import type { CalendarChoices } from '../resources/report-schedules/calendar/next-run-date.ts'
import { randomUuid } from './uuid.ts'
import { type Overrides, type State, stateChange, type StateEvent } from './state.ts'
import { createFeed, type Feed } from '../journal/feed.ts'
import type { Journal, Journals } from '../journal/journal.ts'
import { type AskedWaits, createAskedWaits, createRateLimit, type RateLimit } from './rate-limit.ts'
import { createRunner, type PlannedRun, type RunEvent, toEvent } from '../resources/report-schedules/runner.ts'
import { clockInterrupted, sandboxBusy } from '../errors/control-errors.ts'

/** One live state, and the only way to change it. */
export interface Sandbox {
  readonly name: string
  readonly state: State
  /** The answers that its state lives by. */
  readonly behaviours: Behaviours
  readonly rateLimit: RateLimit
  /** How long refused requests were asked to wait. */
  readonly askedWaits: AskedWaits
  /** What was asked and answered lately. A reset empties it. */
  readonly journal: Journal
  /** What happens here, for listeners. */
  readonly feed: Feed
  /** Epoch ms by the sandbox's clock. What fell due since it was last asked has run when it answers. */
  now(): number
  /** An id for the next exchange, from the seed and a counter. */
  nextRequestId(): string
  /**
   * Stores events, all of them or, when storing fails, none that anybody saw: nothing else runs meanwhile.
   *
   * @param requestId the request that they come from
   */
  commit(events: readonly StateEvent[], requestId?: string): void
  /** Back to its beginning, counters included. It begins now: what fell due meanwhile has not run. */
  reset(): void
  /** Sets the clock, and makes the runs that it passes on its way forward, as `advance` does. */
  setClock(clock: Clock, pause: Pause): Promise<readonly PlannedRun[]>
  /**
   * Moves the clock forward to a moment, epoch ms, in steps: each stores so many runs and moves the clock to the last of them. Other
   * requests to the sandbox wait meanwhile, see `whenFree`.
   *
   * @throws Problem 409 when there would be too many runs, and then nothing has changed
   */
  advance(to: number, pause: Pause): Promise<readonly PlannedRun[]>
  /** Resolves when the clock was advanced; undefined for a sandbox that is free. @throws Problem 503 when too many wait */
  whenFree(): Promise<void> | undefined
  /** Whether its clock is being advanced. */
  readonly isBusy: boolean
  /** Epoch ms of the first run to come, of all schedules or of one; undefined when there is none. */
  nextRun(reportScheduleId?: number): number | undefined
  /** How many request ids were given out since its beginning. */
  readonly requests: number
  /** All that it is at this moment. */
  snapshot(): Snapshot
  /** Becomes what a snapshot holds. Where its clock runs, it catches up with what fell due since. */
  restore(snapshot: Beginning): void
  /** Snapshots that were given a name, the latest last. A reset leaves them. */
  readonly checkpoints: ReadonlyMap<string, Snapshot>
  /** Gives what it is at this moment a name; one that has it already is replaced. */
  takeCheckpoint(name: string): Snapshot
  /** Becomes what a checkpoint holds. There must be one of that name. */
  restoreCheckpoint(name: string): void
  removeCheckpoint(name: string): void
  /** What changed in it lately. */
  history(): Recent
  /** The number that the next event of its history gets. */
  readonly nextEvent: number
  /** Does again what a history tells, and counts the request ids that were given out meanwhile. */
  repeat(event: SandboxEvent | undefined, requests: number): void
  /** To be told that the answers it lives by are others now. @param beginning where a reset goes back to from now on */
  rebase(beginning?: Beginning): void
}

/** What a state lives by. */
export interface Answered {
  readonly behaviours: Behaviours
  /** The calendar's open questions, as the behaviour catalogue answers them. */
  readonly choices: CalendarChoices
  /** Milliseconds after which every search sees a change of files as it is. */
  readonly delay: number
}

export interface SandboxParts {
  /** The machine's clock, epoch ms. */
  readonly realNow: () => number
  /** What a state lives by that has some settings of behaviours otherwise. */
  readonly answersOf: (overrides: Overrides) => Answered
  readonly journals: Journals
  /** To be told of each run after it was stored. */
  readonly onRun?: ((sandbox: string, event: RunEvent) => void) | undefined
}

/** What a sandbox is made again from: its log, and all that the log has told. */
export interface Remembered {
  readonly image: Image
  readonly log: EventLog
}

/** A sandbox that goes on from what its log remembers, and tells its log what changes. */
export function createSandbox(name: string, { image: given, log }: Remembered, parts: SandboxParts): Sandbox {
  const { realNow, answersOf, journals, onRun } = parts
  const rateLimit = createRateLimit()
  const askedWaits = createAskedWaits()
  const journal = journals.create()
  const feed = createFeed(realNow().toString(36))
  const image = copyImage(given)
  let nextId = createRequestIds(image.state.seed)
  const present = () => image
  let nextEvent = log.recent().next
  /** Nothing falls due before this, epoch ms: until then there is nothing to be looked after. */
  let answered = answersOf(image.state.overrides)
  let quietUntil = firstPossibleRun(image.state.runsSince, answered.choices)
  const runner = createRunner(
    () => image.state,
    () => answered.choices,
  )
  /** While the clock is advanced, and how many requests wait for that. */
  let busy: Promise<void> | undefined
  let waiting = 0
  const shows = () => readClock(image.state.clock, realNow())
  /** What the log has no room for has not happened, so it comes first. */
  const append = (commit: Commit) => {
    try {
      log.append(nextEvent, commit)
    } catch (error) {
      // Runs that were worked out, and are not stored, are to come still.
      quietUntil = -Infinity
      runner.forget()
      throw error
    }
  }
  const rest = () => {
    if (runner.isAwake()) quietUntil = runner.next() ?? Infinity
  }
  const store = (events: readonly SandboxEvent[], requestId?: string) => {
    if (events.length === 0) {
      rest()
      return
    }
    const at = shows()
    append({ at, requests: image.requests, requestId, events })
    nextEvent += events.length
    for (const event of events) {
      evolveImage(image, event, { at, ...(answered.delay > 0 ? { keptSince: at - answered.delay } : {}) })
      if (isStateEvent(event)) {
        if (event.type === 'behaviours.changed') begin()
        else runner.onEvent(event)
        if (event.type === 'rate-limit.lifted') lift(event.faultId)
        for (const message of image.state.model.publish(event)) feed.publish(message)
        if (event.type === 'report-schedule.ran') onRun?.(name, event)
      } else if (replacesState(event)) {
        begin()
        if (event.type === 'sandbox.reset') rateLimit.reset()
        askedWaits.clear()
        feed.publish(stateChange(event.type === 'sandbox.reset' ? 'sandbox.begun' : 'sandbox.restored'))
      }
    }
    if (events.some((event) => event.type === 'clock.moved' && event.to < event.from)) quietUntil = -Infinity
    else rest()
    log.tidy(present)
  }
  const lift = (faultId = '') => {
    askedWaits.lift(faultId)
    if (faultId === '') rateLimit.reset()
  }
  const begin = () => {
    nextId = createRequestIds(image.state.seed)
    answered = answersOf(image.state.overrides)
    quietUntil = firstPossibleRun(image.state.runsSince, answered.choices)
    runner.forget()
  }
  const now = () => {
    const shown = shows()
    // While the clock is advanced, that makes the runs.
    if (busy) return shown
    // With nothing due this still wakes the runner, which tells how long it will be quiet.
    if (shown >= quietUntil) store(runner.due(shown))
    return shown
  }
  const moveTo = (clock: Clock, runs: readonly PlannedRun[] = []) => {
    const from = shows()
    store([...runs.map(toEvent), { type: 'clock.moved', clock, from, to: readClock(clock, realNow()) }])
  }
  const setClock = async (clock: Clock, pause: Pause): Promise<readonly PlannedRun[]> => {
    const from = now()
    const to = readClock(clock, realNow())
    if (to < from) {
      moveTo(clock)
      return []
    }
    const expected = { event: nextEvent }
    let free: () => void = () => undefined
    busy = new Promise((resolve) => (free = resolve))
    try {
      const { runs, take } = await inSlices(runner.plan(to), pause)
      if (nextEvent !== expected.event) throw interrupted(name)
      take()
      const slices = [...sliceRuns(runs)]
      const last = slices.pop() ?? []
      for (const slice of slices) {
        storeSlice(slice)
        expected.event = nextEvent
        const paused = pause()
        if (paused) await paused
        if (nextEvent !== expected.event) throw interrupted(name)
      }
      moveTo(clock, last)
      return runs
    } catch (error) {
      // What was planned and is not stored is to come still.
      quietUntil = -Infinity
      runner.forget()
      throw error
    } finally {
      busy = undefined
      free()
    }
  }
  /** Stores some of the runs of an advance and moves the clock to the last of them, unless it has run past it already. */
  const storeSlice = (runs: readonly PlannedRun[]) => {
    const at = runs.at(-1)?.run.at ?? 0
    if (at < shows()) store(runs.map(toEvent))
    else moveTo(moveClock(image.state.clock, at, realNow()), runs)
  }
  const snapshot = () => {
    const taken = now()
    return { state: image.state.model.copy(image.state), requests: image.requests, taken }
  }
  return {
    name,
    get state() {
      return image.state
    },
    get behaviours() {
      return answered.behaviours
    },
    rateLimit,
    askedWaits,
    journal,
    feed,
    now,
    nextRequestId() {
      const id = nextId(image.requests++)
      log.append(nextEvent, { at: 0, requests: image.requests, requestId: undefined, events: [] })
      log.tidy(present)
      return id
    },
    commit: store,
    reset() {
      // The clock that it goes back to may be another than the one it has.
      store([{ type: 'sandbox.reset', at: readClock(image.beginning.state.clock, realNow()) }])
      journal.clear()
    },
    setClock,
    advance: (to, pause) => setClock(moveClock(image.state.clock, to, realNow()), pause),
    get isBusy() {
      return busy !== undefined
    },
    whenFree() {
      if (!busy) return undefined
      if (waiting >= MOST_WAITING) throw tooManyWait(name)
      waiting++
      return busy.finally(() => waiting--)
    },
    nextRun(reportScheduleId) {
      now()
      return runner.next(reportScheduleId)
    },
    get requests() {
      return image.requests
    },
    snapshot,
    restore: (state) => store([{ type: 'state.imported', state }]),
    checkpoints: image.checkpoints,
    takeCheckpoint(name) {
      const taken = snapshot()
      store([{ type: 'checkpoint.taken', name, snapshot: taken }])
      return taken
    },
    restoreCheckpoint: (name) => store([{ type: 'checkpoint.restored', name }]),
    removeCheckpoint: (name) => store([{ type: 'checkpoint.removed', name }]),
    history: () => log.recent(),
    get nextEvent() {
      return nextEvent
    },
    repeat(event, requests) {
      if (event) store([event])
      // It knows of the runs that it worked out itself only.
      if (event?.type === 'report-schedule.ran') runner.forget()
      image.requests = requests
    },
    rebase(beginning) {
      // What fell due before has run by the answers of before.
      now()
      begin()
      if (!beginning || !log.restart) return
      const { seed } = image.beginning.state
      image.beginning = { ...beginning, state: { ...beginning.state, seed } }
      // No event has the number that is passed over: what was asked before it was asked of another stand-in.
      nextEvent++
      log.restart(copyImage(image), nextEvent)
    },
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

/** Of one step of an advance: what is stored, and looked at by listeners, at once. */
const MOST_RUNS_OF_SLICE = 500
const MOST_DELIVERIES_OF_SLICE = 2000

function* sliceRuns(runs: readonly PlannedRun[]): Generator<readonly PlannedRun[]> {
  let slice: PlannedRun[] = []
  let deliveries = 0
  for (const run of runs) {
    slice.push(run)
    deliveries += run.recipients.length
    if (slice.length < MOST_RUNS_OF_SLICE && deliveries < MOST_DELIVERIES_OF_SLICE) continue
    yield slice
    slice = []
    deliveries = 0
  }
  if (slice.length > 0) yield slice
}

/** As many requests wait for a sandbox. */
const MOST_WAITING = 1000

function tooManyWait(name: string): Problem {
  return sandboxBusy({
    detail: `The clock of the sandbox ${name} is being advanced, and ${MOST_WAITING} requests wait for that. Try again later.`,
    headers: { 'retry-after': '1' },
  })
}

function interrupted(name: string): Problem {
  return clockInterrupted({
    detail: `The sandbox ${name} was changed while its clock was advanced. GET /__mock/clock tells how far it came.`,
  })
}

function createRequestIds(seed: number): (request: number) => string {
  const key = (word: string) => chanceKey(seed, `request id ${word}`)
  const [a, b, c, d] = [key('a'), key('b'), key('c'), key('d')]
  return (request) => randomUuid(draw(a, request), draw(b, request), draw(c, request), draw(d, request))
}
