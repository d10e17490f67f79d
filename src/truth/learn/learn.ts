import type { Learned } from '../../app/learned/learned.ts'
import type { Behaviour } from '../../behaviours/catalog.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import { learnExamples } from './learn-examples.ts'
import { learnForms } from './learn-forms.ts'
import { type LearnedSetting, learnSettings } from './learn-settings.ts'
import { learnAccepted, learnStatuses } from './learn-statuses.ts'
import type { ComparedExchange } from './compared-exchange.ts'
import type { Trial, TrialProfile, Trials } from './trial.ts'

/** What was learnt of a service. */
export interface Lessons {
  readonly settings: readonly LearnedSetting[]
  readonly learned: Learned
  /** What a stand-in with the contract alone responds, and one with what was learnt. */
  readonly before: readonly ComparedExchange[]
  readonly after: readonly ComparedExchange[]
}

interface Learning {
  readonly trials: Trials
  readonly catalog: readonly Behaviour[]
  /** What there is at first. */
  readonly fixture?: object
  /** Whether an exchange may be learnt from, by its number; the others are sent too, since they change the state. */
  readonly isUsed?: (index: number) => boolean
  /** Says how far it is. */
  readonly report: (doing: string) => void
}

const NOTHING: Learned = { statuses: [], accepts: {}, forms: {}, examples: [] }

/**
 * Learns from recordings how a service differs from its contract: settings of behaviours first, since they explain most with least, then
 * what of requests it takes, its statuses, the forms of its bodies, and at last examples. Each is tried by sending all requests again.
 */
export async function learn(exchanges: readonly RecordedExchange[], learning: Learning): Promise<Lessons> {
  const { trials, fixture, isUsed = () => true, report } = learning
  const { contract, isStateful } = trials
  const run = async (doing: string, profile: TrialProfile) => {
    const trial = await trials.start({ ...profile, ...(fixture && { fixture }) })
    const told = (done: number) => {
      report(`${doing}: ${done + 1} of ${exchanges.length}`)
    }
    return allOf(trial, exchanges, { report: told }).finally(() => trial.stop())
  }
  const usable = (all: readonly ComparedExchange[]) => all.filter(({ isLost }, index) => !isLost && isUsed(index))
  const { before, first, settings } = await tryContract(exchanges, learning)
  const behaviours = Object.fromEntries(settings.map(({ id, value }) => [id, value]))
  const accepts = learnAccepted(usable(first))
  const isLenient = Object.keys(accepts).length > 0
  const lenient = isLenient ? await run('with what it takes', { behaviours, learned: { ...NOTHING, accepts } }) : first
  const statuses = learnStatuses(usable(lenient))
  const forms = learnForms(usable(lenient), { document: contract.document, statuses, isStateful })
  const described = { ...NOTHING, accepts, statuses, forms }
  const shaped = await run('with statuses and forms', { behaviours, learned: described })
  const examples = learnExamples(usable(shaped), isStateful)
  const learned = { ...described, examples }
  const after = examples.length === 0 ? shaped : await run('with examples', { behaviours, learned })
  return { settings, learned, before, after }
}

/** What a stand-in responds by the contract alone, with what there is at first and the settings that were found, and these settings. */
async function tryContract(
  exchanges: readonly RecordedExchange[],
  { trials, catalog, fixture, isUsed = () => true, report }: Learning,
) {
  const told = (done: number) => {
    report(`by the contract: ${done + 1} of ${exchanges.length}`)
  }
  const alone = await trials.start({ behaviours: {} })
  const before = await allOf(alone, exchanges, { report: told }).finally(() => alone.stop())
  const trial = await trials.start({ behaviours: {}, ...(fixture && { fixture }) })
  try {
    const present = fixture ? await allOf(trial, exchanges) : before
    const settings = await learnSettings(exchanges, present, { trial, catalog, isUsed, report })
    const behaviours = Object.fromEntries(settings.map(({ id, value }) => [id, value]))
    const first = settings.length === 0 ? present : await allOf(trial, exchanges, { behaviours })
    return { before, first, settings }
  } finally {
    await trial.stop()
  }
}

async function allOf(trial: Trial, ...given: Parameters<Trial['run']>): Promise<readonly ComparedExchange[]> {
  return (await trial.run(...given)) ?? []
}
