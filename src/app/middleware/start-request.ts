import { createBehaviourTracker } from '../../behaviours/tracker.ts'
import { createTrace } from '../../journal/trace.ts'
import { DEFAULT_SANDBOX } from '../../engine/sandboxes.ts'
import type { Middleware, RequestContext } from '../request-context.ts'
import { chooseSandbox, type SandboxChoice } from './choose-sandbox.ts'

/** Starts a request: its sandbox, its moment, its id, and the headers of every response. */
export function startRequest(deps: SandboxChoice & Pick<RequestContext, 'recording' | 'wait'>): Middleware {
  const dateOf = createHttpDate()
  const { recording, wait } = deps
  return (request, response, next) => {
    const { sandbox, refusal } = chooseSandbox(request, deps)
    const { url } = request
    const mark = url.indexOf('?')
    const requestId = sandbox.nextRequestId()
    const { requests } = sandbox
    const now = sandbox.now()
    const headers = ['date', dateOf(now), 'cache-control', 'no-store', 'x-request-id', requestId]
    if (sandbox.name !== DEFAULT_SANDBOX) headers.push('x-mock-sandbox', sandbox.name)
    const context: Omit<RequestContext, SetLater> = {
      request,
      response,
      sandbox,
      refusal,
      tracker: createBehaviourTracker(sandbox.behaviours),
      requestId,
      arrived: now,
      now,
      path: mark < 0 ? url : url.slice(0, mark),
      search: mark < 0 ? '' : url.slice(mark + 1),
      started: recording.elapsed(),
      headers,
      trace: createTrace(requests),
      recording,
      wait,
      body: undefined,
      bodyFaults: undefined,
      isKnownBody: false,
      faults: undefined,
      ignored: undefined,
    }
    response.locals.context = context as RequestContext
    next()
  }
}

type SetLater = 'route' | 'binding' | 'identity' | 'outcome'

/** The `Date` header (RFC 9110, 5.6.7) for epoch ms. It changes once a second, so the last one is kept. */
function createHttpDate(): (now: number) => string {
  let second = Number.NaN
  let text = ''
  return (now) => {
    const asked = Math.floor(now / 1000)
    if (asked === second) return text
    second = asked
    return (text = new Date(now).toUTCString())
  }
}
