import type { Middleware, RequestContext } from '../request-context.ts'
import type { Binding } from '../binding/binding.ts'
import { refusal } from '../../behaviours/refusal.ts'
import type { Problem } from '../../errors/problem.ts'
import { notAcceptable } from '../../errors/request-errors.ts'
import { operationRefused } from '../../errors/response-errors.ts'

/** Refuses operations that cannot be answered (501), and requests that do not accept JSON where `http.accept` says so (406). */
export function negotiate(): Middleware {
  return (_request, { locals: { context } }, next) => {
    const { binding } = context
    if (binding.kind === 'refused') throw unanswered(binding)
    if (binding.kind === 'stateful') refuseOtherMedia(context)
    next()
  }
}

function unanswered({ operation, reason }: Binding): Problem {
  return operationRefused({ detail: `${operation.method} ${operation.path} is not answered: ${reason}.` })
}

/** @throws Problem 406 for an Accept that excludes JSON, where it is respected */
function refuseOtherMedia({ request, tracker }: RequestContext): void {
  const { accept } = request.headers
  if (accept === undefined || acceptsJson(accept) || tracker.ask('http.accept') === 'ignore') return
  const violation = refusal('http.accept', { header: 'Accept' }, 'application/json', accept)
  throw notAcceptable({
    detail: `${violation.message} Responses are JSON.`,
    violations: [violation],
  })
}

/** The most specific range that fits counts, and a weight of 0 excludes it (RFC 9110, 12.5.1). */
function acceptsJson(accept: string): boolean {
  if (accept === '*/*' || accept === 'application/json' || accept.trim() === '') return true
  const weights = new Map<string, number>()
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
    if (name !== '') weights.set(name, Number(weight))
  }
  const ranges = ['application/json', 'application/*', '*/*']
  return (ranges.map((range) => weights.get(range)).find((weight) => weight !== undefined) ?? 0) > 0
}
