import { OPEN_VERDICTS, type SavedRun, type TestOutcome } from '../../../../src/control/client/mutation-report.ts'

/** A change of the service in a report that is shown. */
export type ListedMutant = SavedRun['mutants'][string] & {
  readonly id: string
  /** Whether something should be done about it. */
  readonly isOpen: boolean
  /** The tests that received something else; the others say nothing of it. */
  readonly telling: readonly TestOutcome[]
}

/** Most worth first: a change that ten tests met says more than one that one test met. */
export function mutantsOf({ mutants }: SavedRun): readonly ListedMutant[] {
  return Object.entries(mutants)
    .map(([id, record]) => ({
      ...record,
      id,
      outcomes: record.outcomes.toSorted((a, b) => rankOf(a) - rankOf(b)),
      isOpen: OPEN_VERDICTS.has(record.verdict),
      telling: record.outcomes.filter(({ difference }) => difference !== undefined),
    }))
    .toSorted((a, b) => b.telling.length - a.telling.length)
}

/** Tests that turned red come first, and those that received nothing else last. */
function rankOf({ outcome, difference }: TestOutcome): number {
  return difference === undefined ? 2 : outcome === 'passed' ? 1 : 0
}

export function addressOf(id: string): string {
  return `/${encodeURIComponent(id)}`
}

/** Whether an address below the view is that of a mutant. The router decodes some of its characters. */
export function isAt(location: string, id: string): boolean {
  const address = addressOf(id)
  return location === address || location === decodeURI(address) || location === `/${id}`
}
