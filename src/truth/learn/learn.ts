import { type Learned, NOTHING_LEARNED } from '../../app/learned/learned.ts'
import { StartupError } from '../../base/errors/problem.ts'
import type { Behaviour } from '../../behaviours/catalog.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import type { LoadedParts } from '../../app/setup/load.ts'
import type { Fixture } from '../recordings/fixture-of.ts'
import { followItems } from './item-history.ts'
import { learnHints } from './learn-hints.ts'
import { sameValues } from './likeness.ts'
import { learnRefusals } from './learn-refusals.ts'
import { learnSchemas } from './schemas/learn-schemas.ts'
import { createdMembers, learnUnique } from './learn-unique.ts'
import { learnExamples } from './learn-examples.ts'
import { learnIds } from './learn-ids.ts'
import { learnForms } from './forms/learn-forms.ts'
import { type LearnedSetting, learnKeys, learnSettings } from './learn-settings.ts'
import { learnAccepted, learnStatuses } from './learn-statuses.ts'
import type { ComparedExchange } from './compared-exchange.ts'
import type { Trial, Trials } from './trial.ts'

/** What was learnt of a service. */
export interface Lessons {
  readonly settings: readonly LearnedSetting[]
  readonly learned: Learned
  /** What there is at first. */
  readonly fixture: Fixture
  /** What a stand-in with the contract alone responds, and one with what was learnt. */
  readonly before: readonly ComparedExchange[]
  readonly after: readonly ComparedExchange[]
}

interface Learning {
  readonly trials: Trials
  readonly catalog: readonly Behaviour[]
  /** What there is at first. */
  readonly fixtureOf: (parts: LoadedParts) => Fixture
  /** Whether an exchange may be learnt from, by its number; the others are sent too, since they change the state. */
  readonly isUsed?: (index: number) => boolean
  /** Says how far it is. */
  readonly report: (doing: string) => void
}

/**
 * Learns from recordings how a service differs from its contract: first what the contract lacks, since collections are inferred from it,
 * then settings of behaviours, since they explain most with least, what it takes and what it demands of requests, unique members, its statuses, the
 * forms of its bodies, and at last examples. Each is tried by sending all requests again.
 */
export async function learn(exchanges: readonly RecordedExchange[], learning: Learning): Promise<Lessons> {
  const { isUsed = () => true, report } = learning
  const before = await tryContract(exchanges, learning)
  const shown = learnSchemas(exchanges, learning.trials.contract, isUsed)
  const usable = (all: readonly ComparedExchange[]) => all.filter(({ isLost }, index) => !isLost && isUsed(index))
  // A response that asks for a key shows nothing else of the service.
  const keys = learnKeys(before.filter((_one, index) => isUsed(index)))
  const unlocked = keys ? learning.trials.with({ settings: { [keys.id]: keys.value } }) : learning.trials
  const {
    complete,
    fixture,
    hints: changing,
  } = await tryHints(exchanges, { ...learning, trials: unlocked.with({ schemas: shown }) }, { shown, usable })
  const { first, settings: found } = await trySettings(exchanges, { ...learning, trials: complete }, fixture)
  const settings = keys ? [keys, ...found] : found
  const behaviours = Object.fromEntries(settings.map(({ id, value }) => [id, value]))
  const run = async (doing: string, trials: Trials, learned: Learned, undoesRefused = true) => {
    const trial = await trials.start({ behaviours, learned, fixture })
    const told = (done: number) => {
      report(`${doing}: ${done + 1} of ${exchanges.length}`)
    }
    return allOf(trial, exchanges, { report: told, undoesRefused }).finally(() => trial.stop())
  }
  // First what it takes: a request that the stand-in refuses shows nothing else.
  const accepts = learnAccepted(usable(first), complete.contract.document)
  const plain = { ...NOTHING_LEARNED, schemas: shown, hints: changing, accepts }
  const accepted = Object.keys(accepts).length > 0 ? await run('with what it takes', complete, plain) : first
  const demanded = learnRefusals(usable(accepted), complete.contract.document)
  const used = accepted.filter((_one, index) => isUsed(index))
  const unique = learnUnique(used, createdMembers(complete.contract))
  const schemas = { ...shown, ...demanded }
  const hints = unionOf(changing, unique)
  const isAmended = Object.keys({ ...demanded, ...unique }).length > 0
  const trials = isAmended ? complete.with({ schemas, hints }) : complete
  const { contract, isStateful } = trials
  const amended = { ...plain, schemas, hints }
  const taken = isAmended ? await run('with what it demands', trials, amended) : accepted
  const statuses = learnStatuses(usable(taken))
  const forms = learnForms(usable(taken), { contract, statuses, isStateful })
  const described = { ...amended, statuses, forms }
  const shaped = await run('with statuses and forms', trials, described)
  const examples = learnExamples(usable(shaped), isStateful)
  const learned = { ...described, examples }
  // As it is served, with the changes that the service would have refused.
  const after = await run('with the profile', trials, learned, false)
  return { settings, learned, fixture, before, after }
}

