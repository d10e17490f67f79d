import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'

/** A real service, started empty. */
export interface Service {
  readonly url: string
  readonly version: string
  /** Its OpenAPI document, as it gives it out itself or as its package holds it. */
  readonly document: string
  stop(): Promise<void>
}

const PATIENCE = 180_000

export function installService(name: string): void {
  execFileSync(scriptOf(name), ['install'], { stdio: 'inherit' })
}

/** @param ready a path that answers something else than 5xx once the service can be used */
export async function startService(name: string, ready: string): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), `fidelity-${name}-`))
  const port = await freePort()
  const log = join(directory, 'service.log')
  const output = openSync(log, 'w')
  const child = spawn(scriptOf(name), ['start', String(port)], {
    cwd: directory,
    detached: true,
    stdio: ['ignore', output, output],
  })
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    await end(child)
    rmSync(directory, { recursive: true, force: true })
  }
  const until = Date.now() + PATIENCE
  while (!(await answers(url + ready))) {
    if (child.exitCode !== null || Date.now() > until) {
      const said = readFileSync(log, 'utf8').slice(-2000)
      await stop()
      throw new Error(`${name} did not start:\n${said}`)
    }
    await wait(200)
  }
  const say = (...args: string[]) => execFileSync(scriptOf(name), args, { encoding: 'utf8', maxBuffer: 50_000_000 })
  return { url, version: say('version').trim(), document: say('document', String(port)), stop }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5000) })
    return response.status < 500
  } catch {
    return false
  }
}

/** Ends all processes that the script started. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(-child.pid, signal)
    } catch {
      return
    }
    await Promise.race([ended, wait(5000)])
  }
}

function scriptOf(name: string): string {
  return fileURLToPath(new URL(`services/${name}.sh`, import.meta.url))
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
