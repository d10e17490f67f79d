import type { Middleware } from '../middleware/request-context.ts'
import type { LearnedResponses } from './learned-responses.ts'

/** Makes a response what the service was seen to respond. */
export function respondAsLearned(learned: LearnedResponses): Middleware {
  return (_request, { locals: { context } }, next) => {
    context.outcome = learned.outcome(context, context.outcome)
    next()
  }
}
