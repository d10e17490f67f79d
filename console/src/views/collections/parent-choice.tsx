import { useState } from 'preact/hooks'
import type { CollectionList } from '../../../../src/control/client/types.ts'
import { useLoad } from '../../use-load.ts'
import { addressOf, findCollection, type Gap } from './address.ts'
import { columnsThatFit } from './choose-columns.ts'
import { DocumentTable, useColumns, useWidth } from './document-table.tsx'
import { useDocuments } from './use-documents.ts'

interface ParentChoiceProps {
  readonly name: string
  readonly gap: Gap
  readonly list: CollectionList
}

/** Chooses whose documents of a nested collection to show. */
export function ParentChoice({ name, gap, list }: ParentChoiceProps) {
  const [id, setId] = useState('')
  const open = (chosen: string) => void (location.hash = addressOf(gap.fill(chosen)))
  return (
    <section class="pane" aria-label={name}>
      <div class="toolbar">
        <h2 class="collection-name">
          <a class="back" href="#/collections" aria-label="All collections">
            ←
          </a>{' '}
          {name}
        </h2>
      </div>
      <form
        class="toolbar inline"
        onSubmit={(event) => {
          event.preventDefault()
          if (id !== '') open(id)
        }}
      >
        <p class="parent-note">
          Each parent has documents of its own. {gap.parent === undefined ? 'Name one:' : 'Choose one, or name it:'}
        </p>
        <input
          aria-label={gap.parameter}
          placeholder={gap.parameter}
          value={id}
          onInput={(event) => setId(event.currentTarget.value)}
        />
        <button class="primary">Show</button>
      </form>
      {gap.parent === undefined ? null : <Parents name={gap.parent} list={list} open={open} />}
    </section>
  )
}

function Parents({
  name,
  list,
  open,
}: {
  readonly name: string
  readonly list: CollectionList
  readonly open: (id: string) => void
}) {
  const { value: schema } = useLoad((client) => client.getCollectionSchema(name), [name])
  const { total = 0, samples, at } = useDocuments(name)
  const { ref, width } = useWidth<HTMLDivElement>()
  const columns = useColumns(schema, findCollection(name, list.collections)?.identity.member ?? null, samples)
  return (
    <div class="pane" ref={ref}>
      <DocumentTable label={name} columns={columnsThatFit(columns, width)} count={total} at={at} open={open} />
    </div>
  )
}
