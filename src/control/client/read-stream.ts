import type { StreamEvent } from './types.ts'
import { fetchOrExplain } from './reach.ts'
import { parseJson } from '../../formats/json.ts'

export interface StreamOptions {
  /** Goes on after this event. */
  readonly lastEventId?: string
  readonly signal?: AbortSignal
}

/** The events of a stream, as they come (HTML Living Standard, 9.2.6). It does not come again when the connection ends. */
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

/** Undefined for a heartbeat, and for how soon to come again. */
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
