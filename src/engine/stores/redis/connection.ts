import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../../base/errors/problem.ts'

/** A connection to a server, and what it is called in messages: without user and password. */
export interface Connection {
  readonly address: string
  /** Sends a command. @throws Error when there is no answer in time, or the server refuses it */
  send(...command: string[]): Promise<unknown>
  /** Runs a script. @throws the same */
  run(script: string, keys: readonly string[], values: readonly (string | number)[]): Promise<unknown>
  close(): Promise<void>
}

/** Milliseconds until a command must have been sent. */
const TIMEOUT = 1000
/** Milliseconds for a connection to be made: longer, since a start on a busy machine may do much else meanwhile. */
const CONNECT_TIMEOUT = 5000
/** Milliseconds for a connection that is being restored. */
const PATIENCE = 1000

/**
 * Connects to `redis://host:port/database`, or `rediss://` for TLS. User and password are those of the address, or of `STANDIN_STORE_USER` and
 * `STANDIN_STORE_PASSWORD`. The client is loaded here, since most stand-ins have no such store.
 *
 * @throws StartupError when nothing answers there, or the password is wrong
 */
export async function connect(url: URL): Promise<Connection> {
  const { createClient } = await import('@redis/client')
  const address = `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`
  const { STANDIN_STORE_USER: user, STANDIN_STORE_PASSWORD: password } = process.env
  const client = createClient({
    url: address,
    ...credentials(decodeURIComponent(url.username) || user, decodeURIComponent(url.password) || password),
    RESP: 2,
    disableOfflineQueue: true,
    commandOptions: { timeout: TIMEOUT },
    socket: {
      connectTimeout: CONNECT_TIMEOUT,
      // The first connection is tried once: a start says what is wrong.
      reconnectStrategy: (retries) => (hasConnected ? Math.min(50 * (retries + 1), TIMEOUT) : false),
    },
  })
  let hasConnected = false
  // Each command that fails says so; without a listener the process would end.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    client.destroy()
    throw refusal(address, error)
  }
  hasConnected = true
  const ready = async () => {
    for (let waited = 0; !client.isReady && waited < PATIENCE; waited += WAIT) await sleep(WAIT)
  }
  const send = async (...command: string[]): Promise<unknown> => {
    if (!client.isReady) await ready()
    return client.sendCommand(command)
  }
  return {
    address,
    send,
    async run(script, keys, values) {
      const rest = [String(keys.length), ...keys, ...values.map(String)]
      try {
        return await send('EVALSHA', hash('sha1', script), ...rest)
      } catch (error) {
        // A server that was restarted knows no scripts.
        if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
        return send('EVAL', script, ...rest)
      }
    },
    close() {
      if (client.isOpen) client.destroy()
      return Promise.resolve()
    },
  }
}

const WAIT = 20

function credentials(username: string | undefined, password: string | undefined) {
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) }
}

/** What refuses a start. */
export function refusal(address: string, error: unknown): StartupError {
  const text =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
  const isRefused = /^(WRONGPASS|NOAUTH|NOPERM|ERR AUTH|ERR .*password)/.test(text)
  return new StartupError([
    isRefused
      ? `--store ${address}: the server refuses the user or the password. Set STANDIN_STORE_USER and STANDIN_STORE_PASSWORD.`
      : `--store ${address}: there is no Valkey or Redis (${text}). Start one there, or name another address.`,
  ])
}
