import { useLocation } from 'wouter-preact'
import { Failed } from '../parts/failed.tsx'
import { useLoad } from '../use-load.ts'
import { findCollection, findGap, readAddress } from './collections/address.ts'
import './collections/collections.css'
import { CollectionTree } from './collections/collection-tree.tsx'
import { CollectionTable } from './collections/collection-table.tsx'
import { Document } from './collections/document.tsx'
import { Overview } from './collections/overview.tsx'
import { ParentChoice } from './collections/parent-choice.tsx'

/** Documents of any contract: the collections that were found in it, and what they hold. */
export function Collections() {
  // The hash itself, since the router decodes escaped slashes of names.
  useLocation()
  const { value: list, error, reload } = useLoad((client) => client.listCollections(), [], ['state'])
  const { name, id } = readAddress(location.hash, list?.collections)
  if (!list) return error === undefined ? null : <Failed error={error} retry={reload} />
  const collection = name === undefined ? undefined : findCollection(name, list.collections)
  const gap = name === undefined ? undefined : findGap(name, list.collections)
  const shows = name === undefined ? 'overview' : id === undefined ? 'collection' : 'document'
  return (
    <div class={`collections collections-${shows}`}>
      <CollectionTree list={list} selected={name} />
      {name === undefined ? (
        <Overview list={list} />
      ) : gap && id === undefined ? (
        <ParentChoice key={name} name={name} gap={gap} list={list} />
      ) : (
        <div class="collections-content">
          <CollectionTable key={name} name={name} collection={collection} selected={id} />
          {id === undefined ? null : (
            <Document key={`${name} ${id}`} name={name} id={id} collection={collection} all={list.collections} />
          )}
        </div>
      )}
    </div>
  )
}
