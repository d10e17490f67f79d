import type { Faker } from '@faker-js/faker'

/** Loads Faker with the first value that it makes: many starts need none. `scripts/build.ts` puts it beside the bundle. */
export function loadFaker(): Faker {
  const { createRequire } = process.getBuiltinModule('node:module')
  return (createRequire(import.meta.url)('@faker-js/faker/locale/en') as { readonly faker: Faker }).faker
}
