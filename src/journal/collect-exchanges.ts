import { journalPartial } from '../base/errors/control-errors.ts'
import { parseJson, stringifyJson } from '../base/formats/json.ts'
import type { Sandbox } from '../engine/sandbox.ts'
import type { CollectedExchanges } from '../engine/stores/shared-exchanges.ts'
import { type Exchange, packExchange, unpackExchange } from './exchange.ts'
import { type Journal, keepText } from './journal.ts'

/** An exchange as replicas share it. Its id is given by the store. */
export function writeShared(exchange: Exchange): string {
  const { responseBody } = exchange
  const body = responseBody === undefined ? null : keepText(responseBody)
  return stringifyJson([packExchange(exchange, body === null ? -1 : 0), body])
}

function readShared(text: string, id: number): Exchange {
  const [packed, body] = parseJson(text) as [string, string | null]
  return { ...unpackExchange(packed, () => body ?? undefined), id }
}

/**
 * Fills the journal of a sandbox that replicas share with what all of them have sent and received before this call.
 *
 * @throws Problem 409 when some of it may be missing, 503 when the store is away
 */
export async function collectExchanges(sandbox: Sandbox): Promise<void> {
  const why = await collectWhatIsThere(sandbox)
  if (why === undefined) return
  throw journalPartial({
    detail: `${why} Reset the sandbox ${sandbox.name}, or DELETE /__mock/journal, to begin a journal that has all.`,
  })
}

/** @returns why some of it may be missing, as a sentence; undefined where nothing is @throws Problem 503 when the store is away */
export async function collectWhatIsThere(sandbox: Sandbox): Promise<string | undefined> {
  const { shared } = sandbox
  if (!shared) return undefined
  if (shared.exchanges) return shared.exchanges.collect((found) => take(sandbox, found))
  if (await shared.isAlone()) return undefined
  return 'Other replicas have handled requests to the sandbox, and the store does not share exchanges.'
}

function take({ journal, feed, coverage }: Sandbox, found: CollectedExchanges): void {
  const { exchanges, last, clearedUpTo, uncoveredUpTo, isNew } = found
  if (isNew) journal.restart()
  const missed = (exchanges[0]?.number ?? last + 1) - 1 - Math.max(journal.last, uncoveredUpTo)
  coverage.follow({ isNew, uncoveredUpTo, missed: Math.max(0, missed) })
  for (const { number, text } of exchanges) {
    const exchange = withRepeated(readShared(text, number), journal)
    journal.skip(number - 1, 0)
    journal.record(exchange, () => coverage.count(exchange, UNREAD))
    if (number > clearedUpTo) feed.publish(number)
  }
  journal.skip(last, clearedUpTo)
}

/** In place of the id of the exchange that a browser repeated, where the store has not given it one yet. */
export const UNNUMBERED = -1
/** Exchanges that are searched for it. */
const MOST_BETWEEN = 64

function withRepeated(exchange: Exchange, journal: Journal): Exchange {
  if (exchange.repeats !== UNNUMBERED) return exchange
  const { id, method, url, fault } = exchange
  for (let at = id - 1; at > id - MOST_BETWEEN; at--) {
    const one = journal.find(at)
    if (one?.method === method && one.url === url && one.fault === fault && one.repeats === undefined)
      return { ...exchange, repeats: at }
  }
  return exchange
}

/** What a body means is read again from its text. */
const UNREAD = { value: undefined, isKnown: false }
