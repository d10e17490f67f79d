import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Child } from './children.ts'

/** A request as autocannon and fetch take it. */
export interface Ask {
  readonly method: 'POST' | 'PUT' | 'GET'
  /** From the slash on, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answered {
  readonly status: number
  readonly text: string
}

const HEADERS = { 'content-type': 'application/json', 'x-service-developer-token': 'any' }

/** The first page of `limit` entries. The query is the body of the search. */
export function askPage(limit: number, query: object = {}, fileSet = 'demo'): Ask {
  const path = `/api/files/v1/filesets/${fileSet}/files/search?limit=${limit}`
  return { method: 'POST', path, headers: HEADERS, body: JSON.stringify(query) }
}

const SCHEDULE = { frequency: 'WEEKLY', daysToRun: 'MON', hourOfDay: 9, minOfHour: 30, timezone: 'Europe/Berlin' }
const REPORT_SCHEDULE = { title: 'Weekly sales', pageId: 100, viewId: 200, schedule: SCHEDULE }

export function askCreate(): Ask {
  const path = '/api/content/v1/reportschedules'
  return { method: 'POST', path, headers: HEADERS, body: JSON.stringify(REPORT_SCHEDULE) }
}

/** Of a schedule of the initial state. */
export function askUpdate(): Ask {
  return { ...askCreate(), method: 'PUT', path: '/api/content/v1/reportschedules/1' }
}

/** Rejects when there is no response within so many seconds. */
export async function send(port: number, { method, path, headers, body }: Ask, seconds = 10): Promise<Answered> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    signal: AbortSignal.timeout(seconds * 1000),
    ...(body === undefined ? {} : { body }),
  })
  return { status: response.status, text: await response.text() }
}

/** Asks until a server answers with success. Throws when its process ends before, or after `seconds`. */
export async function untilAnswers(child: Child, port: number, ask: Ask, seconds = 60): Promise<Answered> {
  const began = performance.now()
  let last = 'nothing'
  while (performance.now() - began < seconds * 1000) {
    if (child.process.exitCode !== null || child.process.signalCode !== null)
      throw new Error(`ended before it answered: ${lastLines(child)}`)
    try {
      const answered = await send(port, ask)
      if (answered.status >= 200 && answered.status < 300) return answered
      last = `${answered.status} ${answered.text.slice(0, 200)}`
      if (performance.now() - began > 10_000) break
    } catch {
      // It does not listen yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  throw new Error(`did not answer with success; it answered ${last}`)
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

function lastLines(child: Child): string {
  return child.printed().trim().split('\n').slice(-3).join(' ').slice(0, 300)
}
