import { probe, type Probe, type Asking, type Questioner } from '../../probe.ts'
import type { SearchSeen } from '../../search-seen.ts'
import { open, settled, type Traffic, type Walk } from '../../traffic.ts'
import { isFirstPage, directoryOf, isOfChildren, isPlainPath } from '../pages/page-sizes.ts'
import { directoriesIn, isSameList, listingFor, usualListing } from './witnesses.ts'

/** What a list shows of directories, and which part of a file set it is of. */
export const DIRECTORY_LISTS: readonly Probe[] = [
  probe('dir.blank', {
    conclude(traffic) {
      for (const search of traffic.searches) {
        if (search.outcome !== 'page' || directoryOf(search) !== '' || isOfChildren(search)) continue
        const first = traffic.listingsOf(search.fileSet, search.key).flatMap(({ pages }) => pages.slice(0, 1))
        const same = first.find((one) => one.query.get('limit')?.[0] === search.query.get('limit')?.[0])
        if (!same || same.files.length === 0 || search.sorts.length > 0) continue
        return isSameList(same.files, search.files)
          ? settled('root', [same, search])
          : open('a blank directoryPath lists something else than none')
      }
      return undefined
    },
    ask: ({ search }) => search({ query: { directoryPath: '' } }),
  }),

  probe('dir.children-root', {
    conclude(traffic) {
      const asked = traffic.searches.filter(
        (search) =>
          isFirstPage(search) && isOfChildren(search) && (search.query.get('directoryPath')?.[0] ?? '') === '',
      )
      const refused = asked.find((one) => one.outcome === 'refused' && traffic.isAbout(one, 'dir.children-root'))
      if (refused) return settled('error', [refused])
      const page = asked.find(({ outcome }) => outcome === 'page')
      if (!page) return undefined
      return page.files.some(({ path }) => path.includes('/'))
        ? open('immediateChildren=true lists more than the children of the root')
        : settled('root', [page])
    },
    ask: ({ walk }) => walk({ query: { immediateChildren: true } }),
  }),

  probe('dir.recursive', {
    conclude(traffic) {
      const asked = traffic.searches.filter(
        ({ outcome, query, uses }) =>
          outcome === 'page' && query.get('immediateChildren')?.[0] === 'false' && !uses.has('http.repeated'),
      )
      const deep = asked.find(({ query, files }) => {
        const directory = query.get('directoryPath')?.[0] ?? ''
        const start = directory === '' ? '' : `${directory}/`
        return files.some(({ path }) => path.startsWith(start) && path.includes('/', start.length))
      })
      return deep && settled('all-descendants', [deep])
    },
    ask: ({ search }) => search({ query: { immediateChildren: false } }),
  }),
]

/** Whether directories are found that are spelt otherwise. */
export const DIRECTORY_CASE: readonly Probe[] = [
  probe('dir.case', {
    conclude(traffic) {
      const [byCase, byForm] = [asciiFold, composed].map((normal) => askedOtherwise(traffic, normal))
      const [foundByCase, foundByForm] = [byCase, byForm].map((asked) => asked?.find(({ isFound }) => isFound)?.search)
      if (foundByCase) return settled('case-insensitive', [foundByCase])
      if (foundByForm) return settled('nfc', [foundByForm])
      const [one, other] = [byCase, byForm].map((asked) => asked?.[0]?.search)
      if (one && other) return settled('exact', [one, other])
      if (!one && !other) return undefined
      return open(one ? 'no directory with a letter that has an accent was asked for' : 'case was not asked for')
    },
    *ask(questioner) {
      const { givens, walk } = questioner
      yield* askOtherwise(questioner, givens.fileSet, usualListing(questioner))
      const other = givens.otherFileSet
      if (other !== undefined) yield* askOtherwise(questioner, other, yield* walk({ fileSet: other }))
    },
  }),
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

/** Lower case of ASCII letters only: services agree on those. */
function asciiFold(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function composed(text: string): string {
  return text.normalize('NFC')
}

interface AskedOtherwise {
  readonly search: SearchSeen
  readonly isFound: boolean
}

/** Searches in a directory that is spelt otherwise than the one that exists, and whether what is in that one was found. */
function askedOtherwise(traffic: Traffic, normal: (path: string) => string): AskedOtherwise[] {
  return traffic.searches.flatMap((search) => {
    const path = directoryOf(search)
    const listing = listingFor(search, traffic)
    if (path === undefined || !isPlainPath(path) || !listing || traffic.suspectsOf(search).length > 0) return []
    const directories = [...directoriesIn(listing).keys()]
    const isOther = (one: string) => one !== path && normal(one) === normal(path)
    const others = directories.filter(isOther)
    const isFound = search.files.some((entry) => others.some((one) => entry.path.startsWith(`${one}/`)))
    if (others.length === 0) return []
    // Where the path exists as well, its own entries may come first.
    const isAbsent = search.outcome === 'page' ? search.files.length === 0 : search.status === 404
    return isFound || isAbsent ? [{ search, isFound }] : []
  })
}
