import { decodePercent } from '../../../contract/pointer.ts'
import { shapeOf } from '../../../contract/schemas/shape.ts'
import { type Members, splitPointer } from '../../../base/formats/json.ts'
import type { OperationFaults } from '../../resource.ts'
import { documentsOf } from '../collection-state.ts'
import { storeDocument } from '../documents/stored-document.ts'
import type { CollectionPlan, Role } from '../infer/plan.ts'
import { instanceName, SINGLETON } from './instance-name.ts'
import { withStamps } from '../items/server-members.ts'
import type { OperationWork } from './work.ts'

const READS: ReadonlySet<Role> = new Set(['list', 'search', 'read', 'exists'])

/** What faults do to the operations on one item: the response to a write is lost, or another client changes the item just before. */
export function createItemFaults({ plan, document }: OperationWork): OperationFaults {
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
function editItem(document: unknown, collection: CollectionPlan, value: Members, now: number): Members | undefined {
  const { schema, identity } = collection
  const [idMember] = splitPointer(identity.pointer ?? '')
  for (const [name, member] of shapeOf(document, schema, 'any').properties) {
    const { types, keywords } = shapeOf(document, member)
    const held = value[name]
    if (name === idMember || typeof held !== 'string' || !types.has('string')) continue
    if (NARROW.some((keyword) => keyword in keywords)) continue
    const edited = { ...value, [name]: `${held} (edited)` }
    return withStamps(document, collection, edited, { before: value, now })
  }
  return undefined
}
