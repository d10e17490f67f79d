import { useRef } from 'preact/hooks'
import type { ControlClient } from '../../../../src/control/client/client.ts'
import type { HistoryEvent } from '../../../../src/control/client/types.ts'
import { type Loaded, useLoad } from '../../use-load.ts'

export interface History {
  /** The number of the first event that the sandbox keeps. */
  readonly first: number
  /** The latest of them, in their order. */
  readonly events: readonly HistoryEvent[]
}

interface Held extends History {
  readonly client: ControlClient
  readonly next: number
}

const PAGE = 500

/** The latest events of the sandbox, as they happen. @param count how many to show at least, where there are so many */
export function useHistory(count: number): Loaded<History> {
  const held = useRef<Held>()
  return useLoad(
    async (client) => {
      held.current = await update(client, held.current, count)
      return held.current
    },
    [count],
    ['state', 'run', 'delivery'],
  )
}

/** Adds what is new. Events are large, so those that are held are not read again. */
async function update(client: ControlClient, held: Held | undefined, count: number): Promise<Held> {
  // A page far behind the end has no events, and says where the end is.
  const { first, next } = await client.getHistory({ from: Number.MAX_SAFE_INTEGER, limit: 1 })
  const from = Math.max(first, next - count)
  const isContinued = held?.client === client && held.next <= next && held.next >= from
  const kept = isContinued ? held.events.filter(({ number }) => number >= first) : []
  const [start, end] = [kept[0]?.number ?? next, isContinued ? held.next : next]
  const older = from < start ? await read(client, from, Math.min(start, end)) : []
  const newer = end < next ? await read(client, end, next) : []
  return { client, first, next, events: [...older, ...kept, ...newer] }
}

async function read(client: ControlClient, from: number, to: number): Promise<HistoryEvent[]> {
  const events: HistoryEvent[] = []
  let at = from
  while (at < to) {
    const page = await client.getHistory({ from: at, limit: Math.min(PAGE, to - at) })
    if (page.events.length === 0) break
    events.push(...page.events)
    at = page.next
  }
  return events
}
