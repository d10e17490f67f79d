import type { PassedRun } from '../../../src/control/client/types.ts'
import { wallTime } from '../times.ts'

const SHOWN = 5

interface PassedRunsProps {
  readonly runs: readonly PassedRun[]
  /** Called when one of its links is followed. */
  readonly leave?: () => void
}

/** The runs that a step of the clock passed, with links to them and to their mails. */
export function PassedRuns({ runs, leave }: PassedRunsProps) {
  if (runs.length === 0)
    return (
      <p class="quiet" role="status">
        The clock was moved. No schedule ran.
      </p>
    )
  const shown = runs.slice(-SHOWN)
  return (
    <div class="callout callout-good passed-runs" role="status">
      <ul class="plain">
        {shown.map(({ id, scheduleId, title, localTime, timezone, deliveries }) => (
          <li key={id}>
            <a href={`#/schedules/${scheduleId}/runs/${id}`} onClick={leave}>
              {title || 'No title'}
            </a>{' '}
            ran {wallTime(localTime)} in {timezone}: {deliveries.length === 0 ? 'no mail' : null}
            {deliveries.slice(0, SHOWN).map((delivery, index) => (
              <span key={delivery.id}>
                {index === 0 ? '' : ', '}
                <a href={`#/outbox/${delivery.id}`} onClick={leave}>
                  mail to {delivery.recipient.type === 'EMAIL' ? '' : `${delivery.recipient.type.toLowerCase()} `}
                  {delivery.recipient.value}
                </a>
              </span>
            ))}
            {deliveries.length > SHOWN ? ` and ${(deliveries.length - SHOWN).toLocaleString()} more` : ''}
          </li>
        ))}
      </ul>
      {runs.length > SHOWN ? (
        <p>
          These are the last {SHOWN} of {runs.length.toLocaleString()} runs.{' '}
          <a href="#/outbox" onClick={leave}>
            All mails
          </a>
        </p>
      ) : null}
    </div>
  )
}
