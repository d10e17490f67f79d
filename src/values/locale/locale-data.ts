import type { Faker } from '@faker-js/faker'

/** What a locale has for each kind of value. */
export type Definitions = Faker['rawDefinitions']

/** What names and addresses are made of. Everything else, such as `lorem` and `word`, is English in all locales. */
const KINDS = ['person', 'location', 'company', 'phone_number', 'cell_phone', 'commerce', 'metadata'] as const

/** Longer lists are shortened: all names that Faker knows would make the package larger by a tenth. */
const LONGEST_LIST = 100

/**
 * What comes with Standin of a locale. `scripts/build.ts` replaces this file by one that reads what it wrote of them.
 *
 * @param parent the locale that it adds to
 */
export function readLocale(name: string, parent: string): Definitions {
  return ownDefinitions(createRequireOf(import.meta.url), name, parent)
}

/** What a locale of a Faker that is installed has besides its parent. @param at a file beside which it is looked for */
export function createRequireOf(at: string): (name: string) => Definitions {
  const { createRequire } = process.getBuiltinModule('node:module')
  const load = createRequire(at)
  return (name) => (load(`@faker-js/faker/locale/${name}`) as { readonly faker: Faker }).faker.rawDefinitions
}

export function ownDefinitions(load: (name: string) => Definitions, name: string, parent: string): Definitions {
  const [own, ...others] = [name, parent, 'en'].map(load)
  const entries = KINDS.map((kind) => {
    // A locale has what its parents have, as the same objects, and null for what there is not, which would throw.
    const isOwn = ([one, held]: readonly [string, unknown]) =>
      held !== null &&
      !others.some((other) => (other[kind] as Readonly<Record<string, unknown>> | undefined)?.[one] === held)
    return [kind, shortened(Object.fromEntries(Object.entries(own?.[kind] ?? {}).filter(isOwn)))] as const
  })
  return Object.fromEntries(entries) as Definitions
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    const count = Math.min(list.length, LONGEST_LIST)
    // From all over it: it may be in the order of the alphabet.
    return Array.from({ length: count }, (_, at) => list[Math.floor((at * list.length) / count)])
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, shortened(held)]))
}
