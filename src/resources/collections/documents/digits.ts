import type { Steps } from '../../../engine/slices.ts'
import { rankTexts } from '../../../engine/sort-in-steps.ts'
import { compareKeys, type Key, kindOf } from './key.ts'

/** Keys that are read in one step. */
const STEP = 4096

/** Numbers to sort keys by, digit by digit, the least significant first. */
export function* digitsOf(keys: readonly Key[], descending: boolean): Steps<readonly Uint32Array[]> {
  const numbers = numberRanks(keys)
  const texts = yield* textRanks(keys)
  const digits = { kinds: digit(keys), high: digit(keys), low: digit(keys), nanos: digit(keys) }
  const { kinds, high, low, nanos } = digits
  const invert = descending ? 0xffffffff : 0
  for (let at = 0; at < keys.length; at++) {
    if (at % STEP === STEP - 1) yield
    const key = keys[at] ?? null
    // Null comes last in both directions.
    kinds[at] = descending && key !== null ? 4 - kindOf(key) : kindOf(key)
    if (typeof key === 'string') low[at] = (texts[at] ?? 0) ^ invert
    else {
      const [upper, lower] = wordsOf(numberIn(key, numbers))
      high[at] = upper ^ invert
      low[at] = lower ^ invert
      nanos[at] = (typeof key === 'object' && key ? key.nanos : 0) ^ invert
    }
  }
  return [nanos, low, high, kinds]
}

function digit({ length }: readonly Key[]): Uint32Array {
  return new Uint32Array(length)
}

type Numbers = ReadonlyMap<number | bigint, number>

/** What orders keys of one kind that are no texts, except for the nanoseconds of instants. */
function numberIn(key: Exclude<Key, string>, numbers: Numbers | undefined): number {
  if (typeof key === 'number' || typeof key === 'bigint') return numbers?.get(key) ?? Number(key)
  if (typeof key === 'object') return key?.ms ?? 0
  return key === true ? 1 : 0
}

const view = new DataView(new ArrayBuffer(8))

/** The bits of a number, changed so that they are in the order of the numbers. */
function wordsOf(number: number): [high: number, low: number] {
  // -0 is 0.
  view.setFloat64(0, number + 0)
  const [high, low] = [view.getUint32(0), view.getUint32(4)]
  return high >>> 31 === 1 ? [~high, ~low] : [high ^ 0x80000000, low]
}

/** Ranks for all numbers where some are bigints, which may have more digits than a number holds. */
function numberRanks(keys: readonly Key[]): Numbers | undefined {
  if (!keys.some((key) => typeof key === 'bigint')) return undefined
  const distinct = [...new Set(keys.filter((key) => typeof key === 'number' || typeof key === 'bigint'))]
  distinct.sort(compareKeys)
  let rank = 0
  return new Map(
    distinct.map((key, at) => {
      if (at > 0 && compareKeys(distinct[at - 1] ?? null, key) !== 0) rank++
      return [key, rank]
    }),
  )
}

/** By the index of a key, its rank among all texts; 0 for what is no text. */
function* textRanks(keys: readonly Key[]): Steps<Uint32Array> {
  const known = new Map<string, number>()
  const places = new Uint32Array(keys.length)
  for (let at = 0; at < keys.length; at++) {
    if (at % STEP === STEP - 1) yield
    const key = keys[at]
    if (typeof key !== 'string') continue
    const place = known.get(key) ?? known.size
    if (place === known.size) known.set(key, place)
    places[at] = place
  }
  if (known.size === 0) return places
  const ranks = yield* rankTexts([...known.keys()])
  return places.map((place) => ranks[place] ?? 0)
}
