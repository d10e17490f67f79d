import './files/files.css'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { Empty } from '../parts/empty.tsx'
import type { FileSetList } from '../../../src/control/client/types.ts'
import { Failed } from '../parts/failed.tsx'
import { Icon } from '../parts/icon.tsx'
import { useEscape } from '../parts/use-escape.ts'
import { control, info, sandboxName } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { counted } from './history/event-words.ts'
import { AddFiles } from './files/add-files.tsx'
import { readAddress, writeAddress } from './files/address.ts'
import { Browse } from './files/browse.tsx'
import { FileDetail } from './files/file-detail.tsx'
import { NoFileSets } from './files/no-file-sets.tsx'
import { SearchFiles } from './files/search-files.tsx'

/** The file sets of the sandbox: their tree and table, the search of the API, and one entry in full. */
export function Files() {
  const [, go] = useLocation()
  const { fileSetId: named, fileId } = readAddress(location.hash)
  const { value, error, reload } = useLoad((client) => client.listFileSets(), [], ['state'])
  const fileSets = value?.fileSets ?? []
  const fileSetId = named ?? fileSets[0]?.id
  const open = (id: string | undefined) =>
    go(writeAddress({ ...(fileSetId === undefined ? {} : { fileSetId }), ...(id === undefined ? {} : { fileId: id }) }))
  useEscape(fileId !== undefined, () => open(undefined))
  if (value === undefined) return error === undefined ? null : <Failed error={error} retry={reload} />
  if (fileSetId === undefined) return <NoFileSets reload={reload} />
  const fileSet = fileSets.find(({ id }) => id === fileSetId)
  return (
    <div class={`split files ${fileId === undefined ? '' : 'split-open'}`}>
      <FileSet
        key={`${sandboxName.value} ${fileSetId}`}
        {...{ fileSetId, fileSets, reload, open }}
        choose={(id) => go(writeAddress({ fileSetId: id }))}
        version={fileSet?.version}
        selected={fileId}
      />
      {fileId === undefined ? null : (
        <FileDetail {...{ fileSetId, fileId }} version={fileSet?.version} close={() => open(undefined)} />
      )}
    </div>
  )
}

type FileSetCounts = FileSetList['fileSets'][number]

interface FileSetProps {
  readonly fileSetId: string
  readonly fileSets: readonly FileSetCounts[]
  readonly version: number | undefined
  readonly selected: string | undefined
  readonly choose: (fileSetId: string) => void
  readonly open: (fileId: string | undefined) => void
  readonly reload: () => void
}

function FileSet({ fileSetId, fileSets, version, selected, choose, open, reload }: FileSetProps) {
  const [mode, setMode] = useState<'browse' | 'search'>('browse')
  const [directory, setDirectory] = useState<string>()
  const [isAdding, setAdding] = useState(false)
  const counts = fileSets.find(({ id }) => id === fileSetId)
  const isThere = counts !== undefined
  const search = info.value?.operations.find(({ handler }) => handler === 'searchFiles')
  return (
    <section class="pane" aria-label="Files">
      <div class="toolbar">
        <h1>Files</h1>
        <label class="inline-label">
          <span class="visually-hidden">File set</span>
          <select value={fileSetId} onChange={(event) => choose(event.currentTarget.value)}>
            {isThere ? null : <option value={fileSetId}>{fileSetId} (not there)</option>}
            {fileSets.map(({ id, files }) => (
              <option key={id} value={id}>
                {id} ({counted(files, 'file', 'files')})
              </option>
            ))}
          </select>
        </label>
        <div class="choices" role="group" aria-label="View">
          <button aria-pressed={mode === 'browse'} onClick={() => setMode('browse')}>
            Browse
          </button>
          <button aria-pressed={mode === 'search'} onClick={() => setMode('search')}>
            Search
          </button>
        </div>
        <span class="toolbar-rest" />
        <button aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          <Icon name="plus" />
          Add files
        </button>
      </div>
      {isAdding ? (
        <AddFiles
          directory={mode === 'browse' ? (directory ?? '') : ''}
          add={async (files) => {
            const { files: added } = await control.value.addFiles(fileSetId, files)
            reload()
            setAdding(false)
            if (added.length === 1) open(added[0]?.id)
          }}
          close={() => setAdding(false)}
        />
      ) : null}
      {isThere ? null : (
        <Empty icon="files" title={`There is no file set ${fileSetId}`}>
          <p>It may be in another sandbox. Choose one above.</p>
        </Empty>
      )}
      {isThere && mode === 'browse' ? (
        <Browse {...{ fileSetId, version, directory, setDirectory, selected, open }} counts={counts} />
      ) : null}
      {isThere ? (
        <SearchFiles isShown={mode === 'search'} {...{ fileSetId, directory, selected, open, operation: search }} />
      ) : null}
    </section>
  )
}
