import type { Faker, Randomizer } from '@faker-js/faker'
import { once } from '../base/cache.ts'
import { loadFaker } from './load-faker.ts'
import { findLocale, readDefinitions } from './locale/locales.ts'

/** Words of the state of a Mersenne Twister, and the distance of the word that each is mixed with. */
const WORDS = 624
const DISTANCE = 397

/**
 * The numbers of Faker's own generator (MT19937, with 53 bits each), made as they are drawn. Faker is seeded anew for each value, which
 * draws one or two numbers; its own generator computes its whole state twice at each seed, a third of the time of a first response.
 */
function createRandomizer(): Randomizer {
  const words = new Int32Array(WORDS)
  let known = 0
  let at = 0
  const wordAt = (index: number): number => {
    let before = words[known - 1] ?? 0
    for (; known <= index; known++) {
      before = (Math.imul(1_812_433_253, before ^ (before >>> 30)) + known) | 0
      words[known] = before
    }
    return words[index] ?? 0
  }
  const nextWord = (): number => {
    const joined = (wordAt(at) & 0x80000000) | (wordAt((at + 1) % WORDS) & 0x7fffffff)
    const mixed = wordAt((at + DISTANCE) % WORDS)
    let word = mixed ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0)
    words[at] = word
    at = (at + 1) % WORDS
    word ^= word >>> 11
    word ^= (word << 7) & 0x9d2c5680
    word ^= (word << 15) & 0xefc60000
    return (word ^ (word >>> 18)) >>> 0
  }
  return {
    next: () => ((nextWord() >>> 5) * 0x4000000 + (nextWord() >>> 6)) / 2 ** 53,
    seed(seed) {
      words[0] = Number(seed)
      known = 1
      at = 0
    },
  }
}

function createFaker(definitions: readonly Faker['rawDefinitions'][]): Faker {
  const original = loadFaker()
  // Its class is not exported beside it, and the package's main module loads all languages.
  const FakerClass = original.constructor as new (options: {
    readonly locale: readonly Faker['rawDefinitions'][]
    readonly randomizer: Randomizer
  }) => Faker
  return new FakerClass({ locale: [...definitions, original.rawDefinitions], randomizer: createRandomizer() })
}

const english = once(() => createFaker([]))

/**
 * Faker for English, for all that is the same in every locale. Seed it before each value, so that nothing depends on its state. It is
 * loaded with the first value: a server that makes none starts without it.
 */
export const faker = new Proxy(Object.create(null) as Faker, {
  get: (_, member) => Reflect.get(english(), member) as unknown,
  set: (_, member, value) => Reflect.set(english(), member, value),
})

/** A locale is read once. Its instance is seeded before each use, as the one for English is, so stand-ins share it. */
const localized = new Map<string, Faker>([['en', faker]])

/**
 * Faker for a locale such as `de` or `pt_BR`.
 *
 * @param namedBy what messages call the setting
 * @throws StartupError for one that there is not, or that is not installed
 */
export function fakerOf(locale: string, namedBy = 'locale'): Faker {
  const name = findLocale(locale) ?? locale
  const made = localized.get(name) ?? createFaker(readDefinitions(name, namedBy))
  localized.set(name, made)
  return made
}

/** The locales of documents whose values are not English. */
const ofDocuments = new WeakMap<object, Faker>()

/** Makes the values of a document by a locale. */
export function localize(document: object, locale: Faker): void {
  ofDocuments.set(document, locale)
}

/** What makes names and addresses of a document. */
export function fakerFor(document: unknown): Faker {
  return typeof document === 'object' && document !== null ? (ofDocuments.get(document) ?? faker) : faker
}

/** Seeds Faker's instances for English and for a locale. They are used at once and seeded again before each value. */
export function seedFaker({ seed, now, local }: { seed: number; now: number; local: Faker }): void {
  faker.seed(seed)
  faker.setDefaultRefDate(now)
  if (local === faker) return
  local.seed(seed)
  local.setDefaultRefDate(now)
}
