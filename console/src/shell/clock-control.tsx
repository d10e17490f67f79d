import { useEffect, useRef, useState } from 'preact/hooks'
import type { Advance, ClockState } from '../../../src/control/client/types.ts'
import { ErrorMessage } from '../parts/error-message.tsx'
import { timeOf } from '../views/history/event-words.ts'
import { Icon } from '../parts/icon.tsx'
import { PassedRuns } from '../parts/passed-runs.tsx'
import { control, messageOf } from '../session.ts'
import { toInstant } from '../times.ts'
import { useLoad } from '../use-load.ts'

const STEPS = [
  { label: '1 hour', by: 'PT1H' },
  { label: '1 day', by: 'P1D' },
  { label: '1 week', by: 'P7D' },
] as const

/** The result of the last change of the clock. */
type Outcome = Advance | ClockState | { readonly refusal: string }

/** The clock of the sandbox, with controls to change it. */
export function ClockControl() {
  const { value: clock, reload } = useLoad((client) => client.getClock(), [], ['state', 'run', 'delivery'])
  const now = useRunning(clock)
  const [outcome, setOutcome] = useState<Outcome>()
  const details = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (details.current) details.current.open = false
  }
  useClosing(details, close)
  useEffect(() => setOutcome(undefined), [control.value])
  const change = (result: Promise<Outcome>) => {
    result.then(
      (value) => {
        setOutcome(value)
        reload()
      },
      (error: unknown) => setOutcome({ refusal: messageOf(error) }),
    )
  }
  const client = control.value
  const isFrozen = clock?.mode === 'frozen'
  const moveTo = (to: string) => {
    const isBack = clock !== undefined && Date.parse(to) < Date.parse(now)
    change(isBack ? client.putClock({ mode: clock.mode, now: to }) : client.advanceClock({ to }))
  }
  return (
    <details class="clock menu" ref={details}>
      <summary>
        <span class="visually-hidden">Clock</span>
        <span class={`dot ${isFrozen ? 'dot-frozen' : 'dot-running'}`} aria-hidden="true" />
        <time dateTime={now}>{now === '' ? '…' : `${now.slice(0, 10)} ${now.slice(11, 19)}Z`}</time>
        <span class="quiet">{clock?.mode ?? ''}</span>
        <Icon name="chevron" />
      </summary>
      <div class="menu-body">
        <p>
          {isFrozen ? 'The clock stands still until you move it.' : 'The clock runs.'} Schedules run when it reaches
          their time.
        </p>
        <div class="buttons">
          {STEPS.map(({ label, by }) => (
            <button key={by} onClick={() => change(client.advanceClock({ by }))}>
              + {label}
            </button>
          ))}
          <button class="primary" onClick={() => change(client.advanceClock({ toNextRun: true }))}>
            To the next run
          </button>
          <button onClick={() => change(client.putClock({ mode: isFrozen ? 'running' : 'frozen' }))}>
            {isFrozen ? 'Let it run' : 'Freeze'}
          </button>
        </div>
        <MoveForm now={now} moveTo={moveTo} />
        {outcome === undefined ? null : <OutcomeOf outcome={outcome} leave={close} />}
      </div>
    </details>
  )
}

function MoveForm({ now, moveTo }: { readonly now: string; readonly moveTo: (to: string) => void }) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const to = new FormData(event.currentTarget).get('to')
        if (typeof to === 'string' && to.trim() !== '') moveTo(toInstant(to))
      }}
    >
      <label class="field">
        <span>Move to (UTC, or with an offset)</span>
        <input
          name="to"
          placeholder={now === '' ? '2027-03-28 01:30' : now.slice(0, 16).replace('T', ' ')}
          autocomplete="off"
        />
      </label>
      <button>Move</button>
    </form>
  )
}

function OutcomeOf({ outcome, leave }: { readonly outcome: Outcome; readonly leave: () => void }) {
  if ('refusal' in outcome) return <ErrorMessage text={outcome.refusal} />
  if (!('runs' in outcome))
    return (
      <p class="quiet" role="status">
        The clock {outcome.mode === 'running' ? 'runs' : 'stands still'} at {timeOf(outcome.now)} UTC.
      </p>
    )
  const changed = outcome.transitions?.length ?? 0
  return (
    <>
      <PassedRuns runs={outcome.runs} leave={leave} />
      {changed === 0 ? null : (
        <p class="quiet">
          {changed.toLocaleString()} {changed === 1 ? 'document' : 'documents'} changed by time.
        </p>
      )}
    </>
  )
}

/** Closes a menu with Escape, and with a click elsewhere. */
function useClosing(details: { readonly current: HTMLDetailsElement | null }, close: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || details.current?.open !== true) return
      close()
      details.current.querySelector('summary')?.focus()
    }
    const onClick = (event: Event) => {
      if (event.target instanceof Node && details.current?.contains(event.target) === false) close()
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', onClick)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', onClick)
    }
  }, [])
}

/** The time of the clock, updated while it runs. */
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
