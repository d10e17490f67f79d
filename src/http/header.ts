import type { IncomingMessage } from 'node:http'

/**
 * What was sent under a header's name (in lower case), each time by itself; Node's own `headers` joins them, or drops all but
 * one, and its `headersDistinct` sorts all headers of a request to answer for one.
 */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}
