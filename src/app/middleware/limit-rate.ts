import type { Middleware } from '../request-context.ts'
import { parameterOf } from '../../behaviours/parameter-of.ts'
import { counted } from '../../errors/wording.ts'
import type { Problem } from '../../errors/problem.ts'
import { tooManyRequests } from '../../errors/request-errors.ts'

/** The limit of the behaviour `rate.limit`. @throws Problem 429 */
export function limitRate({ realNow }: { readonly realNow: () => number }): Middleware {
  return (_request, { locals: { context } }, next) => {
    const { sandbox, tracker, now } = context
    const { word, numbers } = parameterOf(tracker.settings['rate.limit'])
    if (word !== 'off') {
      tracker.note('rate.limit')
      const met = { id: '', seconds: numbers[1], now, real: realNow() }
      if (sandbox.askedWaits.isOver(met)) sandbox.commit([{ type: 'rate-limit.lifted' }])
      const wait = sandbox.rateLimit.take(now, ...numbers)
      if (wait > 0) {
        sandbox.askedWaits.refuse(met)
        throw rateLimited(...numbers, wait, ['rate.limit'])
      }
    }
    next()
  }
}

/** @param wait seconds until the next one may pass */
export function rateLimited(most: number, seconds: number, wait: number, behaviours: readonly string[] = []): Problem {
  return tooManyRequests({
    detail: `${counted(most, 'request')} ${most === 1 ? 'is' : 'are'} allowed in ${seconds} s. Try again in ${wait} s.`,
    headers: { 'retry-after': String(wait) },
    behaviours,
  })
}
