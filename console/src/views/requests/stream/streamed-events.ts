import type { ExchangeRecord } from '../../../../../src/control/client/types.ts'
import { bareType, isRows } from '../../../../../src/contract/media-type.ts'
import { headerOf } from '../header-of.ts'

/** An event of a stream, or a row of JSON, as it was sent. */
interface StreamedEvent {
  readonly type?: string | undefined
  readonly id?: string | undefined
  readonly data: string
  /** Whether the connection ended, or what is kept does, in the middle of it. */
  readonly isCut: boolean
}

/** What a stream has sent; undefined for any other response. */
export function streamedEvents({ answer }: Pick<ExchangeRecord, 'answer'>): readonly StreamedEvent[] | undefined {
  const type = bareType(headerOf(answer, 'content-type') ?? '')
  const isEvents = type === 'text/event-stream'
  if (!answer || !(isEvents || isRows(type))) return undefined
  const parts = (answer.body ?? '').split(isEvents ? /\r?\n\r?\n/ : '\n')
  return parts.flatMap((part, at) => {
    const isCut = at === parts.length - 1 && part !== ''
    const event = isEvents ? readEvent(part) : { data: part.replace(/^\u001e/, '') }
    return event.data === '' ? [] : [{ ...event, isCut }]
  })
}

/** Whether a client left a stream that would have gone on. */
export function wasLeft(exchange: Pick<ExchangeRecord, 'answer' | 'fault'>): boolean {
  const { answer, fault } = exchange
  return answer?.isComplete === false && fault === null && streamedEvents(exchange) !== undefined
}

/** `3 events`; `3 events or more` where only the beginning is kept. */
export function countOf(events: readonly StreamedEvent[], isPartial: boolean): string {
  const whole = events.filter(({ isCut }) => !isCut).length
  return `${whole} ${whole === 1 ? 'event' : 'events'}${isPartial ? ' or more' : ''}`
}

/** The fields of an event (HTML Living Standard, 9.2.6). Comments and what only sets an id or a pause are no events. */
function readEvent(text: string): Omit<StreamedEvent, 'isCut'> {
  const data: string[] = []
  const fields: Record<string, string> = {}
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (name === 'data') data.push(value)
    else fields[name] = value
  }
  return { type: fields.event, id: fields.id, data: data.join('\n') }
}
