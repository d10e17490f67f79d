import { createCallView } from './call-view.ts'
import type { UserOperation } from './define-operation.ts'
import { readEvents } from './read-events.ts'
import type { StateRules } from '../engine/state.ts'
import { readOutcome } from './read-outcome.ts'
import { createStateView } from './state-view.ts'
import { type Call, EventDefect, type Handler, NotReady, type Outcome } from '../resources/handler.ts'
import { Defect } from '../errors/problem.ts'
import type { State } from '../engine/state.ts'

/**
 * A user's handler as a `Handler`. Requests are validated against the contract before.
 *
 * @param from its file, or the option that named it
 * @param rules check its events
 */
export function createUserHandler(
  { operationId, handle }: UserOperation,
  from: string,
  rules: () => StateRules,
): Handler {
  return {
    takesNothing: true,
    normalizeBody: (body) => body,
    find() {
      // The user's handler checks itself whether things exist.
    },
    read: (state, call) => ({
      violations: [],
      decide: () => decide(operationId, handle, { state, call, from, rules: rules() }),
    }),
  }
}

interface Asked {
  readonly state: State
  readonly call: Call
  readonly from: string
  readonly rules: StateRules
}

/** @throws Problem for an error response, NotReady for documents that are to be made first, Defect for anything else that is no response */
function decide(operationId: string, handle: UserOperation['handle'], { state, call, from, rules }: Asked): Outcome {
  const returned = run(operationId, handle, { state, call, from })
  const { outcome, events } = readOutcome(operationId, from, returned)
  const { now, identity } = call
  try {
    return { ...outcome, events: readEvents(events, state, { rules, origin: { now, userId: identity.userId } }) }
  } catch (error) {
    if (!(error instanceof EventDefect)) throw error
    throw new Defect(`The handler of ${operationId} returned what cannot happen. ${error.message}`, { handlers: from })
  }
}

function run(
  operationId: string,
  handle: UserOperation['handle'],
  { state, call, from }: Omit<Asked, 'rules'>,
): unknown {
  // A handler may catch what `state.collection` throws, and would respond as if there were no documents.
  const waits = new Set<NotReady>()
  const view = createStateView(state, call.tracker, (error) => waits.add(error))
  try {
    const returned = handle(view, createCallView(call, state.seed))
    for (const wait of waits) throw wait
    return returned
  } catch (error) {
    for (const wait of waits) throw wait
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new Defect(`The handler of ${operationId} threw ${what}`, { handlers: from, cause: error })
  }
}
