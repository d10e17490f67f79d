import type { WebhookAttempt } from '../../../../types/control-api.d.ts'

/** Milliseconds for a response (Standard Webhooks). */
const PATIENCE = 15_000

export interface OutgoingWebhook {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends a message once. Whatever comes of it is an attempt. @param stopped ends it */
export async function send(
  { url, method, headers, body }: OutgoingWebhook,
  stopped: AbortSignal,
): Promise<Omit<WebhookAttempt, 'at'>> {
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(PATIENCE)]),
      ...(method === 'GET' ? {} : { body }),
    })
    void response.body?.cancel()
    return { isAccepted: response.ok, status: response.status }
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } }
    const why =
      name === 'TimeoutError' ? `no response within ${PATIENCE / 1000} s` : (cause?.code ?? cause?.message ?? message)
    return { isAccepted: false, error: why }
  }
}

/** Whether messages may be sent to an address: one of this machine, or of a host that is named. */
export function isAllowed(url: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, host } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return LOOPBACK.test(hostname) || hosts.includes(hostname) || hosts.includes(host)
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/
