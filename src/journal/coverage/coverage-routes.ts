import { type ControlCall, type ControlHandler, type ControlRoutes, ok } from '../../engine/control-route.ts'
import { inSlices } from '../../engine/slices.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'
import { journalPartial } from '../../base/errors/control-errors.ts'
import { type Problem, violation } from '../../base/errors/problem.ts'
import type { Sandbox } from '../../engine/sandbox.ts'
import { collectExchanges, collectWhatIsThere } from '../collect-exchanges.ts'
import type { JournalNeeds } from '../match-exchange.ts'
import type { Coverage, SandboxCoverage } from './coverage.ts'
import { createReport } from './report.ts'

export interface CoverageNeeds extends Pick<JournalNeeds, 'redactor'> {
  readonly coverage: Coverage
}

const getCoverage: ControlHandler<CoverageNeeds> = async (call) => {
  const { coverage, redactor, pause } = call
  for (const sandbox of chosenSandboxes(call)) {
    if (sandbox.shared) await collectExchanges(sandbox)
    if (sandbox.coverage.missed > 0) throw missedSome(sandbox)
  }
  const tally = coverage.tallyOf(chosenSandbox(call))
  return ok(await inSlices(createReport(coverage, tally, redactor), pause))
}

const deleteCoverage: ControlHandler<CoverageNeeds> = async (call) => {
  for (const sandbox of chosenSandboxes(call)) {
    if (!sandbox.shared) continue
    await collectWhatIsThere(sandbox)
    await sandbox.shared.exchanges?.clear('coverage')
  }
  return ok({ removed: call.coverage.clear(chosenSandbox(call)) })
}

function chosenSandboxes(call: ControlCall): readonly Sandbox[] {
  return chosenSandbox(call) ? [call.sandbox()] : [...call.sandboxes.all.values()]
}

function missedSome({ name, coverage: { missed } }: Sandbox): Problem {
  return journalPartial({
    detail: `${missed} exchanges of the sandbox ${name} were dropped before this replica counted them. DELETE /__mock/coverage to begin again.`,
  })
}

/** Undefined for the whole server. @throws Problem 400 for another scope */
function chosenSandbox(call: ControlCall): SandboxCoverage | undefined {
  const { scope = call.namesSandbox ? 'sandbox' : 'server' } = call.query
  if (scope === 'server') return undefined
  if (scope === 'sandbox') return call.sandbox().coverage
  throw requestInvalid([violation({ parameter: 'scope' }, 'value', 'sandbox or server', scope)])
}

export const coverageRoutes: ControlRoutes<CoverageNeeds> = { getCoverage, deleteCoverage }
