import { STATUS_CODES } from 'node:http'
import { iso } from '../formats/instant.ts'
import { headerOf, type RecordedExchange, type RecordedRequest, type RecordedResponse } from './recorded-exchange.ts'

/**
 * An exchange as an entry of an HTTP Archive 1.2, which `readHar` reads back.
 *
 * @param service origin and base path of the service
 */
export function harEntryOf({ at, milliseconds, request, response }: RecordedExchange, service: string): object {
  return {
    startedDateTime: iso(at),
    time: milliseconds,
    request: harRequest(request, service + request.url),
    response: harResponse(response),
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    ...(response.status === 0 ? { comment: response.body ?? '' } : {}),
  }
}

function harRequest({ method, headers, body }: RecordedRequest, url: string): object {
  const mark = url.indexOf('?')
  const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1))
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    queryString: [...query].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: body === undefined ? 0 : Buffer.byteLength(body),
    ...(body === undefined ? {} : { postData: { mimeType: headerOf(headers, 'content-type') ?? '', text: body } }),
  }
}

/** An exchange without a response has status 0, as in browsers. A body that is no text is left out. */
function harResponse({ status, headers, body, isWhole }: RecordedResponse): object {
  const text = status === 0 ? undefined : body
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    content: {
      size: text === undefined ? -1 : Buffer.byteLength(text),
      mimeType: headerOf(headers, 'content-type') ?? 'x-unknown',
      ...(text === undefined ? {} : { text }),
      ...(isWhole || text === undefined ? {} : { comment: 'The body is cut: only its beginning is kept.' }),
    },
    redirectURL: headerOf(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: -1,
  }
}
