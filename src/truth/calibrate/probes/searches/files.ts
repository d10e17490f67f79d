import { probe, type Probe } from '../../probe.ts'
import type { SeenEntry, SearchSeen } from '../../search-seen.ts'
import { type Finding, open, settled, type Traffic } from '../../traffic.ts'
import type { BehaviourSettings } from '../../../../../types/behaviour-settings.d.ts'
import { instantOf } from '../../condition-uses.ts'
import { isDirectory, isSameList, listingFor } from './witnesses.ts'
import { stringifyJson } from '../../../../base/formats/json.ts'
import { isFirstPage } from '../pages/page-sizes.ts'

/** Files that must be seen before what none of them has is known to be absent. */
const ENOUGH_FILES = 20

/** What files look like. Every page shows it, so nothing is asked. */
export const FILES: readonly Probe[] = [
  probe({
    id: 'file.types',
    conclude(traffic): Finding<BehaviourSettings['file.types']> | undefined {
      const { files, pages } = filesSeen(traffic)
      if (files.length === 0) return undefined
      if (files.length < ENOUGH_FILES) return open(`only ${files.length} files were seen`)
      const fileTypes = listedTypes(files)
      if (typeof fileTypes === 'string') return open(fileTypes)
      const hashAlgorithms = ALGORITHMS.filter((one) => files.some(({ hashAlgorithm }) => hashAlgorithm === one))
      if (files.some(({ hashAlgorithm }) => !ALGORITHMS.some((one) => one === hashAlgorithm)))
        return open('there are other hash algorithms')
      return settled({ fileTypes, hashAlgorithms }, pages, 'likely')
    },
  }),

  probe({
    id: 'file.index',
    conclude(traffic): Finding<'null' | 'varied'> | undefined {
      const { files, pages } = filesSeen(traffic)
      const states = files.map(({ indexStatus }) => indexStatus)
      if (states.length === 0) return undefined
      if (states.includes('PENDING') || states.includes('FAILED')) return settled('varied', pages)
      const without = states.filter((state) => state === null).length
      return without >= ENOUGH_FILES
        ? settled('null', pages, 'likely')
        : open(`only ${without} files without an index state were seen`)
    },
  }),

  probe({
    id: 'file.download-url',
    conclude(traffic): Finding<'empty' | 'url'> | undefined {
      const { files, pages } = filesSeen(traffic)
      if (files.length === 0) return undefined
      const empty = files.filter(({ downloadUrl }) => downloadUrl === '').length
      if (empty === files.length) return settled('empty', pages)
      const areUrls = files.every(({ downloadUrl }) => typeof downloadUrl === 'string' && downloadUrl !== '')
      return areUrls ? settled('url', pages) : open('some files have a downloadUrl, and some have none')
    },
  }),

  probe({
    id: 'file.created-precision',
    conclude(traffic): Finding<'millis' | 'micros' | 'nanos'> | undefined {
      const { files, pages } = filesSeen(traffic)
      if (files.length === 0) return undefined
      // Zeros at the end are spelling.
      const digits = Math.max(...files.map(({ created }) => /\.(\d*[1-9])/.exec(String(created))?.[1]?.length ?? 0))
      if (digits <= 3) return open('no date has more than three fraction digits')
      return settled(digits <= 6 ? 'micros' : 'nanos', pages, 'likely')
    },
  }),

  probe({
    id: 'file.created-spelling',
    conclude(traffic): Finding<'z' | 'offset' | 'mixed'> | undefined {
      const { files, pages } = filesSeen(traffic)
      if (files.length === 0) return undefined
      if (files.some(({ created }) => instantOf(created) === undefined || typeof created !== 'string'))
        return open('some files have no timestamp as `created`')
      const zones = new Set(files.map(({ created }) => (String(created).endsWith('Z') ? 'z' : 'offset')))
      const [zone] = zones
      // A few files may have one zone by chance.
      const certainty = zones.size > 1 || files.length >= 6 ? 'certain' : 'likely'
      return settled(zones.size > 1 || zone === undefined ? 'mixed' : zone, pages, certainty)
    },
  }),
]

