import { headerValues } from '../../contract/parameters/credential-location.ts'
import { setHeader } from '../../http/response.ts'
import {
  type ArmedFault,
  type Fault,
  type KnownFaultKind,
  type FaultOf,
  isSpent,
  meet,
  NEW_TALLY,
  share,
} from '../../engine/faults/fault.ts'
import { type ExchangeFacts, isMatch } from '../../engine/faults/fault-match.ts'
import type { FaultedRequest, OperationFaults } from '../../resources/resource.ts'
import { namedByPath } from '../binding/bound-operations.ts'
import { commit } from '../middleware/record-exchange.ts'
import type { Faults, RequestContext } from '../middleware/request-context.ts'

export function createFaults(context: RequestContext, preferred: readonly Fault[]): Faults {
  const { sandbox, request, body } = context
  const { operation } = context.route
  const facts: ExchangeFacts = {
    operationId: operation.operationId,
    method: operation.method,
    path: context.path,
    header(name) {
      const values = headerValues(request.rawHeaders, name)
      return values.length === 0 ? undefined : values.join(', ')
    },
    body,
    page: () => operationFaultsOf(context)?.page?.(faultedRequest(context)),
  }
  const triggeredIds: string[] = []
  return {
    *strikes(kinds, isPossible = () => true) {
      type FaultToStrike = FaultOf<(typeof kinds)[number]>
      const isOfKind = (fault: Fault): fault is FaultToStrike =>
        (kinds as readonly KnownFaultKind[]).includes(fault.kind)
      const own = preferred.map((fault): ArmedFault => ({
        fault,
        tally: { ...NEW_TALLY, matched: context.trace.requests },
      }))
      for (const armed of [...own, ...sandbox.state.faults.values()]) {
        const { fault } = armed
        if (!isOfKind(fault) || isSpent(armed) || !isMatch(fault.match, facts) || !isPossible(fault)) continue
        const { seed } = sandbox.state
        const { isStruck, tally } = meet(armed, seed, context.now)
        if (!preferred.includes(fault))
          commit(context, [{ type: isStruck ? 'fault.struck' : 'fault.passed', faultId: fault.id, tally }])
        if (!isStruck) continue
        triggeredIds.push(fault.id)
        context.trace.fault ??= fault.kind
        context.trace.faultId ??= fault.id
        setHeader(context, 'x-mock-fault', triggeredIds.join(', '))
        const { matched } = tally
        yield { fault, matched, share: (purpose) => share(seed, fault.id, purpose, matched) }
      }
      return undefined
    },
  }
}

/** The faults that only the built-in operation of a request knows. */
export function operationFaultsOf({ binding }: RequestContext): OperationFaults | undefined {
  return binding.kind === 'stateful' ? binding.builtin.faults : undefined
}

/** A request as faults of its operation see it. */
export function faultedRequest({
  sandbox,
  request,
  search,
  now,
  binding,
  route,
  body,
}: RequestContext): FaultedRequest {
  const path = route.parameters
  const header = (name: string) => headerValues(request.rawHeaders, name)[0]
  return { state: sandbox.state, search, now, named: namedByPath(binding, path), path, body, header }
}
