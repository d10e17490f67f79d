import { rememberingEach } from '../../../../base/cache.ts'
import type { Questioner } from '../../probe.ts'
import type { SeenEntry, SearchSeen } from '../../search-seen.ts'
import type { Traffic, Walk } from '../../traffic.ts'

/** What the search's key sees of its file set, as far as it was listed. */
export function listingFor({ fileSet, key }: SearchSeen, traffic: Traffic): Walk | undefined {
  return traffic.listingsOf(fileSet, key)[0]
}

/** The same for the file set and the key that calibration was given. */
export function usualListing({ traffic, givens }: Questioner): Walk | undefined {
  return traffic.listingsOf(givens.fileSet, givens.key)[0]
}

export function isDirectory({ fileType }: SeenEntry): boolean {
  return fileType === 'DIRECTORY'
}

/** The paths of the directories that contain something, each with how many entries were listed below it. */
export function directoriesIn({ entries }: Pick<Walk, 'entries'>): ReadonlyMap<string, number> {
  return directories(entries)
}

const directories = rememberingEach((entries: Walk['entries']): ReadonlyMap<string, number> => {
  const found = new Map<string, number>()
  for (const { path } of entries)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const directory = path.slice(0, end)
      found.set(directory, (found.get(directory) ?? 0) + 1)
    }
  return found
})

/**
 * Directories to ask for, those with few entries first: of letters and digits, and none that another one begins like, even without
 * regard to case, so that no reading of a path takes one for another.
 */
export function plainDirectories(walk: Walk): readonly string[] {
  const found = directoriesIn(walk)
  const folded = [...found.keys()].map((path) => path.toLowerCase())
  const isAlone = (path: string) =>
    folded.filter((one) => one.startsWith(path.toLowerCase()) && !one.startsWith(`${path.toLowerCase()}/`)).length === 1
  return [...found]
    .filter(([path]) => /^[A-Za-z0-9][\w /-]*$/.test(path) && isAlone(path))
    .sort(([, a], [, b]) => a - b)
    .map(([path]) => path)
}

export function pathsOf(entries: readonly SeenEntry[]): readonly string[] {
  return entries.map(({ path }) => path)
}

export function isSameList(one: readonly SeenEntry[], other: readonly SeenEntry[]): boolean {
  return one.length === other.length && one.every(({ path }, at) => path === other[at]?.path)
}

/** A search that finds no file: what was created in a time to come. */
export const FINDS_NOTHING = { dateFilters: [{ field: 'created', start: '2999-01-01T00:00:00.000Z' }] }
