/** Divides compiling between turns of the event loop. */
export interface Turn {
  /** Runs work that may compile, again from its beginning after each turn that was used up. */
  inTurns<T>(work: () => T): Promise<T>
  /** Called before so many schemas are compiled. Interrupts work that runs in turns when the turn has had its share. */
  spend(schemas: number): void
  /** How many pieces were compiled. */
  readonly compiled: number
}

/** Schemas that are compiled in one turn; one takes 0.1 to 0.3 ms. */
const SCHEMAS_PER_TURN = 30

export function createTurn(): Turn {
  const interrupted = new Error('The work goes on in the next turn of the event loop.')
  let left = Infinity
  let compiled = 0
  const attempt = <T>(work: () => T): { readonly result: T } | undefined => {
    left = SCHEMAS_PER_TURN
    try {
      return { result: work() }
    } catch (error) {
      if (error !== interrupted) throw error
      return undefined
    } finally {
      left = Infinity
    }
  }
  return {
    async inTurns(work) {
      for (;;) {
        const done = attempt(work)
        if (done) return done.result
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    spend(schemas) {
      // The first piece of a turn is always compiled, so each turn gets on.
      if (left <= 0) throw interrupted
      left -= schemas
      compiled++
    },
    get compiled() {
      return compiled
    },
  }
}
