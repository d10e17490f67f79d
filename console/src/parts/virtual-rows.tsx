import { useVirtualizer } from '@tanstack/react-virtual'
import type { ComponentChildren, Key } from 'preact'
import { useRef } from 'preact/hooks'

interface VirtualRowsProps {
  /** Names the table for screen readers. */
  readonly label: string
  readonly columns: readonly string[]
  /** The widths of the columns, as CSS writes them: `4rem minmax(0, 1fr)`. */
  readonly widths: string
  readonly count: number
  readonly keyOf: (index: number) => Key
  /** The cells of a row. */
  readonly children: (index: number) => readonly ComponentChildren[]
  readonly onOpen?: (index: number) => void
  readonly isSelected?: (index: number) => boolean
}

const ROW = 32

/** A table that renders only the rows in view. The arrow keys move between rows, Enter opens one. */
export function VirtualRows({ label, columns, widths, count, keyOf, children, onOpen, isSelected }: VirtualRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    getItemKey: keyOf as (index: number) => string | number,
  })
  const move = (event: KeyboardEvent, index: number) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      onOpen?.(index)
    }
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 }[event.key]
    if (next === undefined || next < 0 || next >= count) return
    event.preventDefault()
    rows.scrollToIndex(next)
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus())
  }
  return (
    <div class="rows" role="table" aria-label={label} aria-rowcount={count + 1} style={{ '--columns': widths }}>
      <div class="rows-head" role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <span key={column} role="columnheader">
            {column}
          </span>
        ))}
      </div>
      <div class="rows-body" ref={scroller} role="rowgroup">
        <div class="rows-all" role="presentation" style={{ height: `${rows.getTotalSize()}px` }}>
          {rows.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={String(key)}
              class={`row ${isSelected?.(index) === true ? 'row-selected' : ''}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={isSelected ? isSelected(index) : undefined}
              data-index={index}
              tabIndex={onOpen ? 0 : undefined}
              style={{ transform: `translateY(${start}px)`, height: `${ROW}px` }}
              onClick={() => onOpen?.(index)}
              onKeyDown={(event) => move(event, index)}
            >
              {children(index).map((cell, column) => (
                <span key={column} role="cell">
                  {cell}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
