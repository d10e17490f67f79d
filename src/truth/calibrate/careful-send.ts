import { headerOf, type RecordedExchange } from '../recordings/recorded-exchange.ts'
import { type Send, Stopped } from './calibrate.ts'

/** Responses in a row that say that a service is unwell. */
const PATIENCE = 3

/** Ends a calibration that can show nothing, or would harm the service: at its first 429, and after failures in a row. */
export function createCarefulSend(send: Send): Send {
  let failures = 0
  let isFirst = true
  return async (request) => {
    const exchange = await send(request)
    const { status, headers, body } = exchange.response
    if (isFirst && status !== 200) throw new Stopped(whyRefused(exchange))
    isFirst = false
    if (status === 429) {
      const after = headerOf(headers, 'retry-after')
      throw new Stopped(
        `the service limits requests (429${after === undefined ? '' : `, Retry-After: ${after}`}): pass a lower --rate, or try again later`,
      )
    }
    failures = status === 0 || status >= 500 ? failures + 1 : 0
    if (failures === PATIENCE)
      throw new Stopped(
        `the last ${PATIENCE} requests failed, with ${status === 0 ? `no response (${body ?? ''})` : String(status)}`,
      )
    return exchange
  }
}

/** The first search is one that any client could send. */
function whyRefused({ request, response: { status, body = '' } }: RecordedExchange): string {
  const answer = status === 0 ? `got no response: ${body}` : `was refused with ${status}: ${body.slice(0, 300)}`
  return `the first search, ${request.method} ${request.url}, ${answer}`
}
