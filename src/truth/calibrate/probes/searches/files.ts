import { probe, type Probe } from '../../probe.ts'
import type { SeenEntry, SearchSeen } from '../../search-seen.ts'
import { open, type Settled, settled, type Traffic } from '../../traffic.ts'
import type { BehaviourId, BehaviourSettings } from '../../../../../types/behaviour-settings.d.ts'
import { instantOf } from '../../search-model/read-search.ts'
import { fileTypeOf } from '../../../../resources/file-sets/entries/file-record.ts'
import { isDirectory, isSameList, listingFor } from './witnesses.ts'
import { stringifyJson } from '../../../../base/formats/json.ts'
import { isFirstPage } from '../pages/page-sizes.ts'

/** Files that must be seen before what none of them has is known to be absent. */
const ENOUGH_FILES = 20

/** What files look like. Every page shows it, so nothing is asked. */
export const FILES: readonly Probe[] = [
  probeByFiles('file.types', (files) => {
    if (files.length < ENOUGH_FILES) return `only ${files.length} files were seen`
    const fileTypes = listedTypes(files)
    if (typeof fileTypes === 'string') return fileTypes
    const hashAlgorithms = ALGORITHMS.filter((one) => files.some(({ hashAlgorithm }) => hashAlgorithm === one))
    if (files.some(({ hashAlgorithm }) => !ALGORITHMS.some((one) => one === hashAlgorithm)))
      return 'there are other hash algorithms'
    return { value: { fileTypes, hashAlgorithms }, certainty: 'likely' }
  }),

  probeByFiles('file.index', (files) => {
    const states = files.map(({ indexStatus }) => indexStatus)
    if (states.includes('PENDING') || states.includes('FAILED')) return { value: 'varied' }
    const without = states.filter((state) => state === null).length
    if (without < ENOUGH_FILES) return `only ${without} files without an index state were seen`
    return { value: 'null', certainty: 'likely' }
  }),

  probeByFiles('file.download-url', (files) => {
    const urls = files.map(({ downloadUrl }) => downloadUrl)
    if (urls.every((url) => url === '')) return { value: 'empty' }
    const areUrls = urls.every((url) => typeof url === 'string' && url !== '')
    return areUrls ? { value: 'url' } : 'some files have a downloadUrl, and some have none'
  }),

  probeByFiles('file.created-precision', (files) => {
    // Zeros at the end are spelling.
    const digits = Math.max(...files.map(({ created }) => /\.(\d*[1-9])/.exec(String(created))?.[1]?.length ?? 0))
    if (digits <= 3) return 'no date has more than three fraction digits'
    return { value: digits <= 6 ? 'micros' : 'nanos', certainty: 'likely' }
  }),

  probeByFiles('file.created-spelling', (files) => {
    if (files.some(({ created }) => instantOf(created) === undefined || typeof created !== 'string'))
      return 'some files have no timestamp as `created`'
    const zones = new Set(files.map(({ created }) => (String(created).endsWith('Z') ? 'z' : 'offset')))
    const [zone = 'z', another] = zones
    if (another !== undefined) return { value: 'mixed' }
    // A few files may have one zone by chance.
    return { value: zone, certainty: files.length >= 6 ? 'certain' : 'likely' }
  }),
]

/** @param read the setting that files show, or why they show none */
function probeByFiles<Id extends BehaviourId>(
  id: Id,
  read: (
    files: readonly SeenEntry[],
  ) => { readonly value: BehaviourSettings[Id]; readonly certainty?: Settled['certainty'] } | string,
): Probe {
  return probe(id, {
    conclude(traffic) {
      const { files, pages } = filesSeen(traffic)
      if (files.length === 0) return undefined
      const shown = read(files)
      return typeof shown === 'string' ? open(shown) : settled(shown.value, pages, shown.certainty)
    },
  })
}

/** The files of all pages, each once. */
function filesSeen({ searches }: Traffic) {
  const files = new Map<string, SeenEntry>()
  const pages: SearchSeen[] = []
  for (const search of searches) {
    const before = files.size
    for (const entry of search.files) if (!isDirectory(entry)) files.set(`${search.fileSet} ${entry.path}`, entry)
    if (files.size > before) pages.push(search)
  }
  return { files: [...files.values()], pages }
}

const ALGORITHMS = ['SHA_256_HEX', 'SHA_1_HEX', 'MD5_HEX'] as const
const TYPES = ['IMAGE', 'AUDIO', 'VIDEO', 'TEXT', 'DOCUMENT', 'OTHER'] as const
type FileType = (typeof TYPES)[number]

