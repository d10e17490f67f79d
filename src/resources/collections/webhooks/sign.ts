import { createHmac } from 'node:crypto'
import type { BehaviourSettings } from '../../../../types/behaviour-settings.d.ts'

interface SignedMessage {
  readonly id: string
  /** Epoch ms. */
  readonly at: number
  readonly body: string
}

/** What messages are signed with where nothing else is set. */
export const USUAL_SECRET = 'whsec_c3RhbmRpbi1zaWducy13aXRoLXRoaXMta2V5'

/** The headers that let a receiver check where a message comes from, and that it is whole. */
export function signatureOf(
  { id, at, body }: SignedMessage,
  secret: string,
  form: BehaviourSettings['webhooks.signature'],
): Readonly<Record<string, string>> {
  if (form === 'none') return {}
  if (form === 'hub')
    return { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }
  const seconds = String(Math.floor(at / 1000))
  // A secret with the prefix is base64 (Standard Webhooks, symmetric signatures).
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }
}
