import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { styleText } from 'node:util'
import { askHealth } from '../ask-health.ts'
import { isContainer } from '../container.ts'
import { loadSettings } from '../settings.ts'
import { createReloadableStandin } from '../../app/setup/create-standin.ts'
import { urlOf } from '../../app/server.ts'
import type { Config } from '../../config/config.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { counted } from '../../base/errors/wording.ts'
import { isThere, packagedPath } from '../../base/formats/source-file.ts'
import { isLoopbackHost } from '../../base/network/local-names.ts'

/** What a check found, with a remedy for each thing that is not well. */
interface Diagnosis {
  readonly verdict: 'ok' | 'warn' | 'fail'
  readonly about: string
  readonly found: string
  readonly remedies?: readonly string[]
}

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** `standin doctor`: checks what a start depends on, a line each, and exits with status 1 when one fails. */
export async function doctor(flags: Readonly<Record<string, unknown>>): Promise<void> {
  const findings = [
    checkNode(),
    checkTimeZones(),
    checkConsole(),
    checkProxies(process.env),
    ...(await checkSettings(flags)),
  ]
  for (const { verdict, about, found, remedies = [] } of findings) {
    process.stdout.write(`${styleText(COLOURS[verdict], verdict.padEnd(5))} ${about.padEnd(14)} ${found}\n`)
    for (const remedy of remedies) process.stdout.write(`${' '.repeat(21)}→ ${remedy}\n`)
  }
  if (findings.some(({ verdict }) => verdict === 'fail')) process.exitCode = 1
}

/** An unsupported version gets a message before any command runs. */
function checkNode(): Diagnosis {
  return { verdict: 'ok', about: 'Node', found: process.versions.node }
}

function checkTimeZones(): Diagnosis {
  const about = 'time zones'
  const count = Intl.supportedValuesOf('timeZone').length
  const edition = process.versions.tz
  if (count > 300)
    return { verdict: 'ok', about, found: `${count} zones${edition === undefined ? '' : ` (tzdata ${edition})`}` }
  const remedies = ['Install a Node with full ICU data; schedules in the other zones are refused.']
  return { verdict: 'warn', about, found: `this Node knows ${counted(count, 'zone')} only`, remedies }
}

function checkConsole(): Diagnosis {
  const isBuilt = isThere(packagedPath('dist/console/index.html'))
  if (isBuilt) return { verdict: 'ok', about: 'console', found: 'it is part of this installation' }
  return {
    verdict: 'warn',
    about: 'console',
    found: 'it is not built',
    remedies: ['Run npm run build in the checkout.'],
  }
}

/** Clients that follow the variables send requests for this machine to the proxy. */
function checkProxies(environment: Readonly<Record<string, string | undefined>>): Diagnosis {
  const about = 'proxies'
  const named = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'].filter(
    (name) => (environment[name] ?? '') !== '',
  )
  if (named.length === 0) return { verdict: 'ok', about, found: 'no variable names one for HTTP' }
  const except = (environment.NO_PROXY ?? environment.no_proxy ?? '').split(/[\s,]+/)
  if (except.some((one) => ['*', 'localhost', '127.0.0.1'].includes(one)))
    return { verdict: 'ok', about, found: `${named.join(', ')}, and NO_PROXY leaves out this machine` }
  const remedies = ['Set NO_PROXY=localhost,127.0.0.1, or clients send their requests for Standin to the proxy.']
  return { verdict: 'warn', about, found: `${named.join(', ')} names one`, remedies }
}

async function checkSettings(flags: Readonly<Record<string, unknown>>): Promise<Diagnosis[]> {
  let config: Config
  try {
    config = await loadSettings({ ...flags, log: 'silent' })
  } catch (error) {
    return [failed('settings', 'they cannot be used', error)]
  }
  const settings: Diagnosis = { verdict: 'ok', about: 'settings', found: describeSource(flags) }
  return [settings, await checkFiles(config), checkAddress(config), await checkPort(config)]
}

function describeSource({ config = process.env.STANDIN_CONFIG }: Readonly<Record<string, unknown>>): string {
  return typeof config === 'string' && config !== '' ? `${config} can be read` : 'there is no configuration file'
}

/** Contract, fixtures, handlers, keys, and whether the directories can be written. */
async function checkFiles(config: Config): Promise<Diagnosis> {
  try {
    const standin = createReloadableStandin(config, { isDryRun: true })
    await standin.stop()
    const { summary, notes } = standin
    if (notes.length === 0) return { verdict: 'ok', about: 'files', found: summary }
    const remedies = ['standin check prints them.']
    return { verdict: 'warn', about: 'files', found: `${summary}, with ${counted(notes.length, 'note')}`, remedies }
  } catch (error) {
    return failed('files', 'they cannot be loaded', error)
  }
}

function checkAddress({ host, controlToken, control }: Config): Diagnosis {
  const about = 'address'
  const isAlone = isLoopbackHost(host)
  if (isAlone && isContainer()) {
    const remedies = ['Pass --host 0.0.0.0: this is a container, and only what runs in it reaches the address.']
    return { verdict: 'warn', about, found: host, remedies }
  }
  if (isAlone)
    return { verdict: 'ok', about, found: `${host}: this machine only; for containers and others pass --host 0.0.0.0` }
  const others = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
  )
  const found = `${host}: ${others.length === 0 ? 'this machine has no other address' : `others reach it at ${others.join(', ')}`}`
  if (!control || controlToken !== undefined) return { verdict: 'ok', about, found }
  const remedies = ['Pass --control-token, or the control API and the console answer this machine only.']
  return { verdict: 'warn', about, found, remedies }
}

async function checkPort({ host, port }: Config): Promise<Diagnosis> {
  const about = 'port'
  if (port === 0) return { verdict: 'ok', about, found: '0: a start picks a free one' }
  const trouble = await listenOnce(host, port)
  if (trouble === undefined) return { verdict: 'ok', about, found: `${port} is free` }
  const remedies = [`Stop what uses it, or pass another one with --port. (${trouble})`]
  if (!trouble.includes('EADDRINUSE'))
    return { verdict: 'fail', about, found: `${port} cannot be used on ${host}`, remedies }
  const health = await askHealth(urlOf(host, port), 2000)
  if ('reason' in health) return { verdict: 'fail', about, found: `another program listens on ${port}`, remedies }
  return { verdict: 'warn', about, found: `a Standin listens on ${port} already, and is ${health.status}`, remedies }
}

/** Why a port cannot be used; undefined when it can. */
function listenOnce(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(error.message))
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
}

/** @throws what is no complaint */
function failed(about: string, found: string, error: unknown): Diagnosis {
  if (!(error instanceof StartupError)) throw error
  return { verdict: 'fail', about, found, remedies: error.complaints }
}
