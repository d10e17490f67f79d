import type { CollectionPlan } from '../infer/plan.ts'
import { stampMembers } from '../operations/server-members.ts'
import type { Lifecycles } from './hints.ts'
import { factsAfter } from './lifecycle.ts'
import type { TimedLifecycles } from './transition-scheduler.ts'

export const NO_LIFECYCLES: TimedLifecycles = {
  of: () => undefined,
  isEmpty: true,
  factsOf: (_, { before }) => before?.hidden,
}

/** What time changes in the documents of a contract. */
export function timedLifecycles(document: unknown, all: Lifecycles): TimedLifecycles {
  const timed = [...all]
    .filter(([, lifecycles]) =>
      lifecycles.some(({ statuses }) => [...statuses.values()].some((status) => status.timed)),
    )
    .map(([plan, lifecycles]) => ({ plan, lifecycles, isInstance: instancePattern(plan) }))
  const find = (instance: string) => timed.find(({ isInstance }) => isInstance.test(instance))
  return {
    isEmpty: timed.length === 0,
    factsOf(instance, written) {
      const found = find(instance)
      return found ? factsAfter(found.lifecycles, written) : written.before?.hidden
    },
    of(instance) {
      const found = find(instance)
      if (!found) return undefined
      const { plan, lifecycles } = found
      return { lifecycles, stamp: (before, now) => stampMembers(document, plan.schema, before, now) }
    },
  }
}

/** The names of a collection's instances: its path with any ids. */
function instancePattern({ name, path }: CollectionPlan): RegExp {
  const segments = path.split('/')
  const template = name === path ? segments : [name, ...segments.filter((segment) => segment.startsWith('{'))]
  const parts = template.map((segment) => (segment.startsWith('{') ? '[^/]+' : RegExp.escape(segment)))
  return new RegExp(`^${parts.join('/')}$`)
}
