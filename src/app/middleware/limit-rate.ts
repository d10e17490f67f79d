import type { Middleware } from './request-context.ts'
import { takeFromLimit } from '../../engine/faults/rate-limit.ts'
import { splitSetting } from '../../behaviours/tracker.ts'
import { tooManyRequests } from '../../base/errors/request-errors.ts'
import { counted } from '../../base/errors/wording.ts'
import type { Problem } from '../../base/errors/problem.ts'

/** Applies the behaviour `rate.limit`. @throws Problem 429 */
export function limitRate({ realNow }: { readonly realNow: () => number }): Middleware {
  return (_request, { locals: { context } }, next) => {
    const { sandbox, tracker, now } = context
    const rule = tracker.settings['rate.limit']
    if (rule === 'off') {
      next()
      return
    }
    const [limit, seconds] = splitSetting(rule).numbers
    tracker.note('rate.limit')
    const met = { id: '', seconds, now, real: realNow() }
    const end = (wait: number) => next(wait > 0 ? rateLimited({ limit, seconds }, wait, ['rate.limit']) : undefined)
    const wait = takeFromLimit(sandbox, met, limit)
    if (typeof wait === 'number') end(wait)
    else wait.then(end, next)
  }
}

/** @param wait seconds until the next request may pass */
export function rateLimited(
  { limit, seconds }: { readonly limit: number; readonly seconds: number },
  wait: number,
  behaviours: readonly string[] = [],
): Problem {
  return tooManyRequests({
    detail: `${counted(limit, 'request')} ${limit === 1 ? 'is' : 'are'} allowed in ${seconds} s. Try again in ${wait} s.`,
    headers: { 'retry-after': String(wait) },
    behaviours,
  })
}
