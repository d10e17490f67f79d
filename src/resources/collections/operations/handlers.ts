import type { State } from '../../../engine/state.ts'
import type { Call, Handler, Outcome } from '../../handler.ts'
import { refuseBeyondLimits } from '../documents/limit-changes.ts'
import type { Members } from '../../request-body.ts'
import type { Role } from '../infer/plan.ts'
import { findNamed, instanceOf, itemId, prepareInstances, storedItem } from './instance.ts'
import { mergePatch } from './merge-patch.ts'
import { readOnlyMembers } from './server-members.ts'
import { keepNamed } from './show.ts'
import { changeItem, createItem, readInput, respond, type Work } from './write.ts'

type Decide = (work: Work, state: State, call: Call) => Outcome

/** What operations do with one item; lists have a handler of their own. */
type ItemRole = Exclude<Role, 'list' | 'search'>

const DECIDE: Readonly<Record<ItemRole, Decide>> = {
  create: createItem,
  'create-many': createItem,
  read: readItem,
  exists: readItem,
  replace: (work, state, call) =>
    changeItem(work, state, call, (before) => replaced(work, before, readInput(work, call))),
  merge: (work, state, call) =>
    changeItem(work, state, call, (before) => mergePatch(before, readInput(work, call)) as Members),
  delete: deleteItem,
  action: actOnItem,
}

/** Handles an operation on an item. */
export function createHandler(work: Work, role: ItemRole): Handler {
  const decide = DECIDE[role]
  return {
    takesNothing: true,
    prepare: (state, path) => prepareInstances(state, work.plan, path),
    normalizeBody: (body) => body,
    find: (state, call) => findNamed(state, work.plan, call),
    read: (state, call) => ({ violations: [], decide: () => withinLimits(state, decide(work, state, call)) }),
  }
}

/** @throws Problem 409 */
function withinLimits(state: State, outcome: Outcome): Outcome {
  if (outcome.events.length > 0) refuseBeyondLimits(state, outcome.events)
  return outcome
}

function readItem(work: Work, state: State, call: Call): Outcome {
  const { plan } = work
  if (plan.role === 'exists') return { status: plan.output.status, body: { empty: true }, events: [] }
  const instance = instanceOf(state, plan, call)
  return respond(work, { id: itemId(plan, call), stored: storedItem(state, plan, call), state, call, instance }, [])
}

/** An action without an effect shows the item as it is. */
function actOnItem(work: Work, state: State, call: Call): Outcome {
  return work.effect ? changeItem(work, state, call, (before) => before) : readItem(work, state, call)
}

function deleteItem(work: Work, state: State, call: Call): Outcome {
  const { plan } = work
  const instance = instanceOf(state, plan, call)
  const id = itemId(plan, call)
  const stored = storedItem(state, plan, call)
  return respond(work, { id, stored, state, call, instance }, [
    { type: 'document.removed', collection: instance.name, id },
  ])
}

/** A replaced item keeps what only the service writes, and what clients cannot see. */
function replaced({ plan, document }: Work, before: Members, sent: Members): Members {
  const { collection } = plan
  const kept = readOnlyMembers(document, collection.schema)
  const visible = keepNamed(document, plan.input?.schema, before, 'request') as Members
  const own = Object.entries(before).filter(([name]) => kept.has(name) || !(name in visible))
  return { ...Object.fromEntries(own), ...sent }
}
