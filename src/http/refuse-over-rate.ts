import type { Exchange } from './underway.ts'
import { parameterOf } from '../behaviours/parameter-of.ts'
import { counted } from '../counted.ts'
import { Problem } from '../problem.ts'

/** The limit of the behaviour `rate.limit`. @throws Problem 429 */
export function refuseOverRate({ sandbox, house, leaning, now }: Exchange): void {
  const { word, numbers } = parameterOf(leaning.answers['rate.limit'])
  if (word === 'off') return
  leaning.lean('rate.limit')
  const met = { id: '', seconds: numbers[1], now, real: house.realNow() }
  if (sandbox.askedWaits.isOver(met)) sandbox.commit([{ type: 'rate-limit.lifted' }])
  const wait = sandbox.rateLimit.take(now, ...numbers)
  if (wait === 0) return
  sandbox.askedWaits.refuse(met)
  throw tooManyRequests(...numbers, wait, ['rate.limit'])
}

/** @param wait seconds until the next one may pass */
export function tooManyRequests(most: number, seconds: number, wait: number, rows: readonly string[] = []): Problem {
  return new Problem(429, 'too-many-requests', 'There were too many requests', {
    detail: `${counted(most, 'request')} ${most === 1 ? 'is' : 'are'} allowed in ${seconds} s. Try again in ${wait} s.`,
    headers: { 'retry-after': String(wait) },
    rows,
  })
}
