import { type Connection, openConnection, type Response } from './connection.ts'
import { type ControlClient, createControlClient, createStandin, type StandinOptions } from '../../src/index.ts'
import { stringifyJson } from '../../src/base/formats/json.ts'
import { KEY_HEADER, SCHEDULES, SEARCH } from '../../test/support/tester.ts'

/** A server in this process, with the emulated operations and the control API over one connection. */
export interface Service {
  readonly url: string
  readonly control: ControlClient
  search(set: string, parameters: Parameters, body: unknown): Promise<Response>
  create(body: unknown): Promise<Response>
  update(id: number | bigint, body: unknown): Promise<Response>
  send(method: string, path: string, body?: string): Promise<Response>
  /** How many requests were sent. */
  count(): number
  /** The last requests before `keep`, oldest first; with their responses. */
  requests(): readonly string[]
  /** Keeps the requests since `forget` for the report of a failure. */
  keep(): void
  forget(): void
  stop(): Promise<void>
}

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>

/** So many requests are shown with a failure. */
const KEPT = 30
/** A body that is longer is cut in the report of a failure. */
const LONGEST = 600

export async function startService(options: StandinOptions): Promise<Service> {
  const standin = createStandin(options)
  const url = await standin.start()
  const connection = await openConnection(url)
  let sent: string[] = []
  let kept: readonly string[] = []
  let count = 0
  const send: Service['send'] = async (method, path, body) => {
    count++
    sent.push(`${method} ${path} ${cut(body ?? '')}`)
    if (sent.length > 2 * KEPT) sent = sent.slice(-KEPT)
    const response = await sendOver(connection, { method, path, body })
    sent.push(`  ${response.status} ${cut(response.text)}`)
    return response
  }
  return {
    url,
    control: createControlClient({
      url: '',
      async fetch(path, { method = 'GET', body }) {
        const { status, text } = await send(method, path, body as string | undefined)
        return new Response(status === 204 ? null : text, { status })
      },
    }),
    search: (set, parameters, body) =>
      send('POST', `${SEARCH}/${encodeURIComponent(set)}/files/search${queryOf(parameters)}`, stringifyJson(body)),
    create: (body) => send('POST', SCHEDULES, stringifyJson(body)),
    update: (id, body) => send('PUT', `${SCHEDULES}/${id}`, stringifyJson(body)),
    send,
    count: () => count,
    requests: () => kept,
    keep: () => (kept = sent.slice(-KEPT)),
    forget: () => (sent = []),
    stop: async () => {
      connection.close()
      await standin.stop()
    },
  }
}

const HEADERS = { [KEY_HEADER]: 'key', 'Content-Type': 'application/json' }

function sendOver(
  connection: Connection,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: string | undefined },
): Promise<Response> {
  return connection.send({ method, path, headers: HEADERS, ...(body === undefined ? {} : { body }) })
}

function queryOf(parameters: Parameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} … ${text.length} characters` : text
}
