import type { IncomingMessage } from 'node:http'
import type { AppOptions } from '../../app/app-options.ts'
import { injectFaultsBefore } from '../../app/middleware/inject-faults.ts'
import type { RecordExchange } from '../../app/middleware/record-exchange.ts'
import { renderProblem } from '../../app/middleware/render-problem.ts'
import type { Middleware } from '../../app/middleware/request-context.ts'
import { bareType, isJson } from '../../contract/media-type.ts'
import type { Operation } from '../../contract/contract.ts'
import { tryParseJson } from '../../base/formats/json.ts'
import { headerNamed, removeHeader, setHeader } from '../../http/response.ts'
import { decompress, textOf } from '../recordings/content.ts'
import { type ExchangeCheck, FORM } from './check-exchange.ts'
import { hasBody } from './forwarded.ts'

/**
 * Injects the faults of a sandbox into requests that are forwarded, before the service is asked. A fault that ends one sends what it would
 * send where the operation is handled here. Without armed faults nothing is read.
 */
export function meetFaults(options: AppOptions, { find }: ExchangeCheck, record: RecordExchange): Middleware {
  const inject = injectFaultsBefore({ ...options, record, isForwarded: true })
  const refuse = renderProblem({ ...options, record })
  return (request, response, next) => {
    const { context } = response.locals
    const { method } = request
    if (context.sandbox.state.faults.size === 0) {
      next()
      return
    }
    const { path, search, trace } = context
    const asked = { path, search, headers: request.headers }
    const found = find({ ...asked, method })
    const route = method === 'HEAD' && found.kind === 'wrong-method' ? find({ ...asked, method: 'GET' }) : found
    if (route.kind !== 'operation') {
      next()
      return
    }
    const { operation } = route
    context.route = route
    // Nothing here knows the items and pages of the service.
    context.binding = { kind: 'refused', operation, handlerKind: 'forwarded', reason: 'the service handles it' }
    trace.operationId = operation.operationId
    const goOn = (error?: unknown) => {
      if (error !== undefined) {
        refuse(error, request, response, next)
        return
      }
      if (headerNamed(context, BY) !== undefined) setHeader(context, BY, 'upstream')
      removeHeader(context, 'connection')
      next()
    }
    void readAhead(request).then((bytes) => {
      if (bytes) {
        trace.received = textOf(decompress(bytes, request.headers['content-encoding'], MOST))
        context.body = valueOf(trace.received, request, operation)
      }
      if (headerNamed(context, BY) !== undefined) setHeader(context, BY, 'mock')
      // What the client has still to send would be read as its next request.
      if (hasBody(request) && !request.complete) setHeader(context, 'connection', 'close')
      inject(request, response, goOn)
    })
  }
}

const BY = 'x-mock-answered-by'

/** Bytes of a body that a fault can match, as where an operation is handled here. */
const MOST = 2 ** 20

/**
 * Reads a body and gives it back, to be read again when it is forwarded. Undefined for one that is longer, one that the client holds back
 * until it is asked for it, and none.
 */
function readAhead(request: IncomingMessage): Promise<Buffer | undefined> {
  if (!hasBody(request) || request.headers.expect !== undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const read = () => {
      for (let chunk = request.read() as Buffer | null; chunk; chunk = request.read() as Buffer | null) {
        chunks.push(chunk)
        size += chunk.length
      }
      if (request.complete || size > MOST) stop()
    }
    const stop = () => {
      for (const event of ['end', 'close']) request.off(event, stop)
      request.off('readable', read)
      const bytes = Buffer.concat(chunks)
      // Before the event `end`, which comes in the next turn.
      if (size > 0) request.unshift(bytes)
      resolve(request.complete && size <= MOST ? bytes : undefined)
    }
    // Without `readable` before it, an empty body ends.
    request.on('readable', read).once('end', stop).once('close', stop)
  })
}

/** The value of a body that a fault can match: JSON, or the fields of a form. */
function valueOf(text: string | undefined, { headers }: IncomingMessage, operation: Operation): unknown {
  const type = headers['content-type'] ?? 'application/json'
  if (text === undefined || isJson(type)) return tryParseJson(text)
  return bareType(type) === FORM ? operation.readForm(new URLSearchParams(text), FORM) : undefined
}
