import { isObject } from '../../base/formats/json.ts'
import { type Uses, when } from './use.ts'

/** What recipients have that a service may refuse. */
export function recipientUses(recipients: unknown): Uses {
  if (!Array.isArray(recipients) || recipients.length === 0) return []
  const keys = recipients.map((one: unknown) => (isObject(one) ? `${String(one.type)} ${String(one.value)}` : ''))
  return [
    `recipient.max:${recipients.length}`,
    ...when(new Set(keys).size < keys.length, 'recipient.duplicates'),
    ...new Set(recipients.filter(isObject).flatMap(usesOfRecipient)),
  ]
}

function usesOfRecipient(recipient: Readonly<Record<string, unknown>>): Uses {
  const { type, value, ...others } = recipient
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  const isKnownBy = type === 'USER' || type === 'GROUP'
  return [
    ...when(Object.keys(others).length > 0, 'body.unknown'),
    ...when(type === null || value === null, 'body.null:/recipient'),
    ...when(typeof type !== 'string' || (typeof value !== 'string' && !isKnownBy), 'body.types:recipient'),
    ...when(typeof type === 'string', `recipient.types:${String(type)}`),
    ...when(type === 'EMAIL' && !isAddress(text), `recipient.email:${text.slice(0, 80)}`),
    ...when(isKnownBy && typeof value !== 'string', 'recipient.id:number'),
    ...when(isKnownBy && !/^\d+$/.test(text), `recipient.id:${text.slice(0, 80)}`),
    ...when(isKnownBy, `recipients.known:${String(type)} ${text.slice(0, 80)}`),
  ]
}

/** A text that every service reads as an e-mail address. */
function isAddress(text: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{0,60}@[a-z0-9-]{1,60}(\.[a-z0-9-]{1,60})+$/i.test(text)
}
