import { isPlainPath, directoryOf } from '../pages/page-sizes.ts'
import type { Probe, Asking, Questioner } from '../../probe.ts'
import { NO_SUCH_DIRECTORY } from '../../search-model/directories.ts'
import type { Walk } from '../../traffic.ts'
import { probeByDeduction } from './deduced.ts'
import { directoriesIn, isDirectory, pathsOf, plainDirectories, usualListing } from './witnesses.ts'

/** How a directoryPath is read. */
export const DIRECTORIES: readonly Probe[] = [
  {
    ...probeByDeduction('dir.missing'),
    ask: ({ search }) => search({ query: { directoryPath: NO_SUCH_DIRECTORY } }),
  },

  {
    ...probeByDeduction('dir.file'),
    *ask(questioner) {
      const { entries } = usualListing(questioner) ?? { entries: [] }
      const paths = pathsOf(entries)
      const file = entries.find(
        (entry) => isPlainPath(entry.path) && !isDirectory(entry) && !beginsOthers(entry.path, paths),
      )
      if (file) yield* questioner.search({ query: { directoryPath: file.path } })
    },
  },

  {
    ...probeByDeduction('dir.segment'),
    *ask(questioner) {
      const listing = usualListing(questioner)
      if (!listing) return
      const found = [...directoriesIn(listing).keys()]
      const beginnings = found.flatMap((path) => [path.slice(0, -1), path.slice(0, -2)])
      const path = beginnings.find((one) => isPlainPath(one) && isBeginning(one, found, pathsOf(listing.entries)))
      if (path !== undefined) yield* questioner.search({ query: { directoryPath: path } })
    },
  },

  {
    ...probeByDeduction('dir.slashes'),
    *ask(questioner) {
      const directoryPath = yield* askPlainDirectory(questioner)
      if (directoryPath !== undefined) yield* questioner.search({ query: { directoryPath: `/${directoryPath}/` } })
    },
  },

  {
    ...probeByDeduction('dir.dots'),
    *ask(questioner) {
      const listing = usualListing(questioner)
      const [path] = listing ? plainDirectories(listing) : []
      yield* questioner.search({ query: { directoryPath: path === undefined ? '..' : `${path}/..` } })
    },
  },
]

/** Whether directories are found that are spelt otherwise. */
export const DIRECTORY_CASE: readonly Probe[] = [
  {
    ...probeByDeduction('dir.case'),
    *ask(questioner) {
      const { givens, walk } = questioner
      yield* askOtherwise(questioner, givens.fileSet, usualListing(questioner))
      const other = givens.otherFileSet
      if (other !== undefined) yield* askOtherwise(questioner, other, yield* walk({ fileSet: other }))
    },
  },
]

/** Asks for a directory in the other letters, and for one in the other Unicode form. */
function* askOtherwise({ search }: Questioner, fileSet: string, listing: Walk | undefined): Asking {
  const found = [...directoriesIn(listing ?? { entries: [] }).keys()]
  const isNew = (path: string) => !found.some((one) => one === path || one.startsWith(path))
  const toggled = found
    .flatMap((path) => [path.toUpperCase(), path.toLowerCase()])
    .find((path) => isAscii(path) && isNew(path))
  if (toggled !== undefined) yield* search({ fileSet, query: { directoryPath: toggled } })
  const respelt =
    found.flatMap((path) => [path.normalize('NFD'), path.normalize('NFC')]).find(isNew) ??
    // Where there is one in each form, a list of both shows that they are the same.
    found.find((path) => path.normalize('NFD') !== path.normalize('NFC'))
  if (respelt !== undefined) yield* search({ fileSet, query: { directoryPath: respelt } })
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
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
