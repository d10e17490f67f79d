import { useEffect, useRef, useState } from 'preact/hooks'
import type { CollectionList } from '../../../../src/control/client/types.ts'
import { addressOf } from './address.ts'
import { type TreeRow, treeOf } from './tree-rows.ts'

/** The collections, nested ones below their parents, with how many documents they have and what works on them. */
export function CollectionTree({
  list,
  selected,
}: {
  readonly list: CollectionList
  readonly selected: string | undefined
}) {
  const [text, setText] = useState('')
  const element = useRef<HTMLElement>(null)
  const all = treeOf(list)
  const rows = all.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
  useEffect(() => element.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [selected])
  return (
    <nav class="collections-tree" aria-label="Collections" ref={element}>
      <h1>
        <a href="#/collections">Collections</a>
      </h1>
      {all.length > MANY ? (
        <input
          type="search"
          placeholder={`Filter ${all.length} collections`}
          aria-label="Filter the collections"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      ) : null}
      <ul class="plain">
        {rows.map((row) => (
          <TreeItem key={row.name} row={row} selected={selected} />
        ))}
      </ul>
    </nav>
  )
}

/** A list of so many has a filter. */
const MANY = 20

/** More changed instances than these are found by choosing their parent. */
const MOST_INSTANCES = 10

function TreeItem({ row, selected }: { readonly row: TreeRow; readonly selected: string | undefined }) {
  const { name, title, depth, count, operations, instances } = row
  const roles = [...new Set(operations.map(({ role }) => role))].join(', ')
  return (
    <li style={{ '--depth': depth }}>
      <a class="tree-link" href={addressOf(name)} aria-current={selected === name ? 'page' : undefined}>
        <span class="tree-title">{title}</span>
        <span class="tree-count">{count === null ? '' : count.toLocaleString('en')}</span>
        <span class="list-note">{operations.length === 0 ? 'kept by handlers' : roles}</span>
      </a>
      {instances.slice(0, MOST_INSTANCES).map(({ name: instance, count: held }) => (
        <a
          key={instance}
          class="tree-link tree-instance"
          href={addressOf(instance)}
          aria-current={selected === instance ? 'page' : undefined}
        >
          <span class="tree-title">{instance}</span>
          <span class="tree-count">{held.toLocaleString('en')}</span>
        </a>
      ))}
    </li>
  )
}
