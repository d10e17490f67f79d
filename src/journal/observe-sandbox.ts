import type { SandboxObserver } from '../engine/sandbox.ts'
import { isStateEvent, replacesState } from '../engine/snapshot.ts'
import { stateChange } from '../engine/state.ts'
import { createFeed, type Feed } from './feed.ts'
import type { Journal } from './journal.ts'

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
