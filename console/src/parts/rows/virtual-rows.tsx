import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { HEAD, ROW, useRows } from './use-rows.ts'

interface VirtualRowsProps {
  /** The label of the table for screen readers. */
  readonly label: string
  readonly columns: readonly string[]
  /** The widths of the columns, as CSS writes them: `4rem minmax(0, 1fr)`. */
  readonly widths: string
  /** What a narrow table shows: some of the columns, by their index, and their widths. */
  readonly narrow?: { readonly columns: readonly number[]; readonly widths: string }
  readonly count: number
  /** Keep the same function for long lists: a new one measures all rows again. */
  readonly keyOf: (index: number) => string | number
  /** The cells of a row. */
  readonly children: (index: number) => readonly ComponentChildren[]
  readonly onOpen?: (index: number) => void
  readonly isSelected?: (index: number) => boolean
  /** Whether moving to a row opens it, as where one is open already. */
  readonly opensOnMove?: boolean
  /** Tells which rows are in view, the last excluded. */
  readonly onRange?: (first: number, end: number) => void
}

/**
 * A table that renders only the rows in view. The arrow keys, or j and k, move between rows, Enter opens one. Rows that are added before
 * those in view do not move them, unless the first row is in view.
 */
export function VirtualRows(props: VirtualRowsProps) {
  const { label, columns, widths, narrow, count, keyOf, children, onOpen, isSelected, onRange } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { height, items, show } = useRows(scroller, count, keyOf)
  const first = items[0]?.index ?? 0
  const end = (items.at(-1)?.index ?? -1) + 1
  useEffect(() => onRange?.(first, end), [onRange, first, end])
  const keepPlace = usePlace(scroller, count, keyOf)
  const focusRow = (index: number) => {
    show(index)
    const findRow = () => scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    // At once where it is drawn, so that a quick Enter opens the row that was moved to.
    const row = findRow()
    if (row) row.focus({ preventScroll: true })
    else requestAnimationFrame(() => findRow()?.focus())
  }
  const isNarrow = (column: number) => narrow === undefined || narrow.columns.includes(column)
  return (
    <div
      class="rows"
      role="table"
      aria-label={label}
      aria-rowcount={count + 1}
      style={{
        '--columns': widths,
        '--narrow-columns': narrow?.widths ?? widths,
        // Chromium keeps the height of a size container when what it holds grows.
        flexBasis: `${HEAD + height}px`,
      }}
    >
      <div class="rows-body" ref={scroller} role="rowgroup" onScroll={keepPlace}>
        <div class="rows-head" role="row" aria-rowindex={1} style={{ height: `${HEAD}px` }}>
          {columns.map((column, index) => (
            <span key={column} role="columnheader" class={isNarrow(index) ? '' : 'wide-only'}>
              {column}
            </span>
          ))}
        </div>
        <div class="rows-all" role="presentation" style={{ height: `${height}px` }}>
          {items.map(({ index, key, top }) => (
            <div
              key={String(key)}
              class={`row ${isSelected?.(index) === true ? 'row-selected' : ''}`}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={isSelected ? isSelected(index) : undefined}
              data-index={index}
              data-item={onOpen ? (props.opensOnMove === true ? 'opens' : '') : undefined}
              tabIndex={onOpen ? 0 : undefined}
              style={{ transform: `translateY(${top}px)`, height: `${ROW}px` }}
              onClick={() => onOpen?.(index)}
              onKeyDown={(event) => handleKey(event, index, props, focusRow)}
            >
              {children(index).map((cell, column) => (
                <span key={column} role="cell" class={isNarrow(column) ? '' : 'wide-only'}>
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

function handleKey(
  event: KeyboardEvent,
  index: number,
  { count, onOpen, opensOnMove }: VirtualRowsProps,
  focusRow: (index: number) => void,
): void {
  // Keys in a field or on a button belong to that element.
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault()
    onOpen?.(index)
  }
  const moves = { ArrowDown: index + 1, j: index + 1, ArrowUp: index - 1, k: index - 1, Home: 0, End: count - 1 }
  const next = moves[event.key as keyof typeof moves] as number | undefined
  if (next === undefined) return
  event.preventDefault()
  if (next < 0 || next >= count) return
  focusRow(next)
  if (opensOnMove === true) onOpen?.(next)
}

/** The most rows that are added at once without moving those in view. */
const MOST_ADDED = 1_000

/** Keeps the rows in view where they are while others are added before them. @returns what to call on a scroll */
function usePlace(
  scroller: { readonly current: HTMLDivElement | null },
  count: number,
  keyOf: (index: number) => string | number,
): () => void {
  const place = useRef<{ readonly index: number; readonly key: string | number }>()
  const remember = () => {
    const index = Math.floor((scroller.current?.scrollTop ?? 0) / ROW)
    place.current = index === 0 ? undefined : { index, key: keyOf(index) }
  }
  useLayoutEffect(() => {
    const { current: body } = scroller
    const held = place.current
    if (!body || !held) return
    const last = Math.min(count, held.index + MOST_ADDED)
    for (let index = held.index; index < last; index++) {
      if (keyOf(index) !== held.key) continue
      if (index !== held.index) body.scrollTop += (index - held.index) * ROW
      place.current = { index, key: held.key }
      return
    }
  })
  return remember
}
