import type { IncomingMessage } from 'node:http'
import type { Keys } from '../dependencies.ts'
import { type AllowedHosts, findHostRefusal } from './allowed-hosts.ts'
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
  readonly hosts: AllowedHosts
  readonly log: Pick<Log, 'note'>
}

/** Where keys are sent, and which are listed. */
export interface KeyLocations {
  readonly contract: Pick<Contract, 'credentialLocations'>
  readonly keys: Keys
}

const HEADER = 'x-mock-sandbox'

/** For people. */
export const BY_HEADER = 'the header X-Mock-Sandbox'

/**
 * The sandbox of a request: by the header `X-Mock-Sandbox`, else by a key such as `anything@name`, else the default one. It is
 * made on first use, but not for somebody who will be refused anyway.
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

/** Logs a new sandbox, so that a typo in its name is visible. */
export function madeBy(name: string, by: string): string {
  return `sandbox "${name}" made, by ${by}`
}

/** The sandbox that the header `X-Mock-Sandbox` names. */
export function namedByHeader({ headers }: IncomingMessage): string | undefined {
  const named = headers[HEADER]
  return typeof named === 'string' && named !== '' ? named : undefined
}

/** A listed key is what it is, whatever it looks like. */
function namedSandbox(request: IncomingMessage, deps: KeyLocations): string {
  const named = namedByHeader(request)
  if (named !== undefined) return named
  const key = firstKey(request, deps)
  const { keys } = deps
  const at = key.lastIndexOf('@')
  if (at < 0) return DEFAULT_SANDBOX
  const name = key.slice(at + 1)
  return keys.listed.has(key) && !isSandboxName(name) ? DEFAULT_SANDBOX : name
}

/** Whether `identify` will let the key pass. */
function isAdmitted(request: IncomingMessage, { keys, behaviours, contract }: SandboxChoice): boolean {
  const rule = behaviours.answers['auth.keys']
  if (rule === 'off') return true
  const sent = contract.credentialLocations.map((place) => ({ place, values: place.values(request) }))
  if (sent.some(({ values }) => values.length > 1)) return false
  const read = sent.map(({ place, values: [value = ''] }) => place.read(value, keys.isListed))
  const borne = read.filter((key) => key.trim() !== '')
  if (borne.length === 0) return contract.isOpen
  return rule === 'any' || borne.some((key) => keys.listed.has(key) || keys.listed.has(withoutSandbox(key)))
}

/** The key of a request in the first place that has one; empty when none has. */
export function firstKey(request: IncomingMessage, { contract, keys }: KeyLocations): string {
  for (const place of contract.credentialLocations) {
    const value = place.header === undefined ? place.values(request)[0] : request.headers[place.header]
    const key = typeof value === 'string' ? place.read(value, keys.isListed) : ''
    if (key !== '') return key
  }
  return ''
}

/** The key that a key such as `anything@name` is made of. */
export function withoutSandbox(key: string): string {
  const at = key.lastIndexOf('@')
  return at < 0 ? key : key.slice(0, at)
}
