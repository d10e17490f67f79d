import type { Findings } from '../calibrate/calibrate.ts'
import type { BehaviourRecord } from '../../control/client/types.ts'
import type { CaseOutcome } from './outcome.ts'
import { settingsToTry } from './settings-to-try.ts'
import type { Overrides } from '../../behaviours/behaviours.ts'

/** A setting under which the stand-in responds more like the target. It was tried. */
interface SettingExplanation extends Pick<SettingTrial, 'behaviour' | 'value' | 'gain'> {
  /** Cases in which it removes differences, as they were before and are then. */
  readonly cases: readonly { readonly before: CaseOutcome; readonly after: CaseOutcome }[]
  /** Settings that do the same for these requests. */
  readonly others: readonly BehaviourSetting[]
}

interface BehaviourSetting {
  readonly id: string
  readonly value: unknown
}

export interface ExplainedOutcomes {
  /** The one that explains most comes first. */
  readonly explanations: readonly SettingExplanation[]
  /** Under all these settings together. */
  readonly outcomes: readonly CaseOutcome[]
}

export interface ExplainOptions {
  readonly behaviours: readonly BehaviourRecord[]
  /** What the traffic of the target shows of its settings. */
  readonly findings: Findings
  /** Asks the stand-in again under other settings; undefined for a setting that it refuses. */
  readonly ask: (outcome: CaseOutcome, overrides: Overrides) => Promise<CaseOutcome | undefined>
  readonly signal: AbortSignal
}

/** More behaviours do not differ at once. */
const MOST_EXPLANATIONS = 60
/** Cases that every setting is tried with; the cases that were made for its behaviour come to these. */
const SAMPLE = 10
/** Settings that do best with the sample, and are tried with all that differs. */
const FINALISTS = 6
/** Settings that seemed to explain something and made other responses differ. */
const MOST_FAILURES = 6

/**
 * Finds the settings under which the stand-in responds as the target did: one after the other, each time the one that removes most. Each
 * was tried, so none is a guess.
 */
export async function explain(first: readonly CaseOutcome[], options: ExplainOptions): Promise<ExplainedOutcomes> {
  let outcomes = first
  let overrides: Overrides = {}
  const explanations: SettingExplanation[] = []
  const failed = new Set<string>()
  while (explanations.length < MOST_EXPLANATIONS && failed.size < MOST_FAILURES) {
    const best = await findBest(outcomes, overrides, failed, options)
    if (!best) break
    const { id } = best.behaviour
    const next = await askAll(outcomes, { ...overrides, [id]: best.value }, options)
    const gain = totalOf(outcomes) - totalOf(next)
    if (gain <= 0) {
      failed.add(keyOf(id, best.value))
      continue
    }
    const pairs = outcomes.flatMap((before, at) => {
      const after = next[at]
      return after && after.weight < before.weight ? [{ before, after }] : []
    })
    explanations.push({ behaviour: best.behaviour, value: best.value, cases: pairs, gain, others: best.others })
    overrides = { ...overrides, [id]: best.value }
    outcomes = next
  }
  return { explanations: explanations.toSorted((a, b) => b.gain - a.gain), outcomes }
}

interface SettingTrial {
  readonly behaviour: BehaviourRecord
  readonly value: unknown
  /** How much of the difference it removes. */
  readonly gain: number
  readonly left: number
}

