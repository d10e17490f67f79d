import type { IncomingMessage } from 'node:http'
import type { House } from './house.ts'
import { isForeignHost } from './browsers.ts'
import type { Contract } from '../contract/contract.ts'
import { Problem } from '../problem.ts'
import { DEFAULT_SANDBOX, isSandboxName } from '../sandbox/sandboxes.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** Where a request goes on, and what speaks against it. A refusal is answered by the default sandbox. */
export interface Choice {
  readonly sandbox: Sandbox
  readonly refusal?: Problem
}

const HEADER = 'x-mock-sandbox'

/**
 * The sandbox of a request: by the header `X-Mock-Sandbox`, else by a key such as `anything@name`, else the default one. It is
 * made on first use, but not for somebody who will be refused anyway.
 */
export function chooseSandbox(request: IncomingMessage, house: House): Choice {
  const { sandboxes, contract } = house
  const key = request.headers[contract.keyHeader.toLowerCase()]
  const name = namedSandbox(request, typeof key === 'string' ? withoutScheme(key, contract) : '', house)
  if (name === DEFAULT_SANDBOX) return { sandbox: sandboxes.default }
  const known = sandboxes.all.get(name)
  if (known) return { sandbox: known }
  if (isForeignHost(request, house) || !isAdmitted(request, house)) return { sandbox: sandboxes.default }
  try {
    const sandbox = sandboxes.use(name)
    house.log.note(madeBy(name, isHeader(request.headers[HEADER]) ? 'the header X-Mock-Sandbox' : `the key …@${name}`))
    return { sandbox }
  } catch (refusal) {
    if (!(refusal instanceof Problem)) throw refusal
    return { sandbox: sandboxes.default, refusal }
  }
}

/** That a sandbox is new: where nobody meant a new one, its name has a typing error. */
export function madeBy(name: string, by: string): string {
  return `sandbox "${name}" made, by ${by}`
}

function isHeader(named: string | readonly string[] | undefined): named is string {
  return typeof named === 'string' && named !== ''
}

/** A listed key is what it is, whatever it looks like. */
function namedSandbox({ headers }: IncomingMessage, key: string, { keys }: House): string {
  const named = headers[HEADER]
  if (isHeader(named)) return named
  const at = key.lastIndexOf('@')
  if (at < 0) return DEFAULT_SANDBOX
  const name = key.slice(at + 1)
  return keys.listed.has(key) && !isSandboxName(name) ? DEFAULT_SANDBOX : name
}

/** Whether `identify` will let the key pass. */
function isAdmitted({ headersDistinct }: IncomingMessage, { keys, behaviours, contract }: House): boolean {
  const rule = behaviours.answers['auth.keys']
  if (rule === 'off') return true
  const [held = '', ...more] = headersDistinct[contract.keyHeader.toLowerCase()] ?? []
  const key = withoutScheme(held, contract)
  if (more.length > 0) return false
  if (key.trim() === '') return contract.isOpen
  return rule === 'any' || keys.listed.has(key) || keys.listed.has(withoutSandbox(key))
}

/** The key in the value of its header: `Bearer abc` bears `abc` where the contract says so. */
export function withoutScheme(value: string, { keyScheme }: Contract): string {
  return keyScheme === undefined ? value : value.replace(/^bearer +/i, '')
}

/** The key that a key such as `anything@name` is made of. */
export function withoutSandbox(key: string): string {
  const at = key.lastIndexOf('@')
  return at < 0 ? key : key.slice(0, at)
}
