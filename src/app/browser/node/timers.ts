type Task = () => void

const native = (globalThis as { setImmediate?: (task: Task) => unknown }).setImmediate

/** Runs a task in the next turn of the event loop. Test runners for pages have it from Node. */
export const setImmediate = (task: (...given: unknown[]) => void, ...given: unknown[]): void => {
  schedule(() => task(...given))
}

const schedule = native ? (task: Task) => void native(task) : scheduleByMessage()

/** By a message, since timers of a page wait for four milliseconds, and in the background for a second. */
function scheduleByMessage() {
  let tasks: Task[] = []
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    const due = tasks
    tasks = []
    for (const task of due) task()
  }
  return (task: Task) => {
    if (tasks.push(task) === 1) port2.postMessage(undefined)
  }
}

/** A page's timer is a number, and it keeps nothing from ending. */
export function setInterval(task: Task, milliseconds: number): unknown {
  const timer: unknown = globalThis.setInterval(task, milliseconds)
  if (typeof timer === 'object') return timer
  const handle = { unref: () => handle, valueOf: () => timer }
  return handle
}
