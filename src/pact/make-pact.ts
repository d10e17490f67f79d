import type { Contract } from '../contract/contract.ts'
import { counted } from '../errors/wording.ts'
import { isObject } from '../formats/json.ts'
import { checkRequest, createRequestReader } from '../traffic/check-request.ts'
import type { RecordedExchange } from '../traffic/recorded-exchange.ts'
import { createSecretRemover } from '../traffic/remove-secrets.ts'
import { makeInteractions, type ReadExchange } from './interactions.ts'
import type { PactFile } from './pact-file.ts'

export interface PactOptions {
  readonly consumer: string
  /** The title of the contract when absent. */
  readonly provider?: string | undefined
  /** Of Standin. */
  readonly version: string
  /** Whether to keep requests that the contract refuses, and their errors. */
  readonly keepsRefused: boolean
}

export interface MadePact {
  readonly pact: PactFile
  /** What was left out, and why. */
  readonly leftOut: readonly string[]
}

/** Makes the Pact of a client from what it sent and received. Secrets are removed. */
export function makePact(contract: Contract, exchanges: readonly RecordedExchange[], options: PactOptions): MadePact {
  const read = createRequestReader(contract.operations)
  const clean = createSecretRemover(contract)
  const kept: ReadExchange[] = []
  const counts = new Map<string, number>()
  for (const one of exchanges) {
    const exchange = clean(one)
    const found = read(exchange.request)
    const reason = found ? reasonToLeaveOut({ read: found, exchange }, options.keepsRefused) : 'to no operation'
    if (found && reason === undefined) kept.push({ read: found, exchange })
    else if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const { info } = contract.document
  const title = isObject(info) && typeof info.title === 'string' ? info.title : 'provider'
  const pact: PactFile = {
    consumer: { name: options.consumer },
    provider: { name: options.provider ?? title },
    interactions: makeInteractions(contract, kept),
    metadata: { pactSpecification: { version: '4.0' }, client: { name: 'standin', version: options.version } },
  }
  return { pact, leftOut: [...counts].map(([reason, count]) => `${counted(count, 'exchange')} ${reason}`) }
}

const REFUSALS = [400, 415, 422]

function reasonToLeaveOut({ read, exchange }: ReadExchange, keepsRefused: boolean): string | undefined {
  const { response, fault } = exchange
  if (fault !== undefined) return 'with a fault, which no provider can be asked for'
  if (!response.isWhole || response.status === 0) return 'without a whole response'
  if (response.status >= 500) return 'with an error of the server'
  const isRefused = REFUSALS.includes(response.status) || checkRequest(read).length > 0
  return isRefused && !keepsRefused ? 'that the contract refuses (keep them with --include-refused)' : undefined
}
