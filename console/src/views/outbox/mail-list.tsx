import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ControlClient } from '../../../../src/control/client/client.ts'
import type { DeliveryRecord } from '../../../../src/control/client/types.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Icon } from '../../parts/icon.tsx'
import { VirtualRows } from '../../parts/rows/virtual-rows.tsx'
import { control, messageOf } from '../../session.ts'
import { shortTime } from '../../times.ts'
import { useLoad } from '../../use-load.ts'
import { hasReportSchedules } from '../schedules/report-schedule-operations.ts'
import { recipientInWords } from '../schedules/schedule-words.ts'

interface MailListProps {
  /** NaN for none. */
  readonly selected: number
  readonly open: (id: number) => void
  readonly close: () => void
}

/** The most that are loaded at once. */
const LIMIT = 1_000

export function MailList({ selected, open, close }: MailListProps) {
  const [text, setText] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const { value, error, reload } = useLoad((client) => load(client, text), [text], ['delivery', 'state'])
  const mails = value?.mails ?? []
  const clear = () => {
    setRefusal(undefined)
    control.value.deleteDeliveries().then(
      () => {
        reload()
        close()
      },
      (reason: unknown) => setRefusal(messageOf(reason)),
    )
  }
  return (
    <section class="pane" aria-label="Outbox">
      <div class="toolbar">
        <h1>Outbox</h1>
        {value?.total === 0 && text === '' ? null : (
          <input
            type="search"
            placeholder="Filter by recipient"
            aria-label="Filter by recipient"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
        {value && value.total > 0 ? <ConfirmButton label="Clear" question="Delete all mails?" act={clear} /> : null}
      </div>
      {[error, refusal].map((message) =>
        message === undefined ? null : <Failed key={message} error={message} retry={reload} />,
      )}
      {value && mails.length === 0 ? (
        text === '' ? (
          <NoMails />
        ) : (
          <Empty title="No mail to this recipient" />
        )
      ) : (
        <VirtualRows
          label="Mails"
          columns={['To', 'Subject', 'Sent, UTC', 'Schedule']}
          widths="minmax(9rem, 1.4fr) minmax(9rem, 2fr) 10.4rem 5rem"
          narrow={{ columns: [0, 1, 2], widths: 'minmax(0, 1fr) minmax(0, 1fr) 4.6rem' }}
          opensOnMove={!Number.isNaN(selected)}
          count={mails.length}
          keyOf={(index) => mails[index]?.id ?? index}
          onOpen={(index) => {
            const mail = mails[index]
            if (mail) open(mail.id)
          }}
          isSelected={(index) => mails[index]?.id === selected}
        >
          {(index) => cellsOf(mails[index])}
        </VirtualRows>
      )}
      {value && value.total > LIMIT ? (
        <p class="quiet outbox-more">
          The last {LIMIT.toLocaleString()} of {value.total.toLocaleString()} mails. To find older ones, type a whole
          address.
        </p>
      ) : null}
    </section>
  )
}

/** The latest mails whose recipient contains a text, the last one first; among many, also older ones to exactly that recipient. */
async function load(client: ControlClient, text: string) {
  const { total, deliveries } = await client.listDeliveries({ limit: LIMIT })
  const older =
    text !== '' && total > LIMIT ? await client.listDeliveries({ recipient: text, limit: LIMIT }) : undefined
  const wanted = text.toLowerCase()
  const found = deliveries.filter(({ recipient }) => recipientInWords(recipient).toLowerCase().includes(wanted))
  const all = new Map([...(older?.deliveries ?? []), ...found].map((one) => [one.id, one]))
  return { total, mails: [...all.values()].sort((a, b) => b.id - a.id) }
}

function cellsOf(mail: DeliveryRecord | undefined) {
  if (!mail) return []
  const { recipient, title, at, scheduleId, mail: state } = mail
  const to = recipientInWords(recipient)
  // A narrow table has room for the day and the month.
  const [, day = '', rest = ''] = /^(\d+ \w+) (.*)$/.exec(shortTime(at, 'UTC')) ?? []
  return [
    <span title={to}>
      <Icon name="outbox" />
      {to}
      {state?.status === 'failed' ? <span class="tag tag-warn">not sent</span> : null}
    </span>,
    <span title={title}>{title || '(no title)'}</span>,
    <time dateTime={at}>
      {day}
      <span class="wide-only"> {rest}</span>
    </time>,
    <span class="quiet">{scheduleId}</span>,
  ]
}

function NoMails() {
  if (!hasReportSchedules())
    return (
      <Empty icon="outbox" title="This contract has no report schedules">
        <p>Mails are what report schedules send. Nothing of this contract sends any.</p>
      </Empty>
    )
  return (
    <Empty icon="outbox" title="No mails yet">
      <p>
        Mails appear here when a schedule runs. Move the clock <em>to the next run</em> in the header, or look at the{' '}
        <Link href="~/schedules">schedules</Link>.
      </p>
    </Empty>
  )
}
