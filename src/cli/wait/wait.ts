import { readTimeout } from '../flags.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { readAddress } from '../address.ts'
import { askHealth, type Health } from '../ask-health.ts'
import { EXIT } from '../exit-codes.ts'
import { createConfig } from '../../config/create-config.ts'
import { sourcesOf } from '../../config/sources.ts'
import { urlOf } from '../../app/server.ts'
import { StartupError } from '../../base/errors/problem.ts'

/** Milliseconds between two questions, and for one answer. */
const EVERY = 200
const PATIENCE = 2000

/** `standin wait`: returns when a server is ready, and exits with status 124 when it is not in time. */
export async function waitUntilReady(
  address: string | undefined,
  { timeout, ...flags }: Readonly<Record<string, unknown>>,
): Promise<void> {
  process.once('SIGINT', () => process.exit(EXIT.interrupted))
  const urls = address === undefined ? [ownUrl(flags)] : urlsOf(address)
  const [url = ''] = urls
  const text = String(timeout)
  const end = seconds() + readTimeout(text) / 1000
  let told = ''
  for (;;) {
    const left = Math.ceil(1000 * (end - seconds()))
    const found = await askFirst(urls, Math.min(PATIENCE, Math.max(left, EVERY)))
    if ('status' in found && found.status === 'ready') return void process.stdout.write('ready\n')
    const why = 'status' in found ? `is ${found.status}` : found.reason
    if (seconds() + EVERY / 1000 > end) throw tooLate(url, why === told ? 'is not ready' : why, text)
    if (why !== told) process.stderr.write(`standin: waiting: ${url} ${why}\n`)
    told = why
    await pause(EVERY)
  }
}

/** Of the process, by a clock that is never set. */
function seconds(): number {
  return process.uptime()
}

function ownUrl(flags: Readonly<Record<string, unknown>>): string {
  const { host, port } = createConfig(sourcesOf(flags, process.env))
  if (port === 0)
    throw new StartupError(['--port: 0 stands for any free port. Pass the address that standin serve printed.'])
  return urlOf(host, port)
}

/** The address as it is, for a server that is mounted under a path, and then without its path, which may be one of the service. */
function urlsOf(address: string): string[] {
  const mounted = readAddress(address, '')
  return [...new Set([mounted, new URL(mounted).origin])]
}

async function askFirst(urls: readonly string[], patience: number): Promise<Health> {
  const found = await Promise.all(urls.map((url) => askHealth(url, patience)))
  return found.find((one) => 'status' in one) ?? found[0] ?? { reason: 'has no address' }
}

function tooLate(url: string, why: string, timeout: string): StartupError {
  process.exitCode = EXIT.timedOut
  return new StartupError([
    `${url} ${why}, after --timeout ${timeout}. Start standin serve, pass its address, or wait longer.`,
  ])
}
