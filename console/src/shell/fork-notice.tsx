import { forks, leaveFork, sandboxName } from '../session.ts'
import './fork-notice.css'

/** Says above every view that a fork is shown, with the way back. */
export function ForkNotice() {
  const name = sandboxName.value
  const fork = forks.value.get(name)
  if (!fork) return null
  const { from, at } = fork
  return (
    <div class="callout callout-good fork-notice" role="status">
      <span>
        You are now in <strong>{name}</strong>, a fork of {from}
        {at === undefined ? '' : ` as it was after step ${at}`}. What you change here does not change {from}.
      </span>
      <button onClick={() => leaveFork(fork)}>Back to {from}</button>
    </div>
  )
}
