import { copyImage, evolveImage, isStateEvent, type Image, type OwnedImage, type SandboxEvent } from '../../snapshot.ts'
import type { Commit, EventLog, LoggedEvent, Recent } from '../event-log.ts'

/** The bounds of a log in memory. A part is a file, a path, a delivery, a KiB of a document, or the event itself. */
const MAX_EVENTS = 10_000
const MAX_PARTS = 100_000
/** Old events are dropped when it is over a bound by so much: dropping many at once takes a fraction of the time. */
const SLACK = 1.02

/** Room for events. A commit that is longer drops the oldest while it is stored. */
const ROOM = 10_240

/**
 * Keeps the latest events. The oldest are dropped by storing them in the image of the sandbox before.
 *
 * Events are in a ring of columns that is reused. An object for each would survive the young generation, and dropping it later makes the
 * garbage collector mark the whole heap.
 */
export function createMemoryLog(before: Image, first = 0): EventLog {
  return new MemoryLog(before, first)
}

class MemoryLog implements EventLog {
  /** The sandbox before the first event that is kept. */
  #oldest: Image
  /** The same, once it is a copy that may be changed in place. */
  #owned: OwnedImage | undefined
  readonly #events: (SandboxEvent | undefined)[] = []
  readonly #times: number[] = []
  readonly #requestCounts: number[] = []
  readonly #requestIds: (string | undefined)[] = []
  /** The number of the first event that is kept, and of the one in the first slot of the ring. */
  #start: number
  #origin: number
  #next: number
  #parts = 0

  constructor(before: Image, first: number) {
    this.#oldest = before
    this.#start = this.#origin = this.#next = first
  }

  append(expected: number, { events, at, requests, requestId }: Commit): void {
    if (expected !== this.#next)
      throw new Error(`the log expects the event ${this.#next}, and got the event ${expected}`)
    for (const event of events) {
      if (this.#next - this.#start === ROOM) this.#dropOldest()
      const place = (this.#next++ - this.#origin) % ROOM
      this.#events[place] = event
      this.#times[place] = at
      this.#requestCounts[place] = requests
      this.#requestIds[place] = requestId
      this.#parts += partsOf(event, this.#oldest)
    }
    if (this.#isOver(SLACK)) this.#shorten()
  }

  recent(): Recent {
    this.#shorten()
    const [first, next, oldest] = [this.#start, this.#next, this.#oldest]
    const logged = Array.from({ length: next - first }, (_, index) => this.#at(first + index))
    return {
      first,
      next,
      before: () => copyImage(oldest),
      from: (number) => logged.slice(Math.max(0, number - first)).filter((one) => one !== undefined),
    }
  }

  restart(present: Image, number: number): void {
    this.#oldest = present
    this.#owned = undefined
    for (const column of [this.#events, this.#times, this.#requestCounts, this.#requestIds]) column.length = 0
    this.#parts = 0
    this.#start = this.#origin = this.#next = number
  }

  #at(number: number): LoggedEvent | undefined {
    const place = (number - this.#origin) % ROOM
    const event = this.#events[place]
    return (
      event && {
        number,
        at: this.#times[place] ?? 0,
        requests: this.#requestCounts[place] ?? 0,
        requestId: this.#requestIds[place],
        event,
      }
    )
  }

  #shorten(): void {
    while (this.#isOver(1)) this.#dropOldest()
  }

  #isOver(slack: number): boolean {
    const count = this.#next - this.#start
    return count > MAX_EVENTS * slack || (this.#parts > MAX_PARTS * slack && count > 1)
  }

  #dropOldest(): void {
    const logged = this.#at(this.#start)
    if (!logged) return
    this.#events[(this.#start++ - this.#origin) % ROOM] = undefined
    this.#parts -= partsOf(logged.event, this.#oldest)
    this.#oldest = this.#owned ??= copyImage(this.#oldest)
    this.#owned.requests = logged.requests
    evolveImage(this.#owned, logged.event, { at: logged.at })
  }
}

/** About how much an event holds. */
export function partsOf(event: SandboxEvent, { state: { model } }: Pick<Image, 'state'>): number {
  return isStateEvent(event) ? model.partsOf(event) : 1
}
