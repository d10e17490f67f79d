/**
 * Batches work by the turn of the event loop (decisions/0008-request-performance.md). Requests that were read in one turn are decided one
 * after the other, and their responses are written together: the first write wakes a sleeping client, which takes longer than the rest
 * of a response, and the others find it awake. No request waits longer, since a turn ends when nothing more is there to be read.
 */
type Gathering = (task: () => void) => void

/** Runs tasks with the others of their turn, in their order. They must not throw. */
function batchPerTick(atEnd: (run: () => void) => void): Gathering {
  let tasks: (() => void)[] = []
  const run = () => {
    const gathered = tasks
    tasks = []
    for (const task of gathered) task()
  }
  return (task) => {
    if (tasks.length === 0) atEnd(run)
    tasks.push(task)
  }
}

/** After everything that had arrived is read. */
export const atEndOfRead = batchPerTick(setImmediate)

/** After everything that was read is decided, or failed, or waits. */
export const atEndOfTurn = batchPerTick((run) => process.nextTick(run))
