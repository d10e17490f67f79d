import type { RequestContext } from '../request-context.ts'
import { refusal } from '../../resources/handler.ts'
import { notAcceptable } from '../../errors/request-errors.ts'

/** `http.accept`. @throws Problem 406 for an Accept that excludes JSON, where it is heeded */
export function refuseOtherMedia({ request, tracker }: RequestContext): void {
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
