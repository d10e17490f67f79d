import request, { type Response } from 'supertest'
import { createStandin, StartupError, type Standin, type StandinOptions } from '../../src/index.ts'
import { inTurns, storesOfTests } from './store.ts'

/** The header that carries the key. */
export const KEY_HEADER = 'X-SERVICE-Developer-Token'

/** Where the clock stands at first in tests: a Thursday. */
export const NOW = Date.parse('2026-03-05T14:30:00.000Z')

export interface SearchOptions {
  readonly set?: string
  /** Without a leading question mark, as it goes over the wire; or its parameters. */
  readonly query?: string | Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A server whose clock a test moves, and the three operations in short. It checks every response against the contract. */
export interface Tester {
  readonly standin: Standin
  search(options?: SearchOptions): Promise<Response>
  /** The paths of one page. */
  paths(options?: SearchOptions): Promise<string[]>
  create(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  update(id: number | string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** Any other request; the key is not set. */
  request(): ReturnType<typeof request>
  /** Moves the clock to a moment. */
  moveTo(moment: string | number): void
}

export const SEARCH = '/api/files/v1/filesets'
export const SCHEDULES = '/api/content/v1/reportschedules'

export function createTester(options: StandinOptions = {}): Tester {
  let now = NOW
  // The same tests hold for replicas that share a store.
  const stores = options.data === undefined ? storesOfTests() : []
  const parts = stores.length === 0 ? [{}] : stores.map((store) => ({ store }))
  const standin = inTurns(parts.map((part) => createStandin({ now: () => now, selfCheck: true, ...part, ...options })))
  const search: Tester['search'] = async ({ set = 'tiny', query = '', body = {}, headers = {} } = {}) => {
    const text =
      typeof query === 'string'
        ? query
        : new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
    return request(standin.app)
      .post(`${SEARCH}/${encodeURIComponent(set)}/files/search${text === '' ? '' : `?${text}`}`)
      .set({ [KEY_HEADER]: 'key', 'Content-Type': 'application/json', ...headers })
      .send(asText(body))
  }
  return {
    standin,
    search,
    paths: async (searchOptions) => pathsOf(await search(searchOptions)),
    create: async (body, headers = {}) =>
      request(standin.app)
        .post(SCHEDULES)
        .set({ [KEY_HEADER]: 'key', 'Content-Type': 'application/json', ...headers })
        .send(asText(body)),
    update: async (id, body, headers = {}) =>
      request(standin.app)
        .put(`${SCHEDULES}/${id}`)
        .set({ [KEY_HEADER]: 'key', 'Content-Type': 'application/json', ...headers })
        .send(asText(body)),
    request: () => request(standin.app),
    moveTo(moment) {
      now = typeof moment === 'string' ? Date.parse(moment) : moment
    },
  }
}

/** A text goes as it is, so that a test can send what is no JSON. */
function asText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

interface PageBody {
  readonly files: readonly { readonly path: string }[]
  readonly pageContext: { readonly next?: string | null }
}

export function pathsOf(response: Response): string[] {
  return (response.body as PageBody).files.map(({ path }) => path)
}

/** The token to the next page; undefined on the last one. */
export function nextOf(response: Response): string | undefined {
  return (response.body as PageBody).pageContext.next ?? undefined
}

/** The ids of the behaviours that a response says it depends on. */
export function rowsOf(response: Response): string[] {
  const header = response.headers['x-mock-behaviours']
  return header === undefined ? [] : header.split(', ')
}

interface ProblemBody {
  readonly errors?: readonly { readonly pointer?: string; readonly parameter?: string; readonly code: string }[]
}

/** What a refusal complains of: `/title create.required`, `limit limit.zero`. */
export function complaintsOf(response: Response): string[] {
  return ((response.body as ProblemBody).errors ?? []).map(
    ({ pointer, parameter, code }) => `${pointer ?? parameter ?? 'header'} ${code}`,
  )
}

/** The body of a create that is complete; parts of it can be replaced, and undefined leaves one out. */
export function weekly(
  parts: Readonly<Record<string, unknown>> = {},
  schedule: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const settings = { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 8, minOfHour: 30, timezone: 'America/New_York' }
  return { title: 'Weekly sales', pageId: 100, viewId: 200, schedule: { ...settings, ...schedule }, ...parts }
}

/** The complaints of a start that is refused. */
export function startComplaintsOf(start: () => unknown): readonly string[] {
  try {
    start()
  } catch (error) {
    if (error instanceof StartupError) return error.complaints
    throw error
  }
  throw new Error('the start was not refused')
}
