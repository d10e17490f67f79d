import { useEffect, useRef, useState } from 'preact/hooks'
import { useLoad } from '../use-load.ts'
import { control, messageOf } from '../session.ts'

const STEPS = [
  { label: '1 hour', by: 'PT1H' },
  { label: '1 day', by: 'P1D' },
  { label: '1 week', by: 'P7D' },
] as const

/** The clock of the sandbox: what it shows, and what moves it. */
export function ClockControl() {
  const { value: clock, reload } = useLoad((client) => client.getClock(), [], ['state', 'run', 'delivery'])
  const now = useRunning(clock)
  const [message, setMessage] = useState<string>()
  const details = useRef<HTMLDetailsElement>(null)
  const change = (act: () => Promise<unknown>) => {
    setMessage(undefined)
    act().then(
      () => reload(),
      (error: unknown) => setMessage(messageOf(error)),
    )
  }
  const client = control.value
  const isFrozen = clock?.mode === 'frozen'
  return (
    <details class="clock menu" ref={details}>
      <summary>
        <span class="visually-hidden">Clock</span>
        <span class={`dot ${isFrozen ? 'dot-frozen' : 'dot-running'}`} aria-hidden="true" />
        <time dateTime={now}>{now === '' ? '…' : `${now.slice(0, 10)} ${now.slice(11, 19)}Z`}</time>
        <span class="quiet">{clock?.mode ?? ''}</span>
      </summary>
      <div class="menu-body">
        <p>
          {isFrozen ? 'The clock stands still until you move it.' : 'The clock runs.'} Runs of schedules fall due by it.
        </p>
        <div class="buttons">
          {STEPS.map(({ label, by }) => (
            <button key={by} onClick={() => change(() => client.advanceClock({ by }))}>
              + {label}
            </button>
          ))}
          <button class="primary" onClick={() => change(() => client.advanceClock({ toNextRun: true }))}>
            To the next run
          </button>
        </div>
        <div class="buttons">
          {isFrozen ? (
            <button onClick={() => change(() => client.putClock({ mode: 'running' }))}>Let it run</button>
          ) : (
            <button onClick={() => change(() => client.putClock({ mode: 'frozen' }))}>Freeze</button>
          )}
        </div>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const to = new FormData(event.currentTarget).get('to')
            if (typeof to === 'string' && to !== '') change(() => client.advanceClock({ to }))
          }}
        >
          <label class="field">
            <span>Move to an instant</span>
            <input name="to" placeholder="2027-03-28T01:30:00Z" autocomplete="off" />
          </label>
          <button>Move</button>
        </form>
        {message === undefined ? null : (
          <p class="error" role="alert">
            {message}
          </p>
        )}
      </div>
    </details>
  )
}

/** The instant that the clock shows, as it goes on. */
function useRunning(clock: { readonly mode: string; readonly now: string; readonly rate: number } | undefined): string {
  const [now, setNow] = useState('')
  useEffect(() => {
    if (!clock) return undefined
    const [start, read] = [Date.parse(clock.now), performance.now()]
    const show = () => setNow(new Date(start + (performance.now() - read) * clock.rate).toISOString())
    show()
    if (clock.rate === 0) return undefined
    const timer = setInterval(show, 1_000)
    return () => clearInterval(timer)
  }, [clock])
  return now
}
