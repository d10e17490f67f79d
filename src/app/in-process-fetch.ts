/** Like the global `fetch`, without a network: see `Standin.fetch`. */
export type InProcessFetch = (input: Request | URL | string, init?: RequestInit) => Promise<Response>

/** What a path without a host is relative to. */
export const IN_PROCESS_URL = 'http://localhost'

/** Statuses whose responses have no body (Fetch Standard, 2.2.3). */
export const WITHOUT_BODY: ReadonlySet<number | undefined> = new Set([204, 205, 304])