/** The hints of both, also where they are about one operation. */
function unionOf(one: Learned['hints'], other: Learned['hints']): Learned['hints'] {
  const both = Object.entries(other).map(([name, hint]) => [name, { ...one[name], ...hint }])
  return { ...one, ...(Object.fromEntries(both) as Learned['hints']) }
}

/** What a stand-in responds by the contract alone. */
async function tryContract(exchanges: readonly RecordedExchange[], { trials, report }: Learning) {
  const told = (done: number) => {
    report(`by the contract: ${done + 1} of ${exchanges.length}`)
  }
  const alone = await trials.start({ behaviours: {} })
  return allOf(alone, exchanges, { report: told }).finally(() => alone.stop())
}

interface HintsParts {
  /** What the contract lacks. */
  readonly shown: Learned['schemas']
  /** The responses that may be learnt from. */
  readonly usable: (all: readonly ComparedExchange[]) => readonly ComparedExchange[]
}

/** Hints that the contract takes, and trials with them. One that it contradicts costs nothing but itself. */
function takenHints(
  hints: Learned['hints'],
  load: (some: Learned['hints']) => Trials,
): { readonly hints: Learned['hints']; readonly hinted: Trials } {
  const tryLoading = (some: Learned['hints']) => {
    try {
      return load(some)
    } catch (error) {
      if (error instanceof StartupError) return undefined
      throw error
    }
  }
  const all = tryLoading(hints)
  if (all) return { hints, hinted: all }
  const taken = Object.fromEntries(Object.entries(hints).filter(([name, hint]) => tryLoading({ [name]: hint })))
  return { hints: taken, hinted: load(taken) }
}

/** A stand-in with what operations do to items, where its responses are more like those of the service with it. */
async function tryHints(
  exchanges: readonly RecordedExchange[],
  { trials, fixtureOf, isUsed = () => true, report }: Learning,
  { shown, usable }: HintsParts,
) {
  const fixture = fixtureOf(trials.parts)
  const without = { complete: trials, fixture, hints: {} }
  const used = exchanges.filter((_one, index) => isUsed(index))
  const ids = learnIds(used, trials.parts)
  const found = unionOf(learnHints(followItems(used, trials.parts)), ids)
  if (Object.keys(found).length === 0) return without
  report('what operations do to items')
  const { hints, hinted } = takenHints(found, (some) => trials.with({ schemas: shown, hints: some }))
  const rightWith = async (tried: Trials) => {
    const trial = await tried.start({ behaviours: {}, fixture })
    const compared = usable(await allOf(trial, exchanges, { undoesRefused: true }).finally(() => trial.stop()))
    return compared.reduce((sum, one) => sum + Number(one.theirs.status === one.ours.status) + sameValues(one), 0)
  }
  const [right, usual] = [await rightWith(hinted), await rightWith(trials)]
  // Responses are compared without the values of ids, so better ids may make no difference.
  const isBetter = right > usual || (right === usual && Object.keys(ids).length > 0)
  return isBetter ? { complete: hinted, fixture, hints } : without
}

/** What a stand-in responds with what there is at first and the settings that were found, and these settings. */
async function trySettings(
  exchanges: readonly RecordedExchange[],
  { trials, catalog, isUsed = () => true, report }: Learning,
  fixture: Fixture,
) {
  const trial = await trials.start({ behaviours: {}, fixture })
  try {
    const present = await allOf(trial, exchanges, { undoesRefused: true })
    const settings = await learnSettings(exchanges, present, { trial, catalog, isUsed, report })
    const behaviours = Object.fromEntries(settings.map(({ id, value }) => [id, value]))
    const first = settings.length === 0 ? present : await allOf(trial, exchanges, { behaviours, undoesRefused: true })
    return { first, settings }
  } finally {
    await trial.stop()
  }
}

async function allOf(trial: Trial, ...given: Parameters<Trial['run']>): Promise<readonly ComparedExchange[]> {
  return (await trial.run(...given)) ?? []
}
