import { createCallView } from './call-view.ts'
import type { OwnOperation } from './define-operation.ts'
import { EventDefect } from './event-defect.ts'
import { type EventRules, readEvents } from './read-events.ts'
import { readOutcome } from './read-outcome.ts'
import { createWorldView } from './world-view.ts'
import type { Call, Handler, Outcome } from '../operations/handler.ts'
import { Defect } from '../problem.ts'
import type { World } from '../world/world.ts'

/**
 * A handler of the user's own in the place of one of ours. The contract was asked before; what it means is the user's.
 *
 * @param from what it came from: a file, or the option of that name
 * @param rules by which its events are read
 */
export function createOwnHandler(
  { operationId, handle }: OwnOperation,
  from: string,
  rules: () => EventRules,
): Handler {
  return {
    takesNothing: true,
    soften: (body) => body,
    find() {
      // Whether what is named exists the handler finds out itself.
    },
    read: (world, call) => ({
      violations: [],
      decide: () => decide(operationId, handle, { world, call, from, rules: rules() }),
    }),
  }
}

interface Asked {
  readonly world: World
  readonly call: Call
  readonly from: string
  readonly rules: EventRules
}

/** @throws Problem for a refusal, Defect for whatever else is no answer; nothing was changed then */
function decide(operationId: string, handle: OwnOperation['handle'], { world, call, from, rules }: Asked): Outcome {
  const returned = run(operationId, handle, { world, call, from })
  const { outcome, events } = readOutcome(operationId, from, returned)
  const { now, identity } = call
  try {
    return { ...outcome, events: readEvents(events, world, { rules, origin: { now, userId: identity.userId } }) }
  } catch (error) {
    if (!(error instanceof EventDefect)) throw error
    throw new Defect(`The handler of ${operationId} returned what cannot happen. ${error.message}`, { handlers: from })
  }
}

function run(
  operationId: string,
  handle: OwnOperation['handle'],
  { world, call, from }: Omit<Asked, 'rules'>,
): unknown {
  try {
    return handle(createWorldView(world, call.leaning), createCallView(call, world.seed))
  } catch (error) {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new Defect(`The handler of ${operationId} threw ${what}`, { handlers: from, cause: error })
  }
}
