import { useEffect, useState } from 'preact/hooks'
import type { EntryRecord } from '../../../../src/control/client/types.ts'
import { stringifyJson } from '../../../../src/base/formats/json.ts'
import { CloseButton } from '../../parts/close-button.tsx'
import { ErrorMessage } from '../../parts/error-message.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Failed } from '../../parts/failed.tsx'
import { control, messageOf } from '../../session.ts'
import { useLoad } from '../../use-load.ts'
import { sizeInWords } from './entry-cells.tsx'

interface FileDetailProps {
  readonly fileSetId: string
  readonly fileId: string
  readonly version: number | undefined
  readonly close: () => void
}

/** One entry with all its fields; it is renamed, moved and deleted here. */
export function FileDetail({ fileSetId, fileId, version, close }: FileDetailProps) {
  const {
    value: entry,
    error,
    reload,
  } = useLoad((client) => client.getFile(fileSetId, fileId), [fileSetId, fileId, version])
  const isShown = entry?.id === fileId && error === undefined
  return (
    <section class="pane detail" aria-label="File">
      <div class="toolbar">
        <h2 class="file-title">{isShown ? entry.name : 'File'}</h2>
        <span class="toolbar-rest" />
        <CloseButton close={close} />
      </div>
      {error === undefined ? null : (
        <div class="detail-body">
          <Failed error={error} retry={reload} />
        </div>
      )}
      {isShown ? <Shown key={fileId} {...{ fileSetId, entry, close, reload }} /> : null}
    </section>
  )
}

interface ShownProps {
  readonly fileSetId: string
  readonly entry: EntryRecord
  readonly close: () => void
  readonly reload: () => void
}

function Shown({ fileSetId, entry, close, reload }: ShownProps) {
  const { id, path } = entry
  const [refusal, setRefusal] = useState<string>()
  const change = (result: Promise<unknown>, then: () => void) => {
    setRefusal(undefined)
    result.then(then, (error: unknown) => setRefusal(messageOf(error)))
  }
  return (
    <div class="detail-body">
      <Rename path={path} rename={(to) => change(control.value.changeFile(fileSetId, id, { path: to }), reload)} />
      <ErrorMessage text={refusal} />
      <dl class="file-fields">
        {Object.entries(entry).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{valueOf(name, value)}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <CopyButton text={() => stringifyJson(entry)} label="Copy as JSON" />
        <ConfirmButton
          key={id}
          label="Delete"
          question="Delete for good?"
          act={() => change(control.value.deleteFile(fileSetId, id), close)}
        />
      </div>
    </div>
  )
}

/** Another path moves the entry; what was typed stays when it is refused. */
function Rename({ path, rename }: { readonly path: string; readonly rename: (path: string) => void }) {
  const [text, setText] = useState(path)
  useEffect(() => setText(path), [path])
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        rename(text)
      }}
    >
      <label class="field">
        <span>Path: change it to rename or move</span>
        <input value={text} spellcheck={false} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button disabled={text === path || text === ''}>Move</button>
    </form>
  )
}

function valueOf(name: string, value: unknown) {
  if (value === null) return <span class="quiet">null</span>
  if (value === '') return <span class="quiet">empty</span>
  if (name === 'size' && (typeof value === 'number' || typeof value === 'bigint'))
    return (
      <>
        {value.toLocaleString('en')} {value === 1 ? 'byte' : 'bytes'}
        {value < 1000 ? null : <span class="quiet"> ({sizeInWords(value)})</span>}
      </>
    )
  return typeof value === 'string' ? value : stringifyJson(value)
}
