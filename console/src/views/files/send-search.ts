import type { EntryRecord } from '../../../../src/control/client/types.ts'
import { isObject, parseJson } from '../../../../src/base/formats/json.ts'
import { httpRequestOf, type SearchRequest, type SearchTarget } from './search-request.ts'

/** A page that the service answered with, or why it did not. */
export interface Page {
  readonly status: number
  readonly entries: readonly EntryRecord[]
  /** The cursor of the next page. */
  readonly next: string | undefined
  /** The reasons of a refusal. */
  readonly refusals: readonly string[]
}

/** A search as it was sent, and the pages that were fetched. */
export interface Walk {
  readonly request: SearchRequest
  readonly pages: readonly Page[]
  /** The page that is shown, from 0. */
  readonly at: number
}

/** Sends a search to the service itself. @throws TypeError when the connection breaks */
export async function sendSearch(request: SearchRequest, target: SearchTarget, next?: string): Promise<Page> {
  const { url, headers, body } = httpRequestOf(request, target, next)
  const response = await fetch(url, { method: 'POST', headers, body })
  const text = await response.text()
  const answer = parsed(text)
  if (!response.ok || answer === undefined || !Array.isArray(answer.files))
    return { status: response.status, entries: [], next: undefined, refusals: refusalsOf(response, answer) }
  const context = isObject(answer.pageContext) ? answer.pageContext : {}
  return {
    status: response.status,
    entries: answer.files as EntryRecord[],
    next: typeof context.next === 'string' && context.next !== '' ? context.next : undefined,
    refusals: [],
  }
}

function refusalsOf(response: Response, answer: Readonly<Record<string, unknown>> | undefined): string[] {
  const errors = Array.isArray(answer?.errors) ? (answer.errors as readonly { readonly message?: unknown }[]) : []
  const reasons = errors.flatMap(({ message }) => (typeof message === 'string' ? [message] : []))
  if (reasons.length > 0) return reasons
  if (typeof answer?.detail === 'string') return [answer.detail]
  return [`The service responded with ${response.status} and a body that is not a page of entries.`]
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
