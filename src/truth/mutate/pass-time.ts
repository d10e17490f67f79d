import type { Sandbox } from '../../engine/sandbox.ts'
import { Problem } from '../../base/errors/problem.ts'
import type { Mutant } from './mutants/mutant.ts'
import { momentAfter, seenOf } from './seen.ts'

/**
 * Moves the clock of a sandbox as a mutant asks: once, after the first request of its operation, and again after a reset.
 *
 * @returns what ends that
 */
export function passTime(sandbox: Sandbox, { operationId, clock }: Mutant): () => void {
  if (!clock) return () => undefined
  const { feed, journal } = sandbox
  let hasPassed = false
  let read = feed.last
  return feed.listen(() => {
    while (read < feed.last) {
      const message = feed.at(++read)
      // A reset clears the journal.
      if (typeof message !== 'number') hasPassed &&= journal.size > 0
      else if (!hasPassed) {
        const exchange = journal.find(message)
        if (!exchange || exchange.operationId !== operationId) continue
        hasPassed = true
        void goOn(sandbox, clock.to ?? momentAfter(seenOf(exchange, sandbox.name)) ?? sandbox.nextDue())
      }
    }
  })
}

async function goOn(sandbox: Sandbox, to: number | undefined): Promise<void> {
  if (to === undefined || to < sandbox.now()) return
  try {
    await sandbox.advance(to, () => undefined)
  } catch (error) {
    // More falls due until then than a clock can pass at once: the test receives what it usually does.
    if (!(error instanceof Problem)) throw error
  }
}
