import { probe, type Probe } from '../../probe.ts'
import { open, settled } from '../../traffic.ts'
import { directoryOf, isOfChildren } from '../pages/page-sizes.ts'
import { probeByDeduction } from './deduced.ts'
import { isSameList } from './witnesses.ts'

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

  {
    ...probeByDeduction('dir.children-root'),
    ask: ({ walk }) => walk({ query: { immediateChildren: true } }),
  },

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
