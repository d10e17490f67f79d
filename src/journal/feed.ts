import type { SandboxObserver } from '../engine/sandbox.ts'
import { isStateEvent, replacesState } from '../engine/snapshot.ts'
import { stateChange, type StreamMessage } from '../engine/state.ts'
import type { Journal } from './journal.ts'

/** Publishes what happens in a sandbox to its listeners, and keeps the latest messages for those that reconnect. */
export interface Feed {
  /** Distinguishes this feed from that of another process, or of an earlier sandbox with the same name. */
  readonly fingerprint: string
  /** The number of the latest message; 0 before the first. */
  readonly last: number
  /** The number of the oldest message that is kept; one more than `last` when there is none. */
  readonly first: number
  /** The message with a number; undefined when it was dropped. An exchange is published as its id in the sandbox's journal. */
  at(number: number): StreamMessage | number | undefined
  publish(message: StreamMessage | number): void
  /** @param wake is called after each message, and when the feed is closed @returns a function that stops listening */
  listen(wake: () => void): () => void
  /** The sandbox is gone: nothing more is published. */
  close(): void
  readonly isClosed: boolean
}

const MAX_MESSAGES = 4096

/** @param fingerprint a text without spaces */
function createFeed(fingerprint: string): Feed {
  const ring: (StreamMessage | number)[] = []
  const listeners = new Set<() => void>()
  let last = 0
  let isClosed = false
  const wakeAll = () => {
    for (const wake of listeners) wake()
  }
  return {
    fingerprint,
    get last() {
      return last
    },
    get first() {
      return Math.max(0, last - MAX_MESSAGES) + 1
    },
    at: (number) => (number > last - MAX_MESSAGES && number <= last ? ring[(number - 1) % MAX_MESSAGES] : undefined),
    publish(message) {
      ring[last++ % MAX_MESSAGES] = message
      wakeAll()
    },
    listen(wake) {
      listeners.add(wake)
      return () => void listeners.delete(wake)
    },
    close() {
      isClosed = true
      wakeAll()
    },
    get isClosed() {
      return isClosed
    },
  }
}

declare module '../engine/sandbox.ts' {
  interface SandboxObservers {
    /** The latest exchanges. A reset clears it. */
    readonly journal: Journal
    /** What happens, for listeners. */
    readonly feed: Feed
  }
}

/** Gives a sandbox a journal and a feed. @param fingerprint of the feed */
export function observeForJournal(createJournal: () => Journal, fingerprint: string): SandboxObserver {
  const journal = createJournal()
  const feed = createFeed(fingerprint)
  return {
    members: { journal, feed },
    onEvent(event, { model }) {
      if (isStateEvent(event)) for (const message of model.publish(event)) feed.publish(message)
      else if (replacesState(event)) {
        const isReset = event.type === 'sandbox.reset'
        if (isReset) journal.clear()
        feed.publish(stateChange(isReset ? 'sandbox.begun' : 'sandbox.restored'))
      }
    },
    onDelete() {
      journal.clear()
      feed.close()
    },
  }
}
