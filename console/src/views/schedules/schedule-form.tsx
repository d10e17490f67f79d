import { useEffect, useId, useState } from 'preact/hooks'
import { ControlError } from '../../../../src/control/client/client.ts'
import { Failed } from '../../parts/failed.tsx'
import { messageOf } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { operationOf, sendSchedule } from './report-schedule-operations.ts'
import { exampleIn, scheduleBody, toText } from './schedule-body.ts'

interface ScheduleFormProps {
  /** The schedule to change; undefined to create one. */
  readonly id?: number
  readonly saved: (id: number | undefined) => void
  readonly close: () => void
}

/** The body of a create or an update as JSON, which is sent to the service itself. */
export function ScheduleForm({ id, saved, close }: ScheduleFormProps) {
  const operation = operationOf(id === undefined ? 'createReportSchedule' : 'updateReportSchedule')
  const first = useLoad(
    async (client) => {
      if (id !== undefined) return scheduleBody(await client.getReportSchedule(id))
      return operation && exampleIn(await client.getContract(), operation.operationId)
    },
    [id, operation],
  )
  const title = id === undefined ? 'New schedule' : `Change schedule ${id}`
  return (
    <section class="pane detail" aria-label={title}>
      <div class="toolbar">
        <h2>{title}</h2>
        <span class="toolbar-rest" />
        <button onClick={close}>Cancel</button>
      </div>
      {first.error === undefined ? null : <Failed error={first.error} retry={first.reload} />}
      <div class="detail-body">
        {operation ? (
          <p class="quiet">
            Sent to the service as your app would:{' '}
            <code>
              {operation.method} {operation.basePath ?? ''}
              {operation.path}
            </code>
          </p>
        ) : (
          <p>This contract has no operation for it.</p>
        )}
        {operation && first.value ? (
          <Editor
            first={first.value}
            send={(body) => sendSchedule(operation, body, id)}
            saved={saved}
            action={id === undefined ? 'Create' : 'Save'}
          />
        ) : null}
      </div>
    </section>
  )
}

interface EditorProps {
  readonly first: object
  readonly send: (body: string) => Promise<unknown>
  readonly saved: (id: number | undefined) => void
  readonly action: string
}

function Editor({ first, send, saved, action }: EditorProps) {
  const label = useId()
  const [text, setText] = useState(() => toText(first))
  const [reasons, setReasons] = useState<readonly string[]>([])
  const [isSending, setSending] = useState(false)
  useEffect(() => setReasons([]), [text])
  const submit = (event: Event) => {
    event.preventDefault()
    setSending(true)
    send(text)
      .then(
        (answer) => saved(idOf(answer)),
        (error: unknown) => setReasons(reasonsOf(error)),
      )
      .finally(() => setSending(false))
  }
  return (
    <form class="schedule-form" onSubmit={submit}>
      <label class="field">
        <span id={label}>Body, as JSON</span>
        <textarea
          aria-labelledby={label}
          rows={20}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {reasons.length === 0 ? null : (
        <div class="callout callout-bad" role="alert">
          <h3>It was refused</h3>
          <ul>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
      <div class="buttons">
        <button class="primary" disabled={isSending}>
          {action}
        </button>
      </div>
    </form>
  )
}

function reasonsOf(error: unknown): readonly string[] {
  if (!(error instanceof ControlError) || error.errors.length === 0) return [messageOf(error)]
  return [...new Set(error.errors.map(({ message }) => message))]
}

function idOf(answer: unknown): number | undefined {
  const id = typeof answer === 'object' && answer !== null && 'id' in answer ? answer.id : undefined
  return typeof id === 'number' ? id : undefined
}
