import { useState } from 'preact/hooks'
import type { Collection } from '../../../../src/control/client/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failed } from '../../parts/failed.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useLoad } from '../../use-load.ts'
import { addressOf } from './address.ts'
import { type Column, columnsThatFit } from './choose-columns.ts'
import { DocumentTable, useColumns, useWidth } from './document-table.tsx'
import { NewDocument } from './new-document.tsx'
import { Operations } from './overview.tsx'
import { useDocuments } from './use-documents.ts'
import { type Filtered, MOST_MATCHES, useFilter } from './use-filter.ts'

interface CollectionTableProps {
  readonly name: string
  /** Undefined for one that only handlers know. */
  readonly collection: Collection | undefined
  readonly selected: string | undefined
}

/** The documents of one collection. */
export function CollectionTable({ name, collection, selected }: CollectionTableProps) {
  const { value: schema } = useLoad((client) => client.getCollectionSchema(name), [name])
  const documents = useDocuments(name)
  const { total, error, samples, version } = documents
  const [text, setText] = useState('')
  const [isCreating, setCreating] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>()
  const filtered = useFilter(name, text, (total ?? 0) > 5_000 ? 0 : version)
  const { ref, width } = useWidth<HTMLElement>()
  const all = useColumns(schema, collection?.identity.member ?? null, samples)
  const columns = chosen ? all.filter(({ title }) => chosen.includes(title)) : columnsThatFit(all, width)
  const noun = collection?.noun ?? 'document'
  const open = (id: string) => void (location.hash = addressOf(name, id))
  return (
    <section class="pane" aria-label={name} ref={ref}>
      <div class="toolbar">
        <h2 class="collection-name">
          <a class="back" href="#/collections" aria-label="All collections">
            ←
          </a>{' '}
          {name} <span class="quiet">{total?.toLocaleString('en')}</span>
        </h2>
        <span class="toolbar-rest" />
        {collection?.isSingleton === true ? null : (
          <button class="primary" onClick={() => setCreating(true)}>
            <Icon name="plus" />
            New {noun}
          </button>
        )}
      </div>
      <div class="toolbar collection-tools">
        <input
          type="search"
          placeholder="Filter by text"
          aria-label="Filter by text"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <ColumnMenu all={all} shown={columns} choose={setChosen} />
        {collection ? (
          <details class="menu">
            <summary>Operations</summary>
            <div class="menu-body menu-wide">
              <Operations operations={collection.operations} />
            </div>
          </details>
        ) : null}
      </div>
      {filtered ? <FilterNote filtered={filtered} total={total ?? 0} /> : null}
      {error === undefined ? null : <Failed error={error} retry={documents.reload} />}
      {total === undefined && error === undefined ? <Making /> : null}
      {isCreating ? (
        <NewDocument
          {...{ name, noun, schema }}
          identity={collection?.identity.member ?? null}
          close={() => setCreating(false)}
        />
      ) : total === 0 ? (
        <Empty icon="collections" title={`No ${noun} yet`}>
          <p>Create one here, or by an operation of the contract.</p>
        </Empty>
      ) : (
        <DocumentTable
          label={name}
          columns={columns}
          count={filtered ? filtered.documents.length : (total ?? 0)}
          at={filtered ? (index) => filtered.documents[index] : documents.at}
          open={open}
          selected={selected}
        />
      )}
    </section>
  )
}

function FilterNote({
  filtered: { documents, read, isDone, error },
  total,
}: {
  readonly filtered: Filtered
  readonly total: number
}) {
  if (error !== undefined) return <Failed error={error} />
  const many =
    documents.length >= MOST_MATCHES
      ? `The first ${MOST_MATCHES.toLocaleString('en')}`
      : documents.length.toLocaleString('en')
  return (
    <p class="filter-note quiet" role="status">
      {many} of {total.toLocaleString('en')} contain it.
      {isDone ? '' : ` Read ${read.toLocaleString('en')} so far.`}
    </p>
  )
}

interface ColumnMenuProps {
  readonly all: readonly Column[]
  readonly shown: readonly Column[]
  readonly choose: (titles: readonly string[] | undefined) => void
}

function ColumnMenu({ all, shown, choose }: ColumnMenuProps) {
  const titles = shown.map(({ title }) => title)
  return (
    <details class="menu">
      <summary>Columns</summary>
      <div class="menu-body menu-columns">
        {all.map(({ title }) => (
          <label key={title}>
            <input
              type="checkbox"
              checked={titles.includes(title)}
              onChange={({ currentTarget: { checked } }) =>
                choose(checked ? [...titles, title] : titles.filter((one) => one !== title))
              }
            />
            {title}
          </label>
        ))}
        <button onClick={() => choose(undefined)}>The usual ones</button>
      </div>
    </details>
  )
}

/** What asks for a collection first has its documents made, which takes a while where a schema is large. */
function Making() {
  return (
    <p class="collections-making quiet" role="status">
      Making the first documents…
    </p>
  )
}
