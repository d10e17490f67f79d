import { clausesOf, holdsAll } from './match-exchange.ts'
import type { ExchangeMatch } from './types.ts'
import { describeUnknown, type Evidence, type Finding, missOf, nearestMisses } from './verify-count.ts'
import { counted } from '../counted.ts'
import type { Exchanged } from '../sandbox/exchanged.ts'

/** Exchanges match the steps one after the other; others may come between. */
export function verifyOrder(evidence: Evidence, order: readonly ExchangeMatch[], pointer: string): Finding {
  const { exchanges, forgotten, clauses, redactor } = evidence
  const matched: Exchanged[] = []
  let from = 0
  const steps = order.map((step, index) => [...clauses, ...clausesOf(step, evidence, `${pointer}/${index}`)])
  for (const [index, asked] of steps.entries()) {
    const at = exchanges.findIndex((exchange, place) => place >= from && holdsAll(asked, exchange) === true)
    const found = exchanges[at]
    if (!found) {
      const last = matched.at(-1)
      const after = last ? ` after exchange ${last.id}` : ''
      return {
        passed: false,
        expected: `${counted(order.length, 'step')} in this order`,
        received: `nothing that matches step ${index + 1}${after}${describeUnknown(forgotten)}`,
        matched,
        // One that came too early matches in everything; what is wrong with it is its place.
        misses: [
          ...tooEarly(exchanges.slice(0, from), asked, redactor, last),
          ...nearestMisses({ ...evidence, exchanges: exchanges.slice(from) }, asked),
        ],
      }
    }
    matched.push(found)
    from = at + 1
  }
  return { passed: true, expected: `${counted(order.length, 'step')} in this order`, received: 'all of them', matched }
}

function tooEarly(
  exchanges: readonly Exchanged[],
  asked: Parameters<typeof holdsAll>[0],
  redactor: Evidence['redactor'],
  last: Exchanged | undefined,
): Finding['misses'] & object {
  const early = exchanges.findLast((exchange) => holdsAll(asked, exchange) === true)
  if (!early || !last) return []
  const difference = { what: 'place', expected: `after exchange ${last.id}`, received: `exchange ${early.id}` }
  return [{ ...missOf([early], redactor), differences: [difference] }]
}
