import { useEffect, useState } from 'preact/hooks'
import { Empty } from '../parts/empty.tsx'
import { ErrorMessage } from '../parts/error-message.tsx'
import { Failed } from '../parts/failed.tsx'
import { Icon } from '../parts/icon.tsx'
import { Method } from '../parts/method.tsx'
import { control, messageOf } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { counted, timeOf } from './history/event-words.ts'

/** Milliseconds between looks: no event tells that a stream was opened. */
const PAUSE = 2000

/** The streams that clients have open, and requests that wait. */
export function Streams() {
  const { value, error, reload } = useLoad((client) => client.listStreams(), [], ['state', 'exchange'])
  const [refusal, setRefusal] = useState<string>()
  useEffect(() => {
    const timer = setInterval(reload, PAUSE)
    return () => clearInterval(timer)
  }, [reload])
  const end = () => {
    setRefusal(undefined)
    control.value.endStreams().then(reload, (reason: unknown) => setRefusal(messageOf(reason)))
  }
  const streams = value?.streams ?? []
  return (
    <section class="pane" aria-label="Streams">
      <div class="toolbar">
        <h1>Streams</h1>
        <span class="toolbar-rest" />
        {streams.length === 0 ? null : <button onClick={end}>End all</button>}
      </div>
      <div class="pane-body">
        {error === undefined ? null : <Failed error={error} retry={reload} />}
        <ErrorMessage text={refusal} />
        {value && streams.length === 0 ? (
          <Empty icon="requests" title="No open streams">
            <p>
              Streams and requests that wait are listed here while they are open. Under{' '}
              <a href="#/requests">Requests</a> they are with all their events once they have ended.
            </p>
          </Empty>
        ) : (
          <ul class="plain cards">
            {streams.map(({ requestId, operationId, method, url, since, sent }) => (
              <li key={requestId} class="card">
                <div class="card-head">
                  <Icon name="requests" />
                  <span class="card-title">
                    <Method name={method} /> <code>{url}</code>
                  </span>
                </div>
                <p class="quiet">
                  {sent === null ? 'waits' : `${counted(sent, 'event', 'events')} sent`} · since {timeOf(since)} by the
                  sandbox's clock · {operationId}
                </p>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  )
}
