import type { TestOutcome } from '../../control/client/mutation-report.ts'
import type { Mutant } from './mutants/mutant.ts'
import { hasFailed, isRed } from './verdict.ts'

/** What is tried next in a test, which may depend on how the last attempt ended. */
export type MutantSearch = Generator<Mutant, void, TestOutcome | undefined>

export function* inTurn(mutants: Iterable<Mutant>): MutantSearch {
  for (const mutant of mutants) yield mutant
}

/**
 * A search that does not try what is known to leave its test green. What turned it red is tried again, for its replay.
 *
 * @param green ids; those that are found are added
 * @param onTried called with each step, known or not
 */
export function* withKnown(search: MutantSearch, green: Set<string>, onTried: () => void): MutantSearch {
  let step = search.next()
  while (step.done !== true) {
    const { id } = step.value
    const outcome = green.has(id) ? undefined : yield step.value
    if (outcome && !isRed(outcome)) green.add(id)
    onTried()
    step = search.next(outcome)
  }
}

/** The settings of one test that leave it green alone. */
export interface GreenSettings {
  /** By behaviour: those with which it receives as much as usual. */
  readonly factors: readonly (readonly Mutant[])[]
  /** Those that leave something out, such as all directories, which would hide what other settings do with it. */
  readonly hiding: readonly Mutant[]
}

/**
 * Tries settings of several behaviours together, so that each two of them occur once, and shrinks what turns a test red to the settings that cause
 * it. Two settings that both leave something out are not tried together.
 *
 * @param found called with each cause
 */
export function* searchPairs(
  { factors, hiding }: GreenSettings,
  found: (cause: Mutant, outcome: TestOutcome) => void,
): MutantSearch {
  yield* searchRows([...coveringRows(factors), ...hiding.flatMap((one) => rowsWith(one, factors))], found)
}

/**
 * Tries the mutants of each row together, and shrinks a row that turns a test red to those that cause it.
 *
 * @param found called with each cause
 */
export function* searchRows(
  rows: Iterable<readonly Mutant[]>,
  found: (cause: Mutant, outcome: TestOutcome, parts: readonly Mutant[]) => void,
): MutantSearch {
  const causes: (readonly Mutant[])[] = []
  for (const row of rows) {
    for (;;) {
      // What is known to fail would hide what else does.
      const rest = causes.reduce(
        (kept, cause) => (cause.every((one) => kept.includes(one)) ? without(kept, cause.at(-1)) : kept),
        row,
      )
      if (rest.length === 0) break
      const whole = together(rest)
      const outcome = yield whole
      if (!outcome || !hasFailed(outcome, whole)) break
      const shrunk = yield* shrink(rest, outcome)
      causes.push(shrunk.kept)
      found(together(shrunk.kept), shrunk.outcome, shrunk.kept)
    }
  }
}

/** Leaves out one setting after the other, as long as the test stays red. */
function* shrink(
  row: readonly Mutant[],
  first: TestOutcome,
): Generator<Mutant, { readonly kept: readonly Mutant[]; readonly outcome: TestOutcome }, TestOutcome | undefined> {
  let kept = row
  let last = first
  for (const one of row) {
    const fewer = without(kept, one)
    if (fewer.length === 0) break
    const whole = together(fewer)
    const outcome = yield whole
    if (!outcome || !hasFailed(outcome, whole)) continue
    kept = fewer
    last = outcome
  }
  return { kept, outcome: last }
}

function without(row: readonly Mutant[], left: Mutant | undefined): readonly Mutant[] {
  return row.filter((one) => one !== left)
}

/** Several mutants of a kind as one. */
function together(mutants: readonly Mutant[]): Mutant {
  const [first] = mutants
  if (first && mutants.length === 1) return first
  const faults = mutants.flatMap((one) => one.faults ?? [])
  return {
    id: mutants.map(({ id }) => id).join(' + '),
    kind: first?.kind ?? 'undocumented',
    change: mutants.map(({ change }) => change).join(' '),
    usual: 'Each of these changes alone leaves the test green.',
    ...(mutants.some(({ changesData }) => changesData === true) ? { changesData: true } : {}),
    overrides: Object.assign({}, ...mutants.map(({ overrides }) => overrides)) as NonNullable<Mutant['overrides']>,
    ...(faults.length > 0 ? { faults } : {}),
  }
}

/** Rows of a setting with each of all others. */
function rowsWith(one: Mutant, factors: readonly (readonly Mutant[])[]): (readonly Mutant[])[] {
  const [behaviour] = Object.keys(one.overrides ?? {})
  const others = factors.filter(([other]) => !Object.hasOwn(other?.overrides ?? {}, behaviour ?? ''))
  const count = Math.max(0, ...others.map(({ length }) => length))
  return Array.from({ length: count }, (_, at) => [one, ...others.flatMap((factor) => factor[at] ?? [])])
}

/**
 * Rows with at most one setting of each behaviour, so that each two settings of different behaviours are in one of them: greedily, each row begins with a
 * pair that is left, and takes of each other behaviour the setting that covers most of what is left (Cohen et al., 1997).
 *
 * @param width the most settings of a row
 */
export function* coveringRows(factors: readonly (readonly Mutant[])[], width = Infinity): Generator<readonly Mutant[]> {
  const left = new Map<Mutant, Set<Mutant>>()
  for (const [index, factor] of factors.entries())
    for (const one of factor) left.set(one, new Set(factors.flatMap((other, at) => (at === index ? [] : other))))
  for (;;) {
    const start = [...left].find(([, others]) => others.size > 0)?.[0]
    if (!start) return
    const row = [start]
    for (const factor of factors) {
      if (row.length >= width) break
      if (factor.includes(start)) continue
      const gain = (one: Mutant) => row.filter((other) => left.get(other)?.has(one)).length
      const best = factor.toSorted((a, b) => gain(b) - gain(a))[0]
      if (best && gain(best) > 0) row.push(best)
    }
    for (const one of row) for (const other of row) left.get(one)?.delete(other)
    yield row
  }
}
