import type { ExchangeRecord } from '../../../../src/control/client/types.ts'
import { wasLeft } from './stream/streamed-events.ts'

export type Outcome = 'all' | 'refused' | 'failed' | 'broken'

/** What a list of exchanges shows. */
export interface ExchangeChoice {
  readonly outcome: Outcome
  /** Words that all occur in an exchange, in capitals or not. */
  readonly text: string
  /** A behaviour that the response depended on; empty for any. */
  readonly behaviour: string
}

/** How a request ended: refused with 4xx, failed with 5xx, or without a whole response. */
export function outcomeOf(exchange: ExchangeRecord): Outcome {
  const { answer } = exchange
  // A stream that goes on ends when its client leaves.
  if (!answer || answer.status === 0 || !(answer.isComplete || wasLeft(exchange))) return 'broken'
  return answer.status >= 500 ? 'failed' : answer.status >= 400 ? 'refused' : 'all'
}

/** The exchanges that have all that was chosen. */
export function filterExchanges(
  exchanges: readonly ExchangeRecord[],
  { outcome, text, behaviour }: ExchangeChoice,
): readonly ExchangeRecord[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (outcome === 'all' && words.length === 0 && behaviour === '') return exchanges
  return exchanges.filter((exchange) => {
    if (outcome !== 'all' && outcomeOf(exchange) !== outcome) return false
    if (behaviour !== '' && !exchange.behaviours.includes(behaviour)) return false
    const searched = words.length === 0 ? '' : searchedText(exchange)
    return words.every((word) => searched.includes(word))
  })
}

function searchedText({ request, answer, operationId, requestId, fault, faultId, problem }: ExchangeRecord): string {
  const { method, url, body } = request
  return [method, url, operationId, requestId, answer?.status, fault, faultId, problem, body, answer?.body]
    .join('\n')
    .toLowerCase()
}
