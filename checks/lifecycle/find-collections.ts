import type { PublicContract, PublicOperation } from '../public-documents/read-contract.ts'

/** A path whose items have a path below it, as a reader of the paths alone would see it. */
export interface Collection {
  /** Without a suffix such as `.json`. */
  readonly path: string
  /** The parameter that names an item. */
  readonly parameter: string
  /** The collection whose items it is nested in. */
  readonly parent: Collection | undefined
  readonly create: PublicOperation | undefined
  readonly list: PublicOperation | undefined
  readonly read: PublicOperation
  /** PUT on the item; on the collection where that is not listed, as a pet store has it, with the id in the body. */
  readonly replace: PublicOperation | undefined
  /** PATCH, or a POST on the item where there is neither PUT nor PATCH. */
  readonly merge: PublicOperation | undefined
  readonly remove: PublicOperation | undefined
}

const ITEM = /^(.+)\/\{([^{}/]+)\}$/

/** The collections of a document: paths that are listed or posted to, and have items that are read. Parents come first. */
export function findCollections({ operations }: PublicContract): Collection[] {
  const at = new Map<string, Map<string, PublicOperation>>()
  for (const operation of operations) {
    const path = bare(operation.path)
    at.set(path, (at.get(path) ?? new Map<string, PublicOperation>()).set(operation.method, operation))
  }
  const found = new Map<string, Collection>()
  for (const itemPath of [...at.keys()].sort((a, b) => a.split('/').length - b.split('/').length)) {
    const [, path, parameter] = ITEM.exec(itemPath) ?? []
    const item = at.get(itemPath)
    const read = item?.get('get')
    const own = at.get(path ?? '')
    if (path === undefined || parameter === undefined || !item || !read) continue
    const create = own?.get('post')
    const list = own?.get('get')
    if (!create && !list) continue
    const replace = item.get('put') ?? (list ? undefined : own?.get('put'))
    found.set(path, {
      path,
      parameter,
      parent: parentOf(path, found),
      create,
      list,
      read,
      replace,
      merge: item.get('patch') ?? (replace ? undefined : item.get('post')),
      remove: item.get('delete'),
    })
  }
  return [...found.values()]
}

function bare(path: string): string {
  const [whole = ''] = path.split(/[?#]/)
  return whole.replace(/\/+$/, '').replace(/\.(?:json|xml)$/, '')
}

/** The collection with the longest item path that the path continues. */
function parentOf(path: string, found: ReadonlyMap<string, Collection>): Collection | undefined {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const [, collection] = ITEM.exec(path.slice(0, end)) ?? []
    const parent = collection === undefined ? undefined : found.get(collection)
    if (parent) return parent
  }
  return undefined
}
