import type { BehaviourCatalog } from '../../src/behaviours/catalog.ts'
import { hasNumber, type Options } from '../../src/behaviours/options.ts'

/** A number below one, as `Math.random` returns it. */
export type Chance = () => number

/** A generator of chance that a seed determines (mulberry32). */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** What numbers of a setting are drawn from, where any number would leave nothing to see. */
const RANGES: Readonly<Record<string, readonly [min: number, max: number]>> = {
  'limit.max': [60, 1000],
  'page.window': [60, 1000],
  'page.short': [2, 9],
  'next.expiry': [60, 86_400],
  'http.size': [4096, 4_194_304],
}

/** Settings that end a calibration, or that no calibration could be run with. */
const FIXED: Readonly<Record<string, unknown>> = {
  // Calibration stops at the first response with 429.
  'rate.limit': 'off',
}

/** A random setting for every behaviour, or for some of them. */
export function drawSettings(
  { behaviours }: BehaviourCatalog,
  chance: Chance,
  only?: ReadonlySet<string>,
): Record<string, unknown> {
  return Object.fromEntries(
    behaviours
      .filter(({ id }) => !only || only.has(id))
      .map(({ id, options, default: usual }) => {
        const setting = id in FIXED ? FIXED[id] : options ? draw(options, { chance, id, usual }) : usual
        return [id, setting]
      }),
  )
}

interface Context {
  readonly chance: Chance
  readonly id: string
  readonly usual: unknown
}

function draw(options: Options, context: Context): unknown {
  const { chance, id } = context
  if ('choice' in options) {
    const word = pick(options.choice, chance)
    const [min, max] = RANGES[id] ?? [1, 300]
    return hasNumber(word) ? word.replaceAll(/\b[A-Z]\b/g, () => String(between(min, max, chance))) : word
  }
  if ('number' in options) {
    const [min, max] = RANGES[id] ?? [options.number.min, options.number.max]
    return between(min, max, chance)
  }
  if ('numbers' in options)
    return Object.fromEntries(
      Object.entries(options.numbers).map(([name, { min, max }]) => [name, between(min, max, chance)]),
    )
  if ('list' in options) {
    const items = options.list.of.filter(() => chance() < 0.6)
    return items.length > 0 ? items : [pick(options.list.of, chance)]
  }
  if ('parts' in options)
    return Object.fromEntries(Object.entries(options.parts).map(([name, part]) => [name, draw(part, context)]))
  return pick(VALUES[options.value] ?? [], chance)
}

const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  boolean: [true, false],
  'time-zone': ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'],
  text: ['RECURRING', 'ONCE'],
  recipients: [[], [{ type: 'EMAIL', value: 'reports@example.com' }]],
}

function pick<Item>(items: readonly Item[], chance: Chance): Item {
  const item = items[Math.floor(chance() * items.length)]
  if (item === undefined) throw new RangeError('There is nothing to pick from.')
  return item
}

/** By magnitude: small numbers are as likely as large ones. */
function between(min: number, max: number, chance: Chance): number {
  const [low, high] = [Math.log(min), Math.log(max + 1)]
  return Math.min(max, Math.floor(Math.exp(low + chance() * (high - low)) + 1e-9))
}
