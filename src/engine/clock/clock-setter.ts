import { Overtaken } from '../stores/shared-log.ts'
import { clockInterrupted, sandboxBusy } from '../../base/errors/control-errors.ts'
import type { Problem } from '../../base/errors/problem.ts'
import { inSlices, type Pause, type Steps } from '../slices.ts'
import type { SandboxEvent } from '../snapshot.ts'
import type { AdvancePlan, DueEvent } from '../state.ts'
import { type Clock, moveClock, readClock } from './clock.ts'
import { sliceDue } from './scheduler.ts'

/** What a change of the clock reads and changes in its sandbox. */
export interface ClockedSandbox {
  readonly name: string
  clock(): Clock
  /** Whether other processes change it too. */
  readonly isShared: boolean
  /** The number that the next event of its history gets. */
  nextEvent(): number
  /** The machine's clock, epoch ms. */
  realNow(): number
  plan(until: number): Steps<AdvancePlan>
  store(events: readonly SandboxEvent[]): void
  /** Drops what was planned and not stored. */
  forget(): void
}

/** At most this many requests may wait while the clock is advanced. */
const MAX_WAITING = 1000

/** Sets the clock of one sandbox, and stores the events that fall due meanwhile. */
export class ClockSetter {
  readonly #sandbox: ClockedSandbox
  /** Settles when the running advance ends; undefined when there is none. */
  #advance: Promise<void> | undefined
  /** How many requests wait for that. */
  #waiting = 0

  constructor(sandbox: ClockedSandbox) {
    this.#sandbox = sandbox
  }

  get isAdvancing(): boolean {
    return this.#advance !== undefined
  }

  /** Resolves when an advance is over; undefined when there is none. @throws Problem 503 when too many wait */
  whenFree(): Promise<void> | undefined {
    if (!this.#advance) return undefined
    if (this.#waiting >= MAX_WAITING) throw tooManyWait(this.#sandbox.name)
    this.#waiting++
    return this.#advance.finally(() => this.#waiting--)
  }

  /**
   * Sets the clock back at once, or forward in steps: each stores some of the events that fall due and moves the clock to the last of them.
   *
   * @param from what the clock shows, epoch ms
   * @returns what fell due
   * @throws Problem 409 when there would be too many events; then nothing has changed
   */
  async set(clock: Clock, from: number, pause: Pause): Promise<readonly DueEvent[]> {
    const to = readClock(clock, this.#sandbox.realNow())
    if (to < from) {
      this.#moveTo(clock)
      return []
    }
    let free: () => void = () => undefined
    this.#advance = new Promise((resolve) => (free = resolve))
    try {
      return await this.#moveForward(clock, to, pause)
    } catch (error) {
      this.#sandbox.forget()
      throw error
    } finally {
      this.#advance = undefined
      free()
    }
  }

  #shows(): number {
    return readClock(this.#sandbox.clock(), this.#sandbox.realNow())
  }

  async #moveForward(clock: Clock, to: number, pause: Pause): Promise<readonly DueEvent[]> {
    const { name } = this.#sandbox
    let expected = this.#sandbox.nextEvent()
    const throwIfChanged = () => {
      if (this.#sandbox.nextEvent() !== expected) throw interrupted(name)
    }
    const { due, take } = await inSlices(this.#sandbox.plan(to), pause)
    // Nothing is stored yet, so it can be decided again.
    if (this.#sandbox.isShared && this.#sandbox.nextEvent() !== expected) throw new Overtaken()
    throwIfChanged()
    take()
    const slices = [...sliceDue(due)]
    const last = slices.pop()
    for (const slice of slices) {
      this.#storeDue(slice)
      expected = this.#sandbox.nextEvent()
      const paused = pause()
      if (paused) await paused
      throwIfChanged()
    }
    this.#moveTo(clock, last)
    return due
  }

  /** Stores some of what falls due in an advance, and moves the clock to the last of it, unless the clock is already past it. */
  #storeDue(due: readonly DueEvent[]): void {
    const at = due.at(-1)?.at ?? 0
    if (at < this.#shows()) this.#sandbox.store(due.map((one) => one.toEvent()))
    else this.#moveTo(moveClock(this.#sandbox.clock(), at, this.#sandbox.realNow()), due)
  }

  #moveTo(clock: Clock, due: readonly DueEvent[] = []): void {
    const moved = {
      type: 'clock.moved',
      clock,
      from: this.#shows(),
      to: readClock(clock, this.#sandbox.realNow()),
    } as const
    this.#sandbox.store([...due.map((one) => one.toEvent()), moved])
  }
}

function tooManyWait(name: string): Problem {
  return sandboxBusy({
    detail: `The clock of the sandbox ${name} is being advanced, and ${MAX_WAITING} requests wait for that. Try again later.`,
    headers: { 'retry-after': '1' },
  })
}

function interrupted(name: string): Problem {
  return clockInterrupted({
    detail: `The sandbox ${name} was changed while its clock was advanced. GET /__mock/clock tells how far it came.`,
  })
}
