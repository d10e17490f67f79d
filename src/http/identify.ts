import type { IncomingMessage } from 'node:http'
import { withoutSandbox } from './choose-sandbox.ts'
import { valuesOf } from './header.ts'
import type { House } from './house.ts'
import type { Leaning } from '../behaviours/leaning.ts'
import { type Identity, refusal } from '../operations/handler.ts'
import { Problem } from '../problem.ts'

/**
 * Who calls, by the key header.
 *
 * @throws Problem 401 for a key that is missing, blank, sent twice or unknown; 403 for one without the right
 */
export function identify(
  request: IncomingMessage,
  operationId: string,
  { keys, contract }: House,
  leaning: Leaning,
): Identity {
  const rule = leaning.ask('auth.keys')
  if (rule === 'off') return keys.anyone
  const name = contract.keyHeader
  // Node joins repeated headers with a comma; here two keys are not one.
  const sent = valuesOf(request, name.toLowerCase())
  const [key = ''] = sent
  if (sent.length > 1) throw unauthorized(name, leaning, 'The header is there twice. Send it once.', 'one key')
  if (key.trim() === '')
    throw unauthorized(
      name,
      leaning,
      `The request has no key. Send one in the header ${name}.`,
      'a key that is not blank',
    )
  const holder = keys.listed.get(key) ?? keys.listed.get(withoutSandbox(key))
  if (!holder) {
    if (rule === 'any') return keys.anyone
    throw unauthorized(
      name,
      leaning,
      'The key is not known. The configuration lists the known ones under `keys`.',
      'a known key',
      'another',
    )
  }
  if (holder.rights && !holder.rights.has(operationId)) {
    throw new Problem(403, 'operation-forbidden', 'The key may not do this', {
      detail: `The key has no right to ${operationId}; it may ${[...holder.rights].join(', ') || 'do nothing'}.`,
      violations: [refusal('auth.forbidden', { header: name }, `a key with the right ${operationId}`, 'one without')],
    })
  }
  return holder
}

function unauthorized(header: string, leaning: Leaning, detail: string, expected: string, received?: string): Problem {
  const challenge = { 'www-authenticate': `ApiKey realm="service", header="${header}"` }
  const status = Number(leaning.answers['auth.refused'])
  return new Problem(status, 'key-missing', 'The key is missing or not accepted', {
    detail,
    ...(status === 401 ? { headers: challenge } : {}),
    violations: [refusal('auth.refused', { header }, expected, received)],
  })
}
