import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What the clocks of sandboxes show at first. */
export const CLOCK = '2026-03-05T14:30:00Z'

/** A Redis server and replicas that share it, each a process that can be killed and started again. */
export interface Cluster {
  readonly urls: readonly string[]
  /** Does something bad, and lets the cluster recover from it. */
  disturb(what: Disturbance): Promise<void>
  stop(): Promise<void>
}

export const DISTURBANCES = [
  'none',
  'kill a replica',
  'stop a replica',
  'cut connections',
  'restart the engine',
  'cut off the tail',
] as const
export type Disturbance = (typeof DISTURBANCES)[number]

interface Options {
  /** Path of `dist/cli.js`. */
  readonly cli: string
  readonly contract: string
  readonly replicas: number
}

/** Milliseconds that a replica is stopped, or away. */
const AWAY = 150

/** Starts a Redis server that keeps what it has in a directory. */
export function startEngine(port: number, directory: string, fsync = 'always'): Promise<ChildProcess> {
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '']
  return started(spawn('redis-server', [...fixed, '--appendonly', 'yes', '--appendfsync', fsync]), 'Ready to accept')
}

interface ReplicaOptions {
  readonly cli: string
  readonly contract: string
  readonly port: number
  /** The address of the store. */
  readonly store: string
}

/** Starts a replica without seeded data. It may not listen yet. */
export function spawnReplica({ cli, contract, port, store }: ReplicaOptions): ChildProcess {
  const seeds = ['--documents', '0', '--files', '0', '--clock', CLOCK]
  const args = [
    cli,
    'serve',
    '--port',
    String(port),
    '--log',
    'silent',
    '--contract',
    contract,
    '--store',
    store,
    ...seeds,
  ]
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

export async function startCluster({ cli, contract, replicas }: Options): Promise<Cluster> {
  const directory = mkdtempSync(join(tmpdir(), 'standin-replicas-'))
  const port = await freePort()
  const startReplica = (at: number) => {
    return spawnReplica({ cli, contract, port: ports[at] ?? 0, store: `redis://127.0.0.1:${port}` })
  }
  let engine = await startEngine(port, directory)
  const ports = await Promise.all(Array.from({ length: replicas }, freePort))
  const urls = ports.map((one) => `http://127.0.0.1:${one}`)
  const processes = ports.map((_, at) => startReplica(at))
  await Promise.all(urls.map(isUp))
  let turn = 0
  return {
    urls,
    async disturb(what) {
      const at = turn++ % replicas
      const replica = processes[at]
      if (what === 'kill a replica') {
        await ended(replica, 'SIGKILL')
        await sleep(AWAY)
        processes[at] = startReplica(at)
        await isUp(urls[at] ?? '')
      } else if (what === 'stop a replica') {
        replica?.kill('SIGSTOP')
        await sleep(AWAY)
        replica?.kill('SIGCONT')
      } else if (what === 'cut connections') {
        const client = spawn('redis-cli', ['-p', String(port), 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
        await once(client, 'exit')
      } else if (what === 'restart the engine' || what === 'cut off the tail') {
        await ended(engine, 'SIGKILL')
        if (what === 'cut off the tail') cutTail(directory, 200 + ((turn * 397) % 2500))
        else await sleep(AWAY)
        engine = await startEngine(port, directory)
      }
    },
    async stop() {
      for (const one of processes) await ended(one, 'SIGKILL')
      await ended(engine, 'SIGKILL')
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Takes the last bytes of what a server has written, as a disk that lost them. */
function cutTail(directory: string, bytes: number): void {
  const [path] = globSync(join(directory, 'appendonlydir/*.incr.aof')).toSorted().slice(-1)
  if (path === undefined) throw new Error('the server has no append-only file')
  truncateSync(path, Math.max(0, statSync(path).size - bytes))
}

export async function ended(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child?.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

export async function started(child: ChildProcess, line: string): Promise<ChildProcess> {
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (text: Buffer) => {
      if (text.includes(line)) resolve()
    })
  })
  return child
}

export async function isUp(url: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const response = await fetch(`${url}/__mock/health`).catch(() => undefined)
    if (response?.ok) return
    await sleep(25)
  }
  throw new Error(`${url} did not start`)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
