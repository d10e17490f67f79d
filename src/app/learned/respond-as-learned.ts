import type { AppOptions } from '../app-options.ts'
import type { Middleware } from '../middleware/request-context.ts'

/** Makes a response what the service was seen to respond, where that was learnt. */
export function respondAsLearned({ learned }: Pick<AppOptions, 'learned'>): Middleware {
  return (_request, { locals: { context } }, next) => {
    if (learned) context.outcome = learned.outcome(context, context.outcome)
    next()
  }
}
