import { useState } from 'preact/hooks'
import type { WebhookList as Listed, WebhookRecord } from '../../../../src/control/client/types.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { VirtualRows } from '../../parts/rows/virtual-rows.tsx'
import { control, messageOf } from '../../session.ts'
import { shortTime } from '../../times.ts'
import type { Loaded } from '../../use-load.ts'
import { WebhookTarget } from './webhook-target.tsx'

interface WebhookListProps {
  readonly loaded: Loaded<Listed>
  readonly selected: string | undefined
  readonly open: (id: string) => void
  readonly close: () => void
}

export function WebhookList({ loaded: { value, error, reload }, selected, open, close }: WebhookListProps) {
  const [refusal, setRefusal] = useState<string>()
  const webhooks = value?.webhooks.toReversed() ?? []
  const clear = () => {
    setRefusal(undefined)
    control.value.deleteWebhooks().then(
      () => {
        reload()
        close()
      },
      (reason: unknown) => setRefusal(messageOf(reason)),
    )
  }
  return (
    <section class="pane" aria-label="Webhooks">
      <div class="toolbar">
        <h1>Webhooks</h1>
        <span class="toolbar-rest" />
        {webhooks.length > 0 ? <ConfirmButton label="Clear" question="Forget all webhooks?" act={clear} /> : null}
      </div>
      {[error, refusal].map((message) =>
        message === undefined ? null : <Failed key={message} error={message} retry={reload} />,
      )}
      {value ? <WebhookTarget key={value.target} target={value.target} reload={reload} /> : null}
      {value && webhooks.length === 0 ? (
        <Empty icon="arrow" title="No webhooks yet">
          <p>
            They appear here when a request or the time changes what a webhook or a callback of the contract tells.{' '}
            <code>standin check</code> says what that is for each.
          </p>
        </Empty>
      ) : (
        <VirtualRows
          label="Webhooks"
          columns={['Event', 'About', 'Made, UTC', 'Status']}
          widths="minmax(9rem, 1.6fr) minmax(8rem, 1.4fr) 10.4rem 6rem"
          narrow={{ columns: [0, 2, 3], widths: 'minmax(0, 1fr) 4.6rem 6rem' }}
          opensOnMove={selected !== undefined}
          count={webhooks.length}
          keyOf={(index) => webhooks[index]?.id ?? index}
          onOpen={(index) => {
            const webhook = webhooks[index]
            if (webhook) open(webhook.id)
          }}
          isSelected={(index) => webhooks[index]?.id === selected}
        >
          {(index) => cellsOf(webhooks[index])}
        </VirtualRows>
      )}
    </section>
  )
}

function cellsOf(webhook: WebhookRecord | undefined) {
  if (!webhook) return []
  const { event, about, createdAt, status } = webhook
  const item = about ? `${about.collection}/${about.id}` : ''
  // A narrow table has room for the day and the month.
  const [, day = '', rest = ''] = /^(\d+ \w+) (.*)$/.exec(shortTime(createdAt, 'UTC')) ?? []
  return [
    <span title={event}>{event}</span>,
    <span class="quiet" title={item}>
      {item}
    </span>,
    <time dateTime={createdAt}>
      {day}
      <span class="wide-only"> {rest}</span>
    </time>,
    <span class={status === 'failed' ? 'tag tag-warn' : 'tag'}>{status}</span>,
  ]
}