async function findBest(
  outcomes: readonly CaseOutcome[],
  overrides: Overrides,
  failed: ReadonlySet<string>,
  options: ExplainOptions,
): Promise<(SettingTrial & { readonly others: readonly BehaviourSetting[] }) | undefined> {
  const open = outcomes.filter(({ weight }) => weight > 0)
  const sample = spread(open, SAMPLE)
  const trials: SettingTrial[] = []
  const onAll = async (trial: SettingTrial) => {
    const changed = { ...overrides, [trial.behaviour.id]: trial.value }
    return { ...trial, ...((await tryOn(open, changed, options)) ?? NOTHING) }
  }
  for (const { behaviour, near } of rankBehaviours(outcomes, open, options.behaviours)) {
    const present = Object.hasOwn(overrides, behaviour.id)
      ? { ...behaviour, setting: overrides[behaviour.id] }
      : behaviour
    for (const value of settingsToTry(present, near, options.findings.get(behaviour.id))) {
      if (failed.has(keyOf(behaviour.id, value))) continue
      options.signal.throwIfAborted()
      const changed = { ...overrides, [behaviour.id]: value }
      // What it is near to shows at once whether it helps at all.
      const quick = await tryOn(near.slice(0, 2), changed, options)
      if (quick === undefined || quick.gain <= 0) continue
      const tried = (await tryOn([...new Set([...near.slice(0, 4), ...sample])], changed, options)) ?? quick
      trials.push({ behaviour, value, ...tried })
      if (tried.left > 0) continue
      const whole = await onAll({ behaviour, value, ...tried })
      if (whole.left === 0) return { ...whole, others: [] }
    }
  }
  const promising = trials.toSorted((a, b) => b.gain - a.gain).slice(0, FINALISTS)
  const finalists: SettingTrial[] = []
  for (const trial of promising) finalists.push(await onAll(trial))
  const [best, ...rest] = finalists.toSorted((a, b) => b.gain - a.gain)
  if (!best || best.gain <= 0) return undefined
  const others = rest.filter(({ gain, left }) => gain === best.gain && left === best.left)
  return { ...best, others: others.map(({ behaviour, value }) => ({ id: behaviour.id, value })) }
}

const NOTHING = { gain: 0, left: Number.POSITIVE_INFINITY }

async function tryOn(
  some: readonly CaseOutcome[],
  overrides: Overrides,
  { ask }: ExplainOptions,
): Promise<Pick<SettingTrial, 'gain' | 'left'> | undefined> {
  let [gain, left] = [0, 0]
  for (const outcome of some) {
    const again = await ask(outcome, overrides)
    if (!again) return undefined
    gain += outcome.weight - again.weight
    left += again.weight
  }
  return { gain, left }
}

interface Candidate {
  readonly behaviour: BehaviourRecord
  /** Cases that differ and were made for it, then those whose responses depend on it. */
  readonly near: readonly CaseOutcome[]
  readonly rank: number
}

/** Those first whose own cases differ, and on which most of what differs depends. */
function rankBehaviours(
  outcomes: readonly CaseOutcome[],
  open: readonly CaseOutcome[],
  behaviours: readonly BehaviourRecord[],
): readonly Candidate[] {
  const candidates = behaviours.flatMap((behaviour): Candidate[] => {
    const { id, options } = behaviour
    const isAbout = ({ tried: { about } }: CaseOutcome) => about.includes(id)
    const own = open.filter(isAbout)
    const named = open.filter((one) => !isAbout(one) && one.standin.some((seen) => seen.behaviours.includes(id)))
    const near = [...own, ...named]
    if (options === undefined || near.length === 0) return []
    const share = own.length / Math.max(1, outcomes.filter(isAbout).length)
    return [{ behaviour, near, rank: share + near.length / open.length }]
  })
  return candidates.toSorted((a, b) => b.rank - a.rank)
}

async function askAll(
  outcomes: readonly CaseOutcome[],
  overrides: Overrides,
  { ask, signal }: ExplainOptions,
): Promise<CaseOutcome[]> {
  const next: CaseOutcome[] = []
  for (const outcome of outcomes) {
    signal.throwIfAborted()
    next.push((await ask(outcome, overrides)) ?? outcome)
  }
  return next
}

function totalOf(outcomes: readonly CaseOutcome[]): number {
  return outcomes.reduce((sum, { weight }) => sum + weight, 0)
}

function keyOf(id: string, value: unknown): string {
  return `${id}=${JSON.stringify(value)}`
}

/** So many of a list, from all parts of it. */
function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)] as Item)
}
