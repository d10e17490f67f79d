import type { Middleware } from './request-context.ts'
import { untilStored } from '../../engine/stores/shared-log.ts'
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
    const take = () => {
      const wait = sandbox.rateLimit.take(now, limit, seconds)
      if (wait > 0) sandbox.askedWaits.refuse(met)
      next(wait > 0 ? rateLimited({ limit, seconds }, wait, ['rate.limit']) : undefined)
    }
    const lift = () => {
      if (sandbox.askedWaits.isOver(met)) sandbox.commit([{ type: 'rate-limit.lifted' }])
    }
    const { shared } = sandbox
    if (!shared) {
      lift()
      take()
    } else untilStored(lift, () => shared.confirm()).then(take, next)
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
