import type { ExchangeRecord } from './types.ts'
import { toCode } from './as-code.ts'

type Sent = ExchangeRecord['request']

/** Headers that clients add themselves, or that belong to one connection. */
const BY_CLIENT = new Set([
  'accept-encoding',
  'accept-language',
  'connection',
  'content-length',
  'dnt',
  'host',
  'origin',
  'referer',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-proto',
])

/** What the journal writes in place of an API key. */
const REDACTED = '[redacted]'

/** The headers of a request but those that each client sets itself. */
export function ownHeaders<Header extends { readonly name: string }>(headers: readonly Header[]): readonly Header[] {
  return headers.filter(({ name }) => !BY_CLIENT.has(name.toLowerCase()) && !/^(?:sec|proxy)-/i.test(name))
}

/** The headers to send a request again with. */
export function headersToSend({ headers }: Sent, key: string): Readonly<Record<string, string>> {
  return Object.fromEntries(ownHeaders(headers).map(({ name, value }) => [name, value.replaceAll(REDACTED, key)]))
}

/** The address to send a request again to. */
export function urlToSend({ url }: Sent, base: string, key: string): string {
  return `${base}${url.replaceAll(REDACTED, encodeURIComponent(key)).replaceAll(encodeURIComponent(REDACTED), encodeURIComponent(key))}`
}

/** A request as a command for a shell. */
export function asCurl(request: Sent, base: string, key: string): string {
  const headers = Object.entries(headersToSend(request, key)).map(
    ([name, value]) => `-H ${inShell(`${name}: ${value}`)}`,
  )
  const method =
    request.method === 'GET' || (request.method === 'POST' && request.body !== null) ? [] : [`-X ${request.method}`]
  const body = request.body === null ? [] : [`--data-raw ${inShell(request.body)}`]
  return ['curl', ...method, ...headers, ...body, inShell(urlToSend(request, base, key))].join(' ')
}

/** A request as a call of `fetch`. */
export function asFetch(request: Sent, base: string, key: string): string {
  return `const response = await fetch(${toCode(urlToSend(request, base, key))}, ${initOf(headersToSend(request, key), request)})`
}

/** What `fetch` is given besides the address. */
export function initOf(
  headers: Readonly<Record<string, unknown>>,
  { method, body }: Pick<Sent, 'method' | 'body'>,
): string {
  return toCode(
    {
      ...(method === 'GET' ? {} : { method }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(body === null ? {} : { body }),
    },
    '  ',
  )
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
