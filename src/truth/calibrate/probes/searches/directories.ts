import { directoryOf, isPlainPath } from '../pages/page-sizes.ts'
import type { BehaviourId, BehaviourSettings } from '../../../../../types/behaviour-settings.d.ts'
import { stringifyJson } from '../../../../base/formats/json.ts'
import { probe, type Probe, type Asking, type Questioner, agree } from '../../probe.ts'
import type { SearchSeen } from '../../search-seen.ts'
import { open, type Traffic } from '../../traffic.ts'
import {
  directoriesIn,
  isDirectory,
  isSameList,
  listingFor,
  pathsOf,
  plainDirectories,
  usualListing,
} from './witnesses.ts'

/** A path that no file set has. */
const NO_SUCH_DIRECTORY = 'no-such-directory-4f1c'

/** How a directoryPath is read. */
export const DIRECTORIES: readonly Probe[] = [
  probeByDirectory('dir.missing', {
    read(search, path, traffic) {
      const listing = listingFor(search, traffic)
      // Directories that are empty exist although no list shows them, unless lists show all.
      const isComplete = listing?.isComplete === true && traffic.settingOf('dir.entries') === 'always'
      const isKnown = isComplete && isMissing(path, pathsOf(listing.entries))
      if (path !== NO_SUCH_DIRECTORY && !isKnown) return undefined
      return isNotFound(search) ? '404' : search.outcome === 'page' && search.files.length === 0 ? 'empty' : 'other'
    },
    ask: ({ search }) => search({ query: { directoryPath: NO_SUCH_DIRECTORY } }),
  }),

  probeByDirectory('dir.file', {
    read(search, path, traffic) {
      const entries = listingFor(search, traffic)?.entries ?? []
      const isFile = entries.some((entry) => entry.path === path && !isDirectory(entry))
      if (!isFile || beginsOthers(path, pathsOf(entries))) return undefined
      if (isNotFound(search)) return '404'
      if (isInvalid(search)) return '400'
      return search.outcome === 'page' && search.files.length === 0 ? 'empty' : 'other'
    },
    *ask(questioner) {
      const { entries } = usualListing(questioner) ?? { entries: [] }
      const paths = pathsOf(entries)
      const file = entries.find(
        (entry) => isPlainPath(entry.path) && !isDirectory(entry) && !beginsOthers(entry.path, paths),
      )
      if (file) yield* questioner.search({ query: { directoryPath: file.path } })
    },
  }),

  probeByDirectory('dir.segment', {
    read(search, path, traffic) {
      const listing = listingFor(search, traffic)
      if (!listing || !isBeginning(path, [...directoriesIn(listing).keys()], pathsOf(listing.entries))) return undefined
      if (isNotFound(search)) return 'segment'
      if (search.outcome !== 'page') return 'other'
      const reached = search.files.filter((entry) => entry.path.startsWith(path) && !entry.path.startsWith(`${path}/`))
      return reached.length > 0 ? 'prefix' : search.files.length === 0 ? 'segment' : 'other'
    },
    *ask(questioner) {
      const listing = usualListing(questioner)
      if (!listing) return
      const found = [...directoriesIn(listing).keys()]
      const beginnings = found.flatMap((path) => [path.slice(0, -1), path.slice(0, -2)])
      const path = beginnings.find((one) => isPlainPath(one) && isBeginning(one, found, pathsOf(listing.entries)))
      if (path !== undefined) yield* questioner.search({ query: { directoryPath: path } })
    },
  }),

  probeByDirectory('dir.slashes', {
    use: 'dir.slashes',
    read(search, path, traffic) {
      const stripped = path.replaceAll(/\/+/g, '/').replaceAll(/^\/|\/$/g, '')
      // A trailing slash alone may also be read as the beginning of what is in the directory.
      if (stripped === '' || !/^\/|\/\/./.test(path)) return undefined
      const same = traffic.searches.find(
        (one) => one.outcome === 'page' && one.files.length > 0 && isSameBut(one, search, stripped),
      )
      if (!same) return undefined
      if (isNotFound(search)) return 'exact'
      if (search.outcome !== 'page') return 'other'
      return isSameList(search.files, same.files) ? 'normalise' : search.files.length === 0 ? 'exact' : 'other'
    },
    *ask(questioner) {
      const directoryPath = yield* askPlainDirectory(questioner)
      if (directoryPath !== undefined) yield* questioner.search({ query: { directoryPath: `/${directoryPath}/` } })
    },
  }),

  probeByDirectory('dir.dots', {
    use: 'dir.dots',
    read(search) {
      if (isNotFound(search)) return 'literal'
      if (isInvalid(search)) return 'error'
      return search.outcome === 'page' && search.files.length === 0 ? 'literal' : 'other'
    },
    *ask(questioner) {
      const listing = usualListing(questioner)
      const [path] = listing ? plainDirectories(listing) : []
      yield* questioner.search({ query: { directoryPath: path === undefined ? '..' : `${path}/..` } })
    },
  }),
]

