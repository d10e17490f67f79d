import { isDeepStrictEqual } from 'node:util'
import { formatOverride } from '../../behaviours/behaviours.ts'
import type { ServicesComparison } from './compare-services.ts'
import type { Difference } from '../recordings/differences/find-differences.ts'
import type { CaseOutcome } from './outcome.ts'

/** What people and scripts are told of a comparison. */
export interface ComparisonReport {
  readonly standin: string
  readonly target: string
  readonly requests: number
  readonly cases: number
  /** Cases whose responses agree. */
  readonly agreeing: number
  /** Settings that were tried and remove differences, the one that removes most first. */
  readonly behaviours: readonly ExplainedBehaviour[]
  /** What no setting removes. */
  readonly others: readonly DifferenceGroup[]
  readonly notes: readonly string[]
}

export interface ExplainedBehaviour {
  readonly id: string
  readonly question: string
  /** What the stand-in has now. */
  readonly setting: unknown
  /** What makes it respond as the target does. */
  readonly value: unknown
  /** `--behaviour page.last=null`. */
  readonly flag: string
  /** How many cases it makes more alike. */
  readonly cases: number
  readonly differences: readonly DifferenceGroup[]
  /** Settings of other behaviours that these requests cannot tell from it. */
  readonly orElse: readonly string[]
}

/** The same difference of responses to requests of one kind. */
export interface DifferenceGroup extends Difference {
  /** `POST /api/files/v1/filesets/{fileSetId}/files/search`. */
  readonly operation: string
  readonly count: number
  /** Cases that show it, at most three. */
  readonly cases: readonly string[]
  /** One of the requests. */
  readonly example: { readonly method: string; readonly url: string; readonly body: string | undefined }
}

export function createReport(
  { requests, first, outcomes, explanations, notes, operationOf }: ServicesComparison,
  standin: string,
  target: string,
): ComparisonReport {
  return {
    standin,
    target,
    requests,
    cases: first.length,
    agreeing: first.filter(({ weight }) => weight === 0).length,
    behaviours: explanations.map(({ behaviour: { id, question, setting }, value, cases, others }) => ({
      id,
      question,
      setting,
      value,
      flag: flagOf(id, value, setting),
      cases: cases.length,
      differences: groupDifferences(
        cases.map(({ before, after }) => removed(before, after)),
        operationOf,
      ),
      orElse: others.map((one) => flagOf(one.id, one.value)),
    })),
    others: groupDifferences(outcomes, operationOf),
    notes,
  }
}

function removed(before: CaseOutcome, after: CaseOutcome): CaseOutcome {
  const kept = after.differences.map(keyOf)
  return { ...before, differences: before.differences.filter((one) => !kept.includes(keyOf(one))) }
}

function keyOf({ step, kind, where }: Difference & { readonly step: number }): string {
  return `${step} ${kind} ${where}`
}

type OperationOf = ServicesComparison['operationOf']

function groupDifferences(outcomes: readonly CaseOutcome[], operationOf: OperationOf): DifferenceGroup[] {
  const groups = new Map<string, DifferenceGroup>()
  for (const { differences, target, standin, tried } of outcomes)
    for (const { step, ...difference } of differences) {
      const { method, url, body } = (target[step] ?? standin[step])?.exchange.request ?? {
        method: '',
        url: '',
        body: undefined,
      }
      const operation = operationOf(method, url)
      const { kind, where } = difference
      const isStatus = kind === 'status' ? `${difference.standin} ${difference.target}` : ''
      const key = [operation, kind, where, isStatus].join(' ')
      const known = groups.get(key)
      const cases = known?.cases ?? []
      groups.set(key, {
        ...(known ?? { operation, ...difference, example: { method, url, body } }),
        count: (known?.count ?? 0) + 1,
        cases: cases.length > 2 || cases.includes(tried.name) ? cases : [...cases, tried.name],
      })
    }
  return [...groups.values()].toSorted((a, b) => b.count - a.count)
}

/** As it is written on a command line. Of an object, what differs from the present setting. */
function flagOf(id: string, value: unknown, setting?: unknown): string {
  const isObject = typeof value === 'object' && !Array.isArray(value)
  return formatOverride(id, isObject ? changedParts(value, setting) : value)
}

function changedParts(value: object | null, setting: unknown): unknown {
  const parts = Object.entries(value ?? {})
  const before = (setting ?? {}) as Readonly<Record<string, unknown>>
  return Object.fromEntries(parts.filter(([name, part]) => !isDeepStrictEqual(part, before[name])))
}
