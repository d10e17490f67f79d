import type { IncomingMessage, ServerResponse } from 'node:http'

/** A response that is being prepared: what it takes to set its headers and send it. */
export interface ResponseContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Lower-case names and values by turns, as `writeHead` takes them without sorting. */
  readonly headers: string[]
}

/** Sets a response header and replaces one of the same name. */
export function setHeader({ headers }: Pick<ResponseContext, 'headers'>, name: string, value: string): void {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at] !== name) continue
    headers[at + 1] = value
    return
  }
  headers.push(name, value)
}

export function removeHeader({ headers }: Pick<ResponseContext, 'headers'>, name: string): void {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return void headers.splice(at, 2)
}

export function setHeaders(context: Pick<ResponseContext, 'headers'>, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) setHeader(context, name, value)
}
