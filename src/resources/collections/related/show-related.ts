import type { State } from '../../../engine/state.ts'
import { documentsOf, requireDocuments } from '../collection-state.ts'
import type { Documents } from '../documents/documents.ts'
import type { CollectionPlan } from '../infer/plan.ts'
import { type Showing, showItem } from '../items/show.ts'
import { createShownItems, type ShownItems } from '../items/view.ts'
import type { OperationWork } from '../operations/work.ts'
import type { RelatedMember } from './embedded-members.ts'
import type { Members } from '../../../base/formats/json.ts'

/** A member that is to show an item, and the documents that it is taken from. */
export interface WantedMember {
  readonly member: RelatedMember
  readonly documents: Documents | undefined
}

/** What a request wants to see besides, by the state as it is now. @throws NotReady for many documents that are to be made first */
export function wantedOf(state: State, members: readonly RelatedMember[]): readonly WantedMember[] {
  return members.map((member) => {
    const { name } = member.target
    requireDocuments(state, name)
    return { member, documents: documentsOf(state, name) }
  })
}

interface ShownRelated {
  readonly wanted: readonly WantedMember[]
  readonly showing: Showing
  /** Whether the response may show the item so. */
  allows(item: Members): boolean
}

/** Shows an item with the items that its members name. */
type ShowRelated = (item: Members, related: ShownRelated) => Members

/** A member whose item was deleted, or cannot be shown there, stays as it is. */
export function createShowRelated({ operations }: Pick<OperationWork, 'operations'>): ShowRelated {
  const shown = new Map<CollectionPlan, ShownItems>()
  const shownOf = (target: CollectionPlan): ShownItems | undefined => {
    const known = shown.get(target)
    if (known) return known
    const views = operations.filter(({ collection }) => collection === target)
    const plan = ['read', 'list']
      .map((role) => views.find((one) => one.role === role && one.output.located))
      .find(Boolean)
    const made = plan && createShownItems({ plan, views })
    if (made) shown.set(target, made)
    return made
  }
  return (item, { wanted, showing, allows }) =>
    wanted.reduce((whole, { member: { name, idName, target, schema }, documents }) => {
      const id = idIn(item[idName])
      const stored = id === undefined ? undefined : documents?.get(id)
      const items = shownOf(target)
      if (!stored || !items) return whole
      const own = { ...showing, purpose: `${target.name} ${id ?? ''}` }
      const more = { ...whole, [name]: showItem(schema, items.of(stored, own), own) }
      return allows(more) ? more : whole
    }, item)
}

function idIn(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}
