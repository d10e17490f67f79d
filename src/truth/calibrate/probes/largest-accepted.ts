import type { RecordedExchange } from '../../recordings/recorded-exchange.ts'
import { type Finding, open, settled } from '../finding.ts'
import type { Asking } from '../questioner.ts'

interface AmountGuess {
  /** The bound that is most likely: two requests are enough then. */
  readonly guess: number
  /** Nothing larger is asked for. */
  readonly most: number
}

/**
 * Looks for the largest number that is accepted: the guess, then by doubling, then between the two that enclose it.
 *
 * @param isAccepted undefined when the response does not tell, which ends it
 */
export function* findBound(isAccepted: (number: number) => Asking<boolean | undefined>, bounds: AmountGuess): Asking {
  const { guess, most } = bounds
  let [low, high] = [0, most + 1]
  const tryOut = function* (number: number): Asking<boolean> {
    const accepted = yield* isAccepted(number)
    if (accepted) low = number
    else high = accepted === undefined ? low : number
    return accepted === true
  }
  if (yield* tryOut(guess)) for (let next = guess + 1; next < high && (yield* tryOut(next));) next = grow(next, most)
  // Small bounds are as likely as large ones, so the middle is that of the magnitudes.
  while (high - low > 1 && high <= most) yield* tryOut(Math.max(low + 1, Math.min(high - 1, middleOf(low, high))))
}

function grow(number: number, most: number): number {
  return number === most ? most + 1 : Math.min(most, number * 2)
}

function middleOf(low: number, high: number): number {
  return Math.floor(Math.sqrt(Math.max(1, low) * high))
}

/** A request with an amount. */
interface AmountTrial {
  readonly amount: number
  readonly exchange: RecordedExchange
}

/** Settled when one more than what was accepted was refused. */
export function boundBetween(
  accepted: readonly AmountTrial[],
  refused: readonly AmountTrial[],
): Finding<number> | undefined {
  const [most] = accepted.toSorted((a, b) => b.amount - a.amount)
  const [least] = refused.toSorted((a, b) => a.amount - b.amount)
  if (!least) return most && open(`${most.amount} were accepted, and more were not asked for`)
  if (most && most.amount >= least.amount)
    return open(
      `the responses contradict each other: ${least.amount} (${least.exchange.source}) and ${most.amount} (${most.exchange.source})`,
    )
  if (least.amount - (most?.amount ?? 0) > 1) return open(`it is from ${most?.amount ?? 0} to ${least.amount - 1}`)
  return most ? settled(most.amount, [most.exchange, least.exchange]) : undefined
}