/** The categories that files have, with the one last that stands for others; or why that is not known. */
function listedTypes(files: readonly SeenEntry[]): readonly FileType[] | string {
  const listed = new Set<FileType>()
  let last: FileType | undefined
  for (const type of TYPES) {
    const shown = new Set(
      files
        .filter(({ contentType }) => typeof contentType === 'string' && fileTypeOf(contentType) === type)
        .map(({ fileType }) => fileType),
    )
    const [value, another] = shown
    if (value === undefined) return `no file of the category ${type} was seen`
    const known = TYPES.find((one) => one === value)
    if (another !== undefined || !known) return `files of the category ${type} have other values of fileType`
    if (known === type) listed.add(type)
    else if (last !== undefined && last !== known) return 'several values of fileType stand for others'
    else last = known
  }
  if (last === undefined) return [...listed]
  return [...[...listed].filter((one) => one !== last), last]
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A file set that no service has. */
const NO_SUCH_SET = '00000000-0000-4000-8000-000000000000'

/** Which file sets there are, and who sees what of them. */
export const FILE_SETS: readonly Probe[] = [
  probe('set.unknown', {
    conclude(traffic) {
      const unknown = traffic.searches.filter(
        (search) => isFirstPage(search) && UUID.test(search.fileSet) && isOfUnknown(search, traffic),
      )
      const asked = unknown.find(({ fileSet }) => fileSet === NO_SUCH_SET)
      const shown = asked ?? unknown.find(({ outcome }) => outcome === 'refused')
      if (!shown) return undefined
      if (shown.outcome === 'page')
        return shown.files.length === 0 ? settled('empty', [shown]) : open('an unknown file set has entries')
      const value = STATUSES.find((one) => one === String(shown.status))
      return value
        ? settled(value, [shown], asked ? 'certain' : 'likely')
        : open(`an unknown file set is refused with ${shown.status}`)
    },
    ask: ({ search }) => search({ fileSet: NO_SUCH_SET }),
  }),

  probe('set.id-form', {
    conclude(traffic) {
      const others = traffic.searches.filter((search) => isFirstPage(search) && !UUID.test(search.fileSet))
      const accepted = others.find(({ outcome }) => outcome === 'page')
      if (accepted) return settled('any', [accepted])
      const refused = others.find((search) => isOfUnknown(search, traffic))
      if (!refused) return undefined
      const unknown = traffic.settingOf('set.unknown')
      if (unknown === undefined) return open('what an unknown file set does is not known')
      if (unknown === String(refused.status)) {
        // 422 for what is invalid elsewhere shows that the file set is not.
        return unknown !== '400' || traffic.settingOf('error.invalid-status') === '422'
          ? settled('any', [refused])
          : open('an unknown file set is refused with 400 as well')
      }
      return refused.status === 400 || refused.status === 422
        ? settled('uuid-or-400', [refused])
        : open(`the file set ${refused.fileSet} is refused with ${refused.status}`)
    },
    ask: ({ search }) => search({ fileSet: 'abc' }),
  }),

  probe('search.visible', {
    conclude(traffic) {
      const pages = traffic.searches.filter((search) => isFirstPage(search) && search.outcome === 'page')
      for (const [at, one] of pages.entries()) {
        const other = pages.slice(at + 1).find((page) => isSameByAnother(one, page))
        if (!other) continue
        const seen = [one, other].map((page) => listingFor(page, traffic)?.entries ?? page.files)
        const value = visibleBy(seen, isSameList(one.files, other.files))
        if (value) return settled(value, [one, other], 'likely')
      }
      return pages.some(({ key }) => key !== pages[0]?.key)
        ? open('what the keys see does not tell whose files they are')
        : undefined
    },
    *ask({ traffic, givens: { otherKey, keyHeader }, search }) {
      if (otherKey !== undefined && !traffic.isAccepted(`key:${otherKey}`))
        yield* search({ headers: { [keyHeader]: otherKey } })
    },
  }),
]

const STATUSES = ['404', '403', '400'] as const

/** Whether it is refused, or finds nothing, for its file set alone. */
function isOfUnknown(search: SearchSeen, traffic: Traffic): boolean {
  if (search.fileSet === NO_SUCH_SET && search.outcome === 'page') return true
  const isNew = !traffic.isAccepted(`set:${search.fileSet}`) && !search.query.has('directoryPath')
  return isNew && search.outcome === 'refused' && traffic.isAbout(search, 'set')
}

function isSameByAnother(one: SearchSeen, other: SearchSeen): boolean {
  const [a, b] = [one, other].map(({ fileSet, query, body }) => stringifyJson([fileSet, [...query], body]))
  return one.key !== undefined && other.key !== undefined && one.key !== other.key && a === b
}

/** What two keys see, by who created the files that each of them sees. */
function visibleBy(seen: readonly (readonly SeenEntry[])[], isSame: boolean): 'all' | 'own' | 'listed' | undefined {
  const [one, other] = seen.map((entries) => {
    const files = entries.filter((entry) => !isDirectory(entry))
    return {
      creators: new Set(files.map(({ createdBy }) => String(createdBy))),
      directories: new Set(files.map(({ path }) => path.slice(0, path.lastIndexOf('/') + 1))),
    }
  })
  if (!one || !other || one.creators.size + other.creators.size === 0) return undefined
  const isMixed = one.creators.size > 1 || other.creators.size > 1
  if (isSame) return isMixed ? 'all' : undefined
  if (isMixed) return 'listed'
  // Who may see a directory sees all of the files in it.
  const isShared = !one.directories.isDisjointFrom(other.directories)
  return isShared && one.creators.size === 1 && one.creators.isDisjointFrom(other.creators) ? 'own' : undefined
}
