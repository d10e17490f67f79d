import type { Members } from '../../../base/formats/json.ts'
import { isSecretName, isSecretParameter, SCHEME_VALUE } from '../../../journal/secrets.ts'
import { type ApiExchange, isSuccess } from './api-traffic.ts'
import type { RecordedOperation } from './item-schemas.ts'
import { camel } from './path-templates.ts'

/** A header or a parameter of the query that names the caller. */
export interface CallerKey {
  readonly id: string
  readonly place: 'header' | 'query'
  /** As sent. */
  readonly name: string
  readonly scheme: Members
}

export function findKeys(exchanges: readonly ApiExchange[]): CallerKey[] {
  const keys = new Map<string, CallerKey>()
  for (const { exchange, query } of exchanges) {
    for (const { name, value } of exchange.request.headers) {
      const key = keyOfHeader(name, value)
      if (key) keys.set(key.id, key)
    }
    for (const name of query.keys())
      if (isSecretParameter(name, () => true))
        keys.set(name, { id: camel(name), place: 'query', name, scheme: { type: 'apiKey', in: 'query', name } })
  }
  return [...keys.values()]
}

function keyOfHeader(name: string, value: string): CallerKey | undefined {
  const place = { place: 'header', name: name.toLowerCase() } as const
  if (/^authorization$/i.test(name)) {
    const scheme = (SCHEME_VALUE.exec(value)?.[1] ?? value.split(' ', 1)[0] ?? '').toLowerCase()
    if (scheme === 'basic' || scheme === 'bearer') return { ...place, id: scheme, scheme: { type: 'http', scheme } }
    return { ...place, id: 'key', scheme: { type: 'apiKey', in: 'header', name } }
  }
  if (/^proxy-|^cookie$/i.test(name) || !isSecretName(name)) return undefined
  return { ...place, id: camel(name.toLowerCase()), scheme: { type: 'apiKey', in: 'header', name } }
}

/** The keys that all accepted requests had. */
export function securityOf({ exchanges }: RecordedOperation, keys: readonly CallerKey[]): Members {
  const accepted = exchanges.filter(isSuccess)
  const needed = keys.filter(
    ({ id, place, name: own }) =>
      accepted.length > 0 &&
      accepted.every(({ exchange, query }) =>
        place === 'query'
          ? query.has(own)
          : exchange.request.headers.some(({ name, value }) => keyOfHeader(name, value)?.id === id),
      ),
  )
  return needed.length === 0 ? {} : { security: [Object.fromEntries(needed.map(({ id }) => [id, []]))] }
}
