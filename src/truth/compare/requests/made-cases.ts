import type { Info } from '../../../control/client/types.ts'
import type { Case, Side } from '../case.ts'
import { directoryCases } from './directory-cases.ts'
import { type Facts, type Listed, entriesOf } from './facts.ts'
import { dateCases, filterCases, sortCases } from './filter-cases.ts'
import { httpCases } from './http-cases.ts'
import { pageCases } from './page-cases.ts'
import { createSearch, walk } from './search.ts'

/** Pages of a file set that are looked at before requests are made. */
const MOST_PAGES = 20

/** The path of the operation that a built-in handler serves, with its parameter in braces; undefined when the contract has none. */
export function pathOf({ operations }: Info, handler: string): string | undefined {
  const found = operations.find((one) => one.handler === handler)
  return found && `${found.basePath ?? ''}${found.path}`
}

/** The entries of a file set, by a walk. Fewer where the walk is refused. */
export async function listEntries(path: string, fileSet: string, side: Side): Promise<readonly Listed[]> {
  const pages = walk(createSearch(path, fileSet), {}, 200, MOST_PAGES)
  const entries: Listed[] = []
  for (let next = pages.next(); next.done !== true;) {
    const seen = await side.send(next.value)
    entries.push(...entriesOf(seen.json))
    next = pages.next(seen)
  }
  return entries
}

/** Requests that show every behaviour of searches that a client can see. */
export function searchCases(path: string, facts: Facts): Case[] {
  const kit = { facts, search: createSearch(path, facts.fileSet) }
  return [pageCases, directoryCases, sortCases, filterCases, dateCases, httpCases].flatMap((make) => make(kit))
}
