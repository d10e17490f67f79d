/** What `--consistency session` needs to know. */
export interface ReplicaSessions {
  /** Milliseconds of a monotonic clock. */
  elapsed(): number
  /** Whether the store is away, as far as this replica knows. */
  isAway(): boolean
}

/** Milliseconds after which a replica reads beside its requests what others changed. */
export const FRESH = 100
/** Milliseconds after which a request waits for that. */
export const STALE = 1000

/** Where a client is in a stream: how many of its events there are, and which stream it is. */
export function writeSession(end: number, stream: string): string {
  return `${end}.${encodeURIComponent(stream)}`
}

/** Whether a replica that has so much of a stream has all that a client has seen. It has not where it cannot tell. */
export function hasSeen(session: string, end: number, stream: string): boolean {
  const [seen = '', name] = session.split('.', 2)
  return name === encodeURIComponent(stream) && /^\d+$/.test(seen) && Number(seen) <= end
}
