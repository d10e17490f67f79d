import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { toCode } from '../../as-code.ts'

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

/** The headers to send a request again with. */
export function headersToSend({ headers }: Sent, key: string): Readonly<Record<string, string>> {
  const kept = headers.filter(({ name }) => !BY_CLIENT.has(name.toLowerCase()) && !/^(?:sec|proxy)-/i.test(name))
  return Object.fromEntries(kept.map(({ name, value }) => [name, value.replaceAll(REDACTED, key)]))
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
  return `const response = await ${callOf(request, { base, key })}`
}

interface CallParts {
  readonly base: string
  readonly key: string
  /** Headers besides those of the request. */
  readonly headers?: Readonly<Record<string, unknown>>
}

/** A request as an expression. */
export function callOf(request: Sent, { base, key, headers = {} }: CallParts): string {
  return `fetch(${toCode(urlToSend(request, base, key))}, ${initOf(request, key, headers)})`
}

function initOf(request: Sent, key: string, others: Readonly<Record<string, unknown>> = {}): string {
  const { method, body } = request
  const headers = { ...headersToSend(request, key), ...others }
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
