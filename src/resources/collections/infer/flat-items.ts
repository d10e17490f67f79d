import type { DraftOperation } from './draft-operation.ts'
import { type Draft, hasRole, parentsOf } from './draft.ts'
import { hasAllOf, memberFor } from './owner.ts'
import { isSameItem } from './same-item.ts'
import { parameterOf, type PathItem, type Routes, shapeOf } from './routes.ts'

interface InferenceParts {
  readonly document: unknown
  readonly routes: Routes
  readonly drafts: ReadonlyMap<string, Draft>
  /** What the operations of a path do with an item. */
  operationsOn(item: PathItem, list: Draft): DraftOperation[]
}

/**
 * The collections whose items have a path of their own, `/tasks/{taskId}`, and are listed below parents only, `/projects/{key}/tasks`: one
 * collection has all of them.
 */
export function findFlatItems({ document, routes, drafts, operationsOn }: InferenceParts): Draft[] {
  const namesParent = (list: Draft, schema: unknown) => {
    const [parent] = parentsOf(list, drafts)
    return parent !== undefined && memberFor(document, schema, parent) !== undefined
  }
  return [...routes.values()].flatMap((item): Draft[] => {
    const segments = item.segments.slice(0, -1)
    const isItem = parameterOf(item.segments.at(-1)) !== undefined
    if (!isItem || drafts.has(shapeOf(segments)) || routes.has(shapeOf(segments))) return []
    const lists = [...drafts.values()].filter(
      (draft) =>
        !draft.isSingleton &&
        !draft.item &&
        draft.segments.at(-1) === segments.at(-1) &&
        draft.segments.length > segments.length,
    )
    // The list where items are created describes them; another may be a report on them.
    const list = lists.find((one) => hasRole(one, 'create')) ?? lists[0]
    const operations = list ? operationsOn(item, list) : []
    const read = operations.find(({ role }) => role === 'read')?.output.located?.schema
    // Clients must be able to read what they write: by the GET of an item, or where there is none by the list.
    const schema = item.methods.has('GET') ? read : list?.schema
    if (!list || schema === undefined || operations.length < item.methods.size) return []
    // Items that do not name their parent must be created below it: a hidden fact then tells it.
    const isTold = (one: Draft) =>
      isSameItem(document, one.schema, schema) && (namesParent(one, schema) || hasAllOf({ operations }, one))
    if (!lists.some(isTold)) return []
    const input = lists.find((one) => one.input !== undefined)?.input
    return [{ segments, noun: list.noun, isSingleton: false, schema, input, item, hints: list.hints, operations }]
  })
}
