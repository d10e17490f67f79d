import type { Members } from '../../../base/formats/json.ts'
import { isSecretParameter } from '../../../journal/secrets.ts'
import { isSecretName } from '../../../base/secret-names.ts'
import { headerOf } from '../../recordings/recorded-exchange.ts'
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
  const asked = askedScheme(exchanges)
  const keys = new Map<string, CallerKey>()
  for (const { exchange, query } of exchanges) {
    for (const { name, value } of exchange.request.headers) {
      const key = keyOfHeader(name, value, asked)
      if (key) keys.set(key.id, key)
    }
    for (const name of query.keys())
      if (isSecretParameter(name, () => true))
        keys.set(name, { id: camel(name), place: 'query', name, scheme: { type: 'apiKey', in: 'query', name } })
  }
  return [...keys.values()]
}

/** The scheme that a refusal asks for, where one says so. */
function askedScheme(exchanges: readonly ApiExchange[]): string | undefined {
  const asked = exchanges.map(({ exchange }) => headerOf(exchange.response.headers, 'www-authenticate'))
  return /^(?:basic|bearer)\b/i.exec(asked.find((one) => one !== undefined) ?? '')?.[0].toLowerCase()
}

const AUTHORIZATION = 'authorization'

/** @param asked the scheme of a value that does not say it */
function keyOfHeader(name: string, value: string, asked: string | undefined): CallerKey | undefined {
  const lower = name.toLowerCase()
  const place = { place: 'header', name: lower } as const
  if (lower === AUTHORIZATION) {
    const [word = ''] = value.split(' ', 1)
    const scheme = value.includes(' ') ? word.toLowerCase() : asked
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
    ({ place, name: own }) =>
      accepted.length > 0 &&
      accepted.every(({ exchange, query }) =>
        place === 'query' ? query.has(own) : exchange.request.headers.some(({ name }) => name.toLowerCase() === own),
      ),
  )
  return needed.length === 0 ? {} : { security: [Object.fromEntries(needed.map(({ id }) => [id, []]))] }
}
