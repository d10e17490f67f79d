import { basename } from 'node:path'
import type { Config } from './config.ts'
import { readDocument, readPackaged } from './document.ts'
import type { FirstWorld } from './first-world.ts'
import { type Birth, digestOf } from './history/birth.ts'

/** What a first world was born from, by digests. */
export function birthOf({ seed, files, clock, contract }: Config, { rules, fixtures }: FirstWorld): Birth {
  return {
    standin: (readPackaged('package.json').value as { readonly version: string }).version,
    seed,
    files,
    clock: clock === undefined ? 'machine' : new Date(clock).toISOString(),
    firstMoment: new Date(rules.firstMoment).toISOString(),
    contract: digestOf((contract === undefined ? readPackaged('spec/openapi.yaml') : readDocument(contract)).value),
    fixtures: Object.fromEntries(
      // By place and last name: the same file may be named from another directory.
      fixtures.map(({ file, value }, index) => [`${index + 1} ${basename(file)}`, digestOf(value)]),
    ),
  }
}
