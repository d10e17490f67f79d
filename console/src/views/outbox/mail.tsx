import { Link } from 'wouter-preact'
import type { DeliveryWithMessage } from '../../../../src/control/client/types.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Failed } from '../../parts/failed.tsx'
import { inZone, offsetOf, VIEWER_ZONE, wallTime } from '../../times.ts'
import { useLoad } from '../../use-load.ts'

/** One mail, always as text. */
export function Mail({ id, close }: { readonly id: number; readonly close: () => void }) {
  const { value, error, reload } = useLoad((client) => client.getDelivery(id), [id], ['state'])
  return (
    <section class="pane detail" aria-label={`Mail ${id}`}>
      <div class="toolbar">
        <h2>{value?.message.subject ?? `Mail ${id}`}</h2>
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      <div class="detail-body">
        {error === undefined ? null : <Failed error={error} retry={reload} />}
        {value && error === undefined ? <Shown mail={value} /> : null}
      </div>
    </section>
  )
}

function Shown({ mail }: { readonly mail: DeliveryWithMessage }) {
  const { delivery, message, timezone, localTime } = mail
  const { scheduleId, runId } = delivery
  return (
    <>
      <dl class="facts">
        <dt>From</dt>
        <dd>{message.from}</dd>
        <dt>To</dt>
        <dd>{message.to}</dd>
        <dt>Sent</dt>
        <dd>
          <time dateTime={message.date}>{wallTime(localTime)}</time>{' '}
          <span class="quiet">
            {timezone} ({offsetOf(localTime)})
          </span>
          <br />
          <span class="quiet">
            {inZone(message.date, VIEWER_ZONE)} where you are ({VIEWER_ZONE}), by the sandbox's clock
          </span>
        </dd>
        <dt>Sent by</dt>
        <dd>
          <Link href={`~/schedules/${scheduleId}`}>Schedule {scheduleId}</Link>,{' '}
          <Link href={`~/schedules/${scheduleId}/runs/${runId}`}>run {runId}</Link>
        </dd>
        <MailServer state={delivery.mail} />
      </dl>
      <pre class="mail-text" tabIndex={0} aria-label="Text of the mail">
        {message.text}
      </pre>
      {message.attachments.map(({ filename, content }) => (
        <section key={filename} aria-label={`Attachment ${filename}`}>
          <div class="mail-attachment">
            <h3>Attached: {filename}</h3>
            <CopyButton text={content} />
          </div>
          <pre tabIndex={0} aria-label={filename}>
            {content}
          </pre>
        </section>
      ))}
    </>
  )
}

/** What became of it where mails are sent to a mail catcher. */
function MailServer({ state }: { readonly state: DeliveryWithMessage['delivery']['mail'] }) {
  if (!state) return null
  const { status, attempts, error } = state
  const words = { waiting: 'waits to be sent', sent: 'sent', failed: 'not sent' } as const
  return (
    <>
      <dt>Mail server</dt>
      <dd class={status === 'failed' ? 'error' : ''}>
        {words[status]} after {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
        {error === undefined ? '' : `: ${error}`}
      </dd>
    </>
  )
}
