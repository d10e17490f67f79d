import { type ControlCall, type ControlHandler, type ControlRoutes, ok } from '../../engine/control-route.ts'
import { inSlices } from '../../engine/slices.ts'
import { violation } from '../../base/errors/problem.ts'
import { requestInvalid } from '../../base/errors/request-errors.ts'
import type { JournalNeeds } from '../match-exchange.ts'
import type { Coverage, SandboxCoverage } from './coverage.ts'
import { createReport } from './report.ts'

export interface CoverageNeeds extends Pick<JournalNeeds, 'redactor'> {
  readonly coverage: Coverage
}

const getCoverage: ControlHandler<CoverageNeeds> = async (call) => {
  const { coverage, redactor, pause } = call
  const tally = coverage.tallyOf(chosenSandbox(call))
  return ok(await inSlices(createReport(coverage, tally, redactor), pause))
}

const deleteCoverage: ControlHandler<CoverageNeeds> = (call) =>
  ok({ removed: call.coverage.clear(chosenSandbox(call)) })

/** Undefined for the whole server. @throws Problem 400 for another scope */
function chosenSandbox(call: ControlCall): SandboxCoverage | undefined {
  const { scope = call.namesSandbox ? 'sandbox' : 'server' } = call.query
  if (scope === 'server') return undefined
  if (scope === 'sandbox') return call.sandbox().coverage
  throw requestInvalid([violation({ parameter: 'scope' }, 'value', 'sandbox or server', scope)])
}

export const coverageRoutes: ControlRoutes<CoverageNeeds> = { getCoverage, deleteCoverage }
