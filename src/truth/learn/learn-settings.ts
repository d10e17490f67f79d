import type { Behaviour } from '../../behaviours/catalog.ts'
import { hasNumber } from '../../behaviours/options.ts'
import type { RecordedExchange } from '../recordings/recorded-exchange.ts'
import { likenessOf } from './likeness.ts'
import type { ComparedExchange } from './compared-exchange.ts'
import type { Trial } from './trial.ts'

/** A setting under which more responses are as the service's. It was tried. */
export interface LearnedSetting {
  readonly id: string
  readonly value: unknown
  /** How many responses became more alike, and how many less. */
  readonly better: number
  readonly worse: number
  /** Whether no response became less alike, and several became right. */
  readonly certainty: 'certain' | 'likely'
}

interface SettingsSearch {
  /** A stand-in by the contract. */
  readonly trial: Trial
  readonly catalog: readonly Behaviour[]
  /** Whether an exchange may be learnt from, by its number. */
  readonly isUsed: (index: number) => boolean
  readonly report: (doing: string) => void
}

/** More settings are not tried, since each takes a session. */
const MOST_TRIALS = 24
/** Exchanges that are tried; later ones show the same. */
const MOST_EXCHANGES = 400
/** Of what a status, or all members of a response, are worth one each. */
const LEAST_GAIN = 1.5
/** Responses that have to become right for a setting to be certain. */
const CERTAIN = 3

/**
 * Finds the settings of collections, and of what all operations have in common, under which a stand-in responds more like the service:
 * one after the other, each tried with the whole session. Only settings are tried that a differing response depends on.
 */
export async function learnSettings(
  exchanges: readonly RecordedExchange[],
  before: readonly ComparedExchange[],
  search: SettingsSearch,
): Promise<readonly LearnedSetting[]> {
  const { trial, catalog, isUsed, report } = search
  const sample = exchanges.slice(0, MOST_EXCHANGES)
  let present: readonly ComparedExchange[] = before.slice(0, MOST_EXCHANGES)
  const found: LearnedSetting[] = []
  const candidates = candidatesOf(
    present.filter((_one, index) => isUsed(index)),
    catalog,
  ).slice(0, MOST_TRIALS)
  for (const [at, { id, value }] of candidates.entries()) {
    if (found.some((one) => one.id === id)) continue
    report(`trying settings: ${at + 1} of ${candidates.length}`)
    const behaviours = Object.fromEntries([...found, { id, value }].map((one) => [one.id, one.value]))
    const tried = await trial.run(sample, { behaviours, isQuick: true, undoesRefused: true })
    if (!tried) continue
    const { gain, better, worse } = compare(present, tried, isUsed)
    if (gain < LEAST_GAIN || better <= worse || (!isOfCollections(id) && worse > 0)) continue
    found.push({ id, value, better, worse, certainty: certaintyOf(better, worse) })
    present = tried
  }
  return found
}

/** That no key is needed, where the service took more requests without one than it refused; undefined otherwise. */
export function learnKeys(compared: readonly ComparedExchange[]): LearnedSetting | undefined {
  const keyless = compared.filter(({ outcome }) => outcome === 'key-missing')
  const better = keyless.filter(({ theirs }) => theirs.status < 400).length
  const worse = keyless.filter(({ theirs }) => theirs.status === 401 || theirs.status === 403).length
  if (better <= worse) return undefined
  return { id: 'auth.keys', value: 'off', better, worse, certainty: certaintyOf(better, worse) }
}

function certaintyOf(better: number, worse: number): LearnedSetting['certainty'] {
  return worse === 0 && better >= CERTAIN ? 'certain' : 'likely'
}

function compare(
  before: readonly ComparedExchange[],
  after: readonly ComparedExchange[],
  isUsed: (index: number) => boolean,
) {
  const gains = before.flatMap((one, index) => {
    const other = after[index]
    return other && isUsed(index) && !one.isLost ? [scoreOf(other) - scoreOf(one)] : []
  })
  return {
    gain: gains.reduce((sum, gain) => sum + gain, 0),
    better: gains.filter((gain) => gain > 0.05).length,
    worse: gains.filter((gain) => gain < -0.05).length,
  }
}

function scoreOf(compared: ComparedExchange): number {
  const { status, shape, shared } = likenessOf(compared)
  return status ? 1 + shared + (shape === false ? 0 : 0.5) : 0
}

/** The other settings of the behaviours that responses name which differ, those first that most of them name. */
function candidatesOf(compared: readonly ComparedExchange[], catalog: readonly Behaviour[]) {
  const counts = new Map<string, number>()
  for (const one of compared) {
    const { status, shape } = likenessOf(one)
    if ((status && shape !== false) || one.isLost) continue
    for (const id of one.ours.headers.get('x-mock-behaviours')?.split(', ') ?? [])
      counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const named = catalog.filter(
    ({ id, options }) => counts.has(id) && (isOfCollections(id) || OF_ALL.test(id)) && options && 'choice' in options,
  )
  return named
    .toSorted((a, b) => (counts.get(b.id) ?? 0) - (counts.get(a.id) ?? 0))
    .flatMap(({ id, options, default: usual }) =>
      options && 'choice' in options
        ? options.choice.filter((one) => one !== usual && !hasNumber(one)).map((value) => ({ id, value }))
        : [],
    )
}

function isOfCollections(id: string): boolean {
  return id.startsWith('collections.')
}

/** Behaviours of all operations of any contract. Such a setting is learnt only if no response becomes less alike. */
const OF_ALL = /^(?:http|body)\./
