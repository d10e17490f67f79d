import type { IncomingMessage } from 'node:http'
import { namedByPath } from '../app/binding/binding.ts'
import { headerValues } from '../contract/parameters/credential-location.ts'
import { commit, type RequestContext } from '../app/request-context.ts'
import { setHeader } from '../engine/request-context.ts'
import {
  type ArmedFault,
  type Fault,
  type FaultKind,
  type FaultOf,
  type FaultStrikes,
  isSpent,
  meet,
  NEW_TALLY,
  share,
} from './fault.ts'
import { type ExchangeFacts, isMatch } from './fault-match.ts'
import type { State } from '../engine/state.ts'
import type { FaultedRequest, OperationFaults } from '../resources/resource.ts'

/** The faults that one exchange meets: those that are armed in its sandbox, and before them those that it asks for itself. */
export interface Faults extends FaultStrikes {
  readonly facts: ExchangeFacts
  /** The ids of those that struck so far. */
  readonly struck: readonly string[]
  /** What the exchange sees in place of its sandbox's state. */
  state?: State
}

export function createFaults(context: RequestContext, preferred: readonly Fault[]): Faults {
  const { sandbox, request, body } = context
  const { operation } = context.route
  const facts: ExchangeFacts = {
    operationId: operation.operationId,
    method: operation.method,
    path: context.path,
    header: (name) => headerOf(request, name),
    body,
    page: () => operationFaultsOf(context)?.page?.(faultedRequest(context)),
  }
  const struck: string[] = []
  return {
    facts,
    struck,
    *strikes(kinds, isPossible = () => true) {
      type Wanted = FaultOf<(typeof kinds)[number]>
      const isWanted = (fault: Fault): fault is Wanted => (kinds as readonly FaultKind[]).includes(fault.kind)
      const own = preferred.map((fault): ArmedFault => ({
        fault,
        tally: { ...NEW_TALLY, matched: context.trace.requests },
      }))
      for (const armed of [...own, ...sandbox.state.faults.values()]) {
        const { fault } = armed
        if (!isWanted(fault) || isSpent(armed) || !isMatch(fault.match, facts) || !isPossible(fault)) continue
        const { seed } = sandbox.state
        const { isStruck, tally } = meet(armed, seed, context.now)
        if (!preferred.includes(fault))
          commit(context, [{ type: isStruck ? 'fault.struck' : 'fault.passed', faultId: fault.id, tally }])
        if (!isStruck) continue
        struck.push(fault.id)
        context.trace.fault ??= fault.kind
        setHeader(context, 'x-mock-fault', struck.join(', '))
        const { matched } = tally
        yield { fault, matched, share: (purpose) => share(seed, fault.id, purpose, matched) }
      }
      return undefined
    },
  }
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const values = headerValues(request.rawHeaders, name)
  return values.length === 0 ? undefined : values.join(', ')
}

/** The faults that only the built-in operation of a request knows. */
export function operationFaultsOf({ binding }: RequestContext): OperationFaults | undefined {
  return binding.kind === 'stateful' ? binding.builtin.faults : undefined
}

/** A request as faults of its operation see it. */
export function faultedRequest({ sandbox, search, now, binding, route }: RequestContext): FaultedRequest {
  return { state: sandbox.state, search, now, named: namedByPath(binding, route.parameters) }
}
