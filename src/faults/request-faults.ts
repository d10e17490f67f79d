import type { IncomingMessage } from 'node:http'
import { headerValues } from '../contract/parameters/credential-location.ts'
import { commit, type RequestContext } from '../app/request-context.ts'
import { setHeader } from '../engine/request-context.ts'
import { PAGE_FAULTS, type PageFaults } from '../resources/file-sets/operation/page-faults.ts'
import { type ArmedFault, type Fault, type FaultKind, isSpent, meet, NEW_TALLY, share } from './fault.ts'
import { type ExchangeFacts, isMatch } from './fault-match.ts'
import type { State } from '../engine/state.ts'

/** The faults that one exchange meets: those that are armed in its sandbox, and before them those that it asks for itself. */
export interface Faults {
  /**
   * The faults of some kinds that strike, in the order of their arming. Each is asked, and counted, only when the caller takes it:
   * what stands behind a fault that ends the exchange has not met it.
   *
   * @param isPossible whether a fault could do anything here; one that could not has not met the exchange either
   */
  strikes<Kind extends FaultKind>(
    kinds: readonly Kind[],
    isPossible?: (fault: FaultOf<Kind>) => boolean,
  ): Generator<FaultHit<FaultOf<Kind>>, undefined>
  readonly facts: ExchangeFacts
  /** The ids of those that struck so far. */
  readonly struck: readonly string[]
  /** What the exchange sees in place of its sandbox's state. */
  state?: State
}

export type FaultOf<Kind extends FaultKind> = Extract<Fault, { readonly kind: Kind }>

export interface FaultHit<Struck extends Fault = Fault> {
  readonly fault: Struck
  /** Which of the exchanges that matched this is, from 1. */
  readonly matched: number
  /** Chance for a purpose, from 0 to just below 1. */
  share(purpose: string): number
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
    page: () => pageOf(context),
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

/** The faults of an exchange, as far as they concern a page. */
export function pageFaultsOf(faults: Faults): PageFaults {
  return { strikes: (isPossible) => faults.strikes(PAGE_FAULTS, isPossible) }
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const values = headerValues(request.rawHeaders, name)
  return values.length === 0 ? undefined : values.join(', ')
}

/** The token of a search, when it has one. */
export function tokenOf({ search }: RequestContext): string | undefined {
  return new URLSearchParams(search).get('next') ?? undefined
}

function pageOf(context: RequestContext): number | undefined {
  if (context.binding.handlerKind !== 'searchFiles') return undefined
  const token = tokenOf(context)
  if (token === undefined || token === '') return 1
  const cursor = context.sandbox.cursors.decode(token)
  return cursor && cursor.pages + 1
}
