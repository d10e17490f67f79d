import { copyImage, evolveImage, isStateEvent, type Image, type OwnedImage, type SandboxEvent } from './snapshot.ts'

/** An event as the log keeps it. */
export interface LoggedEvent {
  /** Counts from 0 in each sandbox, and is never used twice. */
  readonly number: number
  /** Epoch ms by the sandbox's clock, before the event. */
  readonly at: number
  /** How many request ids were given out before. */
  readonly requests: number
  /** The request that it came from; undefined for what the control API or the time did. */
  readonly requestId: string | undefined
  readonly event: SandboxEvent
}

/** Events that are stored together or not at all. */
export interface Commit extends Omit<LoggedEvent, 'number' | 'event'> {
  readonly events: readonly SandboxEvent[]
}

/** The latest events, and what was before them. */
export interface Recent {
  /** The number of the first one that is remembered. */
  readonly first: number
  /** The number that the next event gets. */
  readonly next: number
  /** The sandbox as it was before the first one that is remembered. */
  before(): Image
  /** The remembered events from a number on. */
  from(number: number): Iterable<LoggedEvent>
}

/**
 * What changed in a sandbox, in order: three functions and no more, so that it can lie in memory, in a file, or be shared.
 * A log that is shared by several processes refuses an append that does not expect the right number; the refused sandbox catches
 * up and decides again.
 */
export interface EventLog {
  /**
   * Stores events; without any it keeps the count of requests. When it returns they will outlive what the log is there to outlive.
   *
   * @param expected the number of the first of them. @throws Error when it is another's, Problem 507 when there is no room
   */
  append(expected: number, commit: Commit): void
  recent(): Recent
  /** To be called between two commits: the log may write itself anew, shorter, from what the sandbox is now. */
  tidy(present: () => Image): void
  /** Begins anew with a sandbox as it is, and gives the next event a number. What is in a file has one beginning for ever. */
  restart?(present: Image, next: number): void
}

/** What a log in memory remembers. Files, paths and deliveries of an event count one each, so does a KiB of a document, and so does the event itself. */
const MOST_EVENTS = 10_000
const MOST_PARTS = 100_000
/** It forgets when it is over by so much, many events one after the other, which takes a fraction of the time of each by itself. */
const SLACK = 1.02

/** Room for the events that are remembered; a commit that is longer pushes out the oldest while it is stored. */
const ROOM = 10_240

/**
 * Remembers the latest events. The oldest are forgotten by storing them in the image of what was before.
 *
 * Events lie in a ring of columns, which is filled again and again: an object for each would outlive the scavenges, and its death later is
 * what makes the garbage collector mark the whole heap.
 */
export function createMemoryLog(before: Image, first = 0): EventLog {
  let oldest: Image = before
  let owned: OwnedImage | undefined
  const events: (SandboxEvent | undefined)[] = []
  const times: number[] = []
  const requestCounts: number[] = []
  const requestIds: (string | undefined)[] = []
  /** The number of the first event that is remembered, and of the one that lies in the first place of the ring. */
  let start = first
  let origin = first
  let parts = 0
  let next = first
  const at = (number: number): LoggedEvent | undefined => {
    const place = (number - origin) % ROOM
    const event = events[place]
    return (
      event && {
        number,
        at: times[place] ?? 0,
        requests: requestCounts[place] ?? 0,
        requestId: requestIds[place],
        event,
      }
    )
  }
  const forget = () => {
    const logged = at(start)
    if (!logged) return
    events[(start++ - origin) % ROOM] = undefined
    parts -= partsOf(logged.event, oldest)
    oldest = owned ??= copyImage(oldest)
    owned.requests = logged.requests
    evolveImage(owned, logged.event, { at: logged.at })
  }
  const isOver = (slack: number) => {
    const count = next - start
    return count > MOST_EVENTS * slack || (parts > MOST_PARTS * slack && count > 1)
  }
  const shorten = () => {
    while (isOver(1)) forget()
  }
  return {
    append(expected, { events: added, at, requests, requestId }) {
      if (expected !== next) throw new Error(`the log expects the event ${next}, and got the event ${expected}`)
      for (const event of added) {
        if (next - start === ROOM) forget()
        const place = (next++ - origin) % ROOM
        events[place] = event
        times[place] = at
        requestCounts[place] = requests
        requestIds[place] = requestId
        parts += partsOf(event, oldest)
      }
      if (isOver(SLACK)) shorten()
    },
    recent: () => {
      shorten()
      const [from, logged] = [start, Array.from({ length: next - start }, (_, index) => at(start + index))]
      return {
        first: from,
        next,
        before: () => copyImage(oldest),
        from: (number) => logged.slice(Math.max(0, number - from)).filter((one) => one !== undefined),
      }
    },
    tidy() {
      // It is as short as it should be.
    },
    restart(present, number) {
      oldest = present
      owned = undefined
      for (const column of [events, times, requestCounts, requestIds]) column.length = 0
      parts = 0
      start = origin = next = number
    },
  }
}

/** About how much an event holds. */
export function partsOf(event: SandboxEvent, { state: { model } }: Pick<Image, 'state'>): number {
  return isStateEvent(event) ? model.partsOf(event) : 1
}
