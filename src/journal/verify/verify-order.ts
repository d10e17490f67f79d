import { clausesOf, holdsAll } from './match-exchange.ts'
import type { ExchangeMatch } from '../../../types/control-api.d.ts'
import { describeUnknown, type Evidence, type Finding, missOf, nearestMisses } from './verify-count.ts'
import { counted } from '../../errors/counted.ts'
import type { Exchanged } from '../exchanged.ts'

/** Exchanges match the steps one after the other; others may come between. */
export function* verifyOrder(
  evidence: Evidence,
  order: readonly ExchangeMatch[],
  pointer: string,
): Generator<undefined, Finding> {
  const { exchanges, forgotten, clauses, redactor } = evidence
  const matched: Exchanged[] = []
  let from = 0
  const steps = order.map((step, index) => [...clauses, ...clausesOf(step, evidence, `${pointer}/${index}`)])
  for (const [index, asked] of steps.entries()) {
    let at = from
    for (; at < exchanges.length; at++) {
      const exchange = exchanges[at]
      yield
      if (exchange && holdsAll(asked, exchange) === true) break
    }
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
          ...(yield* tooEarly(exchanges.slice(0, from), asked, redactor, last)),
          ...(yield* nearestMisses({ ...evidence, exchanges: exchanges.slice(from) }, asked)),
        ],
      }
    }
    matched.push(found)
    from = at + 1
  }
  return { passed: true, expected: `${counted(order.length, 'step')} in this order`, received: 'all of them', matched }
}

function* tooEarly(
  exchanges: readonly Exchanged[],
  asked: Parameters<typeof holdsAll>[0],
  redactor: Evidence['redactor'],
  last: Exchanged | undefined,
): Generator<undefined, Finding['misses'] & object> {
  let early: Exchanged | undefined
  for (const exchange of exchanges) {
    yield
    if (holdsAll(asked, exchange) === true) early = exchange
  }
  if (!early || !last) return []
  const difference = { what: 'place', expected: `after exchange ${last.id}`, received: `exchange ${early.id}` }
  return [{ ...missOf([early], redactor), differences: [difference] }]
}
