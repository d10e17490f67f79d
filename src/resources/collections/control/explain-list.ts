import type { ExplainRequest, ListExplanation } from '../../../../types/control-api.d.ts'
import type { ControlCall } from '../../../engine/control-route.ts'
import type { ResourceNeeds } from '../../dry-run.ts'
import type { Steps } from '../../../engine/slices.ts'
import { shown, violation } from '../../../base/errors/problem.ts'
import { requestInvalid } from '../../../base/errors/request-errors.ts'
import type { Json } from '../../../base/formats/json.ts'
import type { Explanation } from '../../resource.ts'
import { createDocuments, type Documents } from '../documents/documents.ts'
import { selectInSteps, type SelectedDocuments } from '../documents/select.ts'
import { type Condition, matcher, readerOf, valueReader } from '../documents/selection.ts'
import type { OperationPlan } from '../infer/plan.ts'
import { readListPlan } from '../lists/list-plan.ts'
import { instanceOf } from '../operations/instance.ts'
import { readQuery, selectionOf, sizeOf } from '../lists/list.ts'
import type { KnownCollections } from './known-collections.ts'

type ExplainedDocument = NonNullable<ListExplanation['document']>

/** Explains how the request of a list is read, and why an item is in the list or not. */
export function createListExplanation(known: () => KnownCollections): Explanation {
  return {
    optional: ['document'],
    explain: (body: ExplainRequest & { readonly list: object }, call) => explainList(body, call, known()),
  }
}

function* explainList(
  { list, document: wanted }: ExplainRequest & { readonly list: ListRequest },
  { dryRun, sandbox: find }: ControlCall<ResourceNeeds>,
  known: KnownCollections,
): Steps<ListExplanation> {
  const { operationId, path = {}, query = {}, body } = list
  const plan = findList(operationId, known)
  const sandbox = find()
  const parameters = Object.fromEntries(Object.keys(path).map((name) => [name, `/list/path/${name}`]))
  const texts = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)]))
  const pointers = { body: '/list/body', query: '/list/query', parameters }
  const simulated = { operationId, handlerKind: '', path: texts, query, ...(body ? { body } : {}), pointers }
  const request = dryRun(simulated, sandbox)
  request.validateAndRead().decide()
  const { call } = request
  const { state } = sandbox
  const listPlan = readListPlan(known.document, plan, known.collections)
  const asked = readQuery(listPlan, call)
  const { name, documents = createDocuments() } = instanceOf(state, plan, call)
  const selection = selectionOf(plan, listPlan, asked, { state, call })
  const selected = yield* selectInSteps(documents, selection)
  const pageSize = sizeOf(listPlan, asked, call) ?? selected.count
  const conditions: ListExplanation['conditions'][number][] = []
  for (const condition of selection.conditions) {
    const { count } = yield* selectInSteps(documents, { conditions: [condition], order: [] })
    conditions.push({ reads: inWords(condition), matches: count })
  }
  return {
    operationId,
    collection: name,
    conditions,
    order: selection.order.map(({ pointer, descending }) => `${pointer} ${descending ? 'descending' : 'ascending'}`),
    ignored: asked.ignored,
    total: selected.count,
    pageSize,
    ...(wanted === undefined
      ? {}
      : { document: explainDocument(wanted, { plan, name, documents, selected, pageSize, ...selection }) }),
    behaviours: call.tracker.used().ids,
  }
}

type ListRequest = NonNullable<ExplainRequest['list']>

/** @throws Problem 400 */
function findList(operationId: string, { operations }: KnownCollections): OperationPlan {
  const lists = [...operations.values()].filter(({ role }) => role === 'list' || role === 'search')
  const found = lists.find(({ operation }) => operation.operationId === operationId)
  if (found) return found
  const names = lists.map(({ operation }) => operation.operationId)
  throw requestInvalid([violation({ pointer: '/list/operationId' }, 'explain', names, operationId)])
}

interface Listed {
  readonly plan: OperationPlan
  /** Of the instance. */
  readonly name: string
  readonly documents: Documents
  readonly selected: SelectedDocuments
  readonly conditions: readonly Condition[]
  readonly pageSize: number
}

function explainDocument(
  id: string,
  { plan: { collection }, name, documents, selected, conditions, pageSize }: Listed,
): ExplainedDocument {
  const { noun } = collection
  const entry = documents.entry(id)
  if (!entry)
    return documents.wasRemoved(id)
      ? { id, state: 'deleted', why: `The ${noun} ${id} was deleted.` }
      : { id, state: 'unknown', why: `${name} has no ${noun} ${id}.` }
  const tests = conditions.map((condition) => ({
    reads: inWords(condition),
    holds: matcher(condition)(entry),
    ...valueFor(condition, (read) => read(entry)),
  }))
  const failed = tests.filter(({ holds }) => !holds)
  if (failed.length > 0) {
    const reasons = failed.map(({ reads, value }) => `${reads}: it has ${shown(value)}`)
    return { id, state: 'excluded', why: `It does not meet ${reasons.join(', nor ')}.`, conditions: tests }
  }
  const position = selected.indexAfter(selected.placeOf(entry))
  const page = pageSize > 0 ? Math.ceil(position / pageSize) : 0
  const where = `It is item ${position} of ${selected.count}.`
  const why = pageSize < selected.count ? `${where} With ${pageSize} items a page that is on page ${page}.` : where
  return { id, state: 'listed', why, position, page, conditions: tests }
}

type ReadEntry = ReturnType<typeof readerOf>

/** The value that a condition checks; absent if the document has no such member. */
function valueFor(condition: Condition, valueOf: (read: ReadEntry) => Json | undefined): { readonly value?: Json } {
  if ('anyOf' in condition || 'empty' in condition) return {}
  const value =
    'text' in condition
      ? condition.pointers.map((pointer) => valueOf(readerOf(pointer)) ?? null)
      : valueOf(valueReader(condition))
  return value === undefined ? {} : { value }
}

const HAS = { '': 'contains', start: 'starts with', end: 'ends with' }

function inWords(condition: Condition): string {
  if ('text' in condition)
    return `${condition.pointers.join(' or ')} ${condition.isGlob ? 'is like' : HAS[condition.at ?? '']} ${shown(condition.text)}`
  if ('empty' in condition) return `${condition.empty} is ${condition.isNot ? 'not ' : ''}empty`
  if ('anyOf' in condition) {
    const groups = condition.anyOf.map((group) => group.map(inWords).join(' and '))
    return `${condition.isNot ? 'not: ' : ''}${groups.join(', or ')}`
  }
  if ('oneOf' in condition) {
    const subject = 'hidden' in condition ? condition.hidden : condition.pointer
    const values = condition.oneOf.map(shown)
    return values.length === 0 ? `${subject} is a value that no item can have` : `${subject} is ${values.join(' or ')}`
  }
  const { pointer, from, to } = condition
  const bounds = [
    from && `${from.exclusive ? 'more than' : 'at least'} ${shown(from.value)}`,
    to && `${to.exclusive ? 'less than' : 'at most'} ${shown(to.value)}`,
  ]
  return `${pointer} is ${bounds.filter((one) => one !== undefined).join(' and ')}`
}
