import type { OpenStream } from '../../journal/stream.ts'
import type { RequestContext } from '../middleware/request-context.ts'

/** What is shown of a stream while it is open. @param sent how many events were sent; undefined for a request that waits */
export function aboutStream({ request, sandbox, route, requestId, now }: RequestContext, sent?: number): OpenStream {
  const { method = '', url = '', rawHeaders } = request
  const { operationId } = route.operation
  return { requestId, sandbox: sandbox.name, operationId, method, url, headers: rawHeaders, since: now, sent }
}
