import { defineError, type Problem, type ProblemOptions, type Violation } from './problem.ts'

// Errors of requests that cannot be read or routed, or may not be made.

export const httpMalformed = defineError('http-malformed', 400, 'The HTTP request is malformed')
export const hostRepeated = defineError('host-repeated', 400, 'The request has two Host headers')
export const hostRefused = defineError('host-refused', 403, 'The host is not allowed')
export const pathUnknown = defineError('path-unknown', 404, 'There is no such path')
export const pathInvalid = defineError('path-invalid', 400, 'The path cannot be decoded')
export const methodNotAllowed = defineError('method-not-allowed', 405, 'Method Not Allowed')
export const keyMissing = defineError('key-missing', 401, 'The key is missing or not accepted')
export const operationForbidden = defineError('operation-forbidden', 403, 'The key may not do this')
export const tooManyRequests = defineError('too-many-requests', 429, 'Too Many Requests')
export const unsupportedMediaType = defineError('unsupported-media-type', 415, 'Unsupported Media Type')
export const notAcceptable = defineError('not-acceptable', 406, 'Not Acceptable')
export const contentTooLarge = defineError('content-too-large', 413, 'The body is too large')
export const requestAborted = defineError('request-aborted', 400, 'The request was cut off')
export const clientGone = defineError('client-gone', 499, 'The client is gone')
export const jsonInvalid = defineError('json-invalid', 400, 'The body cannot be read')
export const xmlInvalid = defineError('xml-invalid', 400, 'The body cannot be read')
export const formInvalid = defineError('form-invalid', 400, 'The body cannot be read')
const invalid = defineError('request-invalid', 400, 'The request is not valid')

/** A response lists at most this many violations. */
const MAX_VIOLATIONS = 50

/** The 400 for a request whose parts can be read but are wrong; its detail is the first violation's message and the number of the others. */
export const requestInvalid = Object.assign(
  (violations: readonly Violation[], options: ProblemOptions = {}): Problem => {
    const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''
    const detail = `${violations[0]?.message ?? `${invalid.entry.title}.`}${more}`
    return invalid({ detail, violations: violations.slice(0, MAX_VIOLATIONS), ...options })
  },
  { entry: invalid.entry },
)
