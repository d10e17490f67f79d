/** Distributes compilation over turns of the event loop. */
export interface Turn {
  /** Runs work that may compile, again from its beginning in each further turn. */
  inTurns<T>(work: () => T): Promise<T>
  /** Call this before compiling so many schemas. It interrupts work whose turn has had its share. */
  spend(schemas: number): void
  /** The number of compiled pieces. */
  readonly compiled: number
}

/** The schemas of one turn; each takes 0.1 to 0.3 ms. */
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
      // The first piece of a turn is always compiled, so each turn makes progress.
      if (left <= 0) throw interrupted
      left -= schemas
      compiled++
    },
    get compiled() {
      return compiled
    },
  }
}
