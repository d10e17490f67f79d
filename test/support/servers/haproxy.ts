import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Bytes of a request's line and headers: as many as Node reads, and more. */
const BUFFER = 128 * 1024
/** Milliseconds that it may take to listen. */
const PATIENCE = 20_000
const STEP = 10

/** Each request of a connection goes to the next server. */
function configOf(socket: string, urls: readonly string[]): string {
  const servers = urls.map((url, at) => `  server replica${at} ${new URL(url).host}`)
  return [
    'global',
    `  tune.bufsize ${BUFFER}`,
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 60s',
    '  timeout server 60s',
    'frontend all',
    `  bind unix@${socket}`,
    '  default_backend replicas',
    'backend replicas',
    '  balance roundrobin',
    ...servers,
    '',
  ].join('\n')
}

/** HAProxy before servers that are started with the first connection. */
export interface Balancer {
  /** What clients connect to. */
  readonly server: Server
  stop(): void
}

/** @param start starts the servers, and returns their addresses */
export function createBalancer(start: () => Promise<readonly string[]>): Balancer {
  let child: ChildProcess | undefined
  let directory: string | undefined
  let socket: Promise<string> | undefined
  const run = async () => {
    directory = mkdtempSync(join(tmpdir(), 'standin-haproxy-'))
    const [path, config] = [join(directory, 'socket'), join(directory, 'haproxy.cfg')]
    writeFileSync(config, configOf(path, await start()))
    child = spawn('haproxy', ['-db', '-f', config], { stdio: ['ignore', 'ignore', 'inherit'] })
    await untilListening(path)
    return path
  }
  const server = createServer((client) => {
    client.on('error', () => undefined)
    socket ??= run()
    socket.then(
      (path) => {
        const balancer = connect(path)
        balancer.on('error', () => client.destroy())
        client.on('close', () => balancer.destroy())
        client.pipe(balancer).pipe(client)
      },
      (error: unknown) => client.destroy(error as Error),
    )
  })
  return {
    server,
    stop() {
      server.close()
      child?.kill('SIGKILL')
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function untilListening(path: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE; waited += STEP) {
    const socket = connect(path)
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isUp) return
    await sleep(STEP)
  }
  throw new Error(`HAProxy did not listen at ${path} in ${PATIENCE / 1000} s`)
}
