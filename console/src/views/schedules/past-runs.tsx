import { useEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { DeliveryRecord, RunRecord } from '../../../../src/control/client/types.ts'
import { Failed } from '../../parts/failed.tsx'
import { offsetOf, wallTime } from '../../times.ts'
import { useLoad } from '../../use-load.ts'
import { recipientInWords } from './schedule-words.ts'

/** The most that are listed. */
const LIMIT = 50

interface PastRunsProps {
  readonly id: number
  /** The run that the address names. */
  readonly run: number | undefined
  readonly hasRecipients: boolean
}

/** The latest runs of a schedule, the last one first, with what each sent. */
export function PastRuns({ id, run, hasRecipients }: PastRunsProps) {
  const { value, error, reload } = useLoad(
    async (client) => {
      const { runs, total } = await client.listRuns(id, { limit: LIMIT })
      const [first] = runs
      const filter = { scheduleId: id, ...(first ? { since: first.at } : {}) }
      const { deliveries } = await client.listDeliveries({ ...filter, limit: 1_000 })
      return { runs: runs.toReversed(), total, deliveries: Map.groupBy(deliveries, ({ runId }) => runId) }
    },
    [id],
    ['state', 'run', 'delivery'],
  )
  return (
    <section aria-label="Past runs">
      <h3>Past runs</h3>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {value?.runs.length === 0 ? (
        <p class="quiet">It has not run yet.{hasRecipients ? ' Jump to a run to see its mail.' : ''}</p>
      ) : null}
      <ul class="plain">
        {value?.runs.map((one) => (
          <Run key={one.id} run={one} deliveries={value.deliveries.get(one.id) ?? []} isShown={one.id === run} />
        ))}
      </ul>
      {value && value.total > value.runs.length ? (
        <p class="quiet">
          The last {value.runs.length} of {value.total.toLocaleString()}.
        </p>
      ) : null}
    </section>
  )
}

interface RunProps {
  readonly run: RunRecord
  readonly deliveries: readonly DeliveryRecord[]
  /** Whether the address names it. */
  readonly isShown: boolean
}

function Run({ run: { id, at, localTime, timezone }, deliveries, isShown }: RunProps) {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isShown) item.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown])
  return (
    <li ref={item} class={`past-run ${isShown ? 'past-run-shown' : ''}`} aria-current={isShown ? 'true' : undefined}>
      <div>
        <time dateTime={at} class="timeline-time">
          {wallTime(localTime)}
        </time>{' '}
        <span class="quiet">
          {timezone}
          {timezone === 'UTC' ? '' : ` · ${offsetOf(localTime)}`} · run {id}
        </span>
      </div>
      {deliveries.length === 0 ? <span class="quiet">No mail</span> : null}
      <ul class="past-run-mails">
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <Link href={`~/outbox/${delivery.id}`}>{recipientInWords(delivery.recipient)}</Link>
          </li>
        ))}
      </ul>
    </li>
  )
}
