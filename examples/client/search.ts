/** Reads all pages of a search: waits when the service is busy, tries again when it fails, and resumes where it stopped. */
import { setTimeout as sleep } from 'node:timers/promises'
import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from 'standin/contract'

const SEARCH = '/api/files/v1/filesets/{fileSetId}/files/search'

type Schemas = components['schemas']
export type Page = Schemas['SearchResult']

export interface SearchOptions {
  readonly search?: Schemas['SearchRequest']
  readonly limit?: number
  /** Continue at this page: `resumeAt` of a `SearchError`. */
  readonly resumeAt?: string | undefined
  /** How often a page is tried in a row. */
  readonly attempts?: number
  /** Waits; a test can move the clock of the service instead. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
  /** Stops the request or the wait. */
  readonly signal?: AbortSignal
}

/** A page could not be read, however often it was tried. */
export class SearchError extends Error {
  /** What reads this page and the rest later; undefined for the first page. */
  readonly resumeAt: string | undefined

  constructor(message: string, resumeAt: string | undefined, cause?: unknown) {
    super(message, { cause })
    this.name = 'SearchError'
    this.resumeAt = resumeAt
  }
}

export function connect(baseUrl: string, key: string): Client<paths> {
  return createClient<paths>({ baseUrl, headers: { 'X-SERVICE-Developer-Token': key } })
}

/** Yields the pages of a search in order. @throws SearchError */
export async function* pagesOf(
  client: Client<paths>,
  fileSetId: string,
  options: SearchOptions = {},
): AsyncGenerator<Page> {
  let next: string | null | undefined = options.resumeAt
  do {
    const page = await readPage(client, fileSetId, next ?? undefined, options)
    yield page
    // The documentation does not show how the last page is marked: by no token, null or an empty one.
    next = page.pageContext.next
  } while (next)
}

async function readPage(
  client: Client<paths>,
  fileSetId: string,
  next: string | undefined,
  options: SearchOptions,
): Promise<Page> {
  const { search = {}, limit, attempts = 5, signal } = options
  const { wait = (milliseconds: number) => sleep(milliseconds, undefined, { signal }) } = options
  const query = { ...(limit === undefined ? {} : { limit }), ...(next === undefined ? {} : { next }) }
  for (let attempt = 1; ; attempt++) {
    const outcome = await client
      .POST(SEARCH, { params: { path: { fileSetId }, query }, body: search, signal: signal ?? null })
      // openapi-fetch leaves members that are always null, such as the size of a directory, out of its types.
      .then(({ data, response }) => (data as Page | undefined) ?? response, toError)
    signal?.throwIfAborted()
    if (!(outcome instanceof Response || outcome instanceof Error)) return outcome
    if (attempt === attempts || !isTemporary(outcome)) throw new SearchError(reasonOf(outcome), next, outcome)
    await wait(delayOf(outcome, attempt))
  }
}

/** The connection failed, or its bytes were no response. */
function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}

function isTemporary(failure: Response | Error): boolean {
  return failure instanceof Error || failure.status === 429 || failure.status >= 500
}

/** Milliseconds: what the service asks for, else twice as long each time. */
function delayOf(failure: Response | Error, attempt: number): number {
  const asked = failure instanceof Response ? Number(failure.headers.get('Retry-After') ?? NaN) : NaN
  return Number.isFinite(asked) ? asked * 1000 : 250 * 2 ** (attempt - 1)
}

function reasonOf(failure: Response | Error): string {
  return failure instanceof Error ? failure.message : `The service responded with ${failure.status}.`
}
