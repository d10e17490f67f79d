import { type JournalNeeds, clausesOf } from './match-exchange.ts'
import { requestInvalid } from '../../errors/request-errors.ts'
import { violation } from '../../errors/problem.ts'
import type { Expectation, Verification } from '../../../types/control-api.d.ts'
import { type Evidence, type Finding, verifyCount, verifyOrder } from './verify-matches.ts'
import { verifyBackOff, verifyCreates, verifyWalks } from './verify-client-behaviour.ts'
import type { Exchanged } from '../exchanged.ts'
import type { Journal } from '../journal.ts'

/**
 * Checks the exchanges after an id against expectations. An expectation that depends on dropped exchanges or bodies never passes.
 * Yields after each exchange, so other requests get their turn.
 *
 * @throws Problem 400 for an expectation of nothing, or of two things at once
 */
export function* verify(
  journal: Journal,
  { after, expectations }: { readonly after: number; readonly expectations: readonly Expectation[] },
  { redactor, operationTraits }: JournalNeeds,
): Generator<undefined, Verification> {
  let forgotten = journal.forgottenAfter(after)
  const exchanges: Exchanged[] = []
  for (const exchange of journal.after(after)) {
    if (exchange) exchanges.push(exchange)
    else forgotten++
    yield
  }
  const results: ExpectationResult[] = []
  for (const [index, expectation] of expectations.entries()) {
    const pointer = `/expectations/${index}`
    const clauses = clausesOf(expectation.match ?? {}, { redactor, operationTraits }, `${pointer}/match`)
    const finding = yield* verifierOf(
      expectation,
      pointer,
    )({ exchanges, forgotten, clauses, redactor, operationTraits })
    const { passed, expected, received, matched = [], misses = [] } = finding
    results.push({
      name: expectation.name ?? null,
      passed,
      expected,
      received,
      matched: matched.slice(0, MOST_SHOWN).map(({ id }) => id),
      misses: misses.slice(0, MOST_MISSES),
    })
  }
  return { passed: results.every(({ passed }) => passed), exchanges: exchanges.length, forgotten, results }
}

const MOST_SHOWN = 20
const MOST_MISSES = 5

type ExpectationResult = Verification['results'][number]

type Verifier = (evidence: Evidence) => Generator<undefined, Finding>

function verifierOf(expectation: Expectation, pointer: string): Verifier {
  const { exactly, atLeast, atMost, order, walkedEveryPageOnce, backedOffAtLeast, neverSentSameCreateTwice } =
    expectation
  const isCount = exactly !== undefined || atLeast !== undefined || atMost !== undefined
  const asked: (Verifier | false)[] = [
    isCount && ((evidence) => verifyCount(evidence, { exactly, atLeast, atMost })),
    order !== undefined && ((evidence) => verifyOrder(evidence, order, `${pointer}/order`)),
    walkedEveryPageOnce === true && verifyWalks,
    backedOffAtLeast !== undefined &&
      ((evidence) => verifyBackOff(evidence, backedOffAtLeast, expectation.clock ?? 'either')),
    neverSentSameCreateTwice === true && verifyCreates,
  ]
  const [verifier, second] = asked.filter((one) => one !== false)
  if (second || (exactly !== undefined && (atLeast !== undefined || atMost !== undefined)))
    throw requestInvalid([
      violation({ pointer }, 'expectation', 'one thing at a time; make two expectations of it', expectation),
    ])
  if (verifier) return verifier
  if (expectation.match) return (evidence) => verifyCount(evidence, { exactly, atLeast: 1, atMost })
  throw requestInvalid([violation({ pointer }, 'expectation', KINDS, expectation)])
}

const KINDS =
  'match with exactly, atLeast or atMost; or order, walkedEveryPageOnce, backedOffAtLeast or neverSentSameCreateTwice'
