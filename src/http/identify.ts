import type { IncomingMessage } from 'node:http'
import { withoutSandbox, withoutScheme } from './choose-sandbox.ts'
import { valuesOf } from './header.ts'
import type { House } from './house.ts'
import type { Leaning } from '../behaviours/leaning.ts'
import type { Contract } from '../contract/contract.ts'
import { type Identity, refusalInWords } from '../operations/handler.ts'
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
  const [held = ''] = sent
  const key = withoutScheme(held, contract)
  if (sent.length > 1)
    throw unauthorized(contract, leaning, 'The header is there twice. Send it once.', 'one key', 'several')
  if (key.trim() === '')
    throw unauthorized(
      contract,
      leaning,
      `The request has no key. Send one in the header ${name}.`,
      'a key that is not blank',
      sent.length === 0 ? 'nothing' : 'a blank one',
    )
  const holder = keys.listed.get(key) ?? keys.listed.get(withoutSandbox(key))
  if (!holder) {
    if (rule === 'any') return keys.anyone
    throw unauthorized(
      contract,
      leaning,
      'The key is not known. The configuration lists the known ones under `keys`.',
      'a known key',
      'another',
    )
  }
  if (holder.rights && !holder.rights.has(operationId)) {
    throw new Problem(403, 'operation-forbidden', 'The key may not do this', {
      detail: `The key has no right to ${operationId}; it may ${[...holder.rights].join(', ') || 'do nothing'}.`,
      violations: [
        refusalInWords('auth.forbidden', { header: name }, `a key with the right ${operationId}`, 'one without'),
      ],
    })
  }
  return holder
}

/** Who calls an operation that asks for no key: the holder of a known key that is there all the same, or anyone. */
export function identifyFreely(request: IncomingMessage, { keys, contract }: House): Identity {
  const [held = ''] = valuesOf(request, contract.keyHeader.toLowerCase())
  const key = withoutScheme(held, contract)
  return keys.listed.get(key) ?? keys.listed.get(withoutSandbox(key)) ?? keys.anyone
}

function unauthorized(
  { keyHeader: header, keyScheme }: Contract,
  leaning: Leaning,
  detail: string,
  expected: string,
  came: string,
): Problem {
  const own = keyScheme === undefined ? `ApiKey realm="service", header="${header}"` : `${keyScheme} realm="service"`
  const challenge = { 'www-authenticate': own }
  const status = Number(leaning.answers['auth.refused'])
  return new Problem(status, 'key-missing', 'The key is missing or not accepted', {
    detail,
    ...(status === 401 ? { headers: challenge } : {}),
    violations: [refusalInWords('auth.refused', { header }, expected, came)],
  })
}
