/**
 * Work by the turn of the event loop. Requests that arrived in one turn are decided one after the other, while code and data are
 * at hand, and their answers leave one after the other: the first wakes a client that sleeps, which takes longer than all else of
 * an answer, and the next find it awake. Nobody waits for it, since a turn ends when nothing more is there to be read
 * (decisions/0008-request-performance.md).
 */
type Gathering = (task: () => void) => void

/** Does tasks with the others of their turn, in the order in which they came. They must not throw. */
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

/** When all that had arrived is read. */
export const atEndOfRead = batchPerTick(setImmediate)

/** When all that was read is decided, or failed, or waits for something else. */
export const atEndOfTurn = batchPerTick((run) => process.nextTick(run))
