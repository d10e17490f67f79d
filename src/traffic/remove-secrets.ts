import type { Contract } from '../contract/contract.ts'
import { createRedactor } from '../journal/redact.ts'
import type { Header, RecordedExchange } from './recorded-exchange.ts'

/**
 * Makes a function that removes keys and cookies from an exchange: in headers and query, and the same texts in bodies.
 *
 * @param keys known ones, removed wherever they stand
 */
export function createSecretRemover(
  { credentialLocations }: Contract,
  keys: readonly string[] = [],
): <Exchange extends RecordedExchange>(exchange: Exchange) => Exchange {
  const listed = new Map(keys.map((key) => [key, true]))
  const redactor = createRedactor(credentialLocations, { listed, isListed: (key) => listed.has(key) })
  return (exchange) => {
    const { request, response } = exchange
    const requestHeaders = request.headers.flatMap(({ name, value }) => [name, value])
    const found = redactor.keysOf({ requestHeaders, url: request.url })
    const clean = (text: string) => redactor.text(text, found)
    const cleanHeaders = (headers: readonly Header[]) =>
      headers.map(({ name, value }) => ({ name, value: clean(redactor.header(name, value)) }))
    const { headers, body } = request
    return {
      ...exchange,
      request: {
        ...request,
        url: clean(redactor.url(request.url)),
        headers: cleanHeaders(headers),
        body: body === undefined ? undefined : clean(body),
      },
      response: {
        ...response,
        headers: cleanHeaders(response.headers),
        body: response.body === undefined ? undefined : clean(response.body),
      },
    }
  }
}
