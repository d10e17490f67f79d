import { CloseButton } from '../../parts/close-button.tsx'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { useState } from 'preact/hooks'
import type { SandboxSummary } from '../../../../src/control/client/types.ts'
import { control, messageOf, showSandbox } from '../../session.ts'

interface CreateSandboxProps {
  readonly sandboxes: readonly SandboxSummary[]
  readonly close: () => void
  readonly done: (name: string) => void
}

/** A form for a new sandbox: with the initial state, or as a copy of another one. */
export function CreateSandbox({ sandboxes, close, done }: CreateSandboxProps) {
  const [refusal, setRefusal] = useState<string>()
  const [name, setName] = useState('')
  const [from, setFrom] = useState('')
  const [seed, setSeed] = useState('')
  const create = () => {
    const request = { name, ...(from === '' ? {} : { from }), ...(seed === '' ? {} : { seed: Number(seed) }) }
    control.value.createSandbox(request).then(
      () => {
        showSandbox(name)
        done(name)
      },
      (error: unknown) => setRefusal(messageOf(error)),
    )
  }
  return (
    <section class="pane detail" aria-label="New sandbox">
      <div class="toolbar">
        <h2>New sandbox</h2>
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      <form
        class="detail-body form"
        onSubmit={(event) => {
          event.preventDefault()
          create()
        }}
      >
        <label class="field">
          <span>Name</span>
          <input value={name} required maxLength={64} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label class="field">
          <span>Starts with</span>
          <select value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
            <option value="">the initial state</option>
            {sandboxes.map((one) => (
              <option key={one.name} value={one.name}>
                a copy of {one.name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Seed of ids and chance from here on</span>
          <input
            type="number"
            min={0}
            value={seed}
            placeholder="the seed of what it starts with"
            onInput={(event) => setSeed(event.currentTarget.value)}
          />
        </label>
        <div class="buttons">
          <button class="primary">Create and show it</button>
        </div>
        <ErrorMessage text={refusal} />
      </form>
    </section>
  )
}
