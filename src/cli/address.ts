import type { ControlClientOptions } from '../control/client/client.ts'
import { shown, StartupError } from '../base/errors/problem.ts'

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

/** Why a server did not do what it was asked. */
export function reasonOf(error: unknown, remedy: string): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
  return `no server responds there (${cause}). ${remedy}`
}
