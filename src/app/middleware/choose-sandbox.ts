import type { IncomingMessage } from 'node:http'
import type { Keys } from '../dependencies.ts'
import { type AllowedHosts, findHostRefusal } from '../../http/allowed-hosts.ts'
import {
  BY_HEADER,
  firstKey,
  type KeyLocations,
  madeBy,
  namedByHeader,
  namedByKey,
  withoutSandbox,
} from '../../http/sandbox-name.ts'
import type { Behaviours } from '../../behaviours/behaviours.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Log } from '../../journal/log.ts'
import { Problem } from '../../errors/problem.ts'
import { DEFAULT_SANDBOX, isSandboxName, type Sandboxes } from '../../engine/sandboxes.ts'
import type { Sandbox } from '../../engine/sandbox.ts'

/** The sandbox that handles a request, and the error if the one that it names cannot be used; the default sandbox refuses it then. */
interface Choice {
  readonly sandbox: Sandbox
  readonly refusal?: Problem
}

export interface SandboxChoice extends KeyLocations {
  readonly sandboxes: Sandboxes
  readonly behaviours: Behaviours
  readonly contract: Pick<Contract, 'credentialLocations' | 'isOpen'>
  readonly keys: Keys
  readonly hosts: AllowedHosts
  readonly log: Pick<Log, 'note'>
}

/**
 * The sandbox of a request: by the header `X-Mock-Sandbox`, else by a key such as `anything@name`, else the default one. It is
 * created on first use, unless the request will be refused anyway.
 */
export function chooseSandbox(request: IncomingMessage, deps: SandboxChoice): Choice {
  const { sandboxes } = deps
  const name = namedSandbox(request, deps)
  if (name === DEFAULT_SANDBOX) return { sandbox: sandboxes.default }
  const known = sandboxes.all.get(name)
  if (known) return { sandbox: known }
  if (findHostRefusal(request, deps.hosts) || !isAdmitted(request, deps)) return { sandbox: sandboxes.default }
  try {
    const sandbox = sandboxes.use(name)
    deps.log.note(madeBy(name, namedByHeader(request) === undefined ? `the key …@${name}` : BY_HEADER))
    return { sandbox }
  } catch (refusal) {
    if (!(refusal instanceof Problem)) throw refusal
    return { sandbox: sandboxes.default, refusal }
  }
}

/** A configured key names no sandbox unless what follows its `@` could be one. */
function namedSandbox(request: IncomingMessage, deps: SandboxChoice): string {
  const named = namedByHeader(request)
  if (named !== undefined) return named
  const key = firstKey(request, deps)
  const name = namedByKey(key)
  return name === undefined || (deps.keys.listed.has(key) && !isSandboxName(name)) ? DEFAULT_SANDBOX : name
}

/** Whether `authenticate` will accept the key. */
function isAdmitted(request: IncomingMessage, { keys, behaviours, contract }: SandboxChoice): boolean {
  const rule = behaviours.settings['auth.keys']
  if (rule === 'off') return true
  const sent = contract.credentialLocations.map((place) => ({ place, values: place.values(request) }))
  if (sent.some(({ values }) => values.length > 1)) return false
  const read = sent.map(({ place, values: [value = ''] }) => place.read(value, keys.isListed))
  const given = read.filter((key) => key.trim() !== '')
  if (given.length === 0) return contract.isOpen
  return rule === 'any' || given.some((key) => keys.listed.has(key) || keys.listed.has(withoutSandbox(key)))
}
