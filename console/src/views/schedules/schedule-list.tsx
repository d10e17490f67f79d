import type { ReportScheduleRecord } from '../../../../src/control/client/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Icon } from '../../parts/icon.tsx'
import { VirtualRows } from '../../parts/rows/virtual-rows.tsx'
import { distance, shortTime, VIEWER_ZONE } from '../../times.ts'
import { useLoad } from '../../use-load.ts'
import { hasReportSchedules, operationOf } from './report-schedule-operations.ts'
import { ruleInShort, ruleInWords } from './schedule-words.ts'

interface ScheduleListProps {
  /** NaN for none. */
  readonly selected: number
  readonly open: (id: number) => void
  readonly create: () => void
  /** By the sandbox's clock. */
  readonly now: string | undefined
}

export function ScheduleList({ selected, open, create, now }: ScheduleListProps) {
  const { value, error, reload } = useLoad((client) => client.listReportSchedules(), [], ['state', 'run'])
  const schedules = value?.reportSchedules ?? []
  const canCreate = operationOf('createReportSchedule') !== undefined
  return (
    <section class="pane" aria-label="Schedules">
      <div class="toolbar">
        <h1>Schedules</h1>
        {schedules.length === 0 ? null : <span class="quiet">{schedules.length.toLocaleString()}</span>}
        <span class="toolbar-rest" />
        {canCreate ? (
          <button class="primary" onClick={create}>
            <Icon name="plus" />
            New schedule
          </button>
        ) : null}
      </div>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {value === undefined ? null : schedules.length === 0 ? (
        <NoSchedules />
      ) : (
        <VirtualRows
          label="Schedules"
          columns={['Title', 'Runs', 'Zone', 'Next run there', 'Next run for you', 'Last run there', 'State']}
          widths="minmax(7rem, 1.2fr) minmax(9rem, 1.7fr) minmax(6rem, 1fr) 10.4rem 10.4rem 10.4rem 3.2rem"
          narrow={{ columns: [0, 1, 6], widths: 'minmax(0, 1.2fr) minmax(0, 1fr) 3rem' }}
          opensOnMove={!Number.isNaN(selected)}
          count={schedules.length}
          keyOf={(index) => schedules[index]?.id ?? index}
          onOpen={(index) => {
            const schedule = schedules[index]
            if (schedule) open(schedule.id)
          }}
          isSelected={(index) => schedules[index]?.id === selected}
        >
          {(index) => cellsOf(schedules[index], now)}
        </VirtualRows>
      )}
    </section>
  )
}

function cellsOf(schedule: ReportScheduleRecord | undefined, now: string | undefined) {
  if (!schedule) return []
  const { title, schedule: settings, nextRun, lastRun } = schedule
  const zone = settings?.timezone ?? 'UTC'
  const isEnabled = settings?.enabled === true
  return [
    <strong title={title}>{title === '' ? 'No title' : title}</strong>,
    <span title={ruleInWords(settings)}>
      <span class="wide-only">{ruleInWords(settings)}</span>
      <span class="rule-short">{ruleInShort(settings)}</span>
    </span>,
    <span class="quiet" title={zone}>
      {zone}
    </span>,
    nextRun === null ? (
      <span class="quiet">None</span>
    ) : (
      <time dateTime={nextRun} title={now === undefined ? undefined : distance(now, nextRun)}>
        {shortTime(nextRun, zone)}
      </time>
    ),
    nextRun === null ? <span class="quiet">None</span> : shortTime(nextRun, VIEWER_ZONE),
    lastRun === null ? <span class="quiet">Not yet</span> : shortTime(lastRun, zone),
    <span class={`tag ${isEnabled ? 'tag-good' : 'tag-quiet'}`}>{isEnabled ? 'On' : 'Off'}</span>,
  ]
}

function NoSchedules() {
  if (!hasReportSchedules())
    return (
      <Empty icon="schedules" title="This contract has no report schedules">
        <p>
          Schedules appear here where an operation of the contract creates them: one that <code>standin check</code>{' '}
          lists as <code>createReportSchedule</code>.
        </p>
      </Empty>
    )
  return (
    <Empty icon="schedules" title="No schedules yet">
      <p>Create one here, or let your app create one. Then move the clock to its next run and read the mail.</p>
    </Empty>
  )
}
