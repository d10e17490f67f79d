import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createDirectory } from '../command.ts'

const hasServer = spawnSync('redis-server', ['--version']).status === 0
if (!hasServer)
  process.stderr.write('\nSKIPPED: there is no redis-server, so no test uses one. Run scripts/install-redis.sh\n\n')

/** Whether tests can start a server. */
export const HAS_REDIS = hasServer

/** A server of a test, which keeps what it has in a directory of its own. */
export interface RedisServer {
  readonly url: string
  readonly process: ChildProcess
  /** Ends it as a crash does. */
  kill(): Promise<void>
  /** Starts it again with what it has on disk. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startRedis(...settings: string[]): Promise<RedisServer> {
  const { path, remove } = createDirectory({})
  const port = await freePort()
  const start = async () => {
    const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--dir', path, '--save', '', '--appendonly', 'yes']
    const child = spawn('redis-server', [...fixed, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const text of child.stdout as AsyncIterable<Buffer>)
      if (text.includes('Ready to accept connections')) break
    child.stdout.resume()
    return child
  }
  let child = await start()
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    get process() {
      return child
    },
    kill,
    async restart() {
      await kill()
      child = await start()
    },
    async stop() {
      await kill()
      remove()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
