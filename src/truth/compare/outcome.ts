import type { Responder, SeenResponse } from '../resend/responder.ts'
import { type Case, runCase } from './case.ts'
import { type Difference, findDifferences } from '../recordings/differences/find-differences.ts'
import { createMatcher } from '../recordings/differences/values.ts'

/** A difference, and the request that shows it. */
interface StepDifference extends Difference {
  /** Which request of the case, from 0. */
  readonly step: number
}

/** What both sides responded to the requests of a case. */
export interface CaseOutcome {
  readonly tried: Case
  readonly target: readonly SeenResponse[]
  readonly standin: readonly SeenResponse[]
  readonly differences: readonly StepDifference[]
  /** Why requests were not compared, each once. */
  readonly unknown: readonly string[]
  /** How much the responses differ: 0 when they agree. */
  readonly weight: number
}

/** Asks the stand-in what the target was asked. */
export async function compareCase(
  tried: Case,
  target: readonly SeenResponse[],
  standin: Responder,
): Promise<CaseOutcome> {
  const seen = await runCase(tried, standin)
  const matcher = createMatcher(tried.hasOtherItems)
  const differences: StepDifference[] = []
  const unknown = new Set<string>()
  for (let step = 0; step < Math.max(target.length, seen.length); step++) {
    const [ours, theirs] = [seen[step], target[step]]
    const why = ours?.unknown ?? theirs?.unknown
    if (why !== undefined) unknown.add(why)
    else if (ours && theirs)
      differences.push(
        ...findDifferences(ours, theirs, { matcher, now: theirs.exchange.at }).map((one) => ({ ...one, step })),
      )
    else {
      differences.push({
        kind: 'page',
        where: 'pages',
        standin: String(seen.length),
        target: String(target.length),
        step: Math.min(seen.length, target.length) - 1,
      })
      break
    }
  }
  return { tried, target, standin: seen, differences, unknown: [...unknown], weight: weigh(differences) }
}

/**
 * A refusal in place of a success hides all that could differ in two successes, and so do items that are not there. Without these weights
 * an empty list would seem more alike than a full one whose items lack a member.
 */
const WEIGHTS: Partial<Record<Difference['kind'], number>> = { status: 100, items: 30, page: 10, order: 6 }

function weigh(differences: readonly StepDifference[]): number {
  const kinds = new Map(
    differences.map(({ step, kind, where, share = 1 }) => [`${step} ${kind} ${where}`, (WEIGHTS[kind] ?? 1) * share]),
  )
  return kinds.values().reduce((sum, weight) => sum + weight, 0)
}
