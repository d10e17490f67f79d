import type { EntryRecord } from '../../../../src/control/client/types.ts'
import { Icon } from '../../parts/icon.tsx'

export const COLUMNS = ['Name', 'Type', 'Size', 'Created (UTC)']
export const WIDTHS = 'minmax(10rem, 1fr) 8.5rem 6rem 9.5rem'

/** Beside an entry in full, or on a small screen. */
export const NARROW = { columns: [0, 2], widths: 'minmax(0, 1fr) 5rem' }

export function keyOfRow(index: number): number {
  return index
}

/** The cells of an entry in a table. @param directory what all rows of the table lie in: it is not repeated in each */
export function cellsOf(entry: EntryRecord | undefined, directory: string | undefined) {
  if (!entry) return [<span class="loading-row" />, '', '', '']
  const isDirectory = entry.fileType === 'DIRECTORY'
  const above = directory === undefined ? entry.path.slice(0, entry.path.length - entry.name.length) : ''
  return [
    <span title={entry.path}>
      <Icon name={isDirectory ? 'files' : 'file'} />
      {above === '' ? null : <span class="quiet">{above}</span>}
      {entry.name}
      {isDirectory ? '/' : ''}
    </span>,
    <span class="quiet">{entry.fileType.toLowerCase()}</span>,
    entry.size === null ? '' : sizeInWords(entry.size),
    <time dateTime={entry.created} title={entry.created}>
      {entry.created.slice(0, 16).replace('T', ' ')}
    </time>,
  ]
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'] as const

/** Bytes as people read them: `1.2 MB`. */
export function sizeInWords(size: number | bigint): string {
  let value = Number(size)
  let unit = 0
  while (Math.abs(value) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(value < 10 ? 1 : 0)} ${UNITS[unit] ?? ''}`
}
