import { validateHeaderName, validateHeaderValue } from 'node:http'
import { isObject, stringifyJson } from '../../base/formats/json.ts'
import type { Outcome, OutcomeBody } from '../handler.ts'
import { Defect, type Problem, shown } from '../../base/errors/problem.ts'
import { handlerProblem } from '../../base/errors/response-errors.ts'
import { freezeJson, NoJson } from '../collections/documents/stored-document.ts'

/** What a handler returned, before it is checked. */
export interface Returned {
  readonly outcome: Omit<Outcome, 'events'>
  readonly events: readonly unknown[]
}

/**
 * Reads what a user's handler returned.
 *
 * @param called what messages call the handler: `The handler of getOrder`
 * @param from what the handler came from
 * @throws Problem for an error response, Defect for anything else that is no response
 */
export function readOutcome(called: string, from: string, returned: unknown): Returned {
  const refuse = (what: string): never => {
    throw new Defect(`${called} returned ${what}`, { handlers: from })
  }
  if (isPromise(returned)) {
    // Its result is ignored, and a rejection must not end the process.
    returned.then(undefined, () => undefined)
    return refuse('a promise. Handlers cannot wait: return { status, body } itself, and leave out async.')
  }
  if (!isObject(returned)) return refuse(`${shownSafely(returned)}. Return { status, body, headers, events }.`)
  if (returned.kind === 'problem') throw readRefusal(returned, refuse)
  const { status, body, headers = {}, events = [], contentType, ...rest } = returned
  const [strange] = Object.keys(rest)
  if (strange !== undefined) return refuse(`the member ${strange}. Known: status, body, contentType, headers, events.`)
  if (!isStatus(status, 200, 599)) return refuse(`the status ${shownSafely(status)}. Give it one from 200 to 599.`)
  if (!Array.isArray(events)) return refuse('events that are not a list.')
  return {
    outcome: { status, body: readBody(status, body, contentType, refuse), headers: readHeaders(headers, refuse) },
    events,
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

type RefuseOutcome = (what: string) => never

function isStatus(status: unknown, least: number, most: number): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= least && status <= most
}

function readRefusal({ status, title, detail }: Readonly<Record<string, unknown>>, refuse: RefuseOutcome): Problem {
  if (!isStatus(status, 400, 599))
    return refuse(`a problem with the status ${shownSafely(status)}. Give it one from 400 to 599.`)
  if (typeof title !== 'string' || title === '' || typeof detail !== 'string')
    return refuse('a problem without title. Make it with problem(status, title, detail).')
  return handlerProblem(status, title, detail)
}

/** RFC 9110, 15.3.5 and 15.4.5. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304]

function readBody(status: number, body: unknown, contentType: unknown, refuse: RefuseOutcome): OutcomeBody {
  if (body === undefined) return { empty: true }
  if (WITHOUT_BODY.includes(status)) return refuse(`a body with the status ${status}, which has none. Leave it out.`)
  if (contentType !== undefined) {
    if (typeof contentType !== 'string' || !isHeader('content-type', contentType))
      return refuse(`the contentType ${shownSafely(contentType)}. Give it a media type, such as text/csv.`)
    if (typeof body === 'string' || body instanceof Uint8Array) return { content: body, contentType }
    if (!/[/+]json\b/.test(contentType)) return refuse(`a body of ${contentType} that is neither text nor Uint8Array.`)
  }
  try {
    const json = freezeJson(body)
    return contentType === undefined ? { json } : { content: stringifyJson(json), contentType }
  } catch (error) {
    if (!(error instanceof NoJson)) throw error
    return refuse(`a body of which ${error.message}.`)
  }
}

/** Headers that the server sets itself. */
const OURS = ['content-length', 'transfer-encoding', 'connection', 'date', 'content-type', 'x-request-id']

function readHeaders(headers: unknown, refuse: RefuseOutcome): Record<string, string> {
  if (!isObject(headers)) return refuse('headers that are not an object of names and values.')
  const read: Record<string, string> = {}
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    if (OURS.includes(name)) return refuse(`the header ${name}, which is set for it. Leave it out.`)
    if (typeof value !== 'string' || !isHeader(name, value))
      return refuse(`the header ${shownSafely(name)} with the value ${shownSafely(value)}, which HTTP does not allow.`)
    read[name] = value
  }
  return read
}

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

/** A handler may return anything, also values that cannot be shown. */
function shownSafely(value: unknown): string {
  try {
    return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : shown(value)
  } catch {
    return `a ${typeof value}`
  }
}
