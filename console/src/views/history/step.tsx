import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { HistoryEvent } from '../../../../src/control/client/types.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Json } from '../../parts/json.tsx'
import { control, forkAndShow, messageOf, sandboxName } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { sentenceOf, timeOf } from './event-words.ts'

/** One step: what changed, why, and the way back to it. */
export function Step({ number, close }: { readonly number: number; readonly close: () => void }) {
  const { value, error, reload } = useLoad((client) => findStep(client, number), [number])
  return (
    <section class="pane detail" aria-label={`Step ${number}`}>
      <div class="toolbar">
        <h2>Step {number}</h2>
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {value === null ? (
        <div class="detail-body">
          <p>This sandbox has no step {number}, or no longer keeps it. The list shows the steps that are there.</p>
        </div>
      ) : null}
      {value?.number === number ? <Shown key={`${sandboxName.value} ${number}`} event={value} /> : null}
    </section>
  )
}

async function findStep(client: typeof control.value, number: number): Promise<HistoryEvent | null> {
  const { events } = await client.getHistory({ from: number, limit: 1 })
  return events.find((event) => event.number === number) ?? null
}

function Shown({ event }: { readonly event: HistoryEvent }) {
  const { number: _number, at, requestId, ...data } = event
  return (
    <div class="detail-body">
      <p class="lead">{sentenceOf(event)}.</p>
      <p class="quiet">
        <time dateTime={at}>{timeOf(at)}</time> UTC by the sandbox's clock
        {event.run === undefined ? '' : `, which then moved on; the run was due at ${timeOf(event.run.at)}`}
      </p>
      <Cause event={event} />
      <ForkFromHere number={event.number} />
      <h3>Data</h3>
      <Json text={JSON.stringify(data, withBigInts)} label={`Data of step ${event.number}`} />
      {requestId === undefined ? null : (
        <p class="quiet">
          Request id <code>{requestId}</code>
        </p>
      )}
    </div>
  )
}

/** Sizes beyond the safe integers are read as bigints, which JSON.stringify refuses. */
function withBigInts(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function Cause({ event }: { readonly event: HistoryEvent }) {
  const [, go] = useLocation()
  const [message, setMessage] = useState<string>()
  const { requestId } = event
  if (requestId === undefined)
    return <p>{event.type === 'report-schedule.ran' ? 'It fell due.' : 'The control API made this change.'}</p>
  const open = async () => {
    const { exchanges } = await control.value.listExchanges({ since: event.at, limit: 1_000 })
    // After a reset, ids are given out again: the last one before the next is meant.
    const found = exchanges.find((one) => one.requestId === requestId)
    if (found) go(`~/requests/${found.id}`)
    else setMessage('The journal no longer has this request.')
  }
  return (
    <p>
      A request made this change.{' '}
      <button onClick={() => void open().catch((error: unknown) => setMessage(messageOf(error)))}>
        Show the request
      </button>
      {message === undefined ? null : <span role="alert"> {message}</span>}
    </p>
  )
}

function ForkFromHere({ number }: { readonly number: number }) {
  const [, go] = useLocation()
  const source = sandboxName.value
  const [name, setName] = useState(`${source.slice(0, 50)}-at-${number}`)
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const fork = async () => {
    setBusy(true)
    try {
      await forkAndShow(source, { name, at: number })
      go('/')
    } catch (error) {
      setRefusal(messageOf(error))
    }
    setBusy(false)
  }
  return (
    <form
      class="callout callout-plain"
      onSubmit={(event) => {
        event.preventDefault()
        void fork()
      }}
    >
      <h3>Go back to this step</h3>
      <p class="quiet">
        Makes a new sandbox as {source} was right after step {number}. {source} stays as it is.
      </p>
      <div class="inline">
        <label class="field">
          <span>Name of the fork</span>
          <input value={name} required onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button class="primary" disabled={isBusy}>
          Fork from here
        </button>
      </div>
      <ErrorMessage text={refusal} />
    </form>
  )
}
