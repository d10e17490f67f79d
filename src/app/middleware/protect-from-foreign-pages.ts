import type { BehaviourSettings } from '../../../types/behaviour-settings.d.ts'
import { shown } from '../../base/errors/problem.ts'
import { type AllowedHosts, findHostRefusal } from '../../http/allowed-hosts.ts'
import { isLocalOrigin } from '../../http/cors.ts'
import type { ServerLog } from '../../journal/server-log.ts'
import type { Middleware } from './request-context.ts'

const EXPOSED = [
  'X-Request-Id',
  'X-Mock-Behaviours',
  'X-Mock-Ignored',
  'X-Mock-Defect',
  'X-Mock-Problem',
  'X-Mock-Violations',
  'X-Mock-Fault',
  'X-Mock-Generated',
  'X-Mock-Sandbox',
  'X-Mock-Answered-By',
  'X-Mock-Joined',
  'X-Mock-Learned',
  'X-Mock-Stub',
  'X-Mock-Session',
  'ETag',
  'Retry-After',
  'WWW-Authenticate',
  'Allow',
].join(', ')

type CorsRule = BehaviourSettings['cors']

interface ProtectionDependencies {
  readonly hosts: AllowedHosts
  /** Origins that may call besides the local ones, as a browser writes them: `https://app.example.com`. */
  readonly origins: readonly string[]
  readonly log: Pick<ServerLog, 'note'>
}

/**
 * Refuses requests with two `Host` headers (400) or for a host that is not allowed (403), then those for a sandbox that cannot be used.
 * Sets the CORS headers of the others; without an allowed origin only `Vary`, since another origin may get another response.
 */
export function protectFromForeignPages({ hosts, origins, log }: ProtectionDependencies): Middleware {
  const noteRefused = createOriginNotes(log)
  return (request, { locals: { context } }, next) => {
    const refusal = findHostRefusal(request, hosts) ?? context.refusal
    if (refusal) throw refusal
    const { tracker, headers } = context
    const { origin, host } = request.headers
    const rule = tracker.settings.cors
    if (rule !== 'off') headers.push('vary', 'Origin')
    if (origin !== undefined && isAllowed(origin, rule, origins)) {
      headers.push('access-control-allow-origin', origin)
      headers.push('access-control-allow-credentials', 'true')
      headers.push('access-control-expose-headers', EXPOSED)
      tracker.note('cors')
    } else if (origin !== undefined && !isSame(origin, host)) noteRefused(origin, rule)
    next()
  }
}

/** Whether pages of this origin may call. */
function isAllowed(origin: string, rule: CorsRule, origins: readonly string[]): boolean {
  if (rule === 'off') return false
  if (rule === 'any' || origins.includes(origin)) return true
  return rule === 'local' && isLocalOrigin(origin)
}

/** Whether the page is of this server: browsers send its origin too, but need no permission. */
function isSame(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`)
}

/** At most this many origins are logged, so that a client cannot fill the log. */
const MAX_ORIGINS = 50
const LONGEST_ORIGIN = 255

/** What `--allow-origin` accepts and a shell does not change. */
const ORIGIN = /^(null|[a-z][a-z\d+.-]*:\/\/[a-z\d.:[\]-]+)$/

/**
 * Logs each origin that gets no CORS headers, once: its browser hides the responses from the page and says little about why, while the
 * responses themselves look right.
 */
function createOriginNotes(log: Pick<ServerLog, 'note'>): (origin: string, rule: CorsRule) => void {
  const noted = new Set<string>()
  return (origin, rule) => {
    const name = origin.slice(0, LONGEST_ORIGIN)
    if (noted.size >= MAX_ORIGINS || noted.has(name)) return
    noted.add(name)
    const page =
      origin === 'null' ? 'a page without an origin (a file, or a sandboxed frame)' : `a page of ${shown(origin)}`
    log.note(`CORS: the browser hides this response from ${page}. ${remedyFor(origin, rule)}`)
    if (noted.size === MAX_ORIGINS) log.note(`CORS: ${MAX_ORIGINS} origins were logged; no more will be.`)
  }
}

function remedyFor(origin: string, rule: CorsRule): string {
  if (rule === 'off')
    return 'No page may call while the behaviour cors is off: choose --behaviour cors=local, list or any.'
  if (origin.length > LONGEST_ORIGIN || !ORIGIN.test(origin)) return 'Allow every origin with --behaviour cors=any.'
  return `Allow it with --allow-origin ${origin}, or every origin with --behaviour cors=any.`
}
