import { defineError, type Problem, type ProblemOptions, type Violation } from './problem.ts'

// Errors of requests that cannot be read or routed, or may not be made.

export const httpMalformed = defineError('http-malformed', 400, {
  otherStatuses: [408, 431],
  title: 'The HTTP request is malformed',
  cause:
    'The bytes on the connection are not a complete HTTP request: malformed (400), too slow (408) or with too large headers (431).',
  remedy: 'Check what your client or proxy writes to the connection.',
})

export const hostRepeated = defineError('host-repeated', 400, {
  title: 'The request has two Host headers',
  cause: 'The request carries more than one `Host` header (RFC 9112, 3.2).',
  remedy: 'Send `Host` once.',
})

export const hostRefused = defineError('host-refused', 403, {
  title: 'The host is not allowed',
  cause:
    'The `Host` header names neither this machine nor an allowed host, which is how pages of other sites reach a local server.',
  remedy: 'Use localhost or an IP address, or allow the name with `--allow-host`.',
})

export const pathUnknown = defineError('path-unknown', 404, {
  title: 'There is no such path',
  cause: 'No operation of the contract or of the control API has this path.',
  remedy: 'Compare the path with the contract; the detail names the nearest one.',
})

export const pathInvalid = defineError('path-invalid', 400, {
  title: 'The path cannot be decoded',
  cause: 'A segment of the path is not valid percent-encoded UTF-8.',
  remedy: 'Encode the segment; write `%25` for a percent sign.',
})

export const methodNotAllowed = defineError('method-not-allowed', 405, {
  title: 'Method Not Allowed',
  cause: 'The path exists, but not with this method.',
  remedy: 'Use a method of the `Allow` header.',
})

export const keyMissing = defineError('key-missing', 401, {
  otherStatuses: [403],
  title: 'The key is missing or not accepted',
  cause: 'The request carries no API key where the contract asks for one, or one that is not accepted.',
  remedy: 'Send a key in the place that the detail names.',
})

export const operationForbidden = defineError('operation-forbidden', 403, {
  title: 'The key may not do this',
  cause: 'The configured rights of the key do not include this operation.',
  remedy: 'Use another key, or add the operation to its `rights`.',
})

export const tooManyRequests = defineError('too-many-requests', 429, {
  title: 'Too Many Requests',
  cause: 'The limit of the behaviour `rate.limit`, or a fault, refused the request.',
  remedy: 'Wait for as many seconds as `Retry-After` says.',
})

export const unsupportedMediaType = defineError('unsupported-media-type', 415, {
  title: 'Unsupported Media Type',
  cause: 'The body has a media type, a character set or a compression that the operation does not take.',
  remedy: 'Send one of the media types of the `Accept` response header, in UTF-8 and not compressed.',
})

export const notAcceptable = defineError('not-acceptable', 406, {
  title: 'Not Acceptable',
  cause: 'The `Accept` header excludes every media type that the operation can respond with.',
  remedy: 'Accept `application/json`, or a media type that the contract documents.',
})

export const contentTooLarge = defineError('content-too-large', 413, {
  title: 'The body is too large',
  cause: 'The body has more bytes than the limit of the behaviour `http.size`.',
  remedy: 'Send a smaller body, or raise the limit.',
})

export const requestAborted = defineError('request-aborted', 400, {
  isNeverSent: true,
  title: 'The request was cut off',
  cause: 'The client closed the connection before the body was complete. Only the log and the journal show this.',
  remedy: 'Check timeouts of the client.',
})

export const clientGone = defineError('client-gone', 499, {
  isNeverSent: true,
  title: 'The client is gone',
  cause: 'The client closed the connection before the response was ready. Only the log and the journal show this.',
  remedy: 'Check timeouts of the client.',
})

export const jsonInvalid = defineError('json-invalid', 400, {
  title: 'The body cannot be read',
  cause: 'The body is not JSON, not UTF-8, nested too deeply, or missing.',
  remedy: 'Correct the body at the place that the detail names.',
})

export const xmlInvalid = defineError('xml-invalid', 400, {
  title: 'The body cannot be read',
  cause: 'The body is not well-formed XML.',
  remedy: 'Correct the body at the place that the detail names.',
})

export const formInvalid = defineError('form-invalid', 400, {
  title: 'The body cannot be read',
  cause: 'The body is not a valid multipart form (RFC 7578).',
  remedy: 'Let an HTTP library write the form and its `boundary`.',
})

const invalid = defineError('request-invalid', 400, {
  otherStatuses: [422],
  title: 'The request is not valid',
  cause: 'Parameters, headers or the body break the contract, or a rule of a behaviour.',
  remedy: 'Correct each place that `errors` names; `source` says which rule it broke.',
})

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
