import type { Contract } from '../../contract/contract.ts'
import type { Header, RecordedExchange } from '../recordings/recorded-exchange.ts'
import type { Target } from '../recordings/target.ts'
import { type Entry, type Planned, readSeen, type Seen, type Side } from './case.ts'
import { entriesOf } from './requests/facts.ts'

export interface LiveSideOptions {
  readonly target: Target
  readonly contract: Contract
  /** The usual key, and another one that some requests have. */
  readonly keys: readonly (string | undefined)[]
  /** Sent with every request. */
  readonly headers?: readonly Header[]
  /** Runs before a request that has a time of its own. */
  readonly setClock?: (moment: number) => Promise<void>
}

/** A server that is asked. */
export function createLiveSide({ target, contract, keys, headers = [], setClock }: LiveSideOptions): Side {
  const entries = new Map<string, Entry>()
  const [usual, other = usual] = keys
  const withKey = ({ key = 'usual', ...planned }: Planned): Planned => {
    if (key === 'none') return planned
    return addKey(planned, key === 'blank' ? ' ' : key === 'other' ? other : usual, contract)
  }
  return {
    entry: (path) => entries.get(path),
    async send(planned) {
      if (planned.unknown !== undefined) return notSent(planned, planned.unknown)
      if (planned.at !== undefined) await setClock?.(planned.at)
      const { method, url, headers: own, body } = withKey(planned)
      const exchange = await target.send({ method, url, headers: [...own, ...headers], body })
      const seen = readSeen(planned, exchange)
      for (const entry of entriesOf(seen.json)) entries.set(entry.path, entry)
      return seen
    },
  }
}

/** Where the contract wants the key, unless the request has one there. */
function addKey(planned: Planned, key: string | undefined, { credentialLocations }: Contract): Planned {
  const [{ in: place, name, write }] = credentialLocations
  if (key === undefined) return planned
  if (place === 'query') {
    const pair = `${encodeURIComponent(name)}=${encodeURIComponent(write(key))}`
    return { ...planned, url: `${planned.url}${planned.url.includes('?') ? '&' : '?'}${pair}` }
  }
  const header = place === 'header' ? { name, value: write(key) } : { name: 'Cookie', value: `${name}=${write(key)}` }
  return { ...planned, headers: [...planned.headers, header] }
}

function notSent(planned: Planned, unknown: string): Seen {
  const { method, url, headers, body } = planned
  const response = { status: 0, headers: [], body: undefined, isWhole: false }
  const exchange = { source: unknown, at: 0, milliseconds: 0, request: { method, url, headers, body }, response }
  return { ...readSeen(planned, exchange), unknown }
}

/** A recording: it responds to its own requests, in their order. */
export function createRecordedSide(exchanges: readonly RecordedExchange[]): Side {
  const rest = exchanges.values()
  return {
    entry: () => undefined,
    send(planned) {
      const { value: exchange } = rest.next()
      return Promise.resolve(exchange ? readSeen(planned, exchange) : notSent(planned, 'it was not recorded'))
    },
  }
}