/** The files of all pages, each once. */
function filesSeen({ searches }: Traffic) {
  const files = new Map<string, SeenEntry>()
  const pages: SearchSeen[] = []
  for (const search of searches) {
    const before = files.size
    for (const entry of search.files) if (!isDirectory(entry)) files.set(`${search.fileSet} ${entry.path}`, entry)
    if (files.size > before) pages.push(search)
  }
  return { files: [...files.values()], pages: pages.map(({ exchange }) => exchange) }
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
      files.filter(({ contentType }) => typeOf(contentType) === type).map(({ fileType }) => fileType),
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

/** The category of a media type, as seen in public. */
function typeOf(contentType: unknown): FileType | undefined {
  if (typeof contentType !== 'string') return undefined
  const [major = '', minor = ''] = contentType.toLowerCase().split(/[/;]/)
  if (major === 'image' || major === 'audio' || major === 'video')
    return TYPES.find((one) => one === major.toUpperCase())
  if (major === 'text' || minor === 'json' || minor === 'xml') return 'TEXT'
  return /pdf|msword|officedocument|opendocument|ms-excel|ms-powerpoint|rtf/.test(minor) ? 'DOCUMENT' : 'OTHER'
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A file set that no service has. */
const NO_SUCH_SET = '00000000-0000-4000-8000-000000000000'

/** Which file sets there are, and who sees what of them. */
export const FILE_SETS: readonly Probe[] = [
  probe({
    id: 'set.unknown',
    conclude(traffic): Finding<'404' | '403' | '400' | 'empty'> | undefined {
      const unknown = traffic.searches.filter(
        (search) => isFirstPage(search) && UUID.test(search.fileSet) && isOfUnknown(search, traffic),
      )
      const refused = unknown.find(({ outcome }) => outcome === 'refused')
      const asked = unknown.find(({ fileSet }) => fileSet === NO_SUCH_SET)
      const { status, exchange } = asked ?? refused ?? {}
      if (!exchange) return undefined
      const certainty = asked ? 'certain' : 'likely'
      if (asked?.outcome === 'page')
        return asked.files.length === 0 ? settled('empty', [exchange]) : open('an unknown file set has entries')
      const value = STATUSES.find((one) => one === String(status))
      return value ? settled(value, [exchange], certainty) : open(`an unknown file set is refused with ${status ?? 0}`)
    },
    ask: ({ search }) => search({ fileSet: NO_SUCH_SET }),
  }),

  probe({
    id: 'set.id-form',
    conclude(traffic): Finding<'any' | 'uuid-or-400'> | undefined {
      const others = traffic.searches.filter((search) => isFirstPage(search) && !UUID.test(search.fileSet))
      const accepted = others.find(({ outcome }) => outcome === 'page')
      if (accepted) return settled('any', [accepted.exchange])
      const refused = others.find((search) => isOfUnknown(search, traffic))
      if (!refused) return undefined
      const unknown = traffic.settingOf('set.unknown')
      if (unknown === undefined) return open('what an unknown file set does is not known')
      if (unknown === String(refused.status)) {
        // 422 for what is invalid elsewhere shows that the file set is not.
        return unknown !== '400' || traffic.settingOf('error.invalid-status') === '422'
          ? settled('any', [refused.exchange])
          : open('an unknown file set is refused with 400 as well')
      }
      return refused.status === 400 || refused.status === 422
        ? settled('uuid-or-400', [refused.exchange])
        : open(`the file set ${refused.fileSet} is refused with ${refused.status}`)
    },
    ask: ({ search }) => search({ fileSet: 'abc' }),
  }),

  probe({
    id: 'search.visible',
    conclude(traffic): Finding<'all' | 'own' | 'listed'> | undefined {
      const pages = traffic.searches.filter((search) => isFirstPage(search) && search.outcome === 'page')
      for (const [at, one] of pages.entries()) {
        const other = pages.slice(at + 1).find((page) => isSameByAnother(one, page))
        if (!other) continue
        const seen = [one, other].map((page) => listingFor(page, traffic)?.entries ?? page.files)
        const value = visibleBy(seen, isSameList(one.files, other.files))
        if (value) return settled(value, [one.exchange, other.exchange], 'likely')
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

type TrafficSearch = Traffic['searches'][number]

/** Whether it is refused, or finds nothing, for its file set alone. */
function isOfUnknown(search: TrafficSearch, traffic: Traffic): boolean {
  if (search.fileSet === NO_SUCH_SET && search.outcome === 'page') return true
  const isNew = !traffic.isAccepted(`set:${search.fileSet}`) && !search.query.has('directoryPath')
  return isNew && search.outcome === 'refused' && traffic.isAbout(search, 'set')
}

function isSameByAnother(one: TrafficSearch, other: TrafficSearch): boolean {
  const [a, b] = [one, other].map(({ fileSet, query, body }) => stringifyJson([fileSet, [...query], body]))
  return one.key !== undefined && other.key !== undefined && one.key !== other.key && a === b
}

/** What two keys see, by who created the files that each of them sees. */
function visibleBy(seen: readonly (readonly SeenEntry[])[], isSame: boolean): 'all' | 'own' | 'listed' | undefined {
  const [creators, others] = seen.map(
    (entries) => new Set(entries.filter((entry) => !isDirectory(entry)).map(({ createdBy }) => String(createdBy))),
  )
  if (!creators || !others || creators.size + others.size === 0) return undefined
  const isMixed = creators.size > 1 || others.size > 1
  if (isSame) return isMixed ? 'all' : undefined
  if (isMixed) return 'listed'
  // Who may see a directory sees all of the files in it.
  const [directories, theirs] = seen.map(
    (entries) =>
      new Set(
        entries.filter((entry) => !isDirectory(entry)).map(({ path }) => path.slice(0, path.lastIndexOf('/') + 1)),
      ),
  )
  const isShared = [...(directories ?? [])].some((one) => theirs?.has(one))
  return isShared && creators.size === 1 && [...creators].every((one) => !others.has(one)) ? 'own' : undefined
}
