import type { AppOptions } from '../app-options.ts'
import type { IncomingMessage } from 'node:http'
import { createBehaviourTracker } from '../../behaviours/tracker.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { DEFAULT_SANDBOX, isSandboxName } from '../../engine/sandbox-names.ts'
import { Problem } from '../../base/errors/problem.ts'
import { findHostRefusal } from '../../http/allowed-hosts.ts'
import {
  BY_HEADER,
  firstKey,
  type KeyLocations,
  madeBy,
  namedByHeader,
  namedByKey,
  ttlByHeader,
  withoutSandbox,
} from '../../http/sandbox-name.ts'
import { SESSION_HEADER } from '../../http/session-header.ts'
import type { ServerLog } from '../../journal/server-log.ts'
import type { Middleware, RequestContext, Trace } from './request-context.ts'

export interface StartDependencies extends Pick<
  AppOptions,
  'sandboxes' | 'behaviours' | 'keys' | 'hosts' | 'headers' | 'wait' | 'elapsed'
> {
  readonly contract: Pick<Contract, 'isOpen'> & Pick<KeyLocations['contract'], 'credentialLocations'>
  readonly log: Pick<ServerLog, 'note' | 'isSilent'>
}

type SetLater = 'route' | 'binding' | 'identity' | 'outcome'

const NEW_TRACE: Omit<Trace, 'requests'> = {
  operationId: undefined,
  received: undefined,
  answered: undefined,
  isPartial: false,
  isBinary: false,
  end: 'whole',
  next: undefined,
  hasChanged: false,
  firstEvent: undefined,
  nextEvent: undefined,
  fault: undefined,
  faultId: undefined,
  repeats: undefined,
  violations: undefined,
  defect: undefined,
}

/** Starts a request: its sandbox, time and id, and the headers of every response. */
export function startRequest(deps: StartDependencies): Middleware {
  const { wait } = deps
  const dateOf = createHttpDate()
  const noteUnreadKey = createKeyNotes(deps)
  const begin = (
    { sandbox, refusal }: SandboxChoice,
    request: IncomingMessage,
    response: Parameters<Middleware>[1],
  ) => {
    if (sandbox === deps.sandboxes.default && !refusal) noteUnreadKey(request)
    const { url = '' } = request
    const mark = url.indexOf('?')
    const requestId = sandbox.nextRequestId()
    const { requests } = sandbox
    const now = sandbox.now()
    const headers = ['date', dateOf(now), 'cache-control', 'no-store', 'x-request-id', requestId]
    if (sandbox.name !== DEFAULT_SANDBOX) headers.push('x-mock-sandbox', sandbox.name)
    if (deps.headers) headers.push(...deps.headers)
    const context: Omit<RequestContext, SetLater> = {
      request,
      response,
      sandbox,
      refusal,
      tracker: createBehaviourTracker(sandbox.behaviours),
      requestId,
      arrived: now,
      now,
      path: mark < 0 ? url : url.slice(0, mark),
      search: mark < 0 ? '' : url.slice(mark + 1),
      started: deps.elapsed(),
      headers,
      trace: { ...NEW_TRACE, requests },
      wait,
      body: undefined,
      bodyFaults: undefined,
      isKnownBody: false,
      stub: undefined,
      faults: undefined,
      ignored: undefined,
    }
    response.locals.context = context as RequestContext
  }
  return (request, response, next) => {
    const choice = chooseSandbox(request, deps)
    const { shared } = choice.sandbox
    if (!shared) {
      begin(choice, request, response)
      next()
      return
    }
    const start = (error?: unknown) => {
      begin(choice, request, response)
      next(error)
    }
    if (shared.exchanges) response.once('close', () => shared.exchanges?.end())
    const seen = sessionOf(request)
    const reading = shared.refresh({ isNumbered: true, isUse: true, seen, ttl: () => ttlByHeader(request) })
    if (reading) reading.then(() => start(), start)
    else start()
  }
}

/** What a client of `--consistency session` has seen. */
function sessionOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers[SESSION_HEADER]
  return typeof sent === 'string' ? sent : undefined
}

