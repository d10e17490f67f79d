import type { Operation } from '../../../../contract/contract.ts'
import { draftOf } from '../draft-operation.ts'
import { readHints } from '../hints.ts'
import { singular } from '../../../../base/formats/plurals.ts'
import { parameterOf, type PathItem, type Routes, shapeOf } from '../routes.ts'

interface InferredPaths {
  readonly document: unknown
  readonly routes: Routes
  /** The collections, and the single documents, by the shape of their paths. */
  readonly drafts: ReadonlyMap<
    string,
    { readonly segments: readonly string[]; readonly noun: string; readonly isSingleton: boolean }
  >
  /** The paths of collections whose list or items cannot be shown. */
  readonly unread: ReadonlySet<string>
}

/** Why an operation belongs to no collection, as the end of a sentence. */
export function unsupportedReason(inferred: InferredPaths, { segments }: PathItem, operation: Operation): string {
  const { document, routes, drafts, unread } = inferred
  const isItem = parameterOf(segments.at(-1)) !== undefined
  const shape = shapeOf(isItem ? segments.slice(0, -1) : segments)
  if (readHints(document, routes.get(shape), routes.get(`${shape}/{}`)).isIgnored) return 'x-standin ignores its path'
  if (unread.has(shape)) return 'the list or the items of its path were not understood'
  const own = drafts.get(shape)
  if (own) return reasonOnCollection(document, operation, { noun: own.noun, isItem })
  if (isItem) {
    const word = segments.at(-2)
    const nested = [...drafts.values()].find((draft) => !draft.isSingleton && draft.segments.at(-1) === word)
    return nested
      ? `its items are listed at /${nested.segments.join('/')} only, and a path without the ids of parents cannot find them`
      : 'no operation lists or creates its items'
  }
  if (isBelowCollection(segments, drafts) && operation.method !== 'GET')
    return 'its response does not show the item, so it is not known what it does to it'
  return reasonElsewhere(document, operation, singular(segments.at(-1) ?? ''))
}

interface CollectionPath {
  readonly noun: string
  readonly isItem: boolean
}

/** For an operation on the path of a collection, or of its items. */
function reasonOnCollection(document: unknown, operation: Operation, { noun, isItem }: CollectionPath): string {
  const { method } = operation
  const draft = draftOf(document, operation, noun)
  if (!['GET', 'POST', 'PUT', 'PATCH'].includes(method))
    return `${method} of ${isItem ? `one ${noun}` : 'a whole collection'} has no usual meaning`
  if (!draft) return 'its response is not JSON, or has no schema'
  if (method !== 'GET' && !draft.input) return 'its body is not an object'
  if (method === 'GET' && !isItem && !draft.list) return 'its response has no list of objects'
  return 'its response is not about the items of the other operations'
}

/** Whether a path is a word such as `cancel` or `search` below a collection or its items. */
function isBelowCollection(segments: readonly string[], drafts: InferredPaths['drafts']): boolean {
  const above = segments.slice(0, -1)
  const path = parameterOf(above.at(-1)) === undefined ? above : above.slice(0, -1)
  return path.length > 0 && drafts.get(shapeOf(path))?.isSingleton === false
}

/** For a path that ends in a word and belongs to no collection. */
function reasonElsewhere(document: unknown, operation: Operation, noun: string): string {
  const draft = draftOf(document, operation, noun)
  if (operation.method === 'POST') return 'no operation reads what it creates'
  if (operation.method !== 'GET') return 'no operation reads what it changes'
  if (draft?.list) return 'its list is a search or a report, and no operation reads or changes its items'
  return draft?.item ? 'no operation changes what it reads' : 'its response is neither an object nor a list of objects'
}
