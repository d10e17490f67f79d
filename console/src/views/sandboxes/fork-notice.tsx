import { signal } from '@preact/signals'
import type { ForkRequest } from '../../../../src/control/client/types.ts'
import { control, sandboxName, showSandbox } from '../../session.ts'

interface Fork {
  readonly name: string
  readonly from: string
  /** The step that it was forked after; undefined for the present. */
  readonly at: number | undefined
}

/** The last fork that was made here. */
const lastFork = signal<Fork | undefined>(undefined)

/** Forks a sandbox and shows the fork. @throws ControlError */
export async function forkAndShow(from: string, request: ForkRequest): Promise<void> {
  await control.value.forkSandbox(from, request)
  lastFork.value = { name: request.name, from, at: request.at }
  showSandbox(request.name)
}

/** Says that a fork is shown now, with the way back. */
export function ForkNotice() {
  const fork = lastFork.value
  if (fork?.name !== sandboxName.value) return null
  const { name, from, at } = fork
  return (
    <div class="callout callout-good fork-notice" role="status">
      <span>
        You are now in <strong>{name}</strong>: {from} as it{' '}
        {at === undefined ? 'was a moment ago' : `was after step ${at}`}. What you change here does not change {from}.
      </span>
      <button onClick={() => showSandbox(from)}>Back to {from}</button>
    </div>
  )
}
