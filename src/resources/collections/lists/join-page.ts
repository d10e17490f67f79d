import type { Steps } from '../../../engine/slices.ts'
import type { State } from '../../../engine/state.ts'
import { asList, parseJson } from '../../../base/formats/json.ts'
import { valueAt } from '../../../contract/pointer.ts'
import type { Call } from '../../handler.ts'
import type { JoinedPage, ServicePage } from '../../resource.ts'
import { createDocuments, type Documents } from '../documents/documents.ts'
import { idOf } from '../documents/ids.ts'
import { selectInSteps } from '../documents/select.ts'
import type { Selection } from '../documents/selection.ts'
import { compareIndexKeys, orderOf } from '../documents/sorting.ts'
import { type Entry, storeDocument } from '../documents/stored-document.ts'
import type { ItemIdentity } from '../infer/plan.ts'
import { instanceOf } from '../operations/instance.ts'
import type { OperationWork } from '../operations/work.ts'
import { type ItemTexts, textOptions } from './item-texts.ts'
import { readQuery, selectionOf } from './list.ts'
import type { PagePosition } from './read-list-query.ts'
import type { ListPlan } from './list-plan.ts'
import { joinedHeaders } from './pages/page-headers.ts'

/** Items of the state that a page gets. */
const MOST = 1000

const NONE = createDocuments()

/**
 * Joins a page of a service with the items that the state has. What was created here is on the first page, what was changed here is in the
 * place of the service's item there, and what was deleted here, or was on the first page, is nowhere else. Links, tokens and the bounds of
 * pages stay the service's.
 */
export function* joinPage(
  { work, list, texts }: { readonly work: OperationWork; readonly list: ListPlan; readonly texts: ItemTexts },
  { state, call }: { readonly state: State; readonly call: Call },
  page: ServicePage,
): Steps<JoinedPage | { readonly reason: string }> {
  const { plan } = work
  const query = readQuery(list, call)
  const [ignored] = query.ignored
  const pointer = plan.output.located?.pointer ?? ''
  const items = valueAt(page.body, pointer)
  if (ignored !== undefined) return { reason: `what ${ignored} asks for is not known here` }
  if (query.violations[0]) return { reason: query.violations[0].message }
  if (!Array.isArray(items)) return { reason: `the response has no list at ${pointer || 'its root'}` }
  const instance = instanceOf(state, plan, call)
  const { name, documents = NONE } = instance
  const selection = selectionOf(plan, list, query, { state, call })
  const selected = yield* selectInSteps(documents, selection)
  const entries = selected.slice(0, MOST)
  const text = yield* texts.page(entries, ['[', ']'], textOptions(work, query, { state, call, name }))
  const own = asList(parseJson(text)).map((item, at): OwnItem => ({ entry: entries[at], item }))
  const isFirst = isFirstPage(query.position)
  const { identity } = plan.collection
  const joined = joinItems(items, own, { documents, identity, selection, isFirst, isOrdered: query.order.length > 0 })
  const total = selected.count - joined.changed - joined.hidden
  const change = {
    total,
    items: joined.items,
    ids: [joined.items[0], joined.items.at(-1)].map((one) => idOf(identity, one)),
  }
  return {
    ...joined,
    body: list.envelope(state.seed).joined(page.body, change),
    headers: joinedHeaders(list.headers, list.usesTokens, { ...change, header: (header) => page.header(header) }),
  }
}

function isFirstPage(position: PagePosition): boolean {
  if (position.kind === 'page') return position.page === 0
  return position.kind === 'start' || (position.kind === 'offset' && position.offset === 0)
}

interface OwnItem {
  readonly entry: Entry | undefined
  readonly item: unknown
}

interface Joining {
  readonly documents: Documents
  readonly identity: ItemIdentity
  readonly selection: Selection
  /** Whether it is the first page. */
  readonly isFirst: boolean
  /** Whether the request asks for an order. */
  readonly isOrdered: boolean
}

function joinItems(items: readonly unknown[], own: readonly OwnItem[], joining: Joining) {
  const { documents, identity, isFirst } = joining
  const left = new Map(own.map((one) => [one.entry?.id, one]))
  const counts = { changed: 0, hidden: 0 }
  const kept = items.flatMap((item) => {
    const id = idOf(identity, item)
    const isKnown = id !== undefined && documents.get(id) !== undefined
    if (id === undefined || (!isKnown && !documents.wasRemoved(id))) return [item]
    const mine = isFirst ? left.get(id) : undefined
    counts[mine ? 'changed' : 'hidden']++
    left.delete(id)
    return mine ? [mine.item] : []
  })
  const added = isFirst ? [...left.values()] : []
  return {
    ...counts,
    added: added.length,
    items: joining.isOrdered ? inOrder(added, kept, joining) : [...added.map(({ item }) => item), ...kept],
  }
}

/** The service's items in its own order, each behind those of the state that come before it. */
function inOrder(added: readonly OwnItem[], kept: readonly unknown[], { selection }: Joining): readonly unknown[] {
  const order = orderOf(selection)
  const waiting = [...added]
  const isBefore = ({ entry }: OwnItem, item: unknown) =>
    entry !== undefined &&
    compareIndexKeys(
      order,
      order.indexKeyOf(entry),
      order.indexKeyOf({ id: '', seq: 0, document: storeDocument(item) }),
    ) < 0
  const merged = kept.flatMap((item) => {
    const before: unknown[] = []
    for (let first = waiting[0]; first && isBefore(first, item); first = waiting[0]) {
      before.push(first.item)
      waiting.shift()
    }
    return [...before, item]
  })
  return [...merged, ...waiting.map(({ item }) => item)]
}
