import type { ExchangeRecord } from '../../../../../src/control/client/types.ts'
import { coloured } from '../../../parts/json-colours.tsx'
import { Json } from '../../../parts/json.tsx'
import { countOf, streamedEvents, wasLeft } from './streamed-events.ts'
import './stream.css'

/** Events that are shown one by one. */
const MOST = 200

type Streamed = Pick<ExchangeRecord, 'answer' | 'fault'>

/** In a row of the list: that a response is a stream, and how many events it sent. */
export function StreamTag({ exchange }: { readonly exchange: Streamed }) {
  const events = streamedEvents(exchange)
  if (!events) return null
  return <span class="tag">stream: {countOf(events, exchange.answer?.isCut === true)}</span>
}

/** The events of a stream one by one, and how it ended; nothing for any other response. */
export function EventList({ exchange }: { readonly exchange: Streamed }) {
  const { answer } = exchange
  const events = streamedEvents(exchange)
  if (!answer || !events || events.length === 0) return null
  return (
    <>
      <p class="quiet">
        {countOf(events, answer.isCut)} · {endOf(exchange)}
      </p>
      <ol class="stream-events" aria-label="Events">
        {events.slice(0, MOST).map(({ type, id, data, isCut }, index) => (
          <li key={index}>
            <p>
              {type === undefined ? null : <span class="tag tag-first">{type}</span>}
              {id === undefined ? null : <code class="quiet">id {id}</code>}
              {isCut ? <span class="tag tag-bad">cut here</span> : null}
            </p>
            <pre>{coloured(data)}</pre>
          </li>
        ))}
      </ol>
      {events.length > MOST ? <p class="quiet">{events.length - MOST} more are in the body.</p> : null}
      <details>
        <summary>The body as it was sent</summary>
        <Json text={answer.body ?? ''} label="Response body" />
      </details>
    </>
  )
}

function endOf(exchange: Streamed): string {
  if (exchange.answer?.isComplete === true) return 'the server ended it'
  return wasLeft(exchange) ? 'the client left' : 'it was cut'
}
