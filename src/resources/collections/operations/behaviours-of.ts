import type { BehaviourId } from '../../../../types/behaviour-settings.d.ts'
import type { OperationPlan, Role } from '../infer/plan.ts'

const LIST: readonly BehaviourId[] = [
  'collections.order',
  'collections.page-size',
  'collections.page-beyond',
  'collections.token',
  'collections.next-page',
  'collections.unknown-filter',
]
const WRITE: readonly BehaviourId[] = ['collections.read-only', 'collections.reference']

const BY_ROLE: Readonly<Record<Role, readonly BehaviourId[]>> = {
  list: LIST,
  search: LIST,
  create: [...WRITE, 'collections.unsent', 'collections.unique'],
  'create-many': [...WRITE, 'collections.unsent'],
  read: ['collections.deleted'],
  exists: ['collections.deleted'],
  replace: ['collections.put-unknown', 'collections.deleted', ...WRITE, 'collections.unsent'],
  merge: ['collections.deleted', ...WRITE, 'collections.merge-null'],
  delete: ['collections.delete-again', 'collections.deleted', 'collections.cascade'],
  action: ['collections.deleted', 'collections.unknown-action', ...WRITE],
  bulk: ['collections.deleted', 'collections.cascade', 'collections.unknown-action', ...WRITE],
  'start-token': [],
  count: ['collections.unknown-filter'],
}

/** The behaviours that the responses of an operation may depend on. */
export function behavioursOf({ role, parent }: OperationPlan): readonly BehaviourId[] {
  return parent ? [...BY_ROLE[role], 'collections.unknown-parent'] : BY_ROLE[role]
}
