import { useState } from 'preact/hooks'
import type { Directory } from '../../../../src/control/client/types.ts'
import { Failed } from '../../parts/failed.tsx'
import { useLoad } from '../../use-load.ts'
import { counted } from '../history/event-words.ts'

interface TreeProps {
  readonly fileSetId: string
  readonly version: number | undefined
  /** The directory that is shown; undefined for all files. */
  readonly selected: string | undefined
  readonly select: (directory: string | undefined) => void
}

/** The most directories that one level shows. */
const LIMIT = 1_000

/** The directories of a file set. A level is loaded when it is opened. */
export function DirectoryTree({ fileSetId, version, selected, select }: TreeProps) {
  return (
    <nav class="tree" aria-label="Directories">
      <button class="tree-item" aria-current={selected === undefined} onClick={() => select(undefined)}>
        All files
      </button>
      <button class="tree-item" aria-current={selected === ''} onClick={() => select('')}>
        Top level
      </button>
      <Level key={fileSetId} {...{ fileSetId, version, selected, select }} directory="" />
    </nav>
  )
}

function Level(props: TreeProps & { readonly directory: string }) {
  const { fileSetId, version, directory } = props
  const { value, error, reload } = useLoad(
    (client) => client.listDirectories(fileSetId, { directory, limit: LIMIT }),
    [fileSetId, directory, version],
  )
  if (error !== undefined) return <Failed error={error} retry={reload} />
  if (value === undefined) return <p class="tree-note quiet">Loading…</p>
  return (
    <ul class="tree-level">
      {value.directories.map((one) => (
        <Branch key={one.path} {...props} one={one} />
      ))}
      {value.total > LIMIT ? (
        <li class="tree-note quiet">{(value.total - LIMIT).toLocaleString('en')} more: use the table or a search.</li>
      ) : null}
    </ul>
  )
}

function Branch({ one, ...props }: TreeProps & { readonly one: Directory; readonly directory: string }) {
  const { selected, select } = props
  const holdsSelected = selected?.startsWith(`${one.path}/`) === true
  const [toggled, setToggled] = useState<boolean>()
  const isOpen = one.hasDirectories && (toggled ?? holdsSelected)
  return (
    <li>
      <div class="tree-row">
        {one.hasDirectories ? (
          <button
            class="tree-toggle"
            aria-expanded={isOpen}
            aria-label={`Directories in ${one.path}`}
            onClick={() => setToggled(!isOpen)}
          />
        ) : (
          <span class="tree-toggle" />
        )}
        <button
          class="tree-item"
          title={`${one.path}: ${counted(one.entries, 'file or directory', 'files and directories')}`}
          aria-current={selected === one.path}
          onClick={() => {
            select(one.path)
            if (one.hasDirectories) setToggled(true)
          }}
        >
          <span>{one.name}</span>
          <span class="tree-count">{one.entries.toLocaleString('en')}</span>
        </button>
      </div>
      {isOpen ? <Level {...props} directory={one.path} /> : null}
    </li>
  )
}
