import type { WebhookAttempt, WebhookRecord } from '../../../../types/control-api.d.ts'
import { iso } from '../../../base/formats/instant.ts'

/** A message, and what became of it. */
export interface WebhookMessage {
  readonly id: string
  readonly webhook: string
  readonly event: string
  /** Epoch ms by the clock of the sandbox, as all instants of it. */
  readonly createdAt: number
  readonly method: string
  /** Null for nowhere. */
  url: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly secret: string
  readonly body: string
  readonly about: WebhookRecord['about']
  readonly attempts: WebhookAttempt[]
  /** Orders what is due at the same time. */
  order: number
  /** Whether the message before it, or after it, was sent first on purpose. */
  isSwapped?: boolean
  /** Whether it has no body that could be sent. */
  readonly isImpossible: boolean
  /** When it is sent; undefined for never, or never again. */
  dueAt: number | undefined
  /** Whether it is sent once more after it was accepted. */
  isRepeated: boolean
  why: string | undefined
}

export function showMessage(message: WebhookMessage): WebhookRecord {
  const { id, webhook, event, createdAt, method, url, body, about, attempts, dueAt, why } = message
  return {
    id,
    webhook,
    event,
    createdAt: iso(createdAt),
    method,
    url,
    status: statusOf(message),
    ...(why !== undefined && { why }),
    ...(dueAt !== undefined && { nextAttempt: iso(dueAt) }),
    ...(about && { about }),
    body,
    attempts: [...attempts],
  }
}

/** Whether a receiver accepted it. */
export function isDelivered({ attempts }: WebhookMessage): boolean {
  return attempts.some(({ isAccepted }) => isAccepted)
}

function statusOf(message: WebhookMessage): WebhookRecord['status'] {
  const { attempts, dueAt } = message
  if (isDelivered(message)) return 'delivered'
  if (dueAt !== undefined) return 'waiting'
  return attempts.length > 0 ? 'failed' : 'captured'
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Milliseconds before each further attempt (Standard Webhooks). */
const PAUSES = [5000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

/** Notes what became of an attempt. @param at when it was due @returns when the next one is; undefined for none */
export function noteAttempt(
  message: WebhookMessage,
  attempt: WebhookAttempt,
  at: number,
  isRetried: boolean,
): number | undefined {
  const failures = message.attempts.filter(({ isAccepted }) => !isAccepted).length
  message.attempts.push(attempt)
  message.why = undefined
  if (attempt.isAccepted) {
    const next = message.isRepeated ? at : undefined
    message.isRepeated = false
    return next
  }
  const pause = isRetried && attempt.status !== 410 ? PAUSES[failures] : undefined
  if (pause !== undefined) return at + pause
  message.why = `The last attempt ended with ${attempt.status ?? attempt.error ?? 'no response'}.`
  return undefined
}
