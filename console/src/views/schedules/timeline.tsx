import { useState } from 'preact/hooks'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { Failed } from '../../parts/failed.tsx'
import { PassedRuns } from '../../parts/passed-runs.tsx'
import { control, messageOf } from '../../session.ts'
import { distance, inZone, offsetOf, VIEWER_ZONE, wallTime } from '../../times.ts'
import type { PassedRun } from '../../../../src/control/client/types.ts'
import { useLoad } from '../../use-load.ts'
import { type TimelineEntry, timelineOf } from './schedule-words.ts'

const SHOWN = 8

/** The next runs, in the time zone of the schedule and that of the browser, with what is unusual about each. */
export function Timeline({ id, version }: { readonly id: number; readonly version: string }) {
  const [limit, setLimit] = useState(SHOWN)
  const { value, error, reload } = useLoad(
    async (client) => {
      const [upcoming, clock] = await Promise.all([client.listUpcomingRuns(id, { limit }), client.getClock()])
      return { ...upcoming, now: clock.now }
    },
    [id, limit, version],
    ['state', 'run'],
  )
  const [result, setResult] = useState<{ readonly runs: readonly PassedRun[] } | { readonly refusal: string }>()
  const jump = (to: string) => {
    control.value.advanceClock({ to }).then(setResult, (reason: unknown) => setResult({ refusal: messageOf(reason) }))
  }
  const [first] = value?.runs ?? []
  return (
    <section aria-label="Coming runs">
      <div class="section-head">
        <h3>Coming runs</h3>
        {first ? (
          <button class="primary" onClick={() => jump(first.explanation.at)}>
            Jump to the next run
          </button>
        ) : null}
      </div>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {result === undefined ? null : 'refusal' in result ? (
        <ErrorMessage text={result.refusal} />
      ) : (
        <PassedRuns runs={result.runs} />
      )}
      {first ? (
        <p class="quiet">
          {first.explanation.timezone === VIEWER_ZONE
            ? `By the clock of ${VIEWER_ZONE}, which is yours too.`
            : `By the clock of ${first.explanation.timezone}, and by yours in ${VIEWER_ZONE}.`}
        </p>
      ) : null}
      {value ? (
        <ol class="timeline">
          {timelineOf(value.runs, VIEWER_ZONE).map((entry) => (
            <Entry key={keyOf(entry)} entry={entry} now={value.now} jump={jump} />
          ))}
        </ol>
      ) : null}
      {value?.end === null ? (
        limit < 100 ? (
          <button onClick={() => setLimit(Math.min(100, limit * 3))}>Show more</button>
        ) : null
      ) : (
        <p class="quiet">{value?.end}</p>
      )}
    </section>
  )
}

interface EntryProps {
  readonly entry: TimelineEntry
  readonly now: string
  readonly jump: (to: string) => void
}

function Entry({ entry, now, jump }: EntryProps) {
  if (entry.kind === 'skipped')
    return (
      <li class="timeline-skipped">
        {entry.what}: {entry.why}
      </li>
    )
  if (entry.kind === 'clocks')
    return (
      <li class="timeline-clocks">
        The clocks change in {entry.zone}
        {entry.zone === VIEWER_ZONE ? ' (yours)' : ''}: UTC
        {entry.from.replace('-', '−')} → UTC{entry.to.replace('-', '−')}
      </li>
    )
  return <Run entry={entry} now={now} jump={jump} />
}

interface RunProps extends Omit<EntryProps, 'entry'> {
  readonly entry: Extract<TimelineEntry, { readonly kind: 'run' }>
}

function Run({ entry: { run, mark, why }, now, jump }: RunProps) {
  const { at, localTime, timezone } = run.explanation
  const [here, there] = [inZone(at, VIEWER_ZONE), wallTime(localTime)]
  return (
    <li class={mark === undefined ? 'timeline-run' : 'timeline-run timeline-marked'}>
      <div>
        <div class="timeline-head">
          <time dateTime={at} class="timeline-time">
            {there}
          </time>
          {timezone === 'UTC' ? null : <span class="quiet">{offsetOf(localTime)}</span>}
          {mark === undefined ? null : <span class="tag tag-warn">{mark}</span>}
        </div>
        <p class="quiet">
          {here === there ? '' : `${here} for you · `}
          {distance(now, at)}
        </p>
        {why === undefined ? null : <p class={mark === undefined ? 'quiet' : ''}>{why}</p>}
      </div>
      <button class="small" aria-label={`Jump here: ${there}`} onClick={() => jump(at)}>
        Jump here
      </button>
    </li>
  )
}

function keyOf(entry: TimelineEntry): string {
  if (entry.kind === 'run') return entry.run.explanation.at
  return JSON.stringify(entry)
}
