import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ReportScheduleRecord } from '../../../../src/control/client/types.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Failed } from '../../parts/failed.tsx'
import { control, messageOf } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { PastRuns } from './past-runs.tsx'
import { operationOf } from './report-schedule-operations.ts'
import { recipientInWords, ruleInWords } from './schedule-words.ts'
import { Timeline } from './timeline.tsx'

interface ScheduleDetailProps {
  readonly id: number
  /** The run to show among the past ones. */
  readonly run?: number
  readonly close: () => void
}

export function ScheduleDetail({ id, run, close }: ScheduleDetailProps) {
  const { value, error, reload } = useLoad((client) => client.getReportSchedule(id), [id], ['state', 'run'])
  const [message, setMessage] = useState<string>()
  const remove = () => {
    control.value.deleteReportSchedule(id).then(close, (reason: unknown) => setMessage(messageOf(reason)))
  }
  return (
    <section class="pane detail" aria-label={`Schedule ${id}`}>
      <div class="toolbar">
        <h2>{value ? value.title || 'No title' : `Schedule ${id}`}</h2>
        <span class="toolbar-rest" />
        {value && operationOf('updateReportSchedule') ? (
          <Link href={`/${id}/edit`} class="button">
            Edit
          </Link>
        ) : null}
        {value ? <ConfirmButton label="Delete" question="Delete for good?" act={remove} /> : null}
        <CloseButton close={close} />
      </div>
      <div class="detail-body">
        {error === undefined ? null : <Failed error={error} retry={reload} />}
        <ErrorMessage text={message} />
        {value ? <Facts schedule={value} /> : null}
        {value ? <Timeline id={id} version={`${value.revision} ${value.lastRun ?? ''}`} /> : null}
        <PastRuns id={id} run={run} hasRecipients={(value?.schedule?.additionalRecipients ?? []).length > 0} />
      </div>
    </section>
  )
}

function Facts({ schedule }: { readonly schedule: ReportScheduleRecord }) {
  const { schedule: settings, attachmentInclude, pageId, viewId } = schedule
  const recipients = settings?.additionalRecipients ?? []
  return (
    <>
      <p class="lead">
        {ruleInWords(settings)} <span class="quiet">in {settings?.timezone ?? 'UTC'}</span>
        {settings?.enabled === true ? null : <span class="tag tag-warn">Off</span>}
      </p>
      <p class="quiet">
        {recipients.length === 0
          ? 'No recipients: its runs send no mail.'
          : `To ${recipients.map(recipientInWords).join(', ')}`}
        {attachmentInclude ? ' · with the report attached' : ''}
        {pageId === null ? '' : ` · page ${pageId}`}
        {viewId === null ? '' : ` · view ${viewId}`}
      </p>
    </>
  )
}
