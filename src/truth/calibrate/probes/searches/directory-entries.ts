import { probe, type Probe, type Givens, type Questioner } from '../../probe.ts'
import { open, settled } from '../../traffic.ts'
import { isToken, type SearchSeen } from '../../search-seen.ts'
import { isFirstPage, limitOf, shortPages, isOfChildren } from '../pages/page-sizes.ts'
import { probeByDeduction } from './deduced.ts'
import { directoriesIn, FINDS_NOTHING, isDirectory, listingFor, usualListing } from './witnesses.ts'

const NO_DIRECTORIES = 'no list shows a directory'

/** What lists show of directories themselves. */
export const DIRECTORY_ENTRIES: readonly Probe[] = [
  {
    ...probeByDeduction('dir.entries', { missing: NO_DIRECTORIES }),
    *ask({ traffic, walk, ...others }) {
      const listing = usualListing({ traffic, walk, ...others })
      // Where the root does not list its children, a directory with others in it may.
      const paths = listing ? [...directoriesIn(listing).keys()] : []
      const parents = paths.filter((path) => paths.some((one) => one.startsWith(`${path}/`)))
      const [directoryPath] = parents
      if (directoryPath !== undefined) yield* walk({ query: { directoryPath, immediateChildren: true } }, 2)
    },
  },

  probe('dir.fields', {
    conclude({ searches }) {
      const search = searches.find(({ files }) => files.some(isDirectory))
      const entry = search?.files.find(isDirectory)
      if (!search || !entry) return searches.length > 0 ? open(NO_DIRECTORIES) : undefined
      const given = FILE_FIELDS.filter((field) => field in entry)
      if (given.length > 0 && given.length < FILE_FIELDS.length)
        return open('directories have some of the fields of files')
      return settled(given.length === 0 ? 'bare' : 'null-filled', [search])
    },
  }),

  probe('dir.counted', {
    conclude(traffic) {
      const { searches } = traffic
      const pages = searches.filter(
        (search) => search.outcome === 'page' && limitOf(search) !== undefined && search.files.some(isDirectory),
      )
      const over = pages.find((search) => search.files.length > Number(limitOf(search)))
      if (over) return open('pages have more entries than the limit when there are directories')
      const isShort = shortPages(traffic).get(1)?.isShort === true
      const full = pages.find((search) => {
        const limit = Number(limitOf(search))
        const size = isShort && isFirstPage(search) ? Math.floor(limit / 2) : limit
        return search.files.length === size && isToken(search.next)
      })
      if (full) return settled('counted', [full])
      return searches.some(({ files }) => files.some(isDirectory)) ? undefined : open(NO_DIRECTORIES)
    },
    *ask(questioner) {
      const { search } = questioner
      const [place, at] = placeOfDirectory(questioner)
      const isShort = shortPages(questioner.traffic).get(1)?.isShort === true
      if (place) yield* search({ query: { ...place, limit: (at + 1) * (isShort ? 2 : 1) } })
    },
  }),

  probe('dir.implied', {
    conclude(traffic) {
      const walks = traffic.searches
        .filter((search) => isFirstPage(search) && search.outcome === 'page' && isForAll(search))
        .map(traffic.walkFrom)
      for (const walk of walks) {
        const listing = walk.pages[0] && listingFor(walk.pages[0], traffic)
        if (!walk.isComplete || !listing || !walk.entries.some(isDirectory)) continue
        const isTop = walk.pages[0] !== undefined && isOfChildren(walk.pages[0])
        const expected = [...directoriesIn(listing).keys()].filter((path) => !isTop || !path.includes('/'))
        const shown = new Set(walk.entries.filter(isDirectory).map(({ path }) => path))
        if (expected.some((path) => !shown.has(path))) return settled('explicit-only', walk.pages)
        if (expected.length > 0) return settled('materialise', walk.pages, 'likely')
      }
      return traffic.searches.length > 0 ? open(NO_DIRECTORIES) : undefined
    },
  }),

  {
    ...probeByDeduction('dir.self', { missing: NO_DIRECTORIES }),
    *ask({ traffic, givens, walk }) {
      // One that has an entry elsewhere, and little in it.
      const isRecursive = traffic.settingOf('dir.entries') === 'always'
      const lists = traffic.searches.filter((search) => isUsual(search, givens) && isOfChildren(search) !== isRecursive)
      const [entry] = lists
        .flatMap((search) => {
          const below = directoriesIn(listingFor(search, traffic) ?? { entries: [] })
          return search.files.filter(isDirectory).map(({ path }) => ({ path, size: below.get(path) ?? 0 }))
        })
        .sort((a, b) => a.size - b.size)
      if (entry)
        yield* walk({ query: { directoryPath: entry.path, ...(isRecursive ? {} : { immediateChildren: true }) } })
    },
  },

  {
    ...probeByDeduction('dir.filtered', { missing: NO_DIRECTORIES }),
    *ask(questioner) {
      const { search } = questioner
      const [place] = placeOfDirectory(questioner)
      if (place) yield* search({ query: place, body: FINDS_NOTHING })
    },
  },
]

/** Of files; directories have none of these, or all of them as null. */
const FILE_FIELDS = [
  'contentType',
  'hash',
  'hashAlgorithm',
  'downloadUrl',
  'connectorKey',
  'indexStatus',
  'indexReason',
]

function isUnfiltered(search: SearchSeen): boolean {
  return isFirstPage(search) && search.outcome === 'page' && search.filters.length + search.dateFilters.length === 0
}

/** Whether it is of the file set and by the key that calibration was given. */
function isUsual({ fileSet, key }: SearchSeen, givens: Givens): boolean {
  return fileSet === givens.fileSet && key === givens.key
}

/** Whether a search has no filter and no directory. */
function isForAll(search: SearchSeen): boolean {
  return isUnfiltered(search) && (search.query.get('directoryPath')?.[0] ?? '') === ''
}

/** Where a list shows a directory, and how many entries come before it; the recursive list of all if possible. */
function placeOfDirectory({
  traffic: { searches },
  givens,
}: Questioner): readonly [Readonly<Record<string, string>> | undefined, number] {
  const lists = searches.filter(
    (search) => isUsual(search, givens) && isUnfiltered(search) && search.files.some(isDirectory),
  )
  const list = lists.find((search) => isForAll(search) && !isOfChildren(search)) ?? lists[0]
  if (!list) return [undefined, 0]
  const names = ['directoryPath', 'immediateChildren'].filter((name) => list.query.has(name))
  const place = Object.fromEntries(names.map((name) => [name, list.query.get(name)?.[0] ?? '']))
  return [place, list.files.findIndex(isDirectory)]
}
