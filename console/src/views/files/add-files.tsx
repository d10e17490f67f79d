import { ErrorMessage } from '../../parts/error-message.tsx'
import { FileButton } from '../../parts/file-button.tsx'
import { useState } from 'preact/hooks'
import type { GivenFile } from '../../../../src/control/client/types.ts'
import { messageOf } from '../../session.ts'
import { readJsonLines } from './json-lines.ts'

interface AddFilesProps {
  /** Where new files go unless another path is written. */
  readonly directory: string
  readonly add: (files: readonly GivenFile[]) => Promise<void>
  readonly close: () => void
}

/** Adds files as JSON lines, typed or from a file. */
export function AddFiles({ directory, add, close }: AddFilesProps) {
  const [text, setText] = useState(() => exampleIn(directory))
  const [refusal, setRefusal] = useState<string>()
  const [isSending, setSending] = useState(false)
  const submit = async () => {
    setRefusal(undefined)
    setSending(true)
    try {
      await add(readJsonLines(text))
    } catch (error) {
      setRefusal(messageOf(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <form
      class="files-add"
      aria-label="Add files"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <label class="field">
        <span>
          One JSON object a line. Only <code>path</code> is needed; <code>"fileType": "DIRECTORY"</code> adds a
          directory.
        </span>
        <textarea
          rows={3}
          spellcheck={false}
          class="code-input"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <ErrorMessage text={refusal} />
      <div class="buttons">
        <button class="primary" disabled={isSending}>
          {isSending ? 'Adding…' : 'Add'}
        </button>
        <FileButton label="Load a file" accept=".json,.jsonl,.ndjson,.txt" load={setText} />
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  )
}

function exampleIn(directory: string): string {
  const above = directory === '' ? '' : `${directory}/`
  return `{"path": ${JSON.stringify(`${above}report.pdf`)}, "size": 12000, "created": "2026-03-31T09:00:00.000Z"}`
}