/** The sandbox that handles a request, and the error if the one that it names cannot be used; the default sandbox refuses it then. */
interface SandboxChoice {
  readonly sandbox: Sandbox
  readonly refusal?: Problem
}

/**
 * The sandbox of a request: by the header `X-Mock-Sandbox`, else by a key such as `anything@name`, else the default one. It is
 * created on first use, unless the request will be refused anyway.
 */
function chooseSandbox(request: IncomingMessage, deps: StartDependencies): SandboxChoice {
  const { sandboxes } = deps
  const name = sandboxNameOf(request, deps)
  if (name === DEFAULT_SANDBOX) return { sandbox: sandboxes.default }
  const known = sandboxes.find(name)
  if (known) return { sandbox: known }
  if (findHostRefusal(request, deps.hosts) || !isAdmitted(request, deps)) return { sandbox: sandboxes.default }
  try {
    const sandbox = sandboxes.use(name, { ttl: ttlByHeader(request) })
    deps.log.note(madeBy(name, namedByHeader(request) === undefined ? `the key …@${name}` : BY_HEADER))
    return { sandbox }
  } catch (refusal) {
    if (!(refusal instanceof Problem)) throw refusal
    return { sandbox: sandboxes.default, refusal }
  }
}

/** A configured key names no sandbox unless what follows its `@` could be one. */
function sandboxNameOf(request: IncomingMessage, deps: StartDependencies): string {
  const named = namedByHeader(request)
  if (named !== undefined) return named
  const key = firstKey(request, deps)
  const name = namedByKey(key)
  return name === undefined || (deps.keys.listed.has(key) && !isSandboxName(name)) ? DEFAULT_SANDBOX : name
}

/** How APIs call the headers of keys: `X-Api-Key`, `Authorization`, `X-Auth-Token`, `Client-Secret`. */
const LIKE_A_KEY = /key|token|auth|secret/i
/** Headers that are noted, at most. */
const MOST_NOTES = 20

/**
 * Logs, once for each header, that a key such as `any@checkout` selects no sandbox where the contract has no key: in a header that
 * another contract had it in, for instance.
 */
function createKeyNotes({ log, contract }: StartDependencies): (request: IncomingMessage) => void {
  const noted = new Set<string>()
  const read = new Set(contract.credentialLocations.map(({ header }) => header))
  return ({ rawHeaders }) => {
    if (log.isSilent || noted.size >= MOST_NOTES) return
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const [header = '', value = ''] = rawHeaders.slice(at, at + 2)
      const name = LIKE_A_KEY.test(header) ? namedByKey(value) : undefined
      if (name === undefined || !isSandboxName(name) || read.has(header.toLowerCase()) || noted.has(header)) continue
      noted.add(header)
      const places = contract.credentialLocations.map(({ title }) => title).join(', or in ')
      log.note(
        `the header ${header} does not select the sandbox "${name}", since the contract has no key there. Send X-Mock-Sandbox: ${name}, or the key in ${places}.`,
      )
    }
  }
}

/** Whether `authenticate` will accept the key. */
function isAdmitted(request: IncomingMessage, { keys, behaviours, contract }: StartDependencies): boolean {
  const rule = behaviours.settings['auth.keys']
  if (rule === 'off') return true
  const sent = contract.credentialLocations.map((place) => ({ place, values: place.values(request) }))
  if (sent.some(({ values }) => values.length > 1)) return false
  const read = sent.map(({ place, values: [value = ''] }) => place.read(value, keys.isListed))
  const given = read.filter((key) => key.trim() !== '')
  if (given.length === 0) return contract.isOpen
  return rule === 'any' || given.some((key) => keys.listed.has(key) || keys.listed.has(withoutSandbox(key)))
}

/** The `Date` header (RFC 9110, 5.6.7) for epoch ms. It changes once a second, so the last one is kept. */
function createHttpDate(): (now: number) => string {
  let second = Number.NaN
  let text = ''
  return (now) => {
    const current = Math.floor(now / 1000)
    if (current === second) return text
    second = current
    return (text = new Date(now).toUTCString())
  }
}
