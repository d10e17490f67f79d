import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CollectionSchema, DocumentList } from '../../../../src/control/client/types.ts'
import { VirtualRows } from '../../parts/rows/virtual-rows.tsx'
import { valueAt } from './changes.ts'
import { cellText, type Column, columnsOf, shortId } from './choose-columns.ts'
import { createForm } from './editor/schema-form.ts'

type StoredDocument = DocumentList['documents'][number]

interface DocumentTableProps {
  readonly label: string
  readonly columns: readonly Column[]
  readonly count: number
  readonly at: (index: number) => StoredDocument | undefined
  readonly open: (id: string) => void
  readonly selected?: string | undefined
}

/** Documents as rows; those that are not loaded yet are empty. */
export function DocumentTable({ label, columns, count, at, open, selected }: DocumentTableProps) {
  return (
    <VirtualRows
      label={label}
      columns={columns.map(({ title }) => title)}
      widths={columns.map(({ width }) => width).join(' ')}
      opensOnMove={selected !== undefined}
      count={count}
      keyOf={(index) => index}
      onOpen={(index) => {
        const id = at(index)?.id
        if (id !== undefined) open(id)
      }}
      isSelected={(index) => selected !== undefined && at(index)?.id === selected}
    >
      {(index) => cellsOf(at(index), columns)}
    </VirtualRows>
  )
}

function cellsOf(stored: StoredDocument | undefined, columns: readonly Column[]): readonly ComponentChildren[] {
  if (!stored) return columns.map((_, index) => (index === 0 ? <span class="quiet">…</span> : ''))
  return columns.map(({ pointer, look }) => {
    const value = pointer === undefined ? stored.id : valueAt(stored.document, pointer)
    if (value === null) return <span class="quiet">null</span>
    const text = cellText(value)
    const shown = look === 'id' ? shortId(text) : text
    const full = text.length > 20 ? text : undefined
    if (look === 'kind' && text !== '') return <span class="tag tag-plain">{text}</span>
    return (
      <span class={look === undefined ? '' : `cell-${look}`} title={full}>
        {shown}
      </span>
    )
  })
}

/** The columns that a collection can have, the most useful first. */
export function useColumns(
  schema: CollectionSchema | undefined,
  identity: string | null,
  samples: readonly StoredDocument[],
): readonly Column[] {
  const key = samples.map(({ id }) => id).join()
  return useMemo(
    () =>
      columnsOf({
        form: createForm(schema?.schema ?? {}),
        schema: schema?.schema ?? {},
        samples: samples.map(({ document }) => document),
        identity,
      }),
    [schema, identity, key],
  )
}

/** An element and its width in pixels. */
export function useWidth<T extends HTMLElement>() {
  const ref = useRef<T>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
