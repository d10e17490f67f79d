import { LONGEST_WAIT } from '../../engine/faults/fault.ts'
import { whenFree } from '../../http/wait.ts'
import type { Listeners } from '../../journal/stream.ts'
import type { LongPoll, PollRequest } from '../../resources/resource.ts'
import { aboutStream } from './about-stream.ts'
import { type RequestContext, setNow } from '../middleware/request-context.ts'

interface PollParts {
  /** The streams that are open: a request that waits counts as one. */
  readonly streams: Listeners
  /** Of the changes before the response; undefined where none are followed. */
  readonly position: number | undefined
  /** Decides the request again, by the state as it is then. */
  decide(): Promise<void> | void
}

/**
 * Keeps a request that asks for that waiting until its response has something new, and decides it again then. It ends with what there is
 * when the time that the request asks for is over by the sandbox's clock or by the machine's, when the sandbox is reset or deleted, or
 * the server stops. Undefined where the request is not to wait.
 *
 * @throws Problem when too many wait
 */
export function waitForNews(context: RequestContext, poll: LongPoll, parts: PollParts): Promise<void> | undefined {
  const { sandbox, request, search, tracker } = context
  const { changes } = sandbox
  const { position } = parts
  // A contract that got its first parameter of that kind while it was watched.
  if (!changes || position === undefined) return undefined
  const asked: PollRequest = {
    query: new URLSearchParams(search),
    header: (name) => {
      const value = request.headers[name]
      return value === undefined ? undefined : String(value)
    },
  }
  const milliseconds = poll.milliseconds(asked)
  const first = context.outcome
  const hasChangedSince = (version: number) => changes.hasChanged(version, (name) => poll.isAbout(name))
  const hasNothingNew = (before = first) => poll.hasNothingNew(context.outcome, asked, { before, hasChangedSince })
  const isOld = milliseconds !== undefined && poll.hasNothingNew(first, asked, { before: undefined, hasChangedSince })
  if (!isOld || tracker.ask('streams.wait') === 'respond') {
    showVersion(context, poll, position)
    return undefined
  }
  return waitUntil(context, { ...parts, poll, asked, milliseconds, position, hasNothingNew })
}

interface PollWait extends PollParts {
  readonly poll: LongPoll
  readonly asked: PollRequest
  readonly milliseconds: number
  /** Of the changes that the response so far knows. */
  readonly position: number
  hasNothingNew(): boolean
}

async function waitUntil(context: RequestContext, wait: PollWait): Promise<void> {
  const { sandbox, response, now, trace } = context
  const arrivedAt = trace.nextEvent
  const { poll, asked, streams, decide, hasNothingNew } = wait
  const { changes } = sandbox
  let { position } = wait
  const leaving = new AbortController()
  const end = () => leaving.abort()
  streams.add(end, aboutStream(context))
  response.once('close', end)
  // A connection that is silent for longer is taken for lost.
  void context.wait(Math.min(wait.milliseconds, LONGEST_WAIT), response).then(end)
  try {
    for (let isOver = false; changes && !isOver;) {
      await changes.next(position, leaving.signal, now + wait.milliseconds)
      if (response.destroyed) return
      await whenFree([sandbox])
      isOver = leaving.signal.aborted || !changes.has(position)
      setNow(context, sandbox.now())
      isOver ||= context.now >= now + wait.milliseconds
      position = changes.open(sandbox)
      await decide()
      if (!hasNothingNew()) break
      const status = isOver ? poll.unchanged(asked) : undefined
      if (status !== undefined) context.outcome = { status, body: { empty: true }, events: [] }
    }
    showVersion(context, poll, position)
  } finally {
    // A replay cannot wait for what others change, and says so.
    if (trace.nextEvent !== arrivedAt) trace.firstEvent = arrivedAt
    response.off('close', end)
    streams.remove(end)
  }
}

function showVersion(context: RequestContext, { versionHeaders }: LongPoll, position: number): void {
  const { outcome } = context
  if (versionHeaders.length === 0) return
  const versions = Object.fromEntries(versionHeaders.map((name) => [name, String(position)]))
  context.outcome = { ...outcome, headers: { ...outcome.headers, ...versions } }
}
