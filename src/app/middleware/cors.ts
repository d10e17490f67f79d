import type { Middleware } from '../request-context.ts'
import { type AllowedHosts, findHostRefusal } from '../../http/allowed-hosts.ts'
import { isLocalOrigin } from '../../http/cors.ts'
import { setHeader } from '../../engine/request-context.ts'
import { shown } from '../../errors/problem.ts'
import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'

/** Which web pages may call (CORS). */

const EXPOSED = [
  'X-Request-Id',
  'X-Mock-Behaviours',
  'X-Mock-Ignored',
  'X-Mock-Defect',
  'X-Mock-Fault',
  'X-Mock-Generated',
  'X-Mock-Sandbox',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'Allow',
].join(', ')

/** Whether pages of this origin may call. */
function isAllowed(origin: string, rule: BehaviourSettings['cors'], origins: readonly string[]): boolean {
  if (rule === 'off') return false
  if (rule === 'any' || origins.includes(origin)) return true
  return rule === 'local' && isLocalOrigin(origin)
}

/** Whether a page came from where it calls; it needs no leave then, though browsers name its origin all the same. */
function isSame(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

/** Refuses requests with two `Host` headers (400) or for a host that is not allowed (403), then those for a sandbox that cannot be used. */
export function checkHost({ hosts }: { readonly hosts: AllowedHosts }): Middleware {
  return (request, { locals: { context } }, next) => {
    const refusal = findHostRefusal(request, hosts) ?? context.refusal
    if (refusal) throw refusal
    next()
  }
}

export interface CorsDependencies {
  /** Origins that may call besides the local ones, as a browser writes them: `https://app.example.com`. */
  readonly origins: readonly string[]
  readonly refusedOrigins: RefusedOrigins
}

/** Sets the CORS headers of a response; without an allowed origin only `Vary`, since another origin may get another response. */
export function allowPages({ origins, refusedOrigins }: CorsDependencies): Middleware {
  return ({ headers: { origin, host } }, { locals: { context } }, next) => {
    const { tracker, sandbox } = context
    const rule = sandbox.behaviours.settings.cors
    if (rule !== 'off') setHeader(context, 'vary', 'Origin')
    if (origin !== undefined && isAllowed(origin, rule, origins)) {
      setHeader(context, 'access-control-allow-origin', origin)
      setHeader(context, 'access-control-allow-credentials', 'true')
      setHeader(context, 'access-control-expose-headers', EXPOSED)
      tracker.note('cors')
    } else if (origin !== undefined && !isSame(origin, host)) refusedOrigins(origin, rule)
    next()
  }
}

/**
 * Tells of pages that get no CORS headers. Their browser keeps the answers from them and says little of why, and the answers
 * themselves look as if all were well.
 */
export type RefusedOrigins = (origin: string, rule: BehaviourSettings['cors']) => void

/** At most this many origins are logged, so that a client cannot fill the log. */
const MOST_ORIGINS = 50
const LONGEST_ORIGIN = 255

/** What `--allow-origin` takes and a shell leaves alone. */
const ORIGIN = /^(null|[a-z][a-z\d+.-]*:\/\/[a-z\d.:[\]-]+)$/

/** @param note gets a line for each origin, the first time */
export function createRefusedOrigins(note: (line: string) => void): RefusedOrigins {
  const told = new Set<string>()
  return (origin, rule) => {
    const name = origin.slice(0, LONGEST_ORIGIN)
    if (told.size >= MOST_ORIGINS || told.has(name)) return
    told.add(name)
    const page =
      origin === 'null' ? 'a page without an origin (a file, or a sandboxed frame)' : `a page of ${shown(origin)}`
    note(`CORS: the browser keeps this answer from ${page}. ${remedyFor(origin, rule)}`)
    if (told.size === MOST_ORIGINS) note(`CORS: ${MOST_ORIGINS} origins were told of; no more will be.`)
  }
}

function remedyFor(origin: string, rule: BehaviourSettings['cors']): string {
  if (rule === 'off')
    return 'No page may call while the behaviour cors is off: choose --behaviour cors=local, list or any.'
  if (origin.length > LONGEST_ORIGIN || !ORIGIN.test(origin)) return 'Allow every origin with --behaviour cors=any.'
  return `Allow it with --allow-origin ${origin}, or every origin with --behaviour cors=any.`
}
