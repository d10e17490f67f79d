import { listsIn } from './case.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Finding } from '../calibrate/traffic.ts'
import { hasNumber, type Options, partsOf } from '../../behaviours/options.ts'
import { headerOf } from '../recordings/recorded-exchange.ts'
import type { BehaviourRecord } from '../../control/client/types.ts'
import { asObject } from '../../base/formats/json.ts'
import type { CaseOutcome } from './outcome.ts'

/** More values of one behaviour are not tried. */
const MOST = 48

/** The other settings of a behaviour that could explain how the target responded. */
export function settingsToTry(
  { options, setting }: BehaviourRecord,
  outcomes: readonly CaseOutcome[],
  finding?: Finding,
): readonly unknown[] {
  if (options === undefined) return []
  const clues = { sizes: sizesIn(outcomes), outcomes }
  const tried = [
    ...(finding?.kind === 'settled' ? [finding.value] : []),
    ...valuesOf(options as Options, setting, clues),
  ]
  const others = tried.filter((value) => !isDeepStrictEqual(value, setting))
  return others.filter((value, at) => others.findIndex((one) => isDeepStrictEqual(one, value)) === at).slice(0, MOST)
}

interface Clues {
  readonly sizes: readonly number[]
  readonly outcomes: readonly CaseOutcome[]
}

function valuesOf(options: Options, setting: unknown, clues: Clues): readonly unknown[] {
  if ('choice' in options) {
    // Plain words first: there may be many numbers to try.
    const words = options.choice.toSorted((a, b) => Number(hasNumber(a)) - Number(hasNumber(b)))
    return words.flatMap((word) => wordsOf(word, clues))
  }
  if ('number' in options) {
    const { min, max } = options.number
    const sizes = max < WIDE ? clues.sizes : [...clues.sizes, ...POWERS]
    return sizes.filter((size) => size >= min && size <= max)
  }
  if ('list' in options) return listsOf(options.list.of, setting, clues)
  if ('value' in options) return options.value === 'boolean' ? [setting !== true] : []
  const base = asObject(setting)
  return Object.entries(partsOf(options)).flatMap(([name, part]) =>
    valuesOf(part, base[name], clues).map((value) => ({ ...base, [name]: value })),
  )
}

/** A word with a capital is filled with what was seen. */
function wordsOf(word: string, clues: Clues): readonly string[] {
  if (!hasNumber(word)) return [word]
  if (word === 'N per S') return rateLimits(clues)
  if (/\b[PS]\b/.test(word)) return DURATIONS.map((seconds) => word.replace(/\b[PS]\b/, String(seconds)))
  const sizes = /\bK\b/.test(word) ? clues.sizes.filter((size) => size <= MOST_BETWEEN) : clues.sizes
  return sizes.map((size) => word.replace(/\b[A-Z]\b/, String(size)))
}

/** Of a bound that no response shows. */
const POWERS = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8]
const WIDE = 1e9

/** K counts pages. */
const MOST_BETWEEN = 12

const DURATIONS = [1, 10, 60, 3600, 86_400]

/** How many items the target showed, in a response and in all of a case. */
function sizesIn(outcomes: readonly CaseOutcome[]): number[] {
  const counts = outcomes.flatMap(({ target }) => {
    const each = target.map(({ json }) => countOf(json)).filter((count) => count > 0)
    return each.length === 0 ? [] : [each.reduce((sum, count) => sum + count, 0), ...each]
  })
  const common = [...Map.groupBy(counts, (count) => count)].toSorted(([, a], [, b]) => b.length - a.length)
  return common.slice(0, 12).map(([count]) => count)
}

/** Items of the lists in a response. */
function countOf(json: unknown): number {
  return listsIn(json).reduce((sum, { length }) => sum + length, 0)
}

/** As many as were answered before the first 429. */
function rateLimits({ outcomes }: Clues): string[] {
  const all = outcomes.flatMap(({ target }) => target)
  const refused = all.find(({ exchange }) => exchange.response.status === 429)
  const wait = refused && Number(headerOf(refused.exchange.response.headers, 'retry-after'))
  return wait === undefined || !(wait > 0) ? [] : [`${all.indexOf(refused as never)} per ${Math.ceil(wait)}`]
}

/** Those that the target showed, and all but one. */
function listsOf(known: readonly string[], setting: unknown, { outcomes }: Clues): readonly unknown[] {
  const present = Array.isArray(setting) ? (setting as readonly string[]) : []
  const seen = new Set(
    outcomes.flatMap(({ target }) => target.flatMap(({ exchange }) => wordsIn(exchange.response.body))),
  )
  const shown = known.filter((item) => seen.has(item))
  const shorter = present.map((item) => present.filter((one) => one !== item))
  return [shown, ...shorter].filter(({ length }) => length > 0)
}

/** The texts of capitals in a body, such as `IMAGE`. */
function wordsIn(body = ''): readonly string[] {
  return [...new Set(body.match(/(?<=")[A-Z][A-Z0-9_]*(?=")/g) ?? [])]
}
