import { stringifyJson } from '../../../../base/formats/json.ts'
import { probe, type Probe } from '../../probe.ts'
import type { SeenEntry } from '../../search-seen.ts'
import { type Finding, open, settled, type Traffic } from '../../traffic.ts'
import { isFirstPage } from '../pages/page-sizes.ts'
import { isDirectory, isSameList, listingFor } from './witnesses.ts'

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
