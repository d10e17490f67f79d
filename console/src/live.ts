import { effect, signal } from '@preact/signals'
import type { StreamEvent } from '../../src/control/client/types.ts'
import { control, connectionProblem } from './session.ts'
import { connectionProblemOf } from './connection-problem.ts'

export type Topic = StreamEvent['event']
export type Connection = 'connecting' | 'live' | 'lost'

/** Whether events of the sandbox arrive. */
export const connection = signal<Connection>('connecting')

type Listener = (event: StreamEvent) => void

const listeners = new Set<Listener>()

/** Calls a function with each event of the current sandbox. @returns a function that unsubscribes */
export function listen(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const RETRY_AFTER = 1_000
const LONGEST_RETRY = 5_000

/** Subscribes to events of the current sandbox. A lost connection is reopened, and continues after the last event. */
export function follow(): () => void {
  return effect(() => {
    const client = control.value
    const abort = new AbortController()
    void read(client, abort.signal)
    return () => abort.abort()
  })
}

function tell(event: StreamEvent): void {
  for (const listener of [...listeners]) listener(event)
}

async function read(client: typeof control.value, signal: AbortSignal): Promise<void> {
  const isEnded = () => signal.aborted
  let lastEventId: string | undefined
  let wait = RETRY_AFTER
  let isLost = false
  connection.value = 'connecting'
  while (!isEnded()) {
    try {
      const options = { signal, ...(lastEventId === undefined ? {} : { lastEventId }) }
      // The stream says nothing until something happens; a read of the clock tells that the server is there.
      await client.getClock()
      connection.value = 'live'
      connectionProblem.value = undefined
      // Without the id of an event the stream cannot tell what was missed.
      if (isLost && lastEventId === undefined) tell({ id: '', event: 'gap', data: null })
      for await (const event of client.openStream(options)) {
        lastEventId = event.id || lastEventId
        wait = RETRY_AFTER
        tell(event)
      }
    } catch (error) {
      // Retried below.
      if (!isEnded()) connectionProblem.value = connectionProblemOf(error)
    }
    if (isEnded()) return
    isLost = true
    connection.value = 'lost'
    // A new token makes a new client.
    if (connectionProblem.value?.needsToken === true) return
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(wait * 2, LONGEST_RETRY)
  }
}
