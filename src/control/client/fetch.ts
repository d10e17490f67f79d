import type { StreamEvent } from './types.ts'
import { shown } from '../../errors/problem.ts'
import { parseJson } from '../../formats/json.ts'

export interface StreamOptions {
  /** Continue after this event. */
  readonly lastEventId?: string
  readonly signal?: AbortSignal
}

/** Yields the events of a stream (HTML Living Standard, 9.2.6). It does not reconnect when the connection ends. */
export async function* readStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  { lastEventId, signal }: StreamOptions = {},
): AsyncGenerator<StreamEvent> {
  const resume = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }
  const response = await fetchOrExplain(url, { headers: { ...headers, ...resume }, ...(signal ? { signal } : {}) })
  if (!response.ok || !response.body)
    throw new Error(`The stream was refused with ${response.status}: ${await response.text()}`)
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = readEvent(block)
      if (event) yield event
    }
  }
}

/** Undefined for heartbeats and for `retry`. */
function readEvent(block: string): StreamEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)] as const
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: fields.get('id') ?? '', event: fields.get('event') as StreamEvent['event'], data: parseJson(data) }
}

const REMEDY = 'Is a stand-in running there? Start one with standin serve, or give the client its url.'

/** `fetch` with an error message that names the address and the remedy when the connection fails. @throws TypeError, as `fetch` does */
export async function fetchOrExplain(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted === true) throw error
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const where = `${init.method ?? 'GET'} ${url}: no server responds there`
    throw new TypeError(`${where} (${reasonOf(cause)}). ${REMEDY}`, { cause })
  }
}

/** For a host with several addresses, the combined error has a code but no message. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}

/** Parses a response; another server at the port rarely responds with JSON. @throws Error */
export function readAnswer(text: string, request: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new Error(`${request}: expected the JSON of a control API, got ${shown(text)}. ${REMEDY}`, { cause })
  }
}
