import type { Operation } from '../../../contract/contract.ts'
import { queryOf } from '../../../base/network/http-message.ts'
import type { StateRules } from '../../../engine/state.ts'
import type { Call, Handler } from '../../handler.ts'
import type { CallView } from '../call-view.ts'
import type { StateView } from '../state-view.ts'
import { createUserHandler } from '../user-handlers.ts'
import type { TemplateSource } from './template.ts'

/** What a stub returns: as the handlers of users do. @param source of its places, once the body of the response is known */
type Respond = (state: StateView, source: (responded: unknown) => TemplateSource) => unknown

interface StubHandlerParts {
  readonly operation: Operation
  /** Where the stub stands. */
  readonly from: string
  /** What messages call it. */
  readonly called: string
  readonly rules: () => StateRules
}

export function createStubHandler(respond: Respond, { operation, from, called, rules }: StubHandlerParts): Handler {
  return {
    takesNothing: true,
    // Its conditions may be about any of them.
    takesQuery: () => true,
    assertExists() {
      // What a stub says is said of things that are not there, too.
    },
    read(state, call) {
      const handle = (view: StateView, seen: CallView<never>) =>
        respond(view, (responded) => sourceOf(operation, { call, seen, responded }))
      return createUserHandler({ operationId: operation.operationId, handle }, from, rules, called).read(state, call)
    },
  }
}

interface Filling {
  readonly call: Call
  readonly seen: CallView<never>
  readonly responded: unknown
}

function sourceOf({ method }: Operation, { call, seen: { random, uuid }, responded }: Filling): TemplateSource {
  return {
    method,
    status: undefined,
    url: () => call.origin() + call.url(),
    header: (side, name) => (side === 'request' ? call.header(name) : undefined),
    // A parameter of the contract has its type.
    query: (name) => call.query[name] ?? queryOf(call.url()).get(name) ?? undefined,
    path: (name) => call.path[name],
    requestBody: call.body,
    responseBody: responded,
    now: call.now,
    random,
    uuid,
  }
}
