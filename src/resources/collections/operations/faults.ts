import { refusal } from '../../../behaviours/refusal.ts'
import { decodePercent } from '../../../contract/pointer.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { cursorInvalid } from '../../../errors/resource-errors.ts'
import { splitPointer } from '../../../formats/json.ts'
import type { Members } from '../../request-body.ts'
import type { FaultedRequest, OperationFaults } from '../../resource.ts'
import { documentsOf } from '../collection-state.ts'
import { storeDocument } from '../documents/stored-document.ts'
import type { CollectionPlan, Role } from '../infer/plan.ts'
import type { ListPlan } from '../lists/list-plan.ts'
import { readListQuery } from '../lists/read-list-query.ts'
import { instanceName, SINGLETON } from './instance.ts'
import { stampMembers } from './server-members.ts'
import type { Work } from './work.ts'

const READS: ReadonlySet<Role> = new Set(['list', 'search', 'read', 'exists'])

/** What faults do to the operations on one item: the response to a write is lost, or another client changes the item just before. */
export function createItemFaults({ plan, document }: Work): OperationFaults {
  const { role, collection, itemParameter } = plan
  const isWrite = !READS.has(role)
  const isChange = isWrite && (itemParameter !== undefined || collection.isSingleton)
  return {
    meets: ({ kind, edit }) =>
      (kind === 'lost-answer' && isWrite) ||
      (kind === 'conflicting-edit' && isChange && !(edit === 'remove' && collection.isSingleton)),
    before(fault, { state, now, path }) {
      if (fault.kind !== 'conflicting-edit' || !isChange) return undefined
      const textOf = (name: string) => decodePercent(path[name] ?? '')
      const name = instanceName(collection, plan.parents.map(textOf))
      const id = itemParameter === undefined ? SINGLETON : textOf(itemParameter)
      const stored = documentsOf(state, name)?.get(id)
      if (!stored) return undefined
      if (fault.edit === 'remove' && collection.isSingleton) return undefined
      if (fault.edit === 'remove') return { events: [{ type: 'document.removed', collection: name, id }] }
      const edited = editItem(document, collection, stored.value, now)
      if (!edited) return undefined
      return {
        events: [{ type: 'document.updated', collection: name, id, document: storeDocument(edited, stored.hidden) }],
      }
    },
  }
}

/** Keywords that a longer text might break. */
const NARROW = ['enum', 'const', 'format', 'pattern', 'maxLength']

/** An item after another client changed a text of it; undefined where it has none that may be any text. */
function editItem(
  document: unknown,
  { schema, identity }: CollectionPlan,
  value: Members,
  now: number,
): Members | undefined {
  const [idMember] = splitPointer(identity.pointer ?? '')
  for (const [name, member] of shapeOf(document, schema, 'any').properties) {
    const { types, keywords } = shapeOf(document, member)
    const held = value[name]
    if (name === idMember || typeof held !== 'string' || !types.has('string')) continue
    if (NARROW.some((keyword) => keyword in keywords)) continue
    return { ...value, [name]: `${held} (edited)`, ...stampMembers(document, schema, value, now) }
  }
  return undefined
}

/** What faults do to lists: they know the page of a request, and which token has expired. @param list what is documented of it */
export function createListFaults(list: () => ListPlan): OperationFaults {
  const tokenParameter = () => {
    const { style } = list()
    return style?.kind === 'token' ? style.name : undefined
  }
  return {
    meets: ({ kind }) => kind === 'cursor-expired' && tokenParameter() !== undefined,
    page: (request) => pageOf(list(), request),
    before(fault, { search }) {
      const parameter = tokenParameter()
      const token = parameter === undefined ? null : new URLSearchParams(search).get(parameter)
      if (fault.kind !== 'cursor-expired' || parameter === undefined || !token) return undefined
      const expected = 'a token that has not expired'
      return {
        problem: cursorInvalid({ violations: [refusal('collections.token', { parameter }, expected, token)] }),
      }
    },
  }
}

/** The page of a request, from 1; undefined where a token leads to it. */
function pageOf({ parameters, items }: ListPlan, { search }: FaultedRequest): number | undefined {
  const sent = Object.fromEntries(new URLSearchParams(search))
  const { position, size } = readListQuery(parameters, sent, { items })
  switch (position.kind) {
    case 'start':
      return 1
    case 'page':
      return position.page + 1
    case 'offset':
      return position.offset === 0 ? 1 : size ? Math.floor(position.offset / size) + 1 : undefined
    case 'after':
    case 'before':
      return undefined
  }
}
