import { fakerOf } from './faker.ts'

/** Words for the generated initial state: plain data, made once with Faker. */
export interface Vocabulary {
  /** Full names, as they stand in the name of a file. */
  readonly people: readonly string[]
  readonly companies: readonly string[]
  readonly products: readonly string[]
  readonly cities: readonly string[]
  readonly campaigns: readonly string[]
  /** User ids, positive and far below 2^53. */
  readonly userIds: readonly number[]
}

/**
 * Of seeds in locales, by both: `scripts/build.ts` writes that of the default ones here, because loading Faker and making the words takes a
 * fifth of the time of a first response.
 */
const MADE: Readonly<Record<string, Vocabulary>> = {}

/** The vocabulary of a seed in a locale. Every list holds distinct entries of letters, digits and hyphens. */
export function createVocabulary(seed: number, locale: string): Vocabulary {
  const made = MADE[`${seed} ${locale}`]
  if (made) return made
  const faker = fakerOf(locale)
  // Faker has one shared instance. Every user seeds it just before drawing and does not await in between.
  faker.seed(seed)
  const list = (count: number, make: () => string) => faker.helpers.uniqueArray(() => asFileName(make()), count)
  return {
    people: list(36, () => faker.person.fullName()),
    companies: list(30, () => faker.company.name()),
    products: list(30, () => faker.commerce.productName()),
    cities: list(30, () => faker.location.city()),
    campaigns: list(24, () => `${faker.commerce.productAdjective()} ${faker.company.buzzNoun()}`),
    userIds: faker.helpers.uniqueArray(() => faker.number.int({ min: 100_000_000, max: 2_000_000_000 }), 40),
  }
}

/** `O'Hara, Kling and Sons` becomes `OHara-Kling-and-Sons`. */
function asFileName(words: string): string {
  return words
    .replaceAll(/['’.,]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}
