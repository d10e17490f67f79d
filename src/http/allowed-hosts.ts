import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLocalName, isLoopback, isLoopbackHost } from '../base/network/local-names.ts'
import { type Problem, shown } from '../base/errors/problem.ts'
import { InProcessSocket } from './in-process-socket.ts'
import { hostRefused, hostRepeated } from '../base/errors/request-errors.ts'

/**
 * The values of `Host` that requests may have. A web page whose own name resolves to this machine (DNS rebinding) could otherwise
 * read everything, and Chromium sends neither `Origin` nor `Sec-Fetch-Site` with its GET requests; but it always sends that name.
 */
export interface AllowedHosts {
  has(host: string | undefined): boolean
  /** Whether the server listens on a loopback address, where every request has to be for an allowed host. */
  readonly areRequired: boolean
}

/**
 * @param names host names of `--allow-host`
 * @param address where the server listens: a name or an address
 */
export function createAllowedHosts(names: readonly string[], address: string): AllowedHosts {
  const allowed = new Set(names.map((name) => nameOf(name) ?? name))
  // Nearly every request has the host of the one before.
  let latest: string | undefined
  return {
    areRequired: isLoopbackHost(address),
    has(host) {
      if (host === undefined) return false
      if (host === latest) return true
      const name = nameOf(host)
      if (name === undefined || !(isLocalName(name) || allowed.has(name) || isOfThisMachine(name))) return false
      latest = host
      return true
    },
  }
}

/** The Problem of a request whose host is not allowed. */
export function findHostRefusal(request: IncomingMessage, hosts: AllowedHosts): Problem | undefined {
  const { headers, rawHeaders, socket } = request
  if (hasTwoHosts(rawHeaders)) return hostsRepeated()
  const { host } = headers
  if (hosts.has(host) || socket instanceof InProcessSocket) return undefined
  // Browsers always send a host.
  const isRequired = hosts.areRequired && isLoopback(socket.localAddress ?? '') && host !== undefined && host !== ''
  return isRequired || isFromBrowser(headers) ? wrongHost(host) : undefined
}

/** @param host that of the request */
export function wrongHost(host = ''): Problem {
  const name = nameOf(host)
  const remedy = name === undefined ? 'Use localhost.' : `Use localhost, or allow it with --allow-host ${name}.`
  return hostRefused({
    detail: `The request is for the host ${shown(host)}, which is not a name of this machine. ${remedy}`,
    behaviours: ['cors'],
  })
}

/** @throws Problem 400 (RFC 9112, 3.2) */
export function refuseTwoHosts({ rawHeaders }: IncomingMessage): void {
  if (hasTwoHosts(rawHeaders)) throw hostsRepeated()
}

function hostsRepeated(): Problem {
  return hostRepeated({
    detail: 'The header Host is there more than once. Send it once.',
  })
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let found = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') found++
  }
  return found > 1
}

/** Current browsers send headers whose names begin with `Sec-Fetch-`, at least to trustworthy addresses. */
function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  if (headers.origin !== undefined) return true
  for (const name in headers) if (name.startsWith('sec-fetch-')) return true
  return false
}

/** A name or an address in brackets, and perhaps a port: nothing that `URL` would read as a path or a user. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s/\\?#@:[\]]+)(?::\d*)?$/i

/** The name in a `Host` header as `URL` writes it, without the dot at the end of a fully qualified one. */
function nameOf(host: string): string | undefined {
  if (!HOST.test(host)) return undefined
  try {
    return new URL(`http://${host}`).hostname.replace(/\.$/, '')
  } catch {
    return undefined
  }
}

/** Whether it is an address of this machine, which no page can have as its name. Interfaces may change while the server runs. */
function isOfThisMachine(name: string): boolean {
  const address = name.replace(/^\[|\]$/g, '')
  if (isIP(address) === 0) return false
  return (
    isLoopback(address) || Object.values(networkInterfaces()).some((all) => all?.some((one) => one.address === address))
  )
}
