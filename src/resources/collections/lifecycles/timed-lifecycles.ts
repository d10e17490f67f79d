import { findPlace } from '../seeds/instance-place.ts'
import { withStamps } from '../items/server-members.ts'
import type { Lifecycles } from './read-hinted-lifecycles.ts'
import { factsAfter } from './lifecycle.ts'
import type { TimedLifecycles } from './transition-scheduler.ts'

/** The statuses that change by time. */
export function timedLifecycles(document: unknown, all: Lifecycles): TimedLifecycles {
  const timed = new Map(
    [...all].filter(([, lifecycles]) =>
      lifecycles.some(({ statuses }) => [...statuses.values()].some((status) => status.timed)),
    ),
  )
  const planOf = (instance: string) => findPlace([...timed.keys()], instance)?.plan
  return {
    isEmpty: timed.size === 0,
    factsOf(instance, written) {
      const plan = planOf(instance)
      return plan ? factsAfter(timed.get(plan) ?? [], written) : written.before?.hidden
    },
    of(instance) {
      const plan = planOf(instance)
      const lifecycles = plan && timed.get(plan)
      if (!lifecycles) return undefined
      return { lifecycles, stamp: (value, written) => withStamps(document, plan, value, written) }
    },
  }
}
