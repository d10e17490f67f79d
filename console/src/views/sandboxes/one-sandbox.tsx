import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { SandboxSummary } from '../../../../src/control/client/types.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { controlOf, forkAndShow, messageOf, sandboxName, showSandbox } from '../../session.ts'
import { timeOf } from '../history/event-words.ts'
import { START } from './comparable-states.ts'
import { Checkpoints } from './checkpoints.tsx'
import { contentsOf } from './words.ts'

interface OneSandboxProps {
  readonly name: string
  /** Undefined while the list is loaded, and for a sandbox that is not there. */
  readonly summary: SandboxSummary | undefined
  readonly isLoaded: boolean
  readonly close: () => void
  readonly reload: () => void
}

/** One sandbox: what it holds, and everything that can be done with it as a whole. */
export function OneSandbox({ name, summary, isLoaded, close, reload }: OneSandboxProps) {
  return (
    <section class="pane detail" aria-label={`Sandbox ${name}`}>
      <div class="toolbar">
        <h2>{name}</h2>
        {name === sandboxName.value ? <span class="tag">shown</span> : null}
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      {summary ? (
        <Shown summary={summary} close={close} reload={reload} />
      ) : isLoaded ? (
        <div class="detail-body">
          <p>There is no sandbox {name}. A request that names it creates it, and so does “New sandbox”.</p>
        </div>
      ) : null}
    </section>
  )
}

interface ShownProps {
  readonly summary: SandboxSummary
  readonly close: () => void
  readonly reload: () => void
}

function Shown({ summary, close, reload }: ShownProps) {
  const { name, clock, seed, recorded, expiresAt } = summary
  const [, go] = useLocation()
  const [refusal, setRefusal] = useState<string>()
  const client = controlOf(name)
  const change = (result: Promise<unknown>, done?: () => void) => {
    setRefusal(undefined)
    result.then(
      () => {
        done?.()
        reload()
      },
      (error: unknown) => setRefusal(messageOf(error)),
    )
  }
  const afterDelete = () => {
    if (sandboxName.value === name) showSandbox('default')
    close()
  }
  return (
    <div class="detail-body">
      <dl class="facts">
        <dt>Holds</dt>
        <dd>{contentsOf(summary)}</dd>
        <dt>Clock</dt>
        <dd>
          {timeOf(clock.now)} UTC,{' '}
          {clock.mode === 'frozen' ? 'stands still' : clock.rate === 1 ? 'runs' : `runs ${clock.rate} times as fast`}
        </dd>
        <dt>Seed</dt>
        <dd>{seed}</dd>
        <dt>Requests</dt>
        <dd>{recorded.toLocaleString('en')} in its journal</dd>
        {expiresAt === null ? null : (
          <>
            <dt>Expires</dt>
            <dd>{timeOf(expiresAt)} UTC, unless a request uses it before</dd>
          </>
        )}
      </dl>
      <div class="buttons">
        {name === sandboxName.value ? null : (
          <button class="primary" onClick={() => showSandbox(name)}>
            Switch to it
          </button>
        )}
        <button onClick={() => go(`/compare/${START}/${name}`)}>What changed?</button>
        <ConfirmButton label="Reset" question="Reset to the initial state?" act={() => change(client.reset())} />
        {name === 'default' ? null : (
          <ConfirmButton
            label="Delete"
            question="Delete for good?"
            act={() => change(client.deleteSandbox(name), afterDelete)}
          />
        )}
      </div>
      <ErrorMessage text={refusal} />
      <Fork name={name} />
      <Checkpoints sandbox={name} reload={reload} />
    </div>
  )
}

function Fork({ name }: { readonly name: string }) {
  const [, go] = useLocation()
  const [fork, setFork] = useState(`${name.slice(0, 55)}-fork`)
  const [refusal, setRefusal] = useState<string>()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        forkAndShow(name, { name: fork }).then(
          () => go(`/show/${fork}`),
          (error: unknown) => setRefusal(messageOf(error)),
        )
      }}
    >
      <h3>Fork it</h3>
      <div class="inline">
        <label class="field">
          <span>Name of the fork</span>
          <input value={fork} required maxLength={64} onInput={(event) => setFork(event.currentTarget.value)} />
        </label>
        <button>Fork and show it</button>
      </div>
      <p class="quiet">
        The fork starts as {name} is now. To start from an earlier step, choose one in the{' '}
        <Link href="~/history">history</Link>.
      </p>
      <ErrorMessage text={refusal} />
    </form>
  )
}
