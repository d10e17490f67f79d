import {
  type ControlClient,
  type ControlClientOptions,
  ControlError,
  createControlClient,
} from '../control/client/client.ts'
import { shown, StartupError } from '../base/errors/problem.ts'
import { askHealth } from './ask-health.ts'

const EXAMPLE = 'http://127.0.0.1:4010'

/**
 * Reads the address of a server: a URL, `host:port`, or a port of this machine. What a client needs is kept: the path that the server is
 * mounted under, without a slash at its end and without `/__mock`.
 *
 * @param name what names it in messages: a flag, or nothing
 * @throws StartupError when it is no address
 */
export function readAddress(given: string, name = '--url'): string {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(given)
    ? given
    : `http://${given.replace(/^(?=:?\d+$):?/, '127.0.0.1:')}`
  const url = URL.parse(whole)
  if (url && url.hostname !== '' && /^https?:$/.test(url.protocol))
    return url.origin + url.pathname.replace(/(\/__mock)?\/*$/, '')
  const place = name === '' ? '' : `${name}: `
  throw new StartupError([
    `${place}Expected the address of a server, such as ${EXAMPLE} or 127.0.0.1:4010; got ${shown(given)}.`,
  ])
}

/** The server that a command talks to. */
export interface ServerFlags {
  readonly url?: string
  readonly sandbox?: string
  readonly controlToken?: string
}

/** The options of a control client, with `STANDIN_URL` and `STANDIN_CONTROL_TOKEN` in place of flags that are absent. */
export function readServer({ url, sandbox, controlToken }: ServerFlags): Omit<ControlClientOptions, 'fetch'> {
  const token = controlToken ?? process.env.STANDIN_CONTROL_TOKEN ?? ''
  return {
    url: url === undefined ? readAddress(process.env.STANDIN_URL ?? EXAMPLE, 'STANDIN_URL') : readAddress(url),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(token === '' ? {} : { token }),
  }
}

/** Milliseconds that a server has to say that it is Standin. */
const PATIENCE = 10_000

/** A running Standin. */
export interface RunningServer {
  readonly url: string
  readonly control: ControlClient
}

/**
 * The running server that the flags name.
 *
 * @param otherwise what else the user can do: ` or pass a --har file`
 * @throws StartupError where no Standin responds
 */
export async function connect(flags: ServerFlags, otherwise = ''): Promise<RunningServer> {
  const server = readServer(flags)
  const { url } = server
  const found = await askHealth(url, PATIENCE)
  if ('reason' in found)
    throw new StartupError([`${url} ${found.reason}. Start standin serve, pass its address with --url${otherwise}.`])
  return { url, control: createControlClient(server) }
}

/** Why a server did not do what it was asked, as a complaint. */
export function refusalOf({ url }: RunningServer, error: unknown): StartupError {
  if (error instanceof StartupError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new StartupError([error instanceof ControlError ? `${url}: ${reason}` : reason])
}
