import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BehaviourTracker } from '../behaviours/tracker.ts'
import type { Sandbox } from './sandbox.ts'

/** A response that is being prepared: what it takes to set its headers and send it. */
export interface ResponseContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Names in lower case and values by turns, as `writeHead` takes them without sorting. */
  readonly headers: string[]
}

/** One emulated request, as far as the folders below `app/` need it. `app/request-context.ts` adds what only the middlewares share. */
export interface RequestContext extends ResponseContext {
  /** The sandbox whose state the request reads and changes. */
  readonly sandbox: Sandbox
  readonly tracker: BehaviourTracker
  readonly requestId: string
  /** Epoch ms by the sandbox's clock, the same for the whole request; read again after a fault has delayed it. */
  now: number
  /** The request target, cut at the question mark. */
  readonly path: string
  readonly search: string
  /** Epoch ms by the sandbox's clock when the request arrived. */
  readonly arrived: number
  /** Milliseconds by the machine's steady clock; only for the log and the journal. */
  readonly started: number
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
