import type { BehaviourSettings, BehaviourId } from '../../types/behaviour-settings.d.ts'
import type { Behaviours } from './behaviours.ts'
import type { BehaviourCatalog } from './catalog.ts'

/** The settings as one request sees them: asking for one records that the response depends on it. */
export interface BehaviourTracker {
  /** The setting of a behaviour, which is recorded. */
  ask<Id extends BehaviourId>(id: Id): BehaviourSettings[Id]
  /** Records behaviours without reading their settings. */
  note(...ids: readonly BehaviourId[]): void
  /** The settings, to be read without recording: for cases that may not come up. */
  readonly settings: BehaviourSettings
  /**
   * The recorded behaviours, each once, in the order of the catalogue. A documented behaviour is listed only when its setting is
   * not the default.
   */
  used(): UsedBehaviours
  /** Creates a value and lists the behaviours that this recorded, so that `repeat` can record them when the value is reused. */
  record<Made>(make: () => Made): Recorded<Made>
  repeat(recorded: Recorded<unknown>): void
}

/** A value and the behaviours that it depends on. */
export interface Recorded<Made> {
  readonly made: Made
  readonly bits: Uint32Array
}

/** The behaviours that a response depends on. */
export interface UsedBehaviours {
  readonly ids: readonly string[]
  /** As `X-Mock-Behaviours` has them: `limit.zero, page.last`; the empty string for none. */
  readonly text: string
}

/**
 * A tracker for one request, empty at first. It has one bit for each behaviour, because every request creates and writes one.
 *
 * @example
 * const tracker = createBehaviourTracker(behaviours)
 * if (tracker.ask('limit.zero') === 'error') throw limitZero()
 * tracker.used().ids // ['limit.zero']
 */
export function createBehaviourTracker(behaviours: Behaviours): BehaviourTracker {
  const { settings, catalog, indexes } = behaviours
  const bits = new Uint32Array((catalog.behaviours.length + 31) >>> 5)
  const record = (id: BehaviourId): void => {
    const place = indexes[id] ?? -1
    if (place >= 0) bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31))
  }
  return {
    settings,
    ask: (id) => {
      record(id)
      return settings[id]
    },
    note: (...ids) => {
      for (const id of ids) record(id)
    },
    used: () => findUsed(bits, catalog),
    record(make) {
      const before = bits.slice()
      bits.fill(0)
      try {
        const made = make()
        return { made, bits: bits.slice() }
      } finally {
        addBits(bits, before)
      }
    },
    repeat: (recorded) => addBits(bits, recorded.bits),
  }
}

function addBits(bits: Uint32Array, added: Uint32Array): void {
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) | (added[at] ?? 0)
}

interface KnownBehaviours extends UsedBehaviours {
  readonly bits: Uint32Array
}

/**
 * Most responses depend on the same few combinations of behaviours, so those are cached for each catalogue by a hash of their bits. Of
 * two with the same hash the later is kept.
 */
const knownBehaviours = new WeakMap<BehaviourCatalog, Map<number, KnownBehaviours>>()
const MAX_KNOWN = 1024

function findUsed(bits: Uint32Array, catalog: BehaviourCatalog): UsedBehaviours {
  const known = knownBehaviours.get(catalog) ?? new Map<number, KnownBehaviours>()
  let hash = 0
  for (const word of bits) hash = Math.imul(hash ^ word, 0x9e3779b1) ^ (hash >>> 15)
  const found = known.get(hash)
  if (found?.bits.every((word, at) => word === bits[at])) return found
  const ids = idsOf(bits, catalog)
  const used = { ids, text: ids.join(', '), bits: bits.slice() }
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(hash, used)
  knownBehaviours.set(catalog, known)
  return used
}

function idsOf(bits: Uint32Array, { behaviours }: BehaviourCatalog): string[] {
  const ids: string[] = []
  bits.forEach((word, at) => {
    for (let rest = word; rest !== 0; rest &= rest - 1) {
      const behaviour = behaviours[at * 32 + 31 - Math.clz32(rest & -rest)]
      if (behaviour !== undefined) ids.push(behaviour.id)
    }
  })
  return ids
}

/** The word of a setting with numbers: `clamp` of `clamp:500`, `every` of `every-3`, `per` of `100 per 60`. */
type WordOf<Setting extends string> = Setting extends `${infer Word}:${number}`
  ? Word
  : Setting extends `${infer Word}-${number}`
    ? Word
    : Setting extends `${number} ${infer Word} ${number}`
      ? Word
      : Setting extends `${infer Word} for ${number}`
        ? `${Word} for`
        : Setting

/**
 * Splits a setting into its word and its numbers; a missing number is 0.
 *
 * @example splitSetting('clamp:500') // { word: 'clamp', numbers: [500, 0] }
 * @example splitSetting('100 per 60') // { word: 'per', numbers: [100, 60] }
 * @example splitSetting('none') // { word: 'none', numbers: [0, 0] }
 */
export function splitSetting<Setting extends string>(setting: Setting): SplitSetting<Setting> {
  const found = split.get(setting) ?? readSetting(setting)
  if (split.size < MAX_SPLIT) split.set(setting, found)
  return found as SplitSetting<Setting>
}

interface SplitSetting<Setting extends string> {
  readonly word: WordOf<Setting>
  readonly numbers: readonly [number, number]
}

/** Settings are read on every request and seldom change, so they are split once. */
const split = new Map<string, SplitSetting<string>>()
const MAX_SPLIT = 1024

function readSetting(setting: string): SplitSetting<string> {
  const [, one, word, other] = /^(?:(\d+) )?(.+?)(?:[: -](\d+(?:\.\d+)?))?$/.exec(setting) ?? []
  const numbers = [one, other].filter((digits) => digits !== undefined).map(Number)
  return { word: word ?? setting, numbers: [numbers[0] ?? 0, numbers[1] ?? 0] }
}
