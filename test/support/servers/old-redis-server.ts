import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A server that says it is an old Redis, and does nothing. */
export interface OldRedisServer {
  readonly url: string
  /** The names of the commands that it was sent. */
  readonly commands: readonly string[]
  stop(): void
}

export async function startOldRedis(version: string): Promise<OldRedisServer> {
  const commands: string[] = []
  const info = `# Server\r\nredis_version:${version}\r\n`
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (sent) => {
      // Each command is an array of texts with their lengths: *1 $4 INFO.
      for (const [, name = ''] of sent.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        commands.push(name.toUpperCase())
        socket.write(name.toUpperCase() === 'INFO' ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n')
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `redis://127.0.0.1:${port}`, commands, stop: () => void server.close() }
}
