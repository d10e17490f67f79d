import type { Collection, CollectionList } from '../../../../src/control/client/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Method } from '../../parts/method.tsx'
import { info } from '../../session.ts'
import { addressOf } from './address.ts'

/** What was found in the contract, and the operations that belong to no collection. */
export function Overview({ list: { collections, instances } }: { readonly list: CollectionList }) {
  const operations = info.value?.operations ?? []
  const bound = new Set(collections.flatMap((one) => one.operations.map(({ operationId }) => operationId)))
  const others = operations.filter(({ operationId }) => !bound.has(operationId))
  if (collections.length === 0 && instances.length === 0) return <NoCollections />
  return (
    <section class="pane" aria-label="Overview">
      <div class="pane-body overview">
        <h1>Collections</h1>
        <p class="lead">
          {bound.size} of {operations.length} operations work on {collections.length}{' '}
          {collections.length === 1 ? 'collection' : 'collections'}: what one of them creates, the others list, read,
          change and delete.
        </p>
        <ul class="plain cards overview-cards">
          {collections.map((one) => (
            <li key={one.name} class="card">
              <a class="card-title" href={addressOf(one.name)} data-item="">
                {one.name}
              </a>
              <span class="quiet">{sizeOf(one)}</span>
              <Operations operations={one.operations} />
            </li>
          ))}
        </ul>
        {others.length === 0 ? null : (
          <>
            <h2>Operations without documents</h2>
            <p class="quiet">
              Handlers or generated responses answer these. Run{' '}
              <code>standin check --contract {info.value?.contract}</code> to see what handles each of them, and why it
              belongs to no collection.
            </p>
            <ul class="plain operations">
              {others.slice(0, MOST_SHOWN).map(({ operationId, method, path }) => (
                <li key={operationId}>
                  <Method name={method} /> <code>{path}</code>
                </li>
              ))}
            </ul>
            {others.length > MOST_SHOWN ? <p class="quiet">and {others.length - MOST_SHOWN} more</p> : null}
          </>
        )}
      </div>
    </section>
  )
}

const MOST_SHOWN = 100

function sizeOf({ name, count, noun, isSingleton }: Collection): string {
  if (isSingleton) return 'One document'
  if (count !== null) return `${count.toLocaleString('en')} ${count === 1 ? 'document' : 'documents'}`
  return name.includes('{') ? `${noun} documents of each parent` : 'Documents that are not made yet'
}

/** The operations on a collection, each with its role and why it was taken for that. */
export function Operations({
  operations,
}: {
  readonly operations: CollectionList['collections'][number]['operations']
}) {
  return (
    <ul class="plain operations">
      {operations.map(({ operationId, method, path, role, reason }) => (
        <li key={operationId} title={reason}>
          <span class="tag">{role}</span> <Method name={method} /> <code>{path}</code>
        </li>
      ))}
    </ul>
  )
}

function NoCollections() {
  return (
    <Empty icon="collections" title="No collections in this contract">
      <p>
        A collection is what operations such as <code>GET /orders</code>, <code>POST /orders</code> and{' '}
        <code>GET /orders/{'{orderId}'}</code> have in common.
      </p>
      <p>
        Run <code>standin check --contract {info.value?.contract}</code> to see what each operation was taken for, or
        serve the example: <code>standin serve --contract examples/shop/contract.yaml</code>
      </p>
    </Empty>
  )
}