interface DirectoryRule<Value> {
  /** What the directoryPath has that services may refuse: see `findUses`. */
  readonly use?: 'dir.slashes' | 'dir.dots'
  /** `other` for what no setting covers; undefined for searches that are about something else. */
  read(search: SearchSeen, path: string, traffic: Traffic): Value | 'other' | undefined
  ask(questioner: Questioner): Asking<unknown>
}

/** A behaviour that the first page of a search in a directory shows. */
function probeByDirectory<Id extends BehaviourId>(
  id: Id,
  { use, read, ask }: DirectoryRule<BehaviourSettings[Id]>,
): Probe {
  return probe(id, {
    conclude(traffic) {
      const readings = traffic.searches.flatMap((search) => {
        const path = directoryOf(search)
        const isMeant = use ? search.uses.has(use) : path !== undefined && isPlainPath(path)
        if (path === undefined || !isMeant || !traffic.isAbout(search, ...(use ? [use] : []))) return []
        const value = read(search, path, traffic)
        return value === undefined ? [] : [{ value, path, exchange: search.exchange }]
      })
      const [first] = readings
      if (first?.value === 'other')
        return open(`the response to directoryPath=${first.path} is none that a setting has`)
      return agree(readings, ({ value }) => value as BehaviourSettings[Id])
    },
    ask,
  })
}

function isNotFound({ outcome, status }: SearchSeen): boolean {
  return outcome === 'refused' && status === 404
}

function isInvalid({ outcome, status }: SearchSeen): boolean {
  return outcome === 'refused' && (status === 400 || status === 422)
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Whether an entry or a directory begins with the path, however case and form are compared. */
function isMissing(path: string, paths: readonly string[]): boolean {
  return !paths.some((one) => folded(one).startsWith(folded(path)))
}

/** Whether there is another path that begins so. */
function beginsOthers(path: string, paths: readonly string[]): boolean {
  return paths.filter((one) => folded(one).startsWith(folded(path))).length > 1
}

/** Whether a directory's name begins so, and nothing has the name itself. */
function isBeginning(path: string, directories: readonly string[], paths: readonly string[]): boolean {
  return (
    directories.some((one) => one.startsWith(path) && !one.includes('/', path.length)) &&
    ![...directories, ...paths].some((one) => folded(one) === folded(path))
  )
}

/** Whether two searches are the same but for the spelling of the directory. */
function isSameBut(one: SearchSeen, search: SearchSeen, directory: string): boolean {
  const [a, b] = [one, search].map(({ fileSet, key, sorts, query }) =>
    stringifyJson([fileSet, key, sorts, query.get('limit'), query.get('immediateChildren')]),
  )
  return a === b && directoryOf(one) === directory
}

/** Searches in a directory, unless that was done before. */
function* askPlainDirectory(questioner: Questioner): Asking<string | undefined> {
  const listing = usualListing(questioner)
  const [directoryPath] = listing ? plainDirectories(listing) : []
  const isKnown = questioner.traffic.searches.some(
    (one) => one.outcome === 'page' && one.query.size === 1 && directoryOf(one) === directoryPath,
  )
  if (directoryPath !== undefined && !isKnown) yield* questioner.walk({ query: { directoryPath } })
  return directoryPath
}
