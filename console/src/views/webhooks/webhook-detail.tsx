import { useState } from 'preact/hooks'
import type { WebhookRecord } from '../../../../src/control/client/types.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { Json } from '../../parts/json.tsx'
import { Status } from '../../parts/status.tsx'
import { control, messageOf } from '../../session.ts'

interface WebhookDetailProps {
  readonly webhook: WebhookRecord
  readonly reload: () => void
  readonly close: () => void
}

/** One message, with what became of each attempt to deliver it. */
export function WebhookDetail({ webhook, reload, close }: WebhookDetailProps) {
  const { id, event, webhook: name, method, url, createdAt, about, why, nextAttempt, body, attempts, status } = webhook
  const [message, setMessage] = useState<string>()
  const again = () => {
    setMessage(undefined)
    control.value.redeliverWebhook(id).then(reload, (error: unknown) => setMessage(messageOf(error)))
  }
  return (
    <section class="pane detail" aria-label={`Webhook ${id}`}>
      <div class="toolbar">
        <h2>{event}</h2>
        <span class="toolbar-rest" />
        <button onClick={again}>{attempts.length > 0 ? 'Send again' : 'Send now'}</button>
        <CloseButton close={close} />
      </div>
      <div class="detail-body">
        <ErrorMessage text={message} />
        <dl class="facts">
          <dt>To</dt>
          <dd>
            {method} {url ?? 'nowhere'}
          </dd>
          <dt>Status</dt>
          <dd>
            {status}
            {why === undefined ? '' : `. ${why}`}
            {nextAttempt === undefined ? '' : `. Next attempt: ${seconds(nextAttempt)} UTC`}
          </dd>
          <dt>Made</dt>
          <dd>
            {seconds(createdAt)} UTC, by <code>{name}</code>
            {about ? (
              <>
                {' '}
                for{' '}
                <a href={`#/collections/${encodeURIComponent(about.collection)}/${encodeURIComponent(about.id)}`}>
                  {about.collection}/{about.id}
                </a>
              </>
            ) : null}
          </dd>
          <dt>Id</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </dl>
        {attempts.length > 0 ? <h3>Attempts</h3> : null}
        <ol class="webhook-attempts">
          {attempts.map(({ at, status: responded, error }, index) => (
            <li key={index}>
              <time dateTime={at}>{seconds(at)} UTC</time> <Status status={responded} /> {error ?? ''}
            </li>
          ))}
        </ol>
        <h3>Body</h3>
        <Json text={body} label="Body of the webhook" />
      </div>
    </section>
  )
}

/** `2026-03-01 09:00:05` */
function seconds(instant: string): string {
  return instant.slice(0, 19).replace('T', ' ')
}
