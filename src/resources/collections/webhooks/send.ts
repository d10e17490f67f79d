import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isLocalName, isLoopback } from '../../../base/network/local-names.ts'
import type { WebhookAttempt } from '../../../../types/control-api.d.ts'

/** Milliseconds for a response (Standard Webhooks). */
const PATIENCE = 15_000
/** Bytes of a response that are read, so that the next message can use the connection. */
const READ = 65_536

interface OutgoingWebhook {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a message once. Whatever comes of it is an attempt. @param stopped ends it */
export function send(
  { url, method, headers, body }: OutgoingWebhook,
  stopped: AbortSignal,
): Promise<Omit<WebhookAttempt, 'at'>> {
  const patience = AbortSignal.timeout(PATIENCE)
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => {
      const why = patience.aborted ? `no response within ${PATIENCE / 1000} s` : (error.code ?? error.message)
      resolve({ isAccepted: false, error: why })
    }
    try {
      const request = url.startsWith('https:') ? requestHttps : requestHttp
      const length = { 'content-length': String(Buffer.byteLength(body)) }
      const outgoing = request(url, {
        method,
        headers: body === '' && method === 'GET' ? headers : { ...headers, ...length },
        signal: AbortSignal.any([stopped, patience]),
      })
      outgoing.on('error', fail).on('response', (response) => {
        const { statusCode: status = 0 } = response
        resolve({ isAccepted: status >= 200 && status < 300, status })
        response.on('error', () => undefined)
        if (Number(response.headers['content-length'] ?? (status === 204 ? 0 : Infinity)) <= READ) response.resume()
        else response.destroy()
      })
      outgoing.end(body)
    } catch (error) {
      fail(error as NodeJS.ErrnoException)
    }
  })
}

export interface WebhookReach {
  /** That the user names. */
  readonly hosts: readonly string[]
  /** Whether addresses of this machine may get something. */
  readonly allowsLoopback: boolean
  /** Where the server listens itself; undefined where it does not. */
  readonly ownPort: number | undefined
}

/** Why nothing is sent to an address; undefined for one that may get messages. */
export function whyUnreachable(url: string, { hosts, allowsLoopback, ownPort }: WebhookReach): string | undefined {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return `${JSON.stringify(url)} is no http or https address.`
  const { hostname, host, port, protocol, username, password } = parsed
  if (username !== '' || password !== '') return 'Its address has a user or a password, which are not sent.'
  const isLoopback = isOfThisMachine(hostname)
  if (isLoopback && Number(port || (protocol === 'https:' ? 443 : 80)) === ownPort)
    return 'It is the address of this server itself.'
  if (hosts.includes(hostname) || hosts.includes(host)) return undefined
  if (!isLoopback) return `${host} is another machine. Pass --allow-callback ${hostname} to send there.`
  return allowsLoopback
    ? undefined
    : `This server takes requests of other machines, which must not reach this one. Pass --allow-callback ${hostname} to send there.`
}

/** @param hostname as `URL` has it */
export function isOfThisMachine(hostname: string): boolean {
  return isLocalName(hostname) || isLoopback(hostname)
}
