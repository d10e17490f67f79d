import { ControlError } from '../../control/client/client.ts'
import { createRecordedSide, type Responder, type SeenResponse } from '../resend/responder.ts'
import { type Case, runCase } from './case.ts'
import { explain, type ExplainedOutcomes } from './explain.ts'
import { compareCase, type CaseOutcome } from './outcome.ts'
import type { CaseParts, CasesAndFindings } from './service-cases.ts'
import type { Overrides } from '../../behaviours/behaviours.ts'

/** What was compared, and what came of it. */
export interface Comparison extends ExplainedOutcomes {
  /** Before anything was explained. */
  readonly first: readonly CaseOutcome[]
  /** How many requests were compared. */
  readonly requests: number
}

interface CompareOptions extends CasesAndFindings, Pick<CaseParts, 'control' | 'sandbox' | 'report'> {
  /** The service, unless it responded to all cases before. */
  readonly service?: Responder
  /** Epoch ms by the clock of the target, of what it responded to a case. */
  readonly momentOf: (seen: readonly SeenResponse[]) => number
  readonly signal: AbortSignal
}

/** Sends the requests of all cases to both sides, and explains the differences by the settings of the stand-in. */
export async function compare(options: CompareOptions): Promise<Comparison> {
  const { control, sandbox, service, cases, momentOf, signal, report } = options
  const ask = async (tried: Case, target: readonly SeenResponse[], overrides: Overrides) =>
    compareCase(tried, target, await sandbox.prepare({ overrides, now: momentOf(target), writes: tried.writes }))
  const first: CaseOutcome[] = []
  for (const [at, tried] of cases.entries()) {
    signal.throwIfAborted()
    report(`${at + 1}/${cases.length} ${tried.name}`)
    const side = tried.exchanges || !service ? createRecordedSide(tried.exchanges ?? []) : service
    first.push(await ask(tried, await runCase(tried, side), {}))
  }
  const { behaviours } = await control.getBehaviours()
  report('looking for settings that explain what differs')
  const explained = await explain(first, {
    behaviours,
    findings: options.findings,
    signal,
    async ask({ tried, target }, overrides) {
      try {
        return await ask(tried, target, overrides)
      } catch (error) {
        // A setting that only a start can have, or that needs what this stand-in was not given.
        if (error instanceof ControlError && error.status === 400) return undefined
        throw error
      }
    },
  })
  return { ...explained, first, requests: first.reduce((sum, { target }) => sum + target.length, 0) }
}
