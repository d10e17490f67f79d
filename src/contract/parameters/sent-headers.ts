/** The values of a cookie in the header of that name (RFC 6265, 4.2.1), as they were sent. */
export function cookiesOf(header: string, name: string): string[] {
  return header.split(';').flatMap((pair) => {
    const mark = pair.indexOf('=')
    return mark >= 0 && pair.slice(0, mark).trim() === name ? [pair.slice(mark + 1).trim()] : []
  })
}

/**
 * What was sent under a header's name (in lower case), each time by itself; Node's own `headers` joins them, or drops all but
 * one, and its `headersDistinct` sorts all headers of a request to answer for one.
 *
 * @param rawHeaders names and values by turns
 */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}
