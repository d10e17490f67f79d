import type { Contract } from '../../contract/contract.ts'
import { type ReadExchange, readExchange } from '../recordings/differences/find-differences.ts'
import { headerOf, type Header, type RecordedExchange } from '../recordings/recorded-exchange.ts'
import type { Target } from '../recordings/target.ts'

/** A request as it is to be sent. The side that sends it adds the key. */
export interface Planned {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: readonly Header[]
  readonly body?: string | undefined
  /** The usual one when absent, and none for null. */
  readonly key?: string | null
  /** Epoch ms when it was recorded. */
  readonly at?: number
  /** Why it cannot be sent. */
  readonly unknown?: string
}

/** A response as one side gave it. */
export interface SeenResponse extends ReadExchange {
  readonly planned: Planned
  readonly exchange: RecordedExchange
  /** What the response depended on, where the stand-in gave it. */
  readonly behaviours: readonly string[]
  /** Why it cannot be compared. */
  readonly unknown?: string | undefined
}

/** Someone who responds. */
export interface Responder {
  send(planned: Planned): Promise<SeenResponse>
}

export function readSeen(planned: Planned, exchange: RecordedExchange): SeenResponse {
  const listed = headerOf(exchange.response.headers, 'x-mock-behaviours')
  return { planned, ...readExchange(exchange), behaviours: listed?.split(', ') ?? [] }
}

export interface LiveSideOptions {
  readonly target: Target
  readonly contract: Contract
  /** Of requests that have none of their own. */
  readonly key: string
  /** Sent with every request. */
  readonly headers?: readonly Header[]
  /** Runs before a request that has a time of its own. */
  readonly setClock?: (moment: number) => Promise<void>
}

/** A server that is asked. */
export function createLiveSide({ target, contract, key, headers = [], setClock }: LiveSideOptions): Responder {
  return {
    async send(planned) {
      if (planned.unknown !== undefined) return notSent(planned, planned.unknown)
      if (planned.at !== undefined) await setClock?.(planned.at)
      const {
        method,
        url,
        headers: own,
        body,
      } = addKey(planned, planned.key === undefined ? key : planned.key, contract)
      const exchange = await target.send({ method, url, headers: [...own, ...headers], body })
      return readSeen(planned, exchange)
    },
  }
}

/** Where the contract wants the key, unless the request has one there. */
function addKey(planned: Planned, key: string | null, { credentialLocations }: Contract): Planned {
  const [{ in: place, name, write }] = credentialLocations
  if (key === null) return planned
  if (place === 'query') {
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(write(key))}`
    return { ...planned, url: `${planned.url}${planned.url.includes('?') ? '&' : '?'}${pair}` }
  }
  const header = place === 'header' ? { name, value: write(key) } : { name: 'Cookie', value: `${name}=${write(key)}` }
  return { ...planned, headers: [...planned.headers, header] }
}

function notSent(planned: Planned, unknown: string): SeenResponse {
  const { method, url, headers, body } = planned
  const response = { status: 0, headers: [], body: undefined, isWhole: false }
  const exchange = { source: unknown, at: 0, milliseconds: 0, request: { method, url, headers, body }, response }
  return { ...readSeen(planned, exchange), unknown }
}

/** A recording: it responds to its own requests, in their order. */
export function createRecordedSide(exchanges: readonly RecordedExchange[]): Responder {
  const rest = exchanges.values()
  return {
    send(planned) {
      const { value: exchange } = rest.next()
      return Promise.resolve(exchange ? readSeen(planned, exchange) : notSent(planned, 'it was not recorded'))
    },
  }
}
