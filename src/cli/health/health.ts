import { readFileSync, readlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { askHealth } from '../ask-health.ts'
import { addFlags } from '../flags.ts'
import { createConfig } from '../../config/create-config.ts'
import { sourcesOf } from '../../config/sources.ts'
import { urlOf } from '../../app/server.ts'
import { StartupError } from '../../base/errors/problem.ts'

/** Milliseconds. */
const PATIENCE = 2000

/** `standin health`: asks a running server whether it is ready. Exits with status 0 when it is, else with 1. */
export async function health({ pid, ...flags }: Readonly<Record<string, unknown>>): Promise<void> {
  const { host: atHost, port: atPort, config } = { ...(typeof pid === 'string' ? flagsOf(pid) : {}), ...flags }
  const { host, port } = createConfig(sourcesOf({ host: atHost, port: atPort, config }, process.env))
  if (port === 0)
    throw new StartupError(['--port: 0 stands for any free port. Pass the one that standin serve printed.'])
  const url = urlOf(host, port)
  const found = await askHealth(url, PATIENCE)
  if ('reason' in found) throw new StartupError([`${url} ${found.reason}. Start standin serve, or pass its --port.`])
  if (found.status !== 'ready') throw new StartupError([`${url} is not ready: it is ${found.status}.`])
  process.stdout.write('ready\n')
}

/**
 * The flags of a running `standin serve`, also behind an init process such as tini.
 *
 * @throws StartupError when there is no such process
 */
function flagsOf(pid: string): Readonly<Record<string, unknown>> {
  const words = readProcess(pid, () =>
    readFileSync(`/proc/${Number(pid)}/cmdline`, 'utf8')
      .split('\0')
      .slice(0, -1),
  )
  const at = words.indexOf('serve')
  if (at < 0) throw new StartupError([`--pid: ${pid} is not a standin serve process.`])
  const command = addFlags(new Command()).allowUnknownOption().allowExcessArguments().exitOverride()
  const flags = command.parse(words.slice(at + 1), { from: 'user' }).opts<Record<string, unknown>>()
  if (typeof flags.config !== 'string') return flags
  const directory = readProcess(pid, () => readlinkSync(`/proc/${Number(pid)}/cwd`))
  return { ...flags, config: resolve(directory, flags.config) }
}

function readProcess<Result>(pid: string, read: () => Result): Result {
  try {
    return read()
  } catch {
    throw new StartupError([`--pid: the process ${pid} cannot be read. Pass --port instead.`])
  }
}
