import { control } from '../../session.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { VirtualRows } from '../../parts/rows/virtual-rows.tsx'
import { DirectoryTree } from './directory-tree.tsx'
import { cellsOf, COLUMNS, keyOfRow, NARROW, WIDTHS } from './entry-cells.tsx'
import { counted } from '../history/event-words.ts'
import { useEntries } from './use-entries.ts'

interface BrowseProps {
  readonly fileSetId: string
  readonly version: number | undefined
  /** How many files and directories the whole set has. */
  readonly counts: { readonly files: number; readonly directories: number } | undefined
  readonly directory: string | undefined
  readonly setDirectory: (directory: string | undefined) => void
  readonly selected: string | undefined
  readonly open: (fileId: string) => void
}

/** The tree of a file set, and the entries of all of it or of one directory. */
export function Browse({ fileSetId, version, counts, directory, setDirectory, selected, open }: BrowseProps) {
  const { total, error, entryAt, look, reload } = useEntries({ fileSetId, version, directory })
  const openDirectory = async () => {
    const { files } = await control.value.listFiles(fileSetId, { path: directory })
    const [entry] = files
    if (entry) open(entry.id)
  }
  return (
    <div class="files-body">
      <DirectoryTree {...{ fileSetId, version, select: setDirectory }} selected={directory} />
      <div class="files-table">
        <Place {...{ directory, setDirectory, total, counts }} details={() => void openDirectory()} />
        {error === undefined ? null : <Failed error={error} retry={reload} />}
        {total === 0 ? (
          <Empty icon="files" title={directory === undefined ? 'No files' : 'Nothing in this directory'}>
            <p>Choose “Add files” to put some here.</p>
          </Empty>
        ) : (
          <VirtualRows
            key={`${fileSetId} ${String(directory)}`}
            label="Files"
            columns={COLUMNS}
            widths={WIDTHS}
            narrow={NARROW}
            count={total ?? 0}
            keyOf={keyOfRow}
            onRange={look}
            onOpen={(index) => {
              const entry = entryAt(index)
              if (entry?.fileType === 'DIRECTORY' && directory !== undefined) setDirectory(entry.path)
              else if (entry) open(entry.id)
            }}
            isSelected={(index) => selected !== undefined && entryAt(index)?.id === selected}
          >
            {(index) => cellsOf(entryAt(index), directory)}
          </VirtualRows>
        )}
      </div>
    </div>
  )
}

interface PlaceProps extends Pick<BrowseProps, 'directory' | 'setDirectory' | 'counts'> {
  readonly total: number | undefined
  readonly details: () => void
}

/** Where the table is: each directory above leads there. */
function Place({ directory, setDirectory, total, counts, details }: PlaceProps) {
  const names = directory === undefined || directory === '' ? [] : directory.split('/')
  return (
    <div class="files-place">
      {directory === undefined ? (
        <strong>All files and directories</strong>
      ) : (
        <nav aria-label="Path" class="crumbs">
          <button class="crumb" onClick={() => setDirectory('')}>
            Top level
          </button>
          {names.map((name, index) => (
            <span key={index}>
              <span class="quiet">/</span>
              <button class="crumb" onClick={() => setDirectory(names.slice(0, index + 1).join('/'))}>
                {name}
              </button>
            </span>
          ))}
        </nav>
      )}
      {total === undefined ? null : (
        <span class="quiet">
          {directory === undefined && counts
            ? `${counted(counts.files, 'file', 'files')}, ${counted(counts.directories, 'directory', 'directories')}`
            : counted(total, 'file or directory', 'files and directories')}
        </span>
      )}
      <span class="toolbar-rest" />
      {names.length === 0 ? null : <button onClick={details}>Details of the directory</button>}
    </div>
  )
}
