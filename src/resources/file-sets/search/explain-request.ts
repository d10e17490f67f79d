import type { ExplainRequest } from '../../../../types/control-api.d.ts'
import { requestInvalid } from '../../../errors/request-errors.ts'
import { violation } from '../../../errors/problem.ts'
import { createSearchCall, type SearchCaches } from './search-caches.ts'
import type { Explanation } from '../../resource.ts'
import { explainSearch } from './explain-search.ts'

/** The members of a search, which are easily sent without `search` around them. */
const MEMBERS = ['fileSetId', 'query', 'body', 'filters', 'dateFilters', 'fieldSort', 'directoryPath']

/** Explains why a search responds as it does, and why it has one file or not. */
export function createSearchExplanation(caches: SearchCaches): Explanation {
  return {
    optional: ['file'],
    refuseBare(body) {
      const bare = MEMBERS.find((name) => Object.hasOwn(body, name))
      if (bare === undefined) return
      const expected =
        'search, with the search in it: {"search":{"fileSetId":"demo","query":{"limit":3},"body":{"filters":[]}}}'
      throw requestInvalid([violation({ pointer: `/${bare}` }, 'explain', expected, body[bare])])
    },
    explain({ search, file }: ExplainRequest & { readonly search: object }, { dryRun, sandbox }) {
      const { fileSetId, query = {}, body = {} } = search
      const pointers = { body: '/search/body', query: '/search/query', parameters: { fileSetId: '/search/fileSetId' } }
      const { state } = sandbox()
      const simulated = dryRun({ handlerKind: 'searchFiles', path: { fileSetId }, query, body, pointers }, sandbox())
      simulated.validateAndRead()
      return explainSearch(state, createSearchCall(caches, state, simulated.call), file)
    },
  }
}
