import { useState } from 'preact/hooks'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Failed } from '../../parts/failed.tsx'
import { controlOf, messageOf } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { timeOf } from '../history/event-words.ts'
import { contentsOf } from './words.ts'

interface CheckpointsProps {
  readonly sandbox: string
  /** Loads the list of sandboxes again. */
  readonly reload: () => void
}

/** The checkpoints of a sandbox: states that were saved under a name, to return to. */
export function Checkpoints({ sandbox, reload: reloadList }: CheckpointsProps) {
  const { value, error, reload } = useLoad(() => controlOf(sandbox).listCheckpoints(), [sandbox], ['state'])
  const [name, setName] = useState('')
  const [message, setMessage] = useState<{ readonly text: string; readonly isRefusal: boolean }>()
  const client = controlOf(sandbox)
  const change = (result: Promise<unknown>, text: string) => {
    result.then(
      () => {
        setMessage({ text, isRefusal: false })
        reload()
        reloadList()
      },
      (reason: unknown) => setMessage({ text: messageOf(reason), isRefusal: true }),
    )
  }
  const checkpoints = value?.checkpoints ?? []
  return (
    <>
      <h3>Checkpoints</h3>
      {error === undefined ? null : <Failed error={error} retry={reload} />}
      {value && checkpoints.length === 0 ? (
        <p class="quiet">None yet. Take one before you try something, and restore it afterwards.</p>
      ) : (
        <ul class="plain cards">
          {checkpoints.toReversed().map((checkpoint) => (
            <li key={checkpoint.name} class="card">
              <div class="card-head">
                <strong>{checkpoint.name}</strong>
                <span class="toolbar-rest" />
                <button
                  aria-label={`Restore the checkpoint ${checkpoint.name}`}
                  onClick={() =>
                    change(
                      client.restoreCheckpoint(checkpoint.name),
                      `${sandbox} is as it was at the checkpoint ${checkpoint.name}.`,
                    )
                  }
                >
                  Restore
                </button>
                <ConfirmButton
                  label="Delete"
                  question="Delete for good?"
                  act={() =>
                    change(client.deleteCheckpoint(checkpoint.name), `The checkpoint ${checkpoint.name} is gone.`)
                  }
                />
              </div>
              <p class="quiet">
                {timeOf(checkpoint.now)} UTC · {contentsOf(checkpoint)}
              </p>
            </li>
          ))}
        </ul>
      )}
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          change(client.createCheckpoint({ name }), `The checkpoint ${name} was taken.`)
          setName('')
        }}
      >
        <label class="field">
          <span>Name of a checkpoint</span>
          <input value={name} required maxLength={64} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button>Take checkpoint</button>
      </form>
      {message ? (
        <p class={message.isRefusal ? 'error' : 'quiet'} role={message.isRefusal ? 'alert' : 'status'}>
          {message.text}
        </p>
      ) : null}
    </>
  )
}
