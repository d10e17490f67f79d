import type { CoverageReport } from '../../../types/control-api.d.ts'
import { StartupError } from '../../base/errors/problem.ts'
import { didYouMean } from '../../base/errors/wording.ts'

/** What a report has to reach. */
export interface Limits {
  readonly min: readonly MinLimit[]
  /** How many assumed behaviours responses may depend on. */
  readonly maxAssumed: number | undefined
}

export interface MinLimit {
  /** Undefined for the total. */
  readonly kind: string | undefined
  readonly percent: number
}

/** Whether a report reaches one limit, in words. */
export interface LimitCheck {
  readonly name: string
  readonly passed: boolean
  readonly expected: string
  readonly received: string
}

/** @throws StartupError for a kind that the report does not have */
export function checkLimits(report: CoverageReport, { min, maxAssumed }: Limits): LimitCheck[] {
  const assumed = report.behaviours.filter(({ basis }) => basis === 'assumed')
  const checks = min.map((limit) => checkMin(report, limit))
  if (maxAssumed === undefined) return checks
  const received = `${assumed.length}${assumed.length === 0 ? '' : `: ${assumed.map(({ id }) => id).join(', ')}`}`
  return [
    ...checks,
    { name: 'assumed behaviours', passed: assumed.length <= maxAssumed, expected: `at most ${maxAssumed}`, received },
  ]
}

function checkMin({ total, kinds }: CoverageReport, { kind, percent }: MinLimit): LimitCheck {
  const share = kind === undefined ? total : kinds.find((one) => one.kind === kind)
  if (!share) {
    const known = kinds.map((one) => one.kind)
    const meant = didYouMean(kind, known)
    throw new StartupError([`--min ${kind}=${percent}: there is no kind ${kind}.${meant} Kinds: ${known.join(', ')}.`])
  }
  return {
    name: kind ?? 'total',
    passed: share.percent >= percent,
    expected: `at least ${percent} %`,
    received: `${share.percent} % (${share.covered} of ${share.total})`,
  }
}
