import { cut } from './corrupt-response.ts'
import type { RequestContext } from '../app/request-context.ts'

/**
 * Chromium silently repeats a request whose kept-alive connection ends before the first byte of the response. A reset that applies
 * once would never be seen there, because the second request succeeds. So the same bytes on another connection within 100 ms
 * get the same fault again.
 */
export interface SilentRetries {
  /**
   * Ends a request without a response. Chromium repeats it only when the connection has served another request before.
   *
   * @param repeats the id of the exchange that this one repeats
   */
  end(context: RequestContext, kind: 'reset' | 'empty', repeats?: number): void
  /** Returns the id of the exchange that this request repeats, and forgets it; undefined for most requests. */
  take(context: RequestContext): number | undefined
}

/** By the machine's steady clock. Chromium needs a few milliseconds; programs that retry usually wait for longer. */
const WINDOW = 100

/** How many requests are remembered. */
const MOST_REMEMBERED = 64

interface Ended {
  readonly text: string
  readonly socket: unknown
  readonly until: number
  readonly exchangeId: number
}

export function createSilentRetries(elapsed: () => number): SilentRetries {
  let ended: Ended[] = []
  return {
    end(context, kind, repeats) {
      const { socket } = context.request
      // What was written before was the response to another request.
      const isKept = socket.bytesWritten > 0
      cut(context, kind)
      if (!isKept) return
      const exchangeId = repeats ?? context.sandbox.journal.last
      ended = [...ended, { text: textOf(context), socket, until: elapsed() + WINDOW, exchangeId }].slice(
        -MOST_REMEMBERED,
      )
    },
    take(context) {
      if (ended.length === 0) return undefined
      const now = elapsed()
      ended = ended.filter(({ until }) => until >= now)
      const text = ended.length > 0 ? textOf(context) : ''
      const found = ended.find((one) => one.text === text && one.socket !== context.request.socket)
      ended = ended.filter((one) => one !== found)
      return found?.exchangeId
    },
  }
}

function textOf({ request, sandbox, trace }: RequestContext): string {
  return JSON.stringify([sandbox.name, request.method, request.url, request.rawHeaders, trace.received])
}
